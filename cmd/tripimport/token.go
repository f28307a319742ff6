package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tripimport/importer"
	"tripimport/importer/app"
)

func newToken(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "store the token of the service",
		Example: `  tripimport token set              asks for the token, unseen
  tripimport token set < token.txt`,
	}

	set := &cobra.Command{
		Use:   "set",
		Short: "ask for the token and keep it for this user alone",
		Long: `The token is kept for the address of the service (base_url) and sent to no other.
If no address is set yet, the token is for the first one that you set.`,
		Args: args(cobra.NoArgs, "the token is never an argument: it is asked for, or read from standard input"),
		RunE: e.inSession(func(_ context.Context, s *session, _ []string) error {
			token, err := e.askToken()
			if err != nil {
				return err
			}

			address, err := s.StoreToken(token)
			if err != nil {
				return err
			}
			next := "for " + address + "; `tripimport access` proves it"
			if address == "" {
				next = "for the first base_url that you set"
			}
			s.printf("stored in %s, readable for you alone, %s\n", s.Folders.Token(), next)
			return nil
		}),
	}
	addSettings(set, "base_url")
	cmd.AddCommand(set)
	return cmd
}

// askToken asks for the token without showing it. It reads the token from standard input if that
// is not a terminal.
func (e environment) askToken() (importer.Secret, error) {
	if !isTerminal(e.In) {
		return app.ReadToken(e.In)
	}

	_, _ = fmt.Fprint(e.Err, "token (it will not be shown): ")
	text, err := term.ReadPassword(int(e.In.(*os.File).Fd()))
	_, _ = fmt.Fprintln(e.Err)
	if err != nil {
		return importer.Secret{}, usage("", "the token could not be read from the terminal")
	}
	return app.CleanToken(string(text), "what was typed")
}
