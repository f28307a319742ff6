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

// The sources of a token follow. A source is read again when the service no longer
// accepts the token, since another program may have renewed it.

// A tokenFile reads the token from a file, for the service at address.
type tokenFile struct {
	path    string
	fix     string // what to do where there is no such file
	app     *App
	address string
}

// Token implements service.TokenSource. A stored token is given to the address for
// which it was stored and to no other. An earlier version did not keep the address:
// such a token belongs to the address that is set otherwise than by a flag, and to
// the flag's where none is set. That is recorded at its first use.
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
			_ = f.app.Folders.storeToken(token, bound) // the next use finds the same
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
		line, address = text, "" // it is no file that StoreToken wrote
	}
	token, err := CleanToken(line, "the token file "+f.path)
	return token, address, err
}

// tokenCommand runs a command and takes what it prints.
type tokenCommand struct {
	line string
	// dir is where it runs: what the user's own settings name is never looked for
	// beside the work.
	dir string
}

// Token implements service.TokenSource.
func (c tokenCommand) Token(ctx context.Context) (importer.Secret, error) {
	text, err := commandOutput(ctx, c.line, c.dir, "token")
	if err != nil {
		return importer.Secret{}, err
	}
	return CleanToken(text, "what the token command printed")
}

// tokenText is a token that was given once: by the environment or on standard
// input.
type tokenText struct{ token importer.Secret }

// Token implements service.TokenSource.
func (t tokenText) Token(context.Context) (importer.Secret, error) { return t.token, nil }

// tokenOnce reads the token from a stream, the first time it is asked for.
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

// maxToken is the length of a token at most, in bytes. What is longer is not a token
// but another file.
const maxToken = 16 << 10

// CleanToken removes white space around a token, and refuses a text that can't be
// one, since it would be sent in a header. From says where the text came from, for
// the message.
func CleanToken(text, from string) (importer.Secret, error) {
	token := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(token, "bearer "); ok {
		token = strings.TrimSpace(rest)
	}

	switch {
	case token == "":
		return importer.Secret{}, Usage("get one from the service; where it is a file, run `tripimport token set < FILE`", "there is no token in %s", from)
	case len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return importer.Secret{}, Usage("it is one line of letters, digits and signs, without spaces", "%s does not look like a token", from)
	}
	return importer.NewSecret(token), nil
}

// homeAddress returns the address of the service that is set otherwise than by a
// flag, in canonical form; empty where none is set.
func (a *App) homeAddress() (string, error) {
	settings, err := loadSettings(a.env, a.Folders, nil)
	if err != nil || settings.Text("base_url") == "" {
		return "", err
	}
	return settings.address()
}

// address returns the address of the service in canonical form.
func (all Settings) address() (string, error) {
	address, err := service.CanonicalAddress(all.Text("base_url"))
	if err != nil {
		return "", Usage("", "base_url is wrong: %s", err)
	}
	return address, nil
}

// StoreToken keeps a token for this user alone, and for the service whose address is
// set, which it returns. Where none is set, the token belongs to the first one that
// is.
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

// storeToken keeps a token with the address that it is for.
func (f Folders) storeToken(token importer.Secret, address string) error {
	return writePrivate(f.Token(), []byte(strings.TrimSpace(token.Reveal()+"\n"+address)+"\n"))
}

// TokenOrigin says where the token comes from, and never what it is. It runs no
// command. The error says why there is none.
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
