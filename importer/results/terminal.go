package results

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// A LineKind says what a line of the Summary is about, for a page that shows it.
type LineKind uint8

const (
	// PlainLine is any other line.
	PlainLine LineKind = iota
	// Headline says what happened.
	Headline
	// AlarmLine is a line that must not be overlooked.
	AlarmLine
	// UrgentLine is a row that needs a person, or a count of trips that need one.
	UrgentLine
	// TerminalLine is a command to run, or the path of a results file: a page has buttons. It is never cut.
	TerminalLine
	// StepLine says what to do next.
	StepLine
)

// A Line is one line of the Summary on a terminal.
type Line struct {
	Kind LineKind
	Text string
}

// problemsShown is how many rows that need a person and kinds of problem a terminal shows, the rows first.
// It shows at least kindsShown kinds.
const problemsShown, kindsShown = 8, 2

// Lines returns the Summary's lines for a terminal of that width: the sentence, the
// counts, the first problems, the files and what to do next. No text is cut: texts wrap
// between words. Commands and paths may be longer than the width, so that people can copy
// them. With the width 0, for a log, no line is broken.
func (s *Summary) Lines(width int) []Line {
	lines := slices.Concat([]Line{{Headline, s.Sentence}, {AlarmLine, s.Alarm}}, s.countLines(), s.problemLines(problemsShown))
	lines = append(lines, importer.Each(s.Files, func(f string) Line { return Line{TerminalLine, "results: " + f} })...)
	var all []Line
	for _, l := range append(lines, s.stepLines()...) {
		text := Inert(l.Text)
		switch {
		case text == "":
		case l.Kind == TerminalLine:
			all = append(all, Line{l.Kind, text})
		default:
			all = append(all, importer.Each(Wrap(text, width, "  "), func(line string) Line { return Line{l.Kind, line} })...)
		}
	}
	return all
}

// countLines returns the counts by outcome and the control total.
func (s *Summary) countLines() (lines []Line) {
	tally, one, many := s.Trips, "trip", "trips"
	if s.Check {
		tally, one, many = s.Rows, "row", "rows"
	}
	if s.HalfBooked > 0 {
		lines = append(lines, Line{UrgentLine, fmt.Sprintf("%7d %s half booked", s.HalfBooked, noun(s.HalfBooked, "row", "rows"))})
	}
	for _, c := range tally.Counts {
		kind := PlainLine
		if c.state.NeedsPerson() {
			kind = UrgentLine
		}
		lines = append(lines, Line{kind, fmt.Sprintf("%7d %s: %s", c.N, noun(c.N, one, many), c.Words)})
	}
	if s.Balanced {
		lines = append(lines, Line{Text: s.control()})
	}
	return lines
}

// problemLines returns the first rows that need a person and the first kinds of problem, so many together, each in full.
func (s *Summary) problemLines(most int) []Line {
	urgent := first(s.Urgent, most)
	kinds := first(s.Problems, max(most-len(urgent), kindsShown))
	lines := importer.Each(urgent, func(it Item) Line {
		return Line{UrgentLine, "! " + it.Where + ": " + it.Why + strings.TrimSuffix(" ("+joinNonEmpty(", ", it.TripID, it.Time)+")", " ()")}
	})
	lines = append(lines, importer.Each(kinds, func(g Group) Line { return Line{Text: g.Line()} })...)
	if s.UrgentRows > len(urgent) || len(s.Problems) > len(kinds) {
		lines = append(lines, Line{Text: "  and more: see the results"})
	}
	return lines
}

// stepLines returns what to do next, with the commands.
func (s *Summary) stepLines() (lines []Line) {
	for i, step := range s.Next {
		lines = append(lines, Line{StepLine, fmt.Sprintf("%d. %s", i+1, step.Say)})
		if step.Command != "" {
			lines = append(lines, Line{TerminalLine, "   " + step.Command})
		}
	}
	return lines
}

// Line returns a group on one line: the number of rows, and the cell, the message and the fix of the first, since others may have
// other values.
func (g *Group) Line() string {
	return importer.Counted(g.Rows, "row,", "rows, the first at") + " " + g.Cell + ": " + g.Message + remedy(g.Fix)
}

// remedy returns how to fix something as the end of a line.
func remedy(fix string) string { return strings.TrimSuffix(" → "+fix, " → ") }

// first returns the first n of a list, or all of a shorter one.
func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
