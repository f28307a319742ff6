package results

import (
	"cmp"
	"fmt"
	"slices"

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
	lines := slices.Concat(
		wrapped(Headline, s.Sentence, "", width),
		wrapped(AlarmLine, s.Alarm, "", width),
		s.countLines(width),
		s.problemLines(width),
	)
	lines = append(lines, importer.Each(s.Files, func(f string) Line { return Line{TerminalLine, "results: " + Inert(f)} })...)
	for i, step := range s.Next {
		lines = append(lines, wrapped(PlainLine, fmt.Sprintf("%d. %s", i+1, step.Say), "   ", width)...)
		if step.Command != "" {
			lines = append(lines, Line{TerminalLine, "   " + Inert(step.Command)})
		}
	}
	return lines
}

// countLines returns the counts by outcome and the control total.
func (s *Summary) countLines(width int) []Line {
	tally, one, many := s.Trips, "trip", "trips"
	if s.Check {
		tally, one, many = s.Rows, "row", "rows"
	}
	var ls []Line
	if s.HalfBooked > 0 {
		ls = append(ls, Line{UrgentLine, fmt.Sprintf("%7d %s half booked", s.HalfBooked, noun(s.HalfBooked, "row", "rows"))})
	}
	for _, c := range tally.Counts {
		kind := PlainLine
		if c.state.NeedsPerson() {
			kind = UrgentLine
		}
		ls = append(ls, wrapped(kind, fmt.Sprintf("%7d %s: %s", c.N, noun(c.N, one, many), c.Words), "  ", width)...)
	}
	if s.Balanced {
		ls = append(ls, wrapped(PlainLine, s.control(), "", width)...)
	}
	return ls
}

// problemLines returns the first rows that need a person and the first kinds of problem, each in full.
func (s *Summary) problemLines(width int) (lines []Line) {
	urgent := first(s.Urgent, problemsShown)
	kinds := first(s.Problems, max(problemsShown-len(urgent), kindsShown))
	for i := range urgent {
		it := &urgent[i]
		lines = append(lines, wrapped(UrgentLine, fmt.Sprintf("! %s: %s", it.Where, cmp.Or(it.Why, it.Status)), "  ", width)...)
	}
	for i := range kinds {
		lines = append(lines, wrapped(PlainLine, kinds[i].Line(), "  ", width)...)
	}

	if s.UrgentRows > len(urgent) || len(s.Problems) > len(kinds) {
		lines = append(lines, Line{PlainLine, "  and more: see the results"})
	}
	return lines
}

// Line returns a group on one line: the number of rows, the first cell, and the message.
func (g *Group) Line() string {
	text := importer.Counted(g.Rows, "row", "rows") + ", "
	if len(g.Cells) > 0 {
		text += g.Cells[0] + ": "
	}
	return text + g.text()
}

// text returns the message, with the number of those like it.
func (g *Group) text() string {
	if g.Others > 0 {
		return fmt.Sprintf("%s (and %d like it)", g.Message, g.Others)
	}
	return g.Message
}

// wrapped breaks a text into lines of the width; see Wrap.
func wrapped(kind LineKind, text, hang string, width int) []Line {
	if text = Inert(text); text == "" {
		return nil
	}
	return importer.Each(Wrap(text, width, hang), func(line string) Line { return Line{kind, line} })
}

// first returns the first n of a list, or all of a shorter one.
func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
