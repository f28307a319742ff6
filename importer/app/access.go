package app

import (
	"context"
	"errors"
	"net/http"

	"tripimport/importer"
)

// Access asks the service which providers and funding sources the token may use,
// and saves the answer for checks without a network. The error is an *Error that
// says why the token can't be proved.
func (a *App) Access(ctx context.Context) (importer.Access, error) {
	access, _, err := a.provenAccess(ctx)
	if err == nil {
		a.saveAccess(access)
	}
	return access, err
}

// provenAccess asks the service of the settings what the token may use. It returns the service's
// address in canonical form as well.
func (a *App) provenAccess(ctx context.Context) (access importer.Access, address string, err error) {
	client, address, err := a.client()
	if err == nil {
		access, err = a.askAccess(ctx, client)
	}
	return access, address, err
}

// askAccess asks the service what the token may use. If the service gives no usable
// answer, the error says why and what to do.
func (a *App) askAccess(ctx context.Context, s importer.Service) (importer.Access, error) {
	done := a.waits().OnService()
	access, err := s.Access(ctx)
	done()
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

// saveAccess saves the access list, which has no keys in a file. A failure is only logged, because a check
// without a network is a convenience.
func (a *App) saveAccess(access importer.Access) {
	if err := WriteJSON(a.Folders.access(), access); err != nil {
		a.env.Log.Warn("the access list could not be saved for checks without a network")
	}
}

// savedAccess returns the access list that was saved last; nil if there is none.
func (a *App) savedAccess() (*importer.Access, error) {
	access, err := ReadJSON[importer.Access](a.Folders.access())
	if err != nil {
		return nil, err
	}
	return &access, nil
}
