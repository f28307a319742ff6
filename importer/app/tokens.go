package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"

	"tripimport/importer"
	"tripimport/importer/service"
)

// These are the sources of a token. A source is read again when the service no longer accepts
// the token, because another program may have renewed it.

// A tokenFile reads the token from a file, for the service at address.
type tokenFile struct {
	path    string
	fix     importer.Advice // what to do if there is no such file
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
		return importer.Secret{}, usageStep(importer.Do("store one for this service", importer.SetToken, f.address),
			"the stored token is for %s: it is not sent to %s", bound, f.address)
	}
	return token, nil
}

// read reads the token and, from a second line, the address that it is for.
func (f tokenFile) read() (_ importer.Secret, address string, err error) {
	text, err := readPrivate(f.path, "token")
	if errors.Is(err, os.ErrNotExist) {
		return importer.Secret{}, "", usageStep(f.fix, "there is no token")
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
	text, err := commandOutput(ctx, c.line, c.dir)
	if err != nil {
		return importer.Secret{}, err
	}
	return CleanToken(text, "what the token command printed")
}

// tokenText is a token that is known already, such as one from the environment.
type tokenText struct{ token importer.Secret }

// Token implements service.TokenSource.
func (t tokenText) Token(context.Context) (importer.Secret, error) { return t.token, nil }

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
		return importer.Secret{}, Usage("get one from the service", "there is no token in %s", from)
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

// KeepAddress writes the address of the service into the user's own settings, which must not
// name another one, and returns it.
func (a *App) KeepAddress(base string) (string, error) {
	now := a.Settings["base_url"]
	if now.Origin != "default" && now.Text != base {
		return "", Usage("correct it there", "the address of the service is %s (from %s)", now.Text, now.Origin)
	} else if now.Text == base && base != "" {
		return a.Settings.address()
	}
	a.Settings["base_url"] = Value{Text: base, Origin: a.Folders.Settings()}
	address, err := a.Settings.address()
	if err != nil {
		a.Settings["base_url"] = now // another may be tried
		return "", err
	}
	own, err := os.ReadFile(a.Folders.Settings())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", Usage("see that this user may read it", "the configuration %s can't be read", a.Folders.Settings())
	}
	if len(own) > 0 && !bytes.HasSuffix(own, []byte("\n")) {
		own = append(own, '\n')
	}
	line, err := yaml.Marshal(map[string]string{"base_url": base})
	if err != nil {
		return "", err
	}
	return address, writePrivate(a.Folders.Settings(), append(own, line...))
}

// StoreToken stores a token for this user alone. The token belongs to the service whose
// address is set, which StoreToken returns. If no address is set, the token belongs to the
// one that is set first.
func (a *App) StoreToken(token importer.Secret) (address string, err error) {
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
