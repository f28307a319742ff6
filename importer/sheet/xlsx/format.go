package xlsx

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A kind is what a section of a number format makes of a number.
type kind uint8

const (
	plainNumber kind = iota
	paddedNumber
	dateOnly
	timeOnly
	dateAndTime
	elapsed
)

// A format is a parsed number format.
type format struct {
	// code is as Cell.Format gives it: empty for General.
	code     string
	sections []section
}

// A section is the part of a format that applies to some of the numbers:
// positive, negative, zero, or those that its condition names.
type section struct {
	kind kind
	// op and limit are its condition, in brackets in the code; op is empty
	// where it has none.
	op    string
	limit float64
	// fraction counts the digits of seconds that a time shows.
	fraction int
	// pattern is the layout of a padded number: digits as 0 and #, the rest
	// literal. Decimals are not part of it: they are shown as they are.
	pattern []byte
	literal []bool
	// ownSign reports that the section is the one for negative numbers, which
	// shows a sign only if it is part of the pattern.
	ownSign bool
}

// parseFormat reads a format code. Codes that spreadsheets would not accept
// count as General: they decide how a number looks, never which number it is.
func parseFormat(code string) format {
	if code == "" || strings.EqualFold(code, "General") {
		return format{sections: []section{{}}}
	}
	f := format{code: code}
	for i, part := range splitSections(code) {
		s := parseSection(part)
		s.ownSign = i == 1 && s.op == ""
		f.sections = append(f.sections, s)
	}
	return f
}

// splitSections cuts the code at the semicolons that are not literal.
func splitSections(code string) []string {
	var list []string
	from := 0
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"', '[':
			i += literalEnd(code[i:]) - 1
		case '\\', '_', '*':
			i++
		case ';':
			list = append(list, code[from:i])
			from = i + 1
		}
	}
	return append(list, code[from:])
}

// literalEnd gives the length of the quoted or bracketed text that s begins
// with.
func literalEnd(s string) int {
	mark := `"`
	if s[0] == '[' {
		mark = "]"
	}
	if i := strings.Index(s[1:], mark); i >= 0 {
		return i + 2
	}
	return len(s)
}

// section gives the section that shows v.
func (f format) section(v float64) section {
	conditions := false
	for _, s := range f.sections {
		if s.op == "" {
			continue
		}
		conditions = true
		if s.holds(v) {
			return s
		}
	}
	if conditions {
		return f.remaining(v)
	}
	switch n := len(f.sections); {
	case n >= 3 && v == 0:
		return f.sections[2]
	case n >= 2 && v < 0:
		return f.sections[1]
	}
	return f.sections[0]
}

// remaining gives the section for a number that no condition takes: the second
// of two for negative numbers where only the first has one, else the first
// without.
func (f format) remaining(v float64) section {
	for i, s := range f.sections {
		if s.op == "" && (i != 1 || len(f.sections) < 3 || v < 0) {
			return s
		}
	}
	return f.sections[len(f.sections)-1]
}

// holds reports whether the section's condition takes v.
func (s section) holds(v float64) bool {
	switch s.op {
	case "<":
		return v < s.limit
	case "<=":
		return v <= s.limit
	case ">":
		return v > s.limit
	case ">=":
		return v >= s.limit
	case "=":
		return v == s.limit
	case "<>":
		return v != s.limit
	}
	return false
}

// A sectionParser walks over the code of one section and notes what it shows.
type sectionParser struct {
	section
	date, clock, lapse   bool
	months               int  // m or mm that stand alone: months unless beside hours or seconds
	afterHour            bool // the last date or time letter was an hour
	digits, zeros        int
	point, grouped, text bool
}

func parseSection(code string) section {
	var p sectionParser
	for i := 0; i < len(code); {
		i += p.take(code[i:])
	}
	return p.finish()
}

