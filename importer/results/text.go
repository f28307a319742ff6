package results

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A LineKind says what a line of a terminal is about, so that it can be
// coloured. Its text alone says the same.
type LineKind uint8

const (
	PlainLine   LineKind = iota
	Headline             // what happened
	AlarmLine            // must not be overlooked
	UrgentLine           // a row that needs a person
	ProblemLine          // a kind of problem
	GoodLine             // a count of trips that need nothing
	FileLine             // where results are
	StepLine             // what to do next
	CommandLine          // a command to run, never cut
)

// A Line is one line of the Summary on a terminal.
type Line struct {
	Kind LineKind
	Text string
}

// terminalLines is how many lines a terminal shows at once.
const terminalLines = 24

// Text gives the Summary for a terminal of that width, in at most 24 lines.
// Only commands and paths may be longer than the width: they are to be copied.
func (s *Summary) Text(width int) string {
	var b strings.Builder
	for _, l := range s.Lines(width) {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// Lines gives the Summary's lines: the sentence, the counts, the first
// problems, where the files are and what to do next.
func (s *Summary) Lines(width int) []Line {
	width = max(width, 40)
	var head, tail []Line
	head = append(head, wrapped(Headline, s.Sentence, width, 3)...)
	if s.Alarm != "" {
		head = append(head, wrapped(AlarmLine, s.Alarm, width, 3)...)
	}
	head = append(head, s.countLines(width)...)
	for _, f := range first(s.Files, 3) {
		tail = append(tail, Line{FileLine, "results: " + Inert(f)})
	}
	for i, step := range first(s.Next, 3) {
		tail = append(tail, wrapped(StepLine, fmt.Sprintf("%d. %s", i+1, step.Say), width, 2)...)
		if step.Command != "" {
			tail = append(tail, Line{CommandLine, "   " + Inert(step.Command)})
		}
	}
	middle := s.problemLines(width, terminalLines-len(head)-len(tail))
	return append(append(head, middle...), tail...)
}

// countLines gives the counts by outcome, and the control total.
func (s *Summary) countLines(width int) []Line {
	tally, of := s.Trips, "trips"
	if s.Check {
		tally, of = s.Rows, "rows"
	}
	var ls []Line
	if s.HalfBooked > 0 {
		ls = append(ls, Line{UrgentLine, cut(fmt.Sprintf("%7d journeys half booked", s.HalfBooked), width)})
	}
	for i, c := range tally.Counts {
		if i == 7 && len(tally.Counts) > 8 {
			ls = append(ls, Line{PlainLine, cut("        and "+countList(tally.Counts[i:]), width)})
			break
		}
		ls = append(ls, Line{countKind(c.Code), cut(fmt.Sprintf("%7d %s %s", c.N, of, c.Words), width)})
	}
	if s.Balanced {
		ls = append(ls, Line{PlainLine, cut(s.control(), width)})
	}
	return ls
}

func countKind(code string) LineKind {
	switch code {
	case "unknown", "cancelled_created", "changed":
		return UrgentLine
	case "refused", "invalid", "not_sent", "held":
		return ProblemLine
	case "created", "already_created", "ready":
		return GoodLine
	}
	return PlainLine
}

func countList(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%d %s", c.N, c.Words)
	}
	return strings.Join(parts, ", ")
}

// problemLines gives rows that need a person and kinds of problem, as many as
// there is room for; the last line says how many more there are.
func (s *Summary) problemLines(width, room int) []Line {
	var ls []Line
	for i := range s.Urgent {
		it := &s.Urgent[i]
		ls = append(ls, Line{UrgentLine, cut(fmt.Sprintf("! %s: %s", it.Where, orElse(it.Why, it.Status)), width)})
	}
	for i := range s.Problems {
		ls = append(ls, Line{ProblemLine, cut(s.Problems[i].line(), width)})
	}
	if len(ls) <= max(room, 0) {
		return ls
	}
	keep := max(room-1, 0)
	more := len(ls) - keep
	// A few rows that need a person must not hide every kind of problem.
	if n := len(s.Urgent); n > 3 && len(s.Problems) > 0 && keep > 4 {
		ls = append(ls[:min(n, keep/2):min(n, keep/2)], ls[n:]...)
	}
	return append(ls[:min(keep, len(ls))], Line{PlainLine, fmt.Sprintf("  and %d more: see the results", more)})
}

// line gives a group on one line: how many rows, the first cell, the message.
func (g *Group) line() string {
	text := plural(g.Rows, "row", "rows") + ", "
	if len(g.Cells) > 0 {
		text += g.Cells[0] + ": "
	}
	text += g.Message
	if g.Others > 0 {
		text += fmt.Sprintf(" (and %d like it)", g.Others)
	}
	return text
}

// Inert makes a text safe for one line of a terminal: what it quotes of a cell
// can't move the cursor, set colours, turn the reading direction, or go on in
// another line.
func Inert(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ', r >= 0x7f && r < 0xa0, r == utf8.RuneError:
			return '·'
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return '·'
		}
		return r
	}, text)
}

// cut shortens a text to the width.
func cut(text string, width int) string {
	text = Inert(text)
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// wrapped breaks a text into at most so many lines, at spaces.
func wrapped(kind LineKind, text string, width, most int) []Line {
	var ls []Line
	words := strings.Fields(Inert(text))
	for len(words) > 0 {
		if len(ls) == most-1 {
			return append(ls, Line{kind, cut(strings.Join(words, " "), width)})
		}
		line := words[0]
		words = words[1:]
		for len(words) > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(words[0]) <= width {
			line += " " + words[0]
			words = words[1:]
		}
		ls = append(ls, Line{kind, cut(line, width)})
	}
	return ls
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
