package places

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer/usps"

	"golang.org/x/text/unicode/norm"
)

// A token is one word, number or # of an address.
type token struct {
	s   string // lower case, without accents and dots
	raw string // as written
}

// tokenize cuts an address into its parts at commas, semicolons and line ends,
// and those into tokens. Parts without a token are left out: "//" is noise.
func tokenize(s string) [][]token {
	var parts [][]token
	for _, part := range strings.FieldsFunc(withoutAsides(s), func(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == '\r' }) {
		if ts := words(withoutPerson(part)); len(ts) > 0 {
			parts = append(parts, ts)
		}
	}
	return parts
}

// withoutAsides takes out what stands in round brackets.
func withoutAsides(s string) string {
	for {
		from := strings.IndexByte(s, '(')
		if from < 0 {
			return s
		}
		to := strings.IndexByte(s[from:], ')')
		if to < 0 {
			return s[:from]
		}
		s = s[:from] + " " + s[from+to+1:]
	}
}

// withoutPerson cuts a part off where it goes on to say for whom.
func withoutPerson(part string) string {
	folded := strings.ToLower(part)
	for _, mark := range [...]string{"c/o", "attn", "care of"} {
		if i := strings.Index(folded, mark); i >= 0 && i < len(part) && (i == 0 || folded[i-1] == ' ') {
			return part[:i]
		}
	}
	return part
}

// words cuts a part into tokens. A hyphen or a slash holds a token together
// only between digits (12-34, 1/2); a dot only within initials (N.E.); an
// apostrophe always (O'Hara).
func words(s string) []token {
	ts := make([]token, 0, 8)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			ts = detached(ts, s[start:end])
			start = -1
		}
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if start < 0 {
				start = i
			}
		case start >= 0 && joins(s, start, i):
		case r == '#':
			flush(i)
			ts = append(ts, token{"#", "#"})
		case r == '&':
			flush(i)
			ts = append(ts, token{"and", "&"})
		default:
			flush(i)
		}
	}
	flush(len(s))
	return ts
}

// joins reports whether the mark at i belongs to the token that begins at
// start.
func joins(s string, start, i int) bool {
	mark, size := utf8.DecodeRuneInString(s[i:])
	after, _ := utf8.DecodeRuneInString(s[i+size:])
	before, width := utf8.DecodeLastRuneInString(s[:i])
	switch mark {
	case '-', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '\'', '’', '`':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '.':
		initial := i-width == start || s[i-width-1] == '.'
		return initial && unicode.IsLetter(before) && unicode.IsLetter(after)
	}
	return false
}

// fold gives a token's lower case, without accents, dots and apostrophes.
func fold(s string) string {
	if simple(s) {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '\'' || r == '’' || r == '`' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// simple reports a token of ASCII letters, digits, hyphens and slashes, as
// nearly all are.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c == '.' || c == '\'' || c == '`' {
			return false
		}
	}
	return true
}

// detached appends the token, and cuts "apt5" and "ste300" in two.
func detached(ts []token, raw string) []token {
	s := fold(raw)
	if i := strings.IndexAny(s, "0123456789"); i > 0 && len(raw) == len(s) {
		if u, ok := usps.UnitOf(s[:i]); ok && u.Value == usps.AnyValue {
			return append(ts, token{s[:i], raw[:i]}, token{s[i:], raw[i:]})
		}
	}
	return append(ts, token{s, raw})
}

// joined gives the tokens as written, a space between.
func joined(ts []token) string {
	raw := make([]string, len(ts))
	for i, t := range ts {
		raw[i] = t.raw
	}
	return strings.ReplaceAll(strings.Join(raw, " "), "# ", "#")
}

// folded gives the tokens as they are compared, a space between.
func folded(ts []token) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.s
	}
	return strings.Join(s, " ")
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
