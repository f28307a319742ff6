package xlsx

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A sectionKind says what a section of a number format shows a number as.
type sectionKind uint8

const (
	plainNumber  sectionKind = iota
	paddedNumber             // with leading zeros
	dateOnly
	timeOnly
	dateAndTime
	elapsedTime
)

// A format is a parsed number format. The zero format is General.
type format struct {
	code     string // as importer.Cell has it: empty for General
	sections []section
}

// A section is the part of a format for some numbers: the positive, the
// negative, zero, or those that meet a condition.
type section struct {
	kind sectionKind
	// op and limit are the condition, such as <= and 9999999. op is empty if
	// the section has none.
	op    string
	limit float64
	// pattern is the layout of a padded number up to the decimal point. Its
	// bytes are places for digits, except where literal says that the byte is
	// shown as it is.
	pattern []byte
	literal []bool
	// ownSign reports that the section is for negative numbers. It shows a sign
	// only if the pattern has one.
	ownSign bool
}

// parseFormat parses a format code. It accepts any text, since a format decides
// how a number looks and not which number it is: what is not part of the format
// language counts as literal text.
//
// xuri/nfp, which parses format codes too, is not used: it reads E- as a year
// and percent signs and AM/PM in quoted text as part of the format, and drops
// the token before AM/PM.
func parseFormat(code string) format {
	if code == "" || strings.EqualFold(code, "General") {
		return format{sections: []section{{}}}
	}

	f := format{code: code}
	var p sectionParser
	endSection := func() {
		s := p.finish()
		s.ownSign = len(f.sections) == 1 && s.op == ""
		f.sections = append(f.sections, s)
		p = sectionParser{}
	}

	for len(code) > 0 {
		n := tokenLength(code)
		if code[0] == ';' {
			endSection()
		} else {
			p.add(code[:n])
		}
		code = code[n:]
	}

	endSection()
	f.setConditions()
	return f
}

