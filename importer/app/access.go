package app

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tripimport/importer"
)

// Access asks the service which providers and funding sources the token may use,
// and saves the answer for checks without a network. The error is an *Error that
// says why the token can't be proved.
func (a *App) Access(ctx context.Context) (importer.Access, error) {
	client, _, err := a.client()
	if err != nil {
		return importer.Access{}, err
	}

	access, err := a.askAccess(ctx, client)
	if err == nil {
		a.saveAccess(access)
	}
	return access, err
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
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
		return access, &Error{Later, refused.Reason + "; nothing was sent", "do the same again later"}
	case errors.As(err, &refused) && (refused.Certificate || refused.Status >= 300 && refused.Status < 500):
		return access, &Error{Blocked, refused.Reason + "; nothing was sent", "see that base_url is right"}
	case errors.As(err, &refused):
		return access, &Error{Later, refused.Reason + "; nothing was sent", "do the same again later"}
	}
	return access, err
}

// An accessList is the saved form of the access list, for checks without a network. It
// has names and ids, and no keys.
type accessList struct {
	Asked     time.Time        `json:"asked"`
	Providers []AccessProvider `json:"providers"`
}

// An AccessProvider is a provider in the access list, without its key.
type AccessProvider struct {
	Name           string                `json:"name"`
	FundingSources []AccessFundingSource `json:"funding_sources"`
}

// An AccessFundingSource is a funding source of an AccessProvider.
type AccessFundingSource struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// AccessNames returns the names and ids of the access list, without its keys.
func AccessNames(access importer.Access) []AccessProvider {
	list := []AccessProvider{}
	for _, p := range access.Providers {
		saved := AccessProvider{Name: p.Name, FundingSources: []AccessFundingSource{}}
		for _, f := range p.FundingSources {
			saved.FundingSources = append(saved.FundingSources, AccessFundingSource{f.ID, f.Name})
		}
		list = append(list, saved)
	}
	return list
}

// saveAccess saves the access list. A failure is only logged, because a check without a
// network is a convenience.
func (a *App) saveAccess(access importer.Access) {
	if err := WriteJSON(a.Folders.access(), accessList{time.Now().UTC(), AccessNames(access)}); err != nil {
		a.env.Log.Warn("the access list could not be saved for checks without a network")
	}
}

// savedAccess returns the access list that was saved last.
func (a *App) savedAccess() (*importer.Access, error) {
	s, err := ReadJSON[accessList](a.Folders.access())
	if err != nil {
		return nil, usageStep(importer.Do("ask for it once", importer.AskAccess), "no answer of the access operation is saved")
	}

	access := &importer.Access{}
	for _, p := range s.Providers {
		provider := importer.Provider{Name: p.Name}
		for _, f := range p.FundingSources {
			provider.FundingSources = append(provider.FundingSources, importer.FundingSource{ID: f.ID, Name: f.Name})
		}
		access.Providers = append(access.Providers, provider)
	}
	return access, nil
}
