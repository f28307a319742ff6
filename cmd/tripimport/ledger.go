package main

import (
	"bufio"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

func newLedger(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "make, find or back up the ledger",
		Long: `The ledger records what was sent and what came of it, and keeps a trip from being
booked twice. An office has one ledger, not one on each machine, so an import
never makes one by itself, and a machine that has one makes no second. Offices that share one have it in a PostgreSQL database:
name that with --ledger postgres://USER@HOST/DATABASE or in tripimport.yaml.`,
		Example: `  tripimport ledger new           make it, once for the office
  tripimport ledger where         where it and its key are
  tripimport ledger backup ledger-copy.db
  tripimport ledger move URL      to a database that offices share
  tripimport ledger verify        read all of it, and compare the control totals
  tripimport ledger link OLD NEW  the service has another address now
  tripimport ledger separate ADDRESS
                                  another system, such as a test host`,
	}

	cmd.AddCommand(
		ledgerCommand(e, "new", "make the office's ledger, once", func(ctx context.Context, s *session) error {
			location, key, err := s.NewLedger(ctx)
			if err != nil {
				return err
			}
			if grants := s.Grants(); grants != nil {
				s.printf(`made %s
It is the only record of what is booked: do not make another one for the same offices, and have the server's administrator back it up every night.
Its key is not in the database but in a file, and without its key the ledger is useless: keep a copy in another place, and bring it to the other machines with `+"`tripimport ledger join --key FILE`"+`
  %s

Another user of the database may import, and change nothing that was recorded, after these statements (IMPORTER is the role's name):
`, location, key)
				for _, statement := range grants {
					s.printf("  %s\n", statement)
				}
				return nil
			}
			s.printf("made %s\nIt is the only record of what is booked: keep it on this machine, back it up, and do not make another one for the same office.\nIts key is beside it (.key): a backup needs both.\n", location)
			return nil
		}),
		ledgerCommand(e, "where", "print where the ledger and its key are", func(ctx context.Context, s *session) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				s.printf("%s\nidentity %s\nkey %s\n", l.Location(), l.Identity(), s.KeyPath(l))
				return nil
			})
		}),
		ledgerJoin(e),
		ledgerCommand(e, "grants", "print the statements that let another user of the database import", func(_ context.Context, s *session) error {
			grants := s.Grants()
			if grants == nil {
				return usage("they are for a ledger in a database", "the ledger is a file of this machine")
			}
			for _, statement := range grants {
				s.printf("%s\n", statement)
			}
			return nil
		}),
		ledgerMove(e),
		ledgerRate(e),
		ledgerBackup(e),
		ledgerVerify(e),
		ledgerAdopt(e),
		ledgerRekey(e),
		ledgerLink(e),
		ledgerSeparate(e),
	)
	return cmd
}

// ledgerJoin makes the command that brings the key of a shared ledger to this machine.
func ledgerJoin(e environment) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "join", Short: "bring the key of the ledger that offices share to this machine",
		Long: `The ledger's database holds no names: riders and addresses are in it only as hashes,
made with a key that is not in it. Each machine that imports needs that key, once.
tripimport ledger where shows it on a machine that has it. Carry it as you would carry a
password, and leave no copy on the way.`,
		Example: `  tripimport ledger join --key E:\K7Q2XW.key`,
		Args:    args(cobra.NoArgs, "the ledger is the one that the settings name"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if key == "" {
				return usage("copy it from a machine that uses the ledger, where `tripimport ledger where` shows it", "--key FILE is missing")
			}
			path, err := s.JoinLedger(ctx, key)
			if err != nil {
				return err
			}
			s.printf("joined: the key is kept at %s\n", path)
			return nil
		}),
	}
	addSettings(cmd, "ledger")
	cmd.Flags().StringVar(&key, "key", "", "the ledger's key `FILE`")
	return cmd
}

