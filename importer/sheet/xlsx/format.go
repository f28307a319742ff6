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

// parseFormat reads a format code. A code that no spreadsheet program would
// accept never fails: whatever it holds beyond the known tokens counts as
// literal text. A format decides how a number looks, not which number it is.
func parseFormat(code string) format {
	if code == "" || strings.EqualFold(code, "General") {
		return format{sections: []section{{}}}
	}

	f := format{code: code}
	var p sectionParser
	end := func() {
		s := p.finish()
		s.ownSign = len(f.sections) == 1 && s.op == ""
		f.sections = append(f.sections, s)
		p = sectionParser{}
	}
	for len(code) > 0 {
		n := tokenLength(code)
		if code[0] == ';' {
			end()
		} else {
			p.take(code[:n])
		}
		code = code[n:]
	}
	end()
	return f
}

// tokenLength gives the length of the token that s begins with: a quoted or
// bracketed text, an escaped character, a decimal point with the zeros after
// it, a word, a run of one letter, or a single byte.
func tokenLength(s string) int {
	switch s[0] {
	case '"':
		return through(s, '"')
	case '[':
		return through(s, ']')
	case '\\', '_', '*':
		_, n := utf8.DecodeRuneInString(s[1:])
		return 1 + n
	case '.':
		return len(s) - len(strings.TrimLeft(s[1:], "0"))
	}
	for _, word := range []string{"general", "am/pm", "a/p", "e+", "e-"} {
		if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) {
			return len(word)
		}
	}
	n := 1
	for isLetter(s[0]) && n < len(s) && s[n]|0x20 == s[0]|0x20 {
		n++
	}
	return n
}

// through gives the length of s up to and with the closing mark, of all of s
// where there is none.
func through(s string, mark byte) int {
	if i := strings.IndexByte(s[1:], mark); i >= 0 {
		return i + 2
	}
	return len(s)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

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

// take notes what one token shows.
func (p *sectionParser) take(token string) {
	low := strings.ToLower(token)
	switch low[0] {
	case '"':
		p.showLiteral(strings.Trim(token, `"`))
	case '\\':
		p.showLiteral(token[1:])
	case '_', '*':
		// White space and fill characters are not part of the text.
	case '[':
		p.bracket(strings.Trim(low, "[]"))
	case '0', '#', '?':
		p.digit(token[0])
	case '.':
		if p.clock || p.lapse { // a fraction of a second
			p.fraction = len(token) - 1
		}
		p.point = true
	case ',', '%', '/':
		p.grouped = true // shown as something else than its digits
		p.showLiteral(token)
	case '@':
		p.text = true
	case 'y', 'd', 'b':
		p.date, p.afterHour = true, false
	case 'h':
		p.clock, p.afterHour = true, true
	case 's':
		// Minutes before seconds are no months.
		p.clock, p.months, p.afterHour = true, 0, false
	case 'm':
		p.month(len(token))
	case 'a':
		p.clock = p.clock || strings.Contains(token, "/")
		p.date = p.date || strings.HasPrefix(low, "aaa") // the day of the week
	case 'e':
		p.exponent(token)
	case 'g':
		p.date = p.date || low != "general"
	default:
		p.showLiteral(token)
	}
}

// month notes a run of n letters m: a month, or the minute after an hour.
func (p *sectionParser) month(n int) {
	switch {
	case n > 2:
		p.date = true
	case p.afterHour:
		p.clock, p.afterHour = true, false
	default:
		p.months++
	}
}

// exponent notes an e, which is a year unless it stands after digits and before
// a sign.
func (p *sectionParser) exponent(token string) {
	if p.digits > 0 && strings.ContainsAny(token, "+-") {
		p.grouped = true
	} else {
		p.date = true
	}
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

// bracket notes an elapsed time, a condition, or nothing of interest (a colour,
// a language).
func (p *sectionParser) bracket(s string) {
	switch {
	case s == "":
	case strings.Trim(s, "h") == "", strings.Trim(s, "m") == "", strings.Trim(s, "s") == "":
		p.lapse = true
		p.afterHour = s[0] == 'h'
	case strings.ContainsAny(s[:1], "<>="):
		p.condition(s)
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
