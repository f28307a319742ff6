package app

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"os"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/service"
)

// A tokenSource is where the token for the service at address comes from. It is read again when the
// service no longer accepts the token, because another program may have renewed it.
type tokenSource struct {
	name    string          // of the variable or the file
	renew   importer.Advice // how to get another token
	address string
	text    string // what the variable holds; empty for a file
	stored  bool   // StoreToken wrote the file, which says which service the token is for
}

// tokenSource returns the source of the token for the service at address, without reading it.
func (a *App) tokenSource(address string) tokenSource {
	file, env := a.Settings.Text("token_file"), a.env.get("TRIPIMPORT_TOKEN")
	switch {
	case file != "":
		return tokenSource{name: file, renew: importer.Advice{Text: "get a token from the service and write it to " + file}, address: address}
	case env != "":
		return tokenSource{name: "TRIPIMPORT_TOKEN", renew: importer.Advice{Text: "get a token from the service and set TRIPIMPORT_TOKEN to it"}, address: address, text: env}
	}
	return tokenSource{name: a.Folders.Token(), renew: importer.Do("get a token from the service and store it", importer.SetToken), address: address, stored: true}
}

// Token implements service.TokenSource. A stored token is sent only to the address that it is for, which is the second line
// of its file; it is given without an address, too, but then nobody sends it.
func (s tokenSource) Token(context.Context) (token importer.Secret, err error) {
	if s.text != "" {
		return CleanToken(s.text, s.name)
	}
	text, err := readPrivate(s.name, "token")
	if errors.Is(err, os.ErrNotExist) {
		err = usageStep(s.renew, "there is no token")
	}
	if err != nil {
		return token, err
	}
	if s.stored {
		line, second, _ := strings.Cut(strings.TrimSpace(text), "\n")
		bound, err := service.CanonicalAddress(second)
		text = line
		switch {
		case err != nil:
			return token, usageStep(s.renew, "the token file %s does not say which service the token is for", s.name)
		case s.address != "" && bound != s.address:
			return token, usageStep(importer.Do("store one for this service", importer.SetToken, s.address), "the stored token is for %s: it is not sent to %s", bound, s.address)
		}
	}
	return CleanToken(text, "the token file "+s.name)
}

// NewToken says how to get another token, according to the source of the present one.
func (a *App) NewToken() importer.Advice { return a.tokenSource("").renew }

// maxToken is the greatest length of a token, in bytes. A longer text is not a token but
// another file.
const maxToken = 16 << 10

// CleanToken removes white space around a token. It refuses a text that can't be a token,
// because the text would be sent in a header. from is the origin of the text, for the message.
func CleanToken(text, from string) (importer.Secret, error) {
	switch token := strings.TrimSpace(text); {
	case token == "":
		return importer.Secret{}, Usage("get one from the service", "there is no token in %s", from)
	case len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return importer.Secret{}, Usage("it is one line of letters, digits and signs, without spaces", "%s does not look like a token", from)
	default:
		return importer.NewSecret(token), nil
	}
}

// address returns the service's address in canonical form.
func (all Settings) address() (string, error) {
	base := all.Text("base_url")
	if base == "" {
		return "", importer.Advise(Usage("", "the address of the service is not set"),
			importer.Do("set it", importer.SetUp), importer.Do("or rehearse without an account", importer.Rehearse, "FILE"))
	}
	address, err := service.CanonicalAddress(base)
	if err != nil {
		return "", Usage("", "base_url is wrong: %s", err)
	}
	return address, nil
}

// addressIn returns the address that the ledger's records have for the service.
func (a *App) addressIn(ctx context.Context, l ledger.Ledger) (string, error) {
	address, err := a.Settings.address()
	if err != nil {
		return "", err
	}
	return l.Service(ctx, address)
}

// KeepAddress writes the address of the service into the user's own settings, which must not
// name another one, and returns it.
func (a *App) KeepAddress(base string) (string, error) {
	now, path := a.Settings["base_url"], a.Folders.Settings()
	if now.Origin != "default" && now.Text != base {
		return "", Usage("correct it there", "the address of the service is %s (from %s)", now.Text, now.Origin)
	}
	kept := Settings{"base_url": {Text: base, Origin: path}}
	address, err := kept.address()
	if err != nil || now.Text == base {
		return address, err
	}
	own, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", Usage("see that this user may read it", "the configuration %s can't be read", path)
	}
	maps.Copy(a.Settings, kept)
	lines := strings.TrimRight(string(own), "\n") + "\nbase_url: " + strconv.Quote(base) + "\n"
	return address, writePrivate(path, []byte(strings.TrimLeft(lines, "\n")))
}

// StoreToken stores a token for this user alone. The token belongs to the service whose
// address is set, which StoreToken returns.
func (a *App) StoreToken(token importer.Secret) (string, error) {
	address, err := a.Settings.address()
	if err != nil {
		return "", err
	}
	return address, writePrivate(a.Folders.Token(), []byte(token.Reveal()+"\n"+address+"\n"))
}

// TokenOrigin says where the token comes from, and never what the token is. If there is no token,
// the error says why.
func (a *App) TokenOrigin() (string, error) {
	source := a.tokenSource("")
	_, err := source.Token(context.Background())
	return source.name, err
}

// Access asks the service which providers and funding sources the token may use,
// and saves the answer for checks without a network. The error is an *Error that
// says why the token can't be proved.
func (a *App) Access(ctx context.Context) (access importer.Access, err error) {
	client, _, err := a.client()
	if err != nil {
		return access, err
	}
	if access, err = a.askAccess(ctx, client); err == nil {
		a.saveAccess(access)
	}
	return access, err
}

// askAccess asks the service what the token may use. If the service gives no usable
// answer, the error says why and what to do.
func (a *App) askAccess(ctx context.Context, s importer.Service) (importer.Access, error) {
	access, err := s.Access(ctx)
	var refused *importer.AccessError
	switch {
	case err == nil && len(access.Providers) == 0:
		return access, &Error{Blocked, "the token is good, but it gives access to no transportation provider", "ask the service for access, then get a new token: access is fixed when a token is made"}
	case err == nil:
		return access, nil
	case errors.As(err, &refused) && refused.Denied():
		return access, &Error{Blocked, "the service does not accept the token; nothing was sent", a.NewToken().Say(a.env.Spell)}
	case errors.As(err, &refused) && (refused.Certificate || refused.Status >= 300 && refused.Status < 500) && refused.Status != http.StatusTooManyRequests:
		return access, &Error{Blocked, refused.Reason + "; nothing was sent", "see that base_url is right"}
	case errors.As(err, &refused):
		return access, &Error{Later, refused.Reason + "; nothing was sent", "do the same again later"}
	}
	return access, err
}

// saveAccess saves the access list, which has no keys in a file, for checks without a network. They are a
// convenience, so it may fail.
func (a *App) saveAccess(access importer.Access) { _ = WriteJSON(a.Folders.access(), access) }

// savedAccess returns the access list that was saved last.
func (a *App) savedAccess() (importer.Access, error) {
	return ReadJSON[importer.Access](a.Folders.access())
}