// ledgerRate makes the command that shows or sets how fast the offices that share a ledger may
// send requests to the service.
func ledgerRate(e environment) *cobra.Command {
	var burst int
	cmd := &cobra.Command{
		Use: "rate [REQUESTS]", Short: "show or set how fast all offices together ask the service",
		Long: `Offices that share a ledger share one rate: so many requests a second, whatever the
number of machines and runs. It is set once, in the ledger, by the user who made that; it
is 10 until then. A run with a rate of its own is no faster than that. When the service asks
for a pause or refuses the rate, all runs pause, and the rate is halved once and comes back
slowly.`,
		Example: `  tripimport ledger rate
  tripimport ledger rate 20 --burst 10`,
		Args: args(cobra.MaximumNArgs(1), "give one number: requests a second"),
		RunE: e.inSession(func(ctx context.Context, s *session, given []string) error {
			var rate float64
			if len(given) == 1 {
				var err error
				if rate, err = strconv.ParseFloat(given[0], 64); err != nil || !(rate > 0 && rate <= 10_000) {
					return usage("give requests a second, such as 20", "the rate is %q; it takes a number above 0, up to 10000", given[0])
				}
			}
			state, err := s.SharedRate(ctx, rate, burst)
			if err != nil {
				return err
			}
			s.printf("%g requests a second for all offices together, %d at once after a quiet time\n", state.PerSecond, state.Burst)
			switch {
			case state.Pause > 0:
				s.printf("the service asked for a pause: %s to go\n", state.Pause.Round(time.Second))
			case state.Now < state.PerSecond:
				s.printf("the service refused that rate: %.3g a second now, which rises again\n", state.Now)
			}
			return nil
		}),
	}
	addService(cmd, "ledger")
	cmd.Flags().IntVar(&burst, "burst", 10, "`COUNT` of requests that may go at once after a quiet time")
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
		Long: `Trips that were booked since the copy was made are not in it: an import would book
them again. Adopt a copy only if the newer ledger is lost, or if this machine replaces
another one, on which nothing is imported any more.

Name with --results the results of every run since the copy was made, each with a
--results of its own. The trips that they show as booked, or as such that
may be booked, are entered first, so that they are not booked again. An import refuses a
ledger that lacks a run whose results are beside the schedule. What people found out about
trips that may be booked is asked for again: they may have corrected it since. Trips that
were booked before are changed only after ` + "`tripimport update`" + ` has shown the changes: the copy
may lack what was put on hold.

A file whose ledger was moved to a database lacks all that was sent since. It is the way back
only if the database and its backups are lost for good.

exit: 0 adopted; 2 not adopted`,
		Args: args(cobra.NoArgs, "the ledger is the one that the settings name"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if err := s.confirmAdopting(ctx, yes); err != nil {
				return err
			}

			location, entered, err := s.AdoptLedger(ctx, workbooks...)
			if err != nil {
				return err
			}
			if len(workbooks) > 0 {
				s.printf("entered %s\n", importer.Counted(entered, "trip", "trips"))
			}
			s.printf("adopted %s\n", location)
			return nil
		}),
	}

	addService(cmd, "ledger", "mapping")
	flags := cmd.Flags()
	flags.StringArrayVar(&workbooks, "results", nil, "results `FILE` of a run since the copy was made")
	flags.BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// confirmAdopting asks whether the newer ledger is lost, unless yes answers that.
func (s *session) confirmAdopting(ctx context.Context, yes bool) error {
	const question = "trips booked since the copy was made, and not in results that you named, would be booked again. is the newer ledger lost?"
	moved := s.WhereMoved(ctx)
	switch {
	case moved == "" && (yes || s.ask(question)):
		return nil
	case moved == "":
		return usage("run it at a terminal, or with --yes", "not adopted")
	case yes || s.ask(moved+": use that one. only if the database and its backups are lost for good is this file the way back.\n    "+question):
		return nil
	}
	return usage("use that one; only if the database and its backups are lost for good, run this at a terminal, or with --yes", "%s; not adopted", moved)
}

// ledgerRekey makes the command that records that a provider has another key, under the same
// name or a new one, or that it is a new provider.
func ledgerRekey(e environment) *cobra.Command {
	var was string
	var isNew bool
	cmd := &cobra.Command{
		Use: "rekey PROVIDER", Short: "record that a provider has another API key now",
		Long: `A trip is known by the service, the provider's key and its id. Where a provider
comes with another key, it may be the same provider or another one under its name:
only a person knows. After rekey the trips booked under the old key stay booked.
Where the name is new as well, --was gives the old one, or --new says that it is
another provider, for which nothing is booked so far.`,
		Example: `  tripimport ledger rekey "Lakeshore Transit"
  tripimport ledger rekey "Lakeshore Mobility" --was "Lakeshore Transit"
  tripimport ledger rekey "Prairie Wheels" --new`,
		Args: args(cobra.ExactArgs(1), "name one provider, in quotes"),
		RunE: e.inSession(func(ctx context.Context, s *session, names []string) error {
			name, err := s.RekeyProvider(ctx, names[0], was, isNew)
			if err != nil {
				return err
			}
			s.printf("%s is known by its present key from now on\n", name)
			return nil
		}),
	}

	addService(cmd, "ledger")
	cmd.Flags().StringVar(&was, "was", "", "the `NAME` that the provider had before")
	cmd.Flags().BoolVar(&isNew, "new", false, "it is another provider, not one that was renamed")
	cmd.MarkFlagsMutuallyExclusive("was", "new")
	return cmd
}

