package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/mapping/propose"
)

func newMap(e environment) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "map FILE",
		Short: "propose a mapping for a new layout",
		Example: `  tripimport map export.csv         the proposal, with a reason beside each line
  tripimport map export.csv -o lakeshore.yaml
  tripimport map approve lakeshore.yaml schedule.xlsx`,
		Long: `Proposes which column is what. What the file does not show is asked at the
terminal, and kept in the output file at once, so that the same command goes on
where it was left. Elsewhere such a line ends in # open: and the question. A
real import takes the mapping once it is approved.`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			p, err := s.ProposeMapping(paths[0])
			if err != nil {
				return err
			}

			by, more := p.Begun, "questions are open in it: search for # open:"
			if p.Fits {
				by, more = p.Own, "for a new mapping that starts from it, name its file with -o"
			}
			if by != "" && output == "" && (by != beside(paths[0]) || p.Fits || !s.attended()) {
				s.printf("%s is mapped already, by %s: run\n   tripimport check %s\n%s\n", filepath.Base(paths[0]), by, app.Quoted(paths[0]), more)
				return nil
			}
			return s.offer(ctx, p, paths[0], output)
		}),
	}

	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write the mapping to (default: at a terminal the schedule's name with .yaml, elsewhere it is printed)")
	cmd.AddCommand(newMapApprove(e), newMapLint(e), newMapSchema(e))
	return cmd
}

// beside returns the file in the current folder to which the mapping of a schedule is written.
func beside(schedule string) string {
	return strings.TrimSuffix(filepath.Base(schedule), filepath.Ext(schedule)) + ".yaml"
}

// attended reports whether a person can be asked.
func (s *session) attended() bool { return isTerminal(s.In) && isTerminal(s.Out) }

// offer writes the proposal to the output file or, where nobody can be asked and no file is named, prints it. At a
// terminal its open questions are asked, and what is answered is kept in the file at once: the same command goes on
// where it was left.
func (s *session) offer(ctx context.Context, p app.Proposal, path, output string) error {
	s.tellStart(&p)
	attended := s.attended()
	if output == "" && !attended {
		return s.printDraft(p.Text)
	}
	output = cmp.Or(output, beside(path))
	file := &app.DraftFile{Path: output}
	text, begun, err := file.Open(&p, attended)
	if err == nil && attended {
		if begun {
			s.printf("going on with %s: what was answered in it stays\n", output)
		} else {
			s.printf("answers are kept in %s as you give them\n", output)
		}
		text, err = s.interview(ctx, &p, file, text, path)
	}
	if err != nil {
		return err
	}
	if n := propose.OpenLines(text); n > 0 {
		s.printf("%s in it: search for # open:\n", importer.Counted(n, "question is open", "questions are open"))
	}
	s.printf("wrote %s: look at each line, then run\n   tripimport check -m %s %s\n   tripimport map approve %s %s\n",
		output, app.Quoted(output), app.Quoted(path), app.Quoted(output), app.Quoted(path))
	return nil
}

// tellStart says from which mapping or template the proposal starts.
func (s *session) tellStart(p *app.Proposal) {
	if from := cmp.Or(p.Own, p.Template); from != "" {
		s.print(s.Err, inertf("notice: the file has the columns of %s, and the draft starts from it\n", from))
	}
}

// interview asks what is open in a text of the proposal, and shows the trips that the answers make.
func (s *session) interview(ctx context.Context, p *app.Proposal, file *app.DraftFile, text, path string) (string, error) {
	shown := ""
	keep := func(text string) error {
		if err := file.Write(text); err != nil {
			return err
		}
		// What is wrong is said once nothing more is asked.
		if now, _ := s.draftTrips(ctx, file.Path, text, path, 2); now != shown && now != "" {
			s.print(s.Out, now)
			shown = now
		}
		return nil
	}
	text, err := interview{environment: s.environment, answer: p.Answer, keep: keep}.ask(p.Draft, text)
	if err = cmp.Or(err, ctx.Err()); err != nil { // what was answered is kept
		return text, err
	}
	trips, err := s.draftTrips(ctx, file.Path, text, path, app.ShownTrips)
	if s.print(s.Out, trips); err != nil {
		s.line(inertf("no trips to show yet: %s", err.Error()))
	}
	return text, nil
}

// printDraft prints a proposal.
func (s *session) printDraft(text string) error {
	out := s.Out
	if !isTerminal(out) {
		out = below(out) // a file must have the exact names of columns
	}
	_, err := fmt.Fprint(out, text)
	return err
}

// draftTrips returns the first trips that a draft makes from the file, as sentences. If it makes none, the
// error says why.
func (s *session) draftTrips(ctx context.Context, mapping, text, path string, limit int) (string, error) {
	sample, err := s.DraftTrips(ctx, mapping, text, path, limit)
	var all strings.Builder
	for i := range sample.Trips {
		all.WriteString(inertf("row %d: %s\n", sample.Trips[i].Row.Row, sample.Trips[i].Sentence()))
	}
	return all.String(), err
}

// An interview asks a person the questions of a draft.
type interview struct {
	environment

	// answer returns the text with what was typed as the answer, or why it is asked again.
	answer func(text string, q *propose.Question, typed string) (answered, again string)
	// keep is called with the text after each answer.
	keep func(text string) error
}

// ask asks what a text of the draft leaves open, one question after the other, and returns the text
// with the answers. The interview ends when the input ends.
func (iv interview) ask(d propose.Draft, text string) (string, error) {
	var later []string // the questions that were left open
	for number := 1; ; number++ {
		open := slices.DeleteFunc(d.Open(text), func(q propose.Question) bool { return slices.Contains(later, q.Ask) })
		if len(open) == 0 {
			return text, nil
		}
		answered, err := iv.one(&open[0], number, number-1+len(open), text)
		switch {
		case err != nil: // nobody types any more
			return text, nil //nolint:nilerr // what was answered is kept
		case answered == "":
			later = append(later, open[0].Ask)
			continue
		}
		text = answered
		if err := iv.keep(text); err != nil {
			return text, err
		}
	}
}

// one asks a question until its answer is understood. It returns the text with the answer, or "" if it is left open.
func (iv interview) one(q *propose.Question, number, of int, text string) (answered string, err error) {
	iv.printf("\n%d of %d: %s\n", number, of, q.Ask)
	if len(q.Values) > 0 {
		iv.printf("   its values: %s\n", strings.Join(q.Values, ", "))
	}
	for i, c := range q.Choices {
		iv.printf("   %d  %s\n", i+1, c.Text)
	}

	var ways []string
	if len(q.Choices) > 0 {
		ways = append(ways, "a number")
	}
	if q.Column {
		ways = append(ways, "a column's header or letter")
	}
	if q.Together {
		ways = append(ways, "two that tell it together, such as A + B")
	}
	if q.Free != "" {
		ways = append(ways, q.Free)
	}
	iv.printf("   (%s; Enter alone leaves it open)\n", strings.Join(ways, ", or "))
	for {
		iv.printf("> ")
		line, err := iv.readLine()
		if err != nil || line == "" {
			return "", err
		}
		answered, again := iv.answer(text, q, line)
		if again == "" {
			return answered, nil
		}
		iv.printf("%s\n", again)
	}
}
