package main

import (
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

	cmd.AddCommand(&cobra.Command{
		Use:   "set",
		Short: "ask for the token and keep it for this user alone",
		Args:  args(cobra.NoArgs, "the token is never an argument: it is asked for, or read from standard input"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := app.FindFolders(e.forApp())
			if err != nil {
				return err
			}

			token, err := e.askToken()
			if err != nil {
				return err
			}

			if err := f.StoreToken(token); err != nil {
				return err
			}

			_, err = fmt.Fprintf(e.Out, "stored in %s, readable for you alone; `tripimport access` proves it\n", f.Token())
			return err
		},
	})
	return cmd
}

// askToken asks for the token without showing it, or reads it from a pipe.
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
