package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newSandbox(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "forget the rehearsals",
		Long: `With --sandbox, check, import and retry rehearse against an imitation of the
service. Its ledger is kept from one rehearsal to the next; "reset" forgets it.`,
	}
	cmd.AddCommand(e.plainCommand("reset", "forget the trips and the ledger of all rehearsals", func(_ context.Context, s *session) error {
		return s.say(app.ForgetRehearsals(s.Folders), "the rehearsals' trips and ledger are forgotten\n")
	}))
	return cmd
}
