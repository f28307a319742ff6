package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
)

func newAccess(w world) *cobra.Command {
	var tokenStdin, asJSON bool
	cmd := &cobra.Command{
		Use:   "access",
		Short: "list the transportation providers and funding sources the token may use",
		Example: `  tripimport access           proves the token, and lists the names that mappings may use
  tripimport access --json`,
		Args: args(cobra.NoArgs, "access takes no file"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			client, _, err := a.client(tokenStdin)
			if err != nil {
				return err
			}
			access, err := askAccess(cmd.Context(), client)
			if err != nil {
				return err
			}
			a.keepAccess(access)
			if asJSON {
				return printJSON(w.Out, namesOf(access, time.Now()).Providers)
			}
			for _, p := range access.Providers {
				_, _ = fmt.Fprintln(w.Out, p.Name)
				for _, f := range p.FundingSources {
					_, _ = fmt.Fprintf(w.Out, "    %s (%d)\n", f.Name, f.ID)
				}
			}
			return nil
		},
	}
	addSettings(cmd, serviceKeys()...)
	cmd.Flags().BoolVar(&tokenStdin, "token-stdin", false, "read the token from standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}

// askAccess asks what the token may use, and says in words why it can't be
// told.
func askAccess(ctx context.Context, s importer.Service) (importer.Access, error) {
	access, err := s.Access(ctx)
	var refused *importer.AccessError
	switch {
	case err == nil && len(access.Providers) == 0:
		return access, &complaint{exitBlocked, "the token is good, but it gives access to no transportation provider", "ask the service for access, then get a new token: access is fixed when a token is made"}
	case err == nil:
		return access, nil
	case errors.As(err, &refused) && refused.Denied():
		return access, &complaint{exitBlocked, "the service does not accept the token; nothing was sent", "get a new one from the service and store it with `tripimport token set`"}
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
		return access, &complaint{exitLater, refused.Reason + "; nothing was sent", "run the same command again later"}
	case errors.As(err, &refused) && (refused.Certificate || refused.Status >= 300 && refused.Status < 500):
		return access, &complaint{exitBlocked, refused.Reason + "; nothing was sent", "see that base_url is right (`tripimport config show`)"}
	case errors.As(err, &refused):
		return access, &complaint{exitLater, refused.Reason + "; nothing was sent", "run the same command again later"}
	}
	return access, err
}

// savedAccess is the access list as it is kept for checks without a network:
// names and ids, no keys.
type savedAccess struct {
	Asked     time.Time       `json:"asked"`
	Providers []savedProvider `json:"providers"`
}

type savedProvider struct {
	Name           string        `json:"name"`
	FundingSources []savedSource `json:"funding_sources"`
}

type savedSource struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func namesOf(access importer.Access, at time.Time) savedAccess {
	s := savedAccess{Asked: at.UTC()}
	for _, p := range access.Providers {
		saved := savedProvider{Name: p.Name, FundingSources: []savedSource{}}
		for _, f := range p.FundingSources {
			saved.FundingSources = append(saved.FundingSources, savedSource{f.ID, f.Name})
		}
		s.Providers = append(s.Providers, saved)
	}
	return s
}

// keepAccess saves the list. A check without a network is a convenience, so
// that it could not be saved is only logged.
func (a *app) keepAccess(access importer.Access) {
	text, err := json.MarshalIndent(namesOf(access, time.Now()), "", "  ")
	if err == nil {
		err = private(a.folders.Data)
	}
	if err == nil {
		err = os.WriteFile(a.folders.access(), text, 0o600)
	}
	if err != nil {
		a.log.Warn("the access list could not be saved for checks without a network")
	}
}

// savedAccess gives the list that was saved last.
func (a *app) savedAccess() (*importer.Access, error) {
	text, err := os.ReadFile(a.folders.access())
	var s savedAccess
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return nil, usage("run `tripimport access` once", "no answer of the access operation is saved")
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
