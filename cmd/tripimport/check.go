package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
)

func newCheck(w world) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "check a schedule without sending anything",
		Example: `  tripimport check schedule.xlsx             every fault at its cell
  tripimport check --online schedule.xlsx    asks the service, too, whether the names are right
  tripimport check --row 7 schedule.xlsx     what row 7 becomes, and why
  tripimport check --for tomorrow schedule.xlsx
  tripimport check -m lakeshore.yaml --json schedule.csv`,
		Long: `Reads the whole file and holds every row against the mapping and the rules. It
sends nothing and touches no ledger. Where there are faults they are written to
a workbook as well, each at its cell.

exit: 0 every row is good; 3 some rows to mend; 2 the mapping or the settings
are wrong; 7 the file can't be read or is not the expected one`,
		Args: args(cobra.MinimumNArgs(1), "name the spreadsheet to check"),
		RunE: func(cmd *cobra.Command, paths []string) error { return runCheck(cmd, w, f, paths) },
	}
	f.addReading(cmd)
	f.addCheck(cmd)
	addSettings(cmd, serviceKeys()...)
	return cmd
}

// addCheck gives a command the flags that only a check has.
func (f *runFlags) addCheck(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.row, "row", 0, "explain this row alone: what each field became, from which cells, by which rule")
	flags.BoolVar(&f.online, "online", false, "ask the service whether providers and funding sources are right (GET access)")
	flags.BoolVar(&f.offlineAccess, "offline-access", false, "hold the names against the saved answer of the access operation")
	flags.BoolVar(&f.tokenStdin, "token-stdin", false, "with --online: read the token from standard input")
}

func runCheck(cmd *cobra.Command, w world, f runFlags, paths []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	a, err := newApp(cmd, w)
	if err != nil {
		return err
	}
	if f.online && (f.offlineAccess || f.sandbox) {
		return usage("", "--online goes with neither --offline-access nor --sandbox")
	}
	if f.row > 0 {
		if len(paths) > 1 {
			return usage("", "--row explains a row of one file")
		}
		return a.explainRow(paths[0], f.row)
	}
	schedules, err := a.openSchedules(paths)
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)
	j, err := a.newJob("check", f, schedules)
	if err != nil {
		return err
	}
	if err := j.checkAccess(cmd.Context()); err != nil {
		return err
	}
	return j.carryOut(cmd.Context())
}

// checkAccess gets the access list that the names are held against, where one
// is asked for.
func (j *job) checkAccess(ctx context.Context) (err error) {
	switch {
	case j.opts.offlineAccess:
		j.access, err = j.savedAccess()
	case j.opts.online:
		client, _, err := j.client(j.opts.tokenStdin)
		if err != nil {
			return err
		}
		access, err := askAccess(ctx, client)
		if err != nil {
			return err
		}
		j.keepAccess(access)
		j.access = &access
	}
	return err
}

// newJob makes a job of open schedules. One command takes files of one layout.
func (a *app) newJob(command string, f runFlags, schedules []*schedule) (*job, error) {
	first := schedules[0]
	j := &job{
		app: a, opts: f, command: command, started: time.Now(), path: first.path,
		inputs: inputs(schedules), mapping: first.mapping, rehearsal: f.sandbox, schedules: schedules,
	}
	for _, s := range schedules {
		if s.mapping.Hash() != first.mapping.Hash() {
			return nil, usage("give each its own command", "%s and %s need different mappings", first.path, s.path)
		}
		in, err := s.describe()
		if err != nil {
			return nil, err
		}
		j.results = append(j.results, in)
	}
	j.tellSchedules(schedules)
	return j, nil
}
