package app

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/service"
)

// These are the sources of a token. A source is read again when the service no longer accepts
// the token, because another program may have renewed it.

// A tokenFile reads the token from a file, for the service at address.
type tokenFile struct {
	path    string
	fix     string // what to do if there is no such file
	app     *App
	address string
}

// Token implements service.TokenSource. A stored token is sent only to the address for which
// it was stored. A token from an early version has no address: it belongs to the address that
// the settings name without flags or, if they name none, to the address of the flag. That
// address is recorded when the token is first used.
func (f tokenFile) Token(context.Context) (importer.Secret, error) {
	token, bound, err := f.read()
	if err != nil {
		return token, err
	}

	if bound == "" && f.path == f.app.Folders.Token() {
		if bound, err = f.app.homeAddress(); err != nil {
			return importer.Secret{}, err
		}
		if bound = cmp.Or(bound, f.address); bound == f.address {
			_ = f.app.Folders.storeToken(token, bound) // if this fails, the next use decides the same
		}
	}
	if bound != "" && bound != f.address {
		return importer.Secret{}, Usage("store one for this service with `tripimport token set --base-url "+f.address+"`",
			"the stored token is for %s: it is not sent to %s", bound, f.address)
	}
	return token, nil
}

// read reads the token and, from a second line, the address that it is for.
func (f tokenFile) read() (_ importer.Secret, address string, err error) {
	text, err := readPrivate(f.path, "token")
	if errors.Is(err, os.ErrNotExist) {
		return importer.Secret{}, "", Usage(f.fix, "there is no token")
	}
	if err != nil {
		return importer.Secret{}, "", err
	}

	line, second, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if address, err = service.CanonicalAddress(second); err != nil {
		line, address = text, "" // StoreToken did not write this file
	}
	token, err := CleanToken(line, "the token file "+f.path)
	return token, address, err
}

// tokenCommand runs a command line in the folder dir, and takes what it prints.
type tokenCommand struct{ line, dir string }

// Token implements service.TokenSource.
func (c tokenCommand) Token(ctx context.Context) (importer.Secret, error) {
	text, err := commandOutput(ctx, c.line, c.dir, "token")
	if err != nil {
		return importer.Secret{}, err
	}
	return CleanToken(text, "what the token command printed")
}

// tokenText is a token that is known already, such as one from the environment.
type tokenText struct{ token importer.Secret }

// Token implements service.TokenSource.
func (t tokenText) Token(context.Context) (importer.Secret, error) { return t.token, nil }

// tokenOnce reads the token from a stream when it is first asked for it.
type tokenOnce struct {
	in    io.Reader
	once  sync.Once
	token importer.Secret
	err   error
}

// Token implements service.TokenSource.
func (t *tokenOnce) Token(context.Context) (importer.Secret, error) {
	t.once.Do(func() {
		line, err := bufio.NewReader(io.LimitReader(t.in, maxToken+2)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			t.err = Usage("", "the token can't be read from standard input")
			return
		}
		t.token, t.err = CleanToken(line, "standard input")
	})
	return t.token, t.err
}

// maxToken is the greatest length of a token, in bytes. A longer text is not a token but
// another file.
const maxToken = 16 << 10

// CleanToken removes white space around a token. It refuses a text that can't be a token,
// because the text would be sent in a header. from is the origin of the text, for the message.
func CleanToken(text, from string) (importer.Secret, error) {
	token := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(token, "bearer "); ok {
		token = strings.TrimSpace(rest)
	}

	switch {
	case token == "":
		return importer.Secret{}, Usage("get one from the service; if it is in a file, run `tripimport token set < FILE`", "there is no token in %s", from)
	case len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return importer.Secret{}, Usage("it is one line of letters, digits and signs, without spaces", "%s does not look like a token", from)
	}
	return importer.NewSecret(token), nil
}

// homeAddress returns the service's address as the settings have it without flags, in
// canonical form; empty if they have none.
func (a *App) homeAddress() (string, error) {
	settings, err := loadSettings(a.env, a.Folders, nil)
	if err != nil || settings.Text("base_url") == "" {
		return "", err
	}
	return settings.address()
}

// address returns the service's address in canonical form.
func (all Settings) address() (string, error) {
	address, err := service.CanonicalAddress(all.Text("base_url"))
	if err != nil {
		return "", Usage("", "base_url is wrong: %s", err)
	}
	return address, nil
}

// StoreToken stores a token for this user alone. The token belongs to the service whose
// address is set, which StoreToken returns. If no address is set, the token belongs to the
// one that is set first.
func (a *App) StoreToken(token importer.Secret) (address string, err error) {
	if err := a.Settings.trusted("base_url"); err != nil {
		return "", err
	}
	if a.Settings.Text("base_url") != "" {
		if address, err = a.Settings.address(); err != nil {
			return "", err
		}
	}
	return address, a.Folders.storeToken(token, address)
}

// storeToken stores a token with the address that it belongs to.
func (f Folders) storeToken(token importer.Secret, address string) error {
	return writePrivate(f.Token(), []byte(strings.TrimSpace(token.Reveal()+"\n"+address)+"\n"))
}

// TokenOrigin says where the token comes from, and never what the token is. It runs no
// command. If there is no token, the error says why.
func (a *App) TokenOrigin() (string, error) {
	source, err := a.tokenSource("")
	if err != nil {
		return "", err
	}

	switch source := source.(type) {
	case tokenCommand:
		return "token_command", nil
	case tokenText:
		return "TRIPIMPORT_TOKEN", nil
	case tokenFile:
		_, address, err := source.read()
		return strings.TrimSpace(source.path + " " + address), err
	}
	return "", nil
}

// ReadToken reads a token from the first line of a stream.
func ReadToken(in io.Reader) (importer.Secret, error) {
	return (&tokenOnce{in: in}).Token(context.Background())
}
