package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tripimport/importer"
)

func newToken(w world) *cobra.Command {
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
			f, err := w.userFolders()
			if err != nil {
				return err
			}
			token, err := w.askToken(cmd.Context())
			if err != nil {
				return err
			}
			if err := storeToken(f.token(), token); err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "stored in %s, readable for you alone; `tripimport access` proves it\n", f.token())
			return err
		},
	})
	return cmd
}

// askToken asks for the token unseen, or takes it from a pipe.
func (w world) askToken(ctx context.Context) (importer.Secret, error) {
	if !isTerminal(w.In) {
		return (&tokenOnce{in: w.In}).Token(ctx)
	}
	_, _ = fmt.Fprint(w.Err, "token (it will not be shown): ")
	text, err := term.ReadPassword(int(w.In.(*os.File).Fd()))
	_, _ = fmt.Fprintln(w.Err)
	if err != nil {
		return importer.Secret{}, usage("", "the token could not be read from the terminal")
	}
	return cleanToken(string(text), "what was typed")
}
