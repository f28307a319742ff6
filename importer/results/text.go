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
	wanted := min(len(s.Urgent)+len(s.Problems), 6)
	for tight := 0; ; tight++ {
		head, tail := s.headLines(width, tight), s.tailLines(width, tight)
		room := terminalLines - len(head) - len(tail)
		if room >= wanted || tight == tightest {
			middle := s.problemLines(width, max(room, 0))
			return append(append(head, middle...), tail...)
		}
	}
}

// tightest is how far the counts and the steps are shortened, at most, to make
// room for the first problems.
const tightest = 2

// headLines gives the sentence and the counts.
func (s *Summary) headLines(width, tight int) []Line {
	head := wrapped(Headline, s.Sentence, width, 3)
	head = append(head, wrapped(AlarmLine, s.Alarm, width, 3)...)
	return append(head, s.countLines(width, []int{8, 5, 0}[tight])...)
}

// tailLines gives the files and the steps.
func (s *Summary) tailLines(width, tight int) []Line {
	var tail []Line
	for _, f := range first(s.Files, 2) {
		tail = append(tail, Line{FileLine, "results: " + Inert(f)})
	}
	for i, step := range first(s.Next, 3) {
		say := fmt.Sprintf("%d. %s", i+1, step.Say)
		tail = append(tail, wrapped(StepLine, say, width, []int{2, 2, 1}[tight])...)
		if step.Command != "" {
			tail = append(tail, Line{CommandLine, "   " + Inert(step.Command)})
		}
	}
	return tail
}

// countLines gives the counts by outcome, each on a line of its own as far as
// there are lines, and the control total.
func (s *Summary) countLines(width, most int) []Line {
	tally, of := s.Trips, "trips"
	if s.Check {
		tally, of = s.Rows, "rows"
	}
	var ls []Line
	if s.HalfBooked > 0 {
		ls = append(ls, Line{UrgentLine, cut(fmt.Sprintf("%7d %s half booked", s.HalfBooked, one(s.HalfBooked, "rows")), width)})
	}
	counts := tally.Counts
	if len(counts) <= most+1 {
		most = len(counts)
	}
	for _, c := range counts[:most] {
		ls = append(ls, Line{countKind(c.Code), cut(fmt.Sprintf("%7d %s: %s", c.N, one(c.N, of), c.Words), width)})
	}
	if rest := counts[most:]; len(rest) > 0 {
		ls = append(ls, wrapped(countKind(rest[0].Code), of+": "+countList(rest), width, 2)...)
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
// there is room for: where there are many of both, half of it each. The last
// line says how many more there are.
func (s *Summary) problemLines(width, room int) []Line {
	urgent, kinds := s.UrgentRows, len(s.Problems)
	if urgent+kinds > room {
		room-- // for the last line
		urgent = max(min(urgent, room-min(kinds, room/2)), 0)
		kinds = max(min(kinds, room-urgent), 0)
	}
	var ls []Line
	for i := range first(s.Urgent, urgent) {
		it := &s.Urgent[i]
		ls = append(ls, Line{UrgentLine, cut(fmt.Sprintf("! %s: %s", it.Where, orElse(it.Why, it.Status)), width)})
	}
	for i := range first(s.Problems, kinds) {
		ls = append(ls, Line{ProblemLine, cut(s.Problems[i].line(), width)})
	}
	var more []string
	if n := s.UrgentRows - urgent; n > 0 {
		more = append(more, plural(n, "more row needs", "more rows need")+" a person")
	}
	if n := len(s.Problems) - kinds; n > 0 {
		more = append(more, plural(n, "more kind", "more kinds")+" of problem")
	}
	if len(more) > 0 && room >= 0 {
		ls = append(ls, Line{PlainLine, cut("  and "+strings.Join(more, ", ")+": see the results", width)})
	}
	return ls
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

// one gives a plural in s, or its singular for one.
func one(n int, many string) string {
	if n == 1 {
		return strings.TrimSuffix(many, "s")
	}
	return many
}

// Inert makes a text safe for one line of a terminal: what it quotes of a cell
// can't move the cursor, set colours, turn the reading direction, or go on in
// another line. The summary's texts and our own columns are made so as well.
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
