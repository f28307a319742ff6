package main

import (
	"fmt"

	"github.com/spf13/cobra"

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
			l, err := ledger.Create(a.settings.text("ledger"), ledger.Options{Who: who, Host: host, Command: "ledger new"})
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
`, l.Path())
			return err
		}),
		ledgerCommand(w, "where", "print which file the ledger is", cobra.NoArgs, func(a *app, _ []string) error {
			l, err := ledger.Open(a.settings.text("ledger"), ledger.Options{ReadOnly: true})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "%s\nidentity %s\n", l.Path(), l.Identity())
			if closeErr := l.Close(); err == nil {
				err = closeErr
			}
			return err
		}),
		ledgerBackup(w),
	)
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
			l, err := ledger.Open(a.settings.text("ledger"), ledger.Options{ReadOnly: true})
			if err != nil {
				return err
			}
			err = l.Backup(cmd.Context(), paths[0])
			if closeErr := l.Close(); err == nil {
				err = closeErr
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "copied to %s; keep it apart from this machine\n", paths[0])
			return err
		},
	}
	addSettings(cmd, "ledger")
	return cmd
}
