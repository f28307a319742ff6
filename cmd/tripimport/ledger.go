package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/ledger"
)

func newLedger(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "make, find or back up the ledger",
		Long: `The ledger records what was sent and what came of it, and keeps a trip from being
booked twice. An office has one ledger, not one on each machine, so an import
never makes one by itself.`,
		Example: `  tripimport ledger new                 make it, once for the office
  tripimport ledger where               which file it is
  tripimport ledger backup ledger-copy.db`,
	}

	cmd.AddCommand(
		ledgerCommand(e, "new", "make the office's ledger, once", func(ctx context.Context, s *session) error {
			location, err := s.NewLedger(ctx)
			if err != nil {
				return err
			}
			s.printf(`made %s
It is the only record of what is booked: keep it on this machine, back it up, and
do not make another one for the same office. Its key is beside it (.key): a
backup needs both.
`, location)
			return nil
		}),
		ledgerCommand(e, "where", "print which file the ledger is", func(ctx context.Context, s *session) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				s.printf("%s\nidentity %s\n", l.Location(), l.Identity())
				return nil
			})
		}),
		ledgerBackup(e),
		ledgerAdopt(e),
		ledgerRekey(e),
	)
	return cmd
}

// ledgerAdopt takes a backup into use. It asks first: trips that were booked since
// the backup was made are not in it.
func ledgerAdopt(e environment) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "adopt", Short: "take a backup, or another older copy, into use",
		Long: `Trips that were booked since the copy was made are not in it: an import would book
them again. Adopt a copy only where the newer ledger is lost, and import only
schedules of days for which nothing has been booked yet.`,
		Args: args(cobra.NoArgs, "the ledger is the one that the settings name"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}
			if !yes && !e.ask("trips booked since the copy was made would be booked again. is the newer ledger lost?") {
				return usage("run it at a terminal, or with --yes", "not adopted")
			}

			location, err := s.AdoptLedger(cmd.Context())
			if err != nil {
				return err
			}
			s.printf("adopted %s\n", location)
			return nil
		},
	}

	addSettings(cmd, "ledger")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// ledgerRekey records that a provider has another key under the same name.
func ledgerRekey(e environment) *cobra.Command {
	var tokenStdin bool
	cmd := &cobra.Command{
		Use: "rekey PROVIDER", Short: "record that a provider has another API key now",
		Long: `A trip is known by the service, the provider's key and its id. Where a provider
comes with another key, it may be the same provider or another one under its name:
only a person knows. After rekey the trips booked under the old key stay booked.`,
		Args: args(cobra.ExactArgs(1), "name one provider, in quotes"),
		RunE: func(cmd *cobra.Command, names []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}

			name, err := s.RekeyProvider(cmd.Context(), names[0], tokenStdin)
			if err != nil {
				return err
			}
			s.printf("%s is known by its present key from now on\n", name)
			return nil
		},
	}

	addSettings(cmd, append(serviceKeys(), "ledger")...)
	cmd.Flags().BoolVar(&tokenStdin, "token-stdin", false, "read the token from standard input")
	return cmd
}

// ledgerCommand makes a command without arguments that uses the ledger.
func ledgerCommand(e environment, use, short string, do func(context.Context, *session) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: args(cobra.NoArgs, "see the usage"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}
			return do(cmd.Context(), s)
		},
	}
	addSettings(cmd, "ledger")
	return cmd
}

// ledgerBackup copies the ledger to a file.
func ledgerBackup(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "copy the ledger, also while a run goes on",
		Args: args(cobra.ExactArgs(1), "name the file to write"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}
			if err := s.BackupLedger(cmd.Context(), paths[0]); err != nil {
				return err
			}
			s.printf("copied to %s, with its key beside it (.key): keep both, apart from this machine\n", paths[0])
			return nil
		},
	}
	addSettings(cmd, "ledger")
	return cmd
}
