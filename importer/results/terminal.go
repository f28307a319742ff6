package results

import (
	"cmp"
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
)

// A Line is one line of the Summary on a terminal.
type Line struct {
	Kind LineKind
	Text string
}

// terminalLines is the number of lines that a terminal shows at once.
const terminalLines = 24

// Lines returns the Summary's lines for a terminal of that width: the sentence, the
// counts, the first problems, the files and what to do next. No text is cut: texts wrap
// between words. There are as many problems as fit on a screen of 24 lines with the rest,
// but at least one row and one kind. Commands and paths may be longer than the width, so
// that people can copy them. With the width 0, for a log, no line is broken.
func (s *Summary) Lines(width int) []Line {
	head, tail := s.headLines(width), s.tailLines(width)
	return slices.Concat(head, s.problemLines(width, max(terminalLines-len(head)-len(tail), 0)), tail)
}

// headLines returns the sentence and the counts.
func (s *Summary) headLines(width int) []Line {
	return slices.Concat(
		wrapped(Headline, s.Sentence, "", width),
		wrapped(AlarmLine, s.Alarm, "", width),
		s.countLines(width),
	)
}

// tailLines returns the files and the steps.
func (s *Summary) tailLines(width int) []Line {
	var tail []Line
	for _, f := range s.Files {
		tail = append(tail, Line{TerminalLine, "results: " + Inert(f)})
	}
	for i, step := range s.Next {
		tail = append(tail, wrapped(PlainLine, fmt.Sprintf("%d. %s", i+1, step.Say), "   ", width)...)
		if step.Command != "" {
			tail = append(tail, Line{TerminalLine, "   " + Inert(step.Command)})
		}
	}
	return tail
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

// problemLines returns as many rows that need a person and kinds of problem as there is
// room for, each in full. If there are many of both, each has half the room. The last
// line says how many more there are.
func (s *Summary) problemLines(width, room int) []Line {
	var urgent, kinds [][]Line
	for i := range first(s.Urgent, max(room, 1)) {
		it := &s.Urgent[i]
		urgent = append(urgent, wrapped(UrgentLine, fmt.Sprintf("! %s: %s", it.Where, cmp.Or(it.Why, it.Status)), "  ", width))
	}

	for i := range first(s.Problems, max(room, 1)) {
		kinds = append(kinds, wrapped(PlainLine, s.Problems[i].line(), "  ", width))
	}

	all := len(urgent) == s.UrgentRows && len(kinds) == len(s.Problems)
	if all && height(urgent)+height(kinds) <= room {
		return slices.Concat(append(urgent, kinds...)...)
	}
	room-- // for the last line
	urgent = fitting(urgent, room-min(height(kinds), room/2))
	kinds = fitting(kinds, room-height(urgent))
	var more []string
	if n := s.UrgentRows - len(urgent); n > 0 {
		more = append(more, importer.Counted(n, "more row needs", "more rows need")+" a person")
	}
	if n := len(s.Problems) - len(kinds); n > 0 {
		more = append(more, importer.Counted(n, "more kind", "more kinds")+" of problem")
	}
	shown := slices.Concat(append(urgent, kinds...)...)
	if more == nil {
		return shown
	}
	return append(shown, wrapped(PlainLine, "  and "+strings.Join(more, ", ")+": see the results", "", width)...)
}

// height counts the lines of the entries.
func height(entries [][]Line) int { return len(slices.Concat(entries...)) }

// fitting returns as many of the first entries as there is room for, but at least one.
func fitting(entries [][]Line, room int) [][]Line {
	for i, e := range entries {
		if room -= len(e); room < 0 && i > 0 {
			return entries[:i:i]
		}
	}
	return entries[:len(entries):len(entries)]
}

// line returns a group on one line: the number of rows, the first cell, and the message.
func (g *Group) line() string {
	text := importer.Counted(g.Rows, "row", "rows") + ", "
	if len(g.Cells) > 0 {
		text += g.Cells[0] + ": "
	}
	text += g.Message
	if g.Others > 0 {
		text += fmt.Sprintf(" (and %d like it)", g.Others)
	}
	return text
}

// wrapped breaks a text into lines of the width; see Wrap.
func wrapped(kind LineKind, text, hang string, width int) []Line {
	var ls []Line
	if text = Inert(text); text == "" {
		return ls
	}
	for _, line := range Wrap(text, width, hang) {
		ls = append(ls, Line{kind, line})
	}
	return ls
}

// first returns the first n of a list, or all of a shorter one.
func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
