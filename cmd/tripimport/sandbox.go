package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newSandbox(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "forget the rehearsals",
		Long: "`--sandbox`" + ` on check, import and retry rehearses against an imitation of the
service inside the program. Its ledger, with the trips, is kept from one rehearsal to the
next; ` + "`tripimport sandbox reset`" + ` forgets it.`,
	}
	cmd.AddCommand(newSandboxReset(e))
	return cmd
}

func newSandboxReset(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "forget the trips and the ledger of all rehearsals",
		Args:  args(cobra.NoArgs, "sandbox reset takes no file"),
		RunE: func(*cobra.Command, []string) error {
			f, err := app.FindFolders(e.forApp())
			if err != nil {
				return err
			}
			if err := app.ForgetRehearsals(f); err != nil {
				return err
			}

			_, err = fmt.Fprintln(e.Out, "the rehearsals' trips and ledger are forgotten")
			return err
		},
	}
}
