package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/mapping"
)

func newMapLint(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "lint FILE…",
		Short:   "list everything that is wrong with a mapping",
		Example: `  tripimport map lint lakeshore.yaml`,
		Args:    args(cobra.MinimumNArgs(1), "name the mapping"),
		RunE: func(_ *cobra.Command, paths []string) error {
			var all mapping.Findings
			for _, path := range paths {
				findings, err := app.LintMapping(path)
				if err != nil {
					return err
				}
				if len(findings) == 0 {
					e.printf("%s: good\n", path)
				}
				all = append(all, findings...)
			}

			for _, f := range all {
				e.print(e.Err, inertLines(f.Long())+"\n")
			}

			if len(all) > 0 {
				return usage("fix the lines above", "%s found", importer.Counted(len(all), "mistake", "mistakes"))
			}
			return nil
		},
	}
}

func newMapSchema(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "print the JSON Schema by which editors complete and check mappings",
		Example: `  tripimport map schema > tripimport-mapping.json`,
		Args:    args(cobra.NoArgs, "schema takes no file"),
		RunE: func(*cobra.Command, []string) error {
			schema, err := mapping.Schema()
			if err != nil {
				return err
			}
			_, err = e.Out.Write(schema)
			return err
		},
	}
}

func newMapApprove(e environment) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "approve MAPPING FILE",
		Short:   "show the trips that a draft makes of a file, and approve it",
		Example: `  tripimport map approve lakeshore.yaml schedule.xlsx`,
		Long: `Shows ten of the file's trips as sentences. Compare them with the file: are the
passenger, the places and the times right? Your yes takes the line ` + "`draft: true`" + ` out of the mapping;
until then no trip is booked with it. It lists the words of status columns that the mapping does not know,
and asks about columns that the mapping does not use, although they look like a status, a return, dates, times,
phones, or half of a name or an address. Each answer is a line in the mapping; --yes alone does not answer them.
It asks as well whether each file lists the whole day. Of a mapping that you approved and that was edited
since, it says what changed.`,
		Args: args(cobra.ExactArgs(2), "name the mapping and a spreadsheet it is for"),
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			return s.approve(ctx, paths[0], paths[1], yes)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "approve without being asked")
	return cmd
}

// approvedTrips is how many trips a person sees before they approve a draft.
const approvedTrips = 10

// approve shows trips of a file, asks whether they are right, and approves the mapping.
func (s *session) approve(ctx context.Context, path, file string, yes bool) error {
	m, err := app.ReadMapping(path)
	if err != nil {
		return err
	}
	sample, err := s.SampleTrips(ctx, m, file, approvedTrips)
	if err != nil {
		return err
	}
	s.showSample(sample, path, file)
	if sample.MostlyFaulty() {
		return usage("fix the mapping, or name a file that it is for", "not approved: most rows of %s have faults with %s", filepath.Base(file), path)
	}

	changed, err := s.ChangedSinceApproval(m)
	if err != nil {
		return err
	}
	if changed != nil {
		s.line(inertf("changed since it was approved: %s", strings.Join(changed, ", ")))
	}

	var approval app.Approval
	if approval.Unused, err = s.settleColumns(sample, path); err != nil {
		return err
	}
	if !m.Draft() && len(approval.Unused) == 0 && changed == nil {
		s.printf("%s is not a draft: there is nothing to approve\n", path)
		return nil
	}
	if !m.SaysComplete() {
		approval.Complete = s.askComplete()
	}
	if !yes && !s.ask(fmt.Sprintf("are these trips exactly as in %s?", filepath.Base(file))) {
		state := "is still a draft"
		if !m.Draft() {
			state = "was changed and not looked at"
		}
		return usage("if the trips are right, run the same command with --yes; if not, fix the mapping and approve it again", "not approved: %s %s", path, state)
	}
	if err := s.ApproveMapping(m, sample, approval); err != nil {
		return err
	}
	s.printf("approved: %s may be used for imports\n", path)
	return nil
}

// askComplete asks whether files have all trips of their days. It returns the value of complete
// in the mapping, or "" if nobody can answer.
func (e environment) askComplete() string {
	const means = "if each file lists the whole day, a booked trip that a later file lacks is listed to be cancelled, and a trip that comes again under a new id is asked about; if not, neither is noticed"
	if !isTerminal(e.In) {
		e.line(means + ": write complete: day or complete: part into the mapping")
		return ""
	}
	e.line(means)
	if e.ask("does each file list the whole day?") {
		return "day"
	}
	return "part"
}

// showSample prints what a mapping makes from a file.
func (e environment) showSample(sample app.Sample, path, file string) {
	for i := range sample.Trips {
		t := &sample.Trips[i]
		e.printf("row %d: %s\n", t.Row.Row, t.Sentence())
	}

	if sample.Faulty > 0 {
		lack := ""
		if sample.Unplaced > 0 {
			lack = fmt.Sprintf(", in %d of them only because coordinates are missing", sample.Unplaced)
		}
		e.printf("faults in %d of %s%s: see `tripimport check -m %s %s`\n",
			sample.Faulty, importer.Counted(sample.Rows, "row", "rows"), lack, app.Quoted(path), app.Quoted(file))
	}

	for _, w := range sample.Words {
		e.line(inertf("%s: such rows wait for an answer; add what you know to status in the mapping", w))
	}
	for _, note := range sample.Notes {
		e.line(inertf("notice: %s", note))
	}
	if sample.Unused != nil {
		e.line(inertf("the mapping does not use these columns: %s", strings.Join(sample.Unused, ", ")))
	}
}

// settleColumns asks the questions about columns that the mapping does not use. It returns all
// columns to be listed as unused, including those without a question. A question that is not
// answered is an error, whatever the flags say.
func (e environment) settleColumns(sample app.Sample, path string) ([]mapping.UnusedColumn, error) {
	unused := sample.Unlisted
	var open []string
	for _, q := range sample.Questions {
		looks := fmt.Sprintf("%v looks like %s", q.UnusedColumn, q.Looks)
		if len(q.Values) > 0 {
			looks += " (" + strings.Join(q.Values, ", ") + ")"
		}
		if !q.Cancels && e.ask(looks+", and the mapping does not use it. leave it unused?") {
			q.Holds = q.Kind
			unused = append(unused, q.UnusedColumn)
			continue
		}
		write := "use it, or write under unused:  - " + q.YAML("")
		switch {
		case q.Cancels:
			write = "list its words under status:, those that are booked and those that are cancelled"
		case q.Open:
			write = "use it, or write in place of its line under unused:  - " + q.YAML("")
		}
		open = append(open, looks+": "+write)
	}
	if open == nil {
		return unused, nil
	}

	for _, question := range open {
		e.line(inertf("%s", question))
	}
	return nil, usage("write the answers into the mapping, then approve it again", "not approved: %s open in %s",
		importer.Counted(len(open), "question about a column is", "questions about columns are"), path)
}
