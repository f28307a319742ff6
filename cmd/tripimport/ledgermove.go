package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

// ledgerMove makes the command that moves the ledger to a database.
func ledgerMove(e environment) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "move URL", Short: "move the ledger to a PostgreSQL database that offices share",
		Long: `Everything that the ledger knows goes into the database, with its number and its key, so
that what was booked stays booked, and results workbooks can be worked on. All of it is
read again there and compared before anything counts. The ledger's file stays where it is,
closed for good: no command reads or writes it.

The database is there already, has no ledger, and belongs to its user. No password stands
in the URL: see ledger_password_file in tripimport config reference. If the move is broken
off, run the same command again: it finishes the move or begins it again.

exit: 0 moved; 2 not moved, or to be finished as the message says; 11 a run goes on`,
		Example: `  tripimport ledger move postgres://trips@db.office.example/tripimport`,
		Args:    args(cobra.ExactArgs(1), "name the database as postgres://USER@HOST/DATABASE"),
		RunE: e.inSession(func(ctx context.Context, s *session, urls []string) error {
			if !yes && !e.ask("from then on the ledger is in the database, and its file is closed for good. move it?") {
				return usage("run it at a terminal, or with --yes", "not moved")
			}
			moved, err := s.MoveLedger(ctx, urls[0])
			if moved != nil {
				s.printMoved(moved)
			}
			return err
		}),
	}
	addSettings(cmd, "ledger")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// printMoved prints what was moved, and what to do next.
func (s *session) printMoved(moved *app.MovedLedger) {
	if rows := moved.Rows; rows == nil {
		s.printf("the move that was broken off is finished: the ledger is at %s\n", moved.To)
	} else {
		s.printf("moved %s, %s, %s, %s and %s to %s\n",
			importer.Counted(rows["trips"], "trip", "trips"), importer.Counted(rows["attempts"], "attempt", "attempts"),
			importer.Counted(rows["trip_changes"], "change", "changes"), importer.Counted(rows["runs"], "run", "runs"),
			importer.Counted(rows["resolutions"]+rows["decisions"]+rows["holds"], "answer", "answers"), moved.To)
	}
	s.printf(`
next:
1. on each machine that imports, write this into tripimport.yaml (here: %s); in place of IMPORTER write the role with which that office imports
   ledger: %s
2. bring the key to the other machines with `+"`tripimport ledger join --key FILE`"+`; here it is
   %s
3. have the server's administrator back up the database every night, and keep a copy of the key in another place
The old file stays where it is: a command that still names it says where the ledger is now.

IMPORTER may import, and change nothing that was recorded, after these statements. The user who moved the ledger owns it, and needs none of them:
`, s.Folders.Settings(), moved.URL, moved.Key)
	for _, statement := range moved.Grants {
		s.printf("  %s\n", statement)
	}
}