// tokenLength returns the length of the token at the beginning of s: quoted or
// bracketed text, an escaped character, a word, a run of one letter, or a single byte.
func tokenLength(s string) int {
	switch s[0] {
	case '"':
		return lengthThrough(s, '"')
	case '[':
		return lengthThrough(s, ']')
	case '\\', '_', '*':
		_, n := utf8.DecodeRuneInString(s[1:])
		return 1 + n
	}

	for _, word := range []string{"am/pm", "a/p", "e+", "e-"} {
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

// lengthThrough returns the length of s up to and including the closing mark, or
// the length of s if there is none.
func lengthThrough(s string, mark byte) int {
	if i := strings.IndexByte(s[1:], mark); i >= 0 {
		return i + 2
	}
	return len(s)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// setConditions gives the sections for negative numbers and for zero their conditions. A format
// that has conditions of its own has no section for zero.
func (f format) setConditions() {
	own := slices.ContainsFunc(f.sections, func(s section) bool { return s.op != "" })
	for i := range f.sections {
		s := &f.sections[i]
		switch {
		case s.op != "":
		case i == 1 && (len(f.sections) > 2 || !own):
			s.op = "<"
		case i == 2 && !own:
			s.op = "="
		}
	}
}

// section returns the section of the format that shows v: the first one whose condition v meets,
// or else the first one without a condition.
func (f format) section(v float64) section {
	i := slices.IndexFunc(f.sections, func(s section) bool { return s.matches(v) })
	if i < 0 {
		i = slices.IndexFunc(f.sections, func(s section) bool { return s.op == "" })
	}
	if i < 0 {
		i = len(f.sections) - 1
	}
	return f.sections[i]
}

// matches reports whether v meets the section's condition: one of the signs of its operator.
func (s *section) matches(v float64) bool {
	return strings.Contains(s.op, "<") && v < s.limit || strings.Contains(s.op, "=") && v == s.limit || strings.Contains(s.op, ">") && v > s.limit
}

// A sectionParser collects what the tokens of one section show.
type sectionParser struct {
	section
	date, clock, elapsed bool
	months               int  // runs of m or mm that are months unless seconds follow
	afterHour            bool // an m now is a minute
	zeros                int  // places for digits that are 0
	afterPoint           bool // after the decimal point
	scaled               bool // shown with separators, as a percentage, a fraction or with an exponent
	text                 bool // shows text
}

// add collects what one token shows.
func (p *sectionParser) add(token string) {
	low := strings.ToLower(token)
	switch low[0] {
	case '"':
		p.addText(strings.Trim(token, `"`), true)
	case '\\':
		p.addText(token[1:], true)
	case '_', '*':
		// White space of a character's width and fill characters are not part
		// of the text.
	case '[':
		p.addBracket(strings.Trim(low, "[]"))
	case '0', '#', '?':
		if token == "0" && !p.afterPoint {
			p.zeros++
		}
		p.addText(token, false)
	case '.':
		p.afterPoint = true
	case ',', '%', '/':
		p.scaled = true
		p.addText(token, true)
	case '@':
		p.text = true
	default:
		if !p.addDatePart(low) {
			p.addText(token, true)
		}
	}
}

// addDatePart collects letters that stand for a part of a date or a time, and
// reports whether the token, which is in lower case, is such letters, or begins an exponent.
func (p *sectionParser) addDatePart(token string) bool {
	switch token[0] {
	case 'y', 'd':
		p.date, p.afterHour = true, false
	case 'h':
		p.clock, p.afterHour = true, true
	case 's':
		p.clock, p.months, p.afterHour = true, 0, false
	case 'm':
		p.addMonth(len(token))
	case 'a':
		p.clock = p.clock || strings.Contains(token, "/")
	case 'e':
		p.scaled = p.scaled || len(token) > 1
	default:
		return false
	}
	return true
}

// addMonth collects a run of n letters m: a month, or the minute after an hour.
func (p *sectionParser) addMonth(n int) {
	switch {
	case n > 2:
		p.date = true
	case p.afterHour:
		p.clock, p.afterHour = true, false
	default:
		p.months++
	}
}

// addText collects text that is shown as it is, or a place for a digit.
func (p *sectionParser) addText(s string, literal bool) {
	if p.afterPoint {
		return
	}
	p.pattern = append(p.pattern, s...)
	p.literal = append(p.literal, slices.Repeat([]bool{literal}, len(s))...)
}

// addBracket collects an elapsed time or a condition. Colours and languages, the
// other contents of brackets, do not matter.
func (p *sectionParser) addBracket(s string) {
	switch {
	case s == "":
	case strings.Trim(s, "h") == "", strings.Trim(s, "m") == "", strings.Trim(s, "s") == "":
		p.elapsed = true
		p.afterHour = s[0] == 'h'
	case strings.ContainsAny(s[:1], "<>="):
		p.addCondition(s)
	}
}

// addCondition collects a condition such as <=9999999.
func (p *sectionParser) addCondition(s string) {
	op := s[:len(s)-len(strings.TrimLeft(s, "<>="))]
	limit, err := strconv.ParseFloat(strings.TrimSpace(s[len(op):]), 64)
	if err == nil {
		p.op, p.limit = op, limit
	}
}

// finish returns the section that the tokens make.
func (p *sectionParser) finish() section {
	s := p.section
	date := p.date || p.months > 0
	switch {
	case p.elapsed:
		s.kind = elapsedTime
	case date && p.clock:
		s.kind = dateAndTime
	case date:
		s.kind = dateOnly
	case p.clock:
		s.kind = timeOnly
	case p.zeros >= 2 && !p.scaled && !p.text: // it shows leading zeros
		s.kind = paddedNumber
	}

	if s.kind != paddedNumber {
		s.pattern, s.literal = nil, nil
	}
	return s
}
