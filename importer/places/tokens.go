package places

import (
	"strings"
	"unicode"

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
	rs := []rune(s)
	var ts []token
	start := -1
	flush := func(end int) {
		if start >= 0 {
			raw := string(rs[start:end])
			ts = append(ts, detached(token{fold(raw), raw})...)
			start = -1
		}
	}
	for i, r := range rs {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if start < 0 {
				start = i
			}
		case start >= 0 && joins(rs, start, i):
		case r == '#' || r == '&':
			flush(i)
			ts = append(ts, token{string(r), string(r)})
		default:
			flush(i)
		}
	}
	flush(len(rs))
	for i := range ts {
		if ts[i].s == "&" {
			ts[i].s = "and"
		}
	}
	return ts
}

// joins reports whether the mark at i belongs to the token that begins at
// start.
func joins(rs []rune, start, i int) bool {
	if i+1 == len(rs) {
		return false
	}
	before, after := rs[i-1], rs[i+1]
	switch rs[i] {
	case '-', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '\'', '’', '`':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '.':
		return unicode.IsLetter(before) && unicode.IsLetter(after) && (i-1 == start || rs[i-2] == '.')
	}
	return false
}

// fold gives a token's lower case, without accents, dots and apostrophes.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '.' || r == '\'' || r == '’' || r == '`' || unicode.Is(unicode.Mn, r):
			return -1
		}
		return unicode.ToLower(r)
	}, decomposed(s))
}

// decomposed parts letters from their accents, which plain ASCII has none of.
func decomposed(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return norm.NFD.String(s)
		}
	}
	return s
}

// detached cuts "apt5" and "ste300" in two.
func detached(t token) []token {
	i := strings.IndexFunc(t.s, unicode.IsDigit)
	if i <= 0 || len(t.raw) != len(t.s) {
		return []token{t}
	}
	switch t.s[:i] {
	case "apt", "ste", "suite", "unit", "rm", "room", "bldg":
		return []token{{t.s[:i], t.raw[:i]}, {t.s[i:], t.raw[i:]}}
	}
	return []token{t}
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
