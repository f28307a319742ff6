package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

func newLedger(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "make, find or back up the ledger",
		Args:  refuseUnknownCommand,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				s.printf("%s\nidentity %s\nkey %s\n", l.Location(), l.Identity(), s.KeyPath(l))
				return nil
			})
		}),
		Long: `The ledger records what was sent and what came of it, and keeps a trip from
being booked twice. An office has one, not one on each machine, so no import
makes one.`,
		Example: `  tripimport ledger     where it and its key are`,
	}

	cmd.AddCommand(
		ledgerNew(e),
		ledgerJoin(e),
		ledgerBackup(e),
		ledgerVerify(e),
		ledgerAdopt(e),
		ledgerRekey(e),
		ledgerAddress(e),
	)
	return cmd
}

// ledgerNew makes the command that makes the office's ledger.
func ledgerNew(e environment) *cobra.Command {
	cmd := e.plainCommand("new", "make the office's ledger, once", func(ctx context.Context, s *session) error { return s.newLedger(ctx) })
	cmd.Long = `Makes the ledger where the settings say. Offices that share one share its rate:
so many requests a second in all, as --set rate says, or 10.`
	cmd.Example = `  tripimport ledger new
  tripimport ledger new --set ledger=postgres://trips@db.example/t --set rate=20`
	return cmd
}

// newLedger makes the office's ledger, and says how it is to be kept.
func (s *session) newLedger(ctx context.Context) error {
	location, key, err := s.NewLedger(ctx)
	if !s.IsShared() {
		return s.say(err, "made %s\nIt is the only record of what is booked: keep it on this machine, back it up, and do not make another one for the same office.\nIts key is beside it (.key): a backup needs both.\n", location)
	}
	return s.say(err, `made %s
It is the only record of what is booked: do not make another one for the same offices, and have the server's administrator back it up every night.
Its key is not in the database but in a file, and without its key the ledger is useless: keep a copy in another place, and bring it to the other machines with `+"`tripimport ledger join --key FILE`"+`
  %s
`, location, key)
}

// ledgerJoin makes the command that brings the key of a shared ledger to this machine.
func ledgerJoin(e environment) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "join", Short: "bring the key of the ledger that offices share to this machine",
		Long: `Riders and addresses are in the database only as hashes, made with a key that
each machine needs in a file. tripimport ledger shows it on a machine that has
it: carry it as you would carry a password.`,
		Example: `  tripimport ledger join --key E:\K7Q2XW.key`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if key == "" {
				return usage("copy it from a machine that uses the ledger, where `tripimport ledger` shows it", "--key FILE is missing")
			}
			path, err := s.JoinLedger(ctx, key)
			return s.say(err, "joined: the key is kept at %s\n", path)
		}),
	}
	cmd.Flags().StringVar(&key, "key", "", "the ledger's key `FILE`")
	return cmd
}

// ledgerAdopt makes the command that takes a copy of the ledger into use. The command asks
// first, because trips that were booked after the copy was made are not in it.
func ledgerAdopt(e environment) *cobra.Command {
	var yes bool
	var workbooks []string
	cmd := &cobra.Command{
		Use: "adopt", Short: "take a backup or another machine's ledger into use",
		Example: `  tripimport ledger adopt --results schedule.xlsx.20261202T031500Z.results.xlsx`,
		Long: `Trips that were booked since the copy was made are not in it, and would be
booked again. Adopt a copy only if the newer ledger is lost, or if this machine
replaces another one. Name with --results the results of every run since: what
they show as booked, or perhaps booked, is entered first.

exit: 0 adopted; 2 not adopted`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			const question = "trips booked since the copy was made, and not in results that you named, would be booked again. is the newer ledger lost?"
			if !yes && !s.ask(question) {
				return usage("run it at a terminal, or with --yes", "not adopted")
			}
			location, entered, err := s.AdoptLedger(ctx, workbooks...)
			return s.say(err, "entered %s\nadopted %s\n", importer.Counted(entered, "trip", "trips"), location)
		}),
	}

	cmd.Flags().StringP("mapping", "m", "", "mapping of the results: a `FILE`, or a template's name (default: the one that they name)")
	flags := cmd.Flags()
	flags.StringArrayVar(&workbooks, "results", nil, "results `FILE` of a run since the copy was made")
	flags.BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// ledgerRekey makes the command that records that a provider has another key.
