package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tripimport/importer"
)

// A LineKind says what a line of a terminal is about, so that it can be
// coloured. Its text alone says the same.
type LineKind uint8

const (
	// PlainLine is everything that has no kind of its own.
	PlainLine LineKind = iota
	// Headline says what happened.
	Headline
	// AlarmLine must not be overlooked.
	AlarmLine
	// UrgentLine is a row that needs a person, or a count of trips that do.
	UrgentLine
	// ProblemLine is a kind of problem, or a count of trips that have one.
	ProblemLine
	// GoodLine is a count of trips that need nothing.
	GoodLine
	// FileLine says where results are.
	FileLine
	// StepLine says what to do next.
	StepLine
	// CommandLine is a command to run. It is never cut.
	CommandLine
)

// A Line is one line of the Summary on a terminal.
type Line struct {
	Kind LineKind
	Text string
}

// terminalLines is how many lines a terminal shows at once.
const terminalLines = 24

// lineLimits are how many lines the parts of a Summary take at most.
type lineLimits struct{ sentence, counts, step int }

// limitsToTry are ordered: each leaves more room for the problems.
var limitsToTry = []lineLimits{{5, 8, 3}, {4, 5, 2}, {3, 0, 1}}

// Lines returns the Summary's lines for a terminal of that width, at most 24: the
// sentence, the counts, the first problems, where the files are and what to do next.
// Only commands and paths may be longer than the width: they are to be copied.
func (s *Summary) Lines(width int) []Line {
	width = max(width, 40)
	wanted := min(len(s.Urgent)+len(s.Problems), 6)
	for i, limits := range limitsToTry {
		head, tail := s.headLines(width, limits), s.tailLines(width, limits)
		room := terminalLines - len(head) - len(tail)
		if room >= wanted || i == len(limitsToTry)-1 {
			return slices.Concat(head, s.problemLines(width, max(room, 0)), tail)
		}
	}
	return nil
}

// headLines returns the sentence and the counts.
func (s *Summary) headLines(width int, limits lineLimits) []Line {
	return slices.Concat(
		wrapped(Headline, s.Sentence, "", width, limits.sentence),
		wrapped(AlarmLine, s.Alarm, "", width, limits.sentence),
		s.countLines(width, limits.counts),
	)
}

// tailLines returns the files and the steps.
func (s *Summary) tailLines(width int, limits lineLimits) []Line {
	var tail []Line
	for _, f := range first(s.Files, 2) {
		tail = append(tail, Line{FileLine, "results: " + Inert(f)})
	}
	for i, step := range first(s.Next, 3) {
		tail = append(tail, wrapped(StepLine, fmt.Sprintf("%d. %s", i+1, step.Say), "   ", width, limits.step)...)
		if step.Command != "" {
			tail = append(tail, Line{CommandLine, "   " + Inert(step.Command)})
		}
	}
	return tail
}

// countLines returns the counts by outcome, each on a line of its own as far as
// there are lines, and the control total.
func (s *Summary) countLines(width, most int) []Line {
	tally, one, many := s.Trips, "trip", "trips"
	if s.Check {
		tally, one, many = s.Rows, "row", "rows"
	}
	var ls []Line
	if s.HalfBooked > 0 {
		ls = append(ls, Line{UrgentLine, cut(fmt.Sprintf("%7d %s half booked", s.HalfBooked, noun(s.HalfBooked, "row", "rows")), width)})
	}
	counts := tally.Counts
	if len(counts) <= most+1 {
		most = len(counts)
	}

	for _, c := range counts[:most] {
		ls = append(ls, Line{countKind(c.Code), cut(fmt.Sprintf("%7d %s: %s", c.N, noun(c.N, one, many), c.Words), width)})
	}

	if rest := counts[most:]; len(rest) > 0 {
		ls = append(ls, wrapped(countKind(rest[0].Code), many+": "+countList(rest), "", width, 2)...)
	}
	if s.Balanced {
		ls = append(ls, wrapped(PlainLine, s.control(), "", width, 2)...)
	}
	return ls
}

// countKind returns the kind of a line that counts the state with that code.
func countKind(code string) LineKind {
	switch groupOfCode(code) {
	case groupPerson:
		return UrgentLine
	case groupFix, groupWait:
		return ProblemLine
	case groupGood:
		return GoodLine
	default:
		return PlainLine
	}
}

func countList(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%d %s", c.N, c.Words)
	}
	return strings.Join(parts, ", ")
}

// problemLines returns rows that need a person and kinds of problem, each in
// full, as many as there is room for: where there are many of both, half the
// room for each. The last line says how many more there are.
func (s *Summary) problemLines(width, room int) []Line {
	var urgent, kinds [][]Line
	for i := range first(s.Urgent, room) {
		it := &s.Urgent[i]
		urgent = append(urgent, wrapped(UrgentLine, fmt.Sprintf("! %s: %s", it.Where, cmp.Or(it.Why, it.Status)), "  ", width, room))
	}

	for i := range first(s.Problems, room) {
		kinds = append(kinds, wrapped(ProblemLine, s.Problems[i].line(), "  ", width, room))
	}

	all := len(urgent) == s.UrgentRows && len(kinds) == len(s.Problems)
	if all && height(urgent)+height(kinds) <= room {
		return slices.Concat(append(urgent, kinds...)...)
	}
	if room == 0 {
		return nil
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
	return append(shown, Line{PlainLine, cut("  and "+strings.Join(more, ", ")+": see the results", width)})
}

// height counts the lines of the entries.
func height(entries [][]Line) int {
	n := 0
	for _, e := range entries {
		n += len(e)
	}
	return n
}

// fitting returns the first entries, as many as there is room for. An entry for
// which there is not even room alone is cut.
func fitting(entries [][]Line, room int) [][]Line {
	for i, e := range entries {
		if room < len(e) {
			if i == 0 && room > 0 {
				return [][]Line{e[:room]}
			}
			return entries[:i:i]
		}
		room -= len(e)
	}
	return entries[:len(entries):len(entries)]
}

// line returns a group on one line: how many rows, the first cell, the message.
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

// cut shortens a text to the width.
func cut(text string, width int) string {
	text = Inert(text)
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// wrapped breaks a text at spaces into lines of the width, at most so many: the
// last one is cut. Lines after the first are indented.
func wrapped(kind LineKind, text, indent string, width, most int) []Line {
	var ls []Line
	words := strings.Fields(Inert(text))
	for len(words) > 0 {
		line := ""
		if len(ls) > 0 {
			line = indent
		}
		if len(ls) == most-1 {
			return append(ls, Line{kind, cut(line+strings.Join(words, " "), width)})
		}
		line += words[0]
		words = words[1:]
		for len(words) > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(words[0]) <= width {
			line += " " + words[0]
			words = words[1:]
		}
		ls = append(ls, Line{kind, cut(line, width)})
	}

	return ls
}

// first returns the first n of a list, or all of a shorter one.
func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
