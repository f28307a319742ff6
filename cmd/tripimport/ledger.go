package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func newLedger(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "make, find or back up the ledger",
		Long: `The ledger is one file for the office that records what was sent and what came
of it. It is what keeps a trip from being booked twice, so there must be one, not
one on each machine: an import never makes a ledger by itself.`,
		Example: `  tripimport ledger new                 make it, once for the office
  tripimport ledger where               which file it is
  tripimport ledger backup ledger-copy.db`,
	}
	cmd.AddCommand(
		ledgerCommand(w, "new", "make the office's ledger, once", cobra.NoArgs, func(a *app, _ []string) error {
			who, host := whoami()
			l, err := ledgers().Create(context.Background(), a.settings.text("ledger"), ledger.Options{Who: who, Host: host, Command: "ledger new"})
			if err != nil {
				return err
			}
			if err := l.Close(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, `made %s
It is the only record of what is booked: keep it on this machine, back it up, and
do not make another one for the same office. Its key is beside it (.key): a
backup needs both.
`, l.Location())
			return err
		}),
		ledgerCommand(w, "where", "print which file the ledger is", cobra.NoArgs, func(a *app, _ []string) error {
			l, err := ledgers().Open(context.Background(), a.settings.text("ledger"), ledger.Options{ReadOnly: true})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "%s\nidentity %s\n", l.Location(), l.Identity())
			if closeErr := l.Close(); err == nil {
				err = closeErr
			}
			return err
		}),
		ledgerBackup(w),
		ledgerAdopt(w),
		ledgerRekey(w),
	)
	return cmd
}

// ledgerAdopt takes a backup into use: a step for a person, who knows that what
// was booked since is not in it.
func ledgerAdopt(w world) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "adopt", Short: "take a backup, or another older copy, into use",
		Long: `Trips that were booked since the copy was made are not in it: an import would book
them again. Adopt a copy only where the newer ledger is lost, and import only
schedules of days for which nothing has been booked yet.`,
		Args: args(cobra.NoArgs, "the ledger is the one that the settings name"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			if !yes && !w.ask("trips booked since the copy was made would be booked again. is the newer ledger lost?") {
				return usage("run it at a terminal, or with --yes", "not adopted")
			}
			who, host := whoami()
			l, err := ledgers().Adopt(cmd.Context(), a.settings.text("ledger"), ledger.Options{Who: who, Host: host, Command: "ledger adopt"})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "adopted %s\n", l.Location())
			return errors.Join(err, l.Close())
		},
	}
	addSettings(cmd, "ledger")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// ledgerRekey takes note that a provider's key changed under the same name.
func ledgerRekey(w world) *cobra.Command {
	var tokenStdin bool
	cmd := &cobra.Command{
		Use: "rekey PROVIDER", Short: "take note that a provider has another API key now",
		Long: `A trip is known by the service, the provider's key and its id. Where a provider
comes with another key, it may be the same provider or another one under its name:
only a person knows. After rekey the trips booked under the old key stay booked.`,
		Args: args(cobra.ExactArgs(1), "name one provider, in quotes"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			client, address, err := a.client(tokenStdin)
			if err != nil {
				return err
			}
			access, err := askAccess(cmd.Context(), client)
			if err != nil {
				return err
			}
			p, ok := access.Provider(names[0])
			if !ok {
				return usage("`tripimport access` lists them", "the service has no transportation provider %q for this token", names[0])
			}
			l, err := a.openLedger("ledger rekey", 0)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.Close()) }()
			who, host := whoami()
			account := importer.Account{Service: address, Provider: p.Name, Key: p.Key}
			if err := l.Rekey(cmd.Context(), account, ledger.Person{Who: who, Host: host, When: time.Now()}); err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "%s is known by its present key from now on\n", p.Name)
			return err
		},
	}
	addSettings(cmd, append(serviceKeys(), "ledger")...)
	cmd.Flags().BoolVar(&tokenStdin, "token-stdin", false, "read the token from standard input")
	return cmd
}

func ledgerCommand(w world, use, short string, check cobra.PositionalArgs, do func(*app, []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: args(check, "see the usage"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			return do(a, paths)
		},
	}
	addSettings(cmd, "ledger")
	return cmd
}

func ledgerBackup(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "copy the ledger, also while a run goes on",
		Args: args(cobra.ExactArgs(1), "name the file to write"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			if err := ledgers().Backup(cmd.Context(), a.settings.text("ledger"), paths[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "copied to %s, with its key beside it (.key): keep both, apart from this machine\n", paths[0])
			return err
		},
	}
	addSettings(cmd, "ledger")
	return cmd
}