func ledgerRekey(e environment) *cobra.Command {
	return &cobra.Command{
		Use: "rekey PROVIDER", Short: "record that a provider has another API key now",
		Long: `A trip is known by the service, the provider's key and its id. Trips that were
booked under the old key stay booked.`,
		Example: `  tripimport ledger rekey "Lakeshore Transit"`,
		RunE: e.inSession(func(ctx context.Context, s *session, names []string) error {
			name, err := s.RekeyProvider(ctx, names[0])
			return s.say(err, "%s is known by its present key from now on\n", name)
		}),
	}
}

// ledgerAddress makes the command that records which service an address belongs to.
func ledgerAddress(e environment) *cobra.Command {
	var known string
	var isNew, yes bool
	cmd := &cobra.Command{
		Use: "address ADDRESS", Short: "record that an address is the known system, or another one",
		Long: `With --same-as, what is booked at one of the two addresses is booked at the
other. If they are two systems, such as a test host, no car would come: so look
up a booked trip in the system at ADDRESS first.

With --new, ADDRESS is a system of its own: only trips that were sent there are
booked there, also if it was the same as another before. If it is the same
system after all, an import books all trips again.`,
		Example: `  tripimport ledger address https://new.example --same-as https://old.example
  tripimport ledger address https://test.trips.example --new`,
		RunE: e.inSession(func(ctx context.Context, s *session, addresses []string) error {
			if isNew == (known != "") {
				return usage("say which of the two is the case: --same-as with the address where the trips were booked, or --new", "is it the address of a known system, or of another one?")
			}
			question := "were trips that are booked at " + known + " found in the system at " + addresses[0] + "? if it is another one, no car comes for them"
			if !isNew && !yes && !s.ask(question) {
				return usage("look up a booked trip there, and run it at a terminal, or with --yes", "not recorded")
			}
			address, err := s.SetAddress(ctx, addresses[0], known)
			if isNew {
				return s.say(err, "%s is a system of its own; only trips that were sent there are booked there.\nIf it is a known system, run `tripimport ledger address %s --same-as OLD` before the next import: it would book all trips again\n", address, address)
			}
			return s.say(err, "%s and %s are one system; if that is wrong, run `tripimport ledger address %s --new`\n", known, address, address)
		}),
	}

	cmd.Flags().StringVar(&known, "same-as", "", "the `ADDRESS` at which the same system is known, where the trips were booked")
	cmd.Flags().BoolVar(&isNew, "new", false, "it is a system of its own, such as a test host")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// ledgerBackup makes the command that copies the ledger to a file.
func ledgerBackup(e environment) *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "copy the ledger, also while a run goes on",
		Long: `Copies the ledger and its key (.key) to a new file, and reads the copy through.
Of a ledger that offices share it prints the pg_dump to be run every night.`,
		Example: `  tripimport ledger backup ledger-copy.db`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			return s.say(s.BackupLedger(ctx, paths[0]), "copied to %s, with its key beside it (.key): keep both, apart from this machine\n", paths[0])
		}),
	}
}

// ledgerVerify makes the command that reads and checks the whole ledger.
func ledgerVerify(e environment) *cobra.Command {
	return e.plainCommand("verify", "read the whole ledger: whether it is sound, and all runs balance", func(ctx context.Context, s *session) error {
		return s.ReadLedger(ctx, func(l ledger.Ledger) error {
			v, err := l.Verify(ctx)
			if err != nil {
				return err
			}
			s.printf("%s, %s; %s for an answer\n",
				importer.Counted(v.Runs, "run", "runs"), importer.Counted(v.Trips, "trip", "trips"), importer.Counted(v.Open, "trip waits", "trips wait"))
			return s.printSoundness(&v)
		})
	})
}

// printSoundness says whether the ledger is sound; if it is not, with an error.
func (s *session) printSoundness(v *ledger.Verification) error {
	if len(v.Wrong) == 0 {
		s.printf("the ledger is sound: every attempt has an answer or is on the list, and every control total balances\n")
		s.tellWhyNot("nothing can be recorded in it")
		return nil
	}
	for _, wrong := range v.Wrong {
		s.printf("  %s\n", wrong)
	}
	return &app.Error{Status: app.Unexpected, Reason: "the ledger is not sound", Fix: "import nothing with it; keep it as it is, and adopt the newest backup that is sound (`tripimport ledger adopt --help`)"}
}
