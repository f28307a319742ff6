package mapping

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A position is a place in the mapping file, from 1.
type position struct {
	Line int `yaml:"-"`
	Col  int `yaml:"-"`
}

// A text is a value that remembers where in the file it was written.
type text struct {
	Value string
	position
}

func (t text) given() bool { return t.Line > 0 }

// clean trims s and turns every run of white space within it, line breaks and
// hard spaces included, into one space. It leaves s as it is where there is
// nothing to do, which is nearly always.
func clean(s string) string {
	if tidy(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, blank), " ")
}

func tidy(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < ' ' || c >= utf8.RuneSelf || c == 0x7f:
			return !strings.ContainsFunc(s, odd) && !strings.HasPrefix(s, " ") &&
				!strings.HasSuffix(s, " ") && !strings.Contains(s, "  ")
		default:
			space = false
		}
	}
	return !space || s == ""
}

// blank reports whether r is white space, or one of the characters that show
// nothing and that exports carry along: controls, zero-width spaces, BOMs.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200b' || r == '\ufeff' || r == '\u2060'
}

// odd reports whether r is a blank that is not a plain space.
func odd(r rune) bool { return r != ' ' && blank(r) }

// fold gives the form in which codes and words are compared: letters' case and
// runs of white space disregarded, punctuation kept ("W/C" is not "WC").
func fold(s string) string { return strings.ToLower(clean(s)) }

// bare gives the form in which headers and names are compared: letters and
// digits alone, case disregarded.
func bare(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