// ledgerLink makes the command that records that the service has another address.
func ledgerLink(e environment) *cobra.Command {
	var found string
	cmd := &cobra.Command{
		Use: "link OLD NEW", Short: "record that the service has another address now",
		Long: `After link, what is booked at one of the addresses is booked at the other. If they
are two systems, such as a test host, no car would come: so one of the booked trips
that are shown has to be found in the system at the new address, by its GUID, or by
its id where the system shows no GUIDs. Where lookup_path is set, the service is
asked. tripimport ledger separate NEW takes a link back.`,
		Args: args(cobra.ExactArgs(2), "name the address where the trips were booked, then the new one"),
		RunE: e.inSession(func(ctx context.Context, s *session, addresses []string) error {
			moved, err := s.LinkService(ctx, addresses[0], addresses[1], func(moved string, trips []ledger.Entry) string {
				if found == "" {
					found = e.askFound(moved, trips)
				}
				return found
			})
			if err != nil {
				return err
			}
			s.printf("linked: %s and %s are one service; if that is wrong, run `tripimport ledger separate %s`\n", addresses[0], moved, moved)
			return nil
		}),
	}

	addSettings(cmd, append(app.ServiceKeys(), "ledger", "lookup_path", "lookup_guid")...)
	cmd.Flags().StringVar(&found, "found", "", "the `GUID` of a trip that was found at the new address")
	cmd.Flags().Bool(tokenStdin, false, "with lookup_path: read the token from standard input")
	return cmd
}

// askFound shows trips, and asks for the GUID or the id of one that was found in the system at
// the address. It returns "" if none was found.
func (e environment) askFound(address string, trips []ledger.Entry) string {
	for _, t := range trips {
		e.printf("  %s  %s  %s\n", results.Inert(t.ListedID()), t.Date.Spoken(), results.Inert(t.GUID))
	}
	e.printf("look up one of these trips in the system at %s\nits GUID there, or its id where no GUID is shown: ", address)
	line, _ := bufio.NewReader(e.In).ReadString('\n') // an error counts as nothing found
	return strings.TrimSpace(line)
}

// ledgerSeparate makes the command that records that an address is that of another system.
func ledgerSeparate(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use: "separate ADDRESS", Short: "record that an address is another system, such as a test host",
		Long: `After separate, only trips that were sent to the address are booked there, also if it
was linked before. If it is the same system, an import books all trips again: see
tripimport ledger link.`,
		Args: args(cobra.ExactArgs(1), "name the address of the other system"),
		RunE: e.inSession(func(ctx context.Context, s *session, addresses []string) error {
			address, err := s.SeparateService(ctx, addresses[0])
			if err != nil {
				return err
			}
			s.printf("separate: %s is another system; only trips that were sent there are booked there.\nIf it is the same system, run `tripimport ledger link OLD NEW` before the next import: it would book all trips again\n", address)
			return nil
		}),
	}
	addSettings(cmd, "ledger")
	return cmd
}

// ledgerCommand makes a command without arguments that uses the ledger.
func ledgerCommand(e environment, use, short string, do func(context.Context, *session) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: args(cobra.NoArgs, "see the usage"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			return do(ctx, s)
		}),
	}
	addSettings(cmd, "ledger")
	return cmd
}

// ledgerBackup makes the command that copies the ledger to a file.
func ledgerBackup(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "copy the ledger, also while a run goes on",
		Long: `Copies the ledger and its key (.key) to a new file, as they are at one instant, and reads
the copy through. It books nothing until it is adopted: see tripimport ledger adopt.

A ledger that offices share is backed up by its server's administrator: the command copies
nothing then, and prints the pg_dump to be run every night. Each machine's key file, which
tripimport ledger where shows, is kept beside that, in another place.`,
		Example: `  tripimport ledger backup ledger-copy.db`,
		Args:    args(cobra.ExactArgs(1), "name the file to write"),
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			if err := s.BackupLedger(ctx, paths[0]); err != nil {
				return err
			}
			s.printf("copied to %s, with its key beside it (.key): keep both, apart from this machine\n", paths[0])
			return nil
		}),
	}
	addSettings(cmd, "ledger")
	return cmd
}

// ledgerVerify makes the command that reads and checks the whole ledger.
func ledgerVerify(e environment) *cobra.Command {
	return ledgerCommand(e, "verify", "read the whole ledger: whether it is sound, and all runs balance", func(ctx context.Context, s *session) error {
		v, err := s.VerifyLedger(ctx)
		if err != nil {
			return err
		}
		s.printf("%s, %s (%d booked), %s, %s; %s for an answer\n",
			importer.Counted(v.Runs, "run", "runs"), importer.Counted(v.Trips, "trip", "trips"), v.Booked,
			importer.Counted(v.Attempts, "attempt", "attempts"), importer.Counted(v.Changes, "change", "changes"),
			importer.Counted(v.Open, "trip waits", "trips wait"))
		if len(v.Wrong) > 0 {
			for _, wrong := range v.Wrong {
				s.printf("  %s\n", wrong)
			}
			return &app.Error{Status: app.Unexpected, Reason: "the ledger is not sound", Fix: "import nothing with it; keep it as it is, and adopt the newest backup that is sound (`tripimport ledger adopt --help`)"}
		}
		s.printf("the ledger is sound: every attempt has an answer or is on the list, and every control total balances\n")
		return nil
	})
}
