package main

import (
	"github.com/spf13/cobra"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// runFlags are the flags of check, import, retry and runs results.
type runFlags struct {
	app.Options
	yes  bool
	json bool
}

// validate refuses a limit below 1, which would otherwise mean "all".
func (f *runFlags) validate(cmd *cobra.Command) error {
	if flag := cmd.Flags().Lookup("limit"); flag != nil && flag.Changed && f.Limit < 1 {
		return usage("write it like --limit 5", "--limit takes a whole number from 1 on")
	}
	return nil
}

// addResults adds the flags for the results and for what is printed.
func (f *runFlags) addResults(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringP("mapping", "m", "", "mapping to use: a `FILE`, or a template's name (default: the one whose columns the file has)")
	flags.StringVarP(&f.Output, "results", "o", "", "`FILE` to write the results to, which ends in "+results.Endings()+" (default: beside the input)")
	flags.BoolVar(&f.Redact, "redact", false, "write results that can be mailed to support: ids and codes only")
	flags.BoolVar(&f.json, "json", false, "print the summary as one JSON document")
}

// addReading adds the flags for reading and reporting.
func (f *runFlags) addReading(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return f.validate(cmd) }
	f.addResults(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.Rehearsal, "sandbox", false, "rehearse against an imitation of the service; nothing is booked")
	flags.StringVar(&f.Today, "today", "", "take this `DAY` (2026-12-01) to be today; a real import takes none that is past")
	flags.StringVar(&f.ForDay, "for", "", "the `DAY` that the file is for: a date, today or tomorrow; a file without trips on it is refused")
}

// addSending adds the flags for sending.
func (f *runFlags) addSending(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.Limit, "limit", 0, "send the first `N` rows that can be sent, and stop; the exit status is that of these rows")
	flags.BoolVar(&f.yes, "yes", false, "answer yes to every question")
	flags.DurationVar(&f.LockWait, "lock-wait", 0, "how long (`TIME`, such as 5m) to wait for a run that holds the ledger")
}