// take reads what the code begins with and gives its length.
func (p *sectionParser) take(s string) int {
	switch c := lower(s[0]); c {
	case '"':
		n := literalEnd(s)
		p.showLiteral(strings.Trim(s[:n], `"`))
		return n
	case '\\':
		n := 1 + runeLength(s[1:])
		p.showLiteral(s[1:n])
		return n
	case '_', '*':
		return 1 + runeLength(s[1:])
	case '[':
		n := literalEnd(s)
		p.bracket(strings.Trim(s[:n], "[]"))
		return n
	case '0', '#', '?':
		p.digit(s[0])
		return 1
	case 'y', 'd', 'h', 's', 'm', 'g', 'b', 'e', 'a':
		return p.letter(c, s)
	case '.':
		p.pointAt(s)
		return 1
	case ',', '%', '/':
		p.grouped = true // shown as something else than its digits
		p.showLiteral(s[:1])
		return 1
	case '@':
		p.text = true
		return 1
	}
	p.showLiteral(s[:1])
	return 1
}

// runeLength gives the length of the character that s begins with.
func runeLength(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// showLiteral notes text that is shown as it stands.
func (p *sectionParser) showLiteral(s string) {
	if p.point {
		return
	}
	for i := range len(s) {
		p.pattern = append(p.pattern, s[i])
		p.literal = append(p.literal, true)
	}
}

// digit notes a place for a digit.
func (p *sectionParser) digit(c byte) {
	if p.point {
		return
	}
	p.digits++
	if c == '0' {
		p.zeros++
	}
	p.pattern = append(p.pattern, c)
	p.literal = append(p.literal, false)
}

// pointAt notes a decimal point, which belongs to the seconds where it follows
// them.
func (p *sectionParser) pointAt(s string) {
	if p.clock || p.lapse {
		p.fraction = len(s[1:]) - len(strings.TrimLeft(s[1:], "0"))
	}
	p.point = true
}

// bracket notes an elapsed time, a condition, or nothing of interest (a colour,
// a language).
func (p *sectionParser) bracket(s string) {
	switch low := strings.ToLower(s); {
	case low == "":
	case strings.Trim(low, "h") == "", strings.Trim(low, "m") == "", strings.Trim(low, "s") == "":
		p.lapse = true
		p.afterHour = low[0] == 'h'
	case strings.ContainsAny(low[:1], "<>="):
		p.condition(low)
	}
}

// condition reads a condition such as <=9999999.
func (p *sectionParser) condition(s string) {
	op := s[:len(s)-len(strings.TrimLeft(s, "<>="))]
	limit, err := strconv.ParseFloat(strings.TrimSpace(s[len(op):]), 64)
	if err == nil {
		p.op, p.limit = op, limit
	}
}

// letter notes a run of a date or time letter and gives its length.
func (p *sectionParser) letter(c byte, s string) int {
	n := 1
	for n < len(s) && lower(s[n]) == c {
		n++
	}
	switch c {
	case 'a':
		if len(s) >= 5 && strings.EqualFold(s[:5], "am/pm") {
			p.clock = true
			return 5
		}
		if len(s) >= 3 && strings.EqualFold(s[:3], "a/p") {
			p.clock = true
			return 3
		}
		if n >= 3 { // aaa is the day of the week
			p.date = true
		}
	case 'g':
		if len(s) >= 7 && strings.EqualFold(s[:7], "general") {
			return 7
		}
		p.date = true
	case 'e':
		if len(s) > 1 && (s[1] == '+' || s[1] == '-') && p.digits > 0 {
			p.grouped = true
			return 2
		}
		p.date = true
	case 'h':
		p.clock, p.afterHour = true, true
	case 's':
		// Minutes before seconds are no months.
		p.clock, p.months, p.afterHour = true, 0, false
	case 'm':
		switch {
		case n > 2:
			p.date = true
		case p.afterHour:
			p.clock, p.afterHour = true, false
		default:
			p.months++
		}
	default: // y, d, b
		p.date, p.afterHour = true, false
	}
	return n
}

// finish says what the section shows.
func (p *sectionParser) finish() section {
	s := p.section
	date := p.date || p.months > 0
	switch {
	case p.lapse:
		s.kind = elapsed
	case date && p.clock:
		s.kind = dateAndTime
	case date:
		s.kind = dateOnly
	case p.clock:
		s.kind = timeOnly
	case p.padded():
		s.kind = paddedNumber
	}
	if s.kind != paddedNumber {
		s.pattern, s.literal = nil, nil
	}
	return s
}

// padded reports whether the section gives a number leading zeros.
func (p *sectionParser) padded() bool {
	return p.zeros >= 2 && !p.grouped && !p.text
}
