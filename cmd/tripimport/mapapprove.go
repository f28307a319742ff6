package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
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
			if len(all) > 0 {
				return all
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
	var unused []string
	cmd := &cobra.Command{
		Use:   "approve MAPPING FILE",
		Short: "show the trips that a mapping makes of a file, and approve it",
		Example: `  tripimport map approve lakeshore.yaml schedule.xlsx
  tripimport map approve lakeshore.yaml schedule.xlsx --unused Callback`,
		Long: `Shows ten of the file's trips as sentences, and what is left out: are the
passenger, the places and the times right? Your yes is recorded in the ledger;
until then no trip is booked with the mapping, nor after what it says was
changed. Columns that trips seem to need, and what may be wrong in all rows, are
asked about: --yes alone does not answer that.`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			return s.approve(ctx, paths[0], paths[1], unused, yes)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "approve without being asked")
	cmd.Flags().StringArrayVar(&unused, "unused", nil, "a `COLUMN` that stays unused, although it looks as if trips need it; say it once for each")
	return cmd
}

// approve shows trips of a file, asks whether they are right, and approves the mapping.
func (s *session) approve(ctx context.Context, path, file string, unused []string, yes bool) error {
	m, err := app.ReadMapping(path)
	if err != nil {
		return err
	}
	before, err := s.Approval(ctx, m)
	if err != nil {
		return err
	}
	sample, err := s.SampleTrips(ctx, m, before, file, app.ShownTrips)
	if err != nil {
		return err
	}
	s.showSample(sample, path, file)
	if before != nil && !before.Covers() {
		s.line(inertf("changed since %s approved it", before.Who))
	}
	if sample.CoveredBy(before) {
		s.printf("%s is approved, and so are the columns of %s\n", path, filepath.Base(file))
		return nil
	}

	said := app.Settled{Unused: s.settleColumns(sample, unused)}
	for _, doubt := range sample.Doubts {
		s.line(inertf("%s", doubt))
	}
	said.Sure = len(sample.Doubts) > 0 && s.ask("is the mapping nevertheless right about that?")
	if err := sample.Refusal(m, said); err != nil {
		return err
	}
	if m.Complete() == "" {
		s.line("if each file lists the whole day, a booked trip that a later file lacks is listed to be cancelled, and a trip that comes again under a new id is asked about; if not, neither is noticed: write complete: day or complete: part into the mapping")
	}
	if !yes && !s.ask(fmt.Sprintf("are these trips exactly as in %s?", filepath.Base(file))) {
		return usage("if the trips are right, run the same command with --yes; if not, fix the mapping and approve it again", "not approved: %s", path)
	}
	return s.say(s.ApproveMapping(ctx, m, before, sample, said), "approved: %s may be used for imports\n", path)
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

	if sample.LeftOut != nil {
		e.line(inertf("left out: %s", strings.Join(sample.LeftOut, "; ")))
	}
	for _, w := range sample.Words {
		e.line(inertf("%s: such rows wait for an answer; add what you know to status in the mapping", w))
	}
	if sample.Moved != nil {
		e.line(inertf("notice: %s", sample.Moved.Error()))
	}
	if sample.Unused != nil {
		e.line(inertf("the mapping does not use these columns: %s", strings.Join(sample.Unused, ", ")))
	}
}

// settleColumns asks about the columns that seem to be needed and are not among those that stay
// unused, and returns these with the ones that the person adds. What nobody answers is printed, with what to do.
func (e environment) settleColumns(sample app.Sample, unused []string) []string {
	for _, q := range sample.Questions {
		looks := fmt.Sprintf("%v looks like %s", q.UnusedColumn, q.Looks)
		if len(q.Values) > 0 {
			looks += " (" + strings.Join(q.Values, ", ") + ")"
		}
		switch {
		case q.Cancels:
			e.line(inertf("%s: list its words under status:, those that are booked and those that are cancelled", looks))
		case slices.Contains(unused, q.Name):
		case e.ask(looks + ", and the mapping does not use it. leave it unused?"):
			unused = append(unused, q.Name)
		default:
			e.line(inertf("%s: use it, or say that it stays unused with --unused %s", looks, app.Quoted(q.Name)))
		}
	}
	return unused
}
