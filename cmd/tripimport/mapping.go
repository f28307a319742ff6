package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/natefinch/atomic"
	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/results"
	"tripimport/mapping"
)

func newMapping(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mapping",
		Short: "check a mapping, approve a draft, or print the schema for editors",
		Example: `  tripimport mapping lint lakeshore.yaml
  tripimport mapping approve lakeshore.yaml schedule.xlsx
  tripimport mapping schema > tripimport-mapping.json`,
	}
	cmd.AddCommand(newMappingLint(w), newMappingApprove(w), newMappingSchema(w))
	return cmd
}

func newMappingLint(w world) *cobra.Command {
	return &cobra.Command{
		Use:     "lint FILE…",
		Short:   "check mappings without a spreadsheet, all faults at once",
		Example: `  tripimport mapping lint lakeshore.yaml`,
		Args:    args(cobra.MinimumNArgs(1), "name the mapping"),
		RunE: func(_ *cobra.Command, paths []string) error {
			var all mapping.Findings
			for _, path := range paths {
				faults, err := lint(path)
				if err != nil {
					return err
				}
				if len(faults) == 0 {
					_, _ = fmt.Fprintf(w.Out, "%s: good\n", path)
				}
				all = append(all, faults...)
			}
			for _, f := range all {
				_, _ = fmt.Fprintln(w.Err, strings.TrimRight(f.Long(), "\n"))
			}
			if len(all) > 0 {
				return usage("mend the lines above", "%s found", plural(len(all), "fault"))
			}
			return nil
		},
	}
}

// lint gives everything that is wrong with a mapping, or would go wrong later.
func lint(path string) (mapping.Findings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("see that it is there and may be read", "the mapping %s can't be read", path)
	}
	m, err := parseMapping(path, text)
	var faults mapping.Findings
	if errors.As(err, &faults) {
		return faults, nil
	}
	if err != nil {
		return nil, err
	}
	return mapping.Lint(m), nil
}

func newMappingSchema(w world) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "print the JSON Schema by which editors complete and check mappings",
		Example: `  tripimport mapping schema > tripimport-mapping.json`,
		Args:    args(cobra.NoArgs, "schema takes no file"),
		RunE: func(*cobra.Command, []string) error {
			schema, err := mapping.Schema()
			if err != nil {
				return err
			}
			_, err = w.Out.Write(schema)
			return err
		},
	}
}

func newMappingApprove(w world) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "approve MAPPING FILE",
		Short:   "look at what a draft makes of a file, and approve it",
		Example: `  tripimport mapping approve lakeshore.yaml schedule.xlsx`,
		Long: `Shows ten of the file's trips as sentences. Read them against the file: the right
passenger, place and time? Your yes takes the line ` + "`draft: true`" + ` out of the mapping;
until then no trip is booked with it.`,
		Args: args(cobra.ExactArgs(2), "name the mapping and a spreadsheet it is for"),
		RunE: func(_ *cobra.Command, paths []string) error { return approve(w, paths[0], paths[1], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "approve without being asked")
	return cmd
}

// approved is how many trips a person is shown before a draft is approved.
const approved = 10

func approve(w world, mappingPath, file string, yes bool) error {
	text, err := os.ReadFile(mappingPath)
	if err != nil {
		return usage("see that it is there and may be read", "the mapping %s can't be read", mappingPath)
	}
	m, err := parseMapping(mappingPath, text)
	if err != nil {
		return err
	}
	if !m.Draft() {
		_, err := fmt.Fprintf(w.Out, "%s is no draft: nothing to approve\n", mappingPath)
		return err
	}
	if err := showTrips(w, m, file); err != nil {
		return err
	}
	if !yes && !w.ask(fmt.Sprintf("do these trips stand in %s just so?", filepath.Base(file))) {
		return usage("mend the mapping, then approve it again", "not approved: %s is still a draft", mappingPath)
	}
	if err := atomic.WriteFile(mappingPath, strings.NewReader(withoutDraft(string(text)))); err != nil {
		return usage("see that this user may write it", "%s can't be written", mappingPath)
	}
	_, err = fmt.Fprintf(w.Out, "approved: %s may be used for imports\n", mappingPath)
	return err
}

// withoutDraft takes the line `draft: true` out of a mapping, and leaves
// everything else as it was written.
func withoutDraft(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "draft:") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// showTrips says in sentences what the first good trips of a file are, and how
// many rows have faults that are not about coordinates: those come from places.
func showTrips(w world, m *mapping.Mapping, file string) (err error) {
	s, err := bindSchedule(file, m, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.file.Close()) }()
	checker := check.New(importer.Date{}) // no today: the file may be of any day
	shown, rows, faulty := 0, 0, 0
	for row, err := range s.file.Below(s.bound.HeaderRow()).Rows() {
		if err != nil {
			return err
		}
		mapped := s.bound.Map(row)
		if mapped.LeftOut != "" {
			continue
		}
		checker.Check(&mapped, s.bound.Rules())
		rows++
		if faultyBesidesPlace(&mapped) {
			faulty++
			continue
		}
		for i := range mapped.Trips {
			if shown < approved {
				_, _ = fmt.Fprintf(w.Out, "row %d: %s\n", row.Num, results.Inert(sentence(&mapped.Trips[i])))
				shown++
			}
		}
	}
	name := filepath.Base(file)
	if shown == 0 {
		return &importer.InputError{File: name, Reason: "no row of it becomes a good trip with this mapping", Fix: "`tripimport check -m " + quoted(m.File()) + " " + quoted(file) + "` says what is wrong"}
	}
	if faulty > 0 {
		_, _ = fmt.Fprintf(w.Out, "%d of %s have faults: see `tripimport check -m %s %s`\n", faulty, plural(rows, "row"), quoted(m.File()), quoted(file))
	}
	return nil
}

// faultyBesidesPlace reports whether a row has a fault that no list of places
// could mend.
func faultyBesidesPlace(m *importer.Mapped) bool {
	for _, p := range m.AllProblems() {
		if p.Severity == importer.Fault && !strings.HasPrefix(p.Code, "position-") {
			return true
		}
	}
	return false
}

// ask puts a question that only a person at a terminal can answer with yes.
func (w world) ask(question string) bool {
	if !isTerminal(w.In) {
		return false
	}
	_, _ = fmt.Fprintf(w.Err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(w.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
