package usps

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A token is one word or number of an address, or a number sign.
type token struct {
	text string // normalized, as it is compared
	raw  string // as written
	// joined says that a hyphen or a slash stands between it and the token before.
	joined bool
}

// tokenize splits an address into parts at commas, semicolons and line ends, and
// each part into tokens. It drops text in parentheses and recipients (c/o, attn). A part such
// as "//" has no tokens.
func tokenize(s string) [][]token {
	if strings.Contains(s, "(") {
		s = parentheses.ReplaceAllString(s, " ")
	}
	return splitParts(s, withoutRecipient)
}

// parentheses match a text in parentheses. One that is not closed goes on to the end.
var parentheses = regexp.MustCompile(`\([^)]*\)?`)

// splitParts is tokenize, but of each part it drops only what clean drops.
func splitParts(s string, clean func(string) string) (parts [][]token) {
	isSeparator := func(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == '\r' }
	for part := range strings.FieldsFuncSeq(s, isSeparator) {
		parts = append(parts, splitTokens(clean(part)))
	}
	return parts
}

// withoutRecipient cuts off a part where a recipient begins.
func withoutRecipient(part string) string {
	lower := strings.ToLower(part)
	for _, mark := range [...]string{"c/o", "attn", "care of"} {
		if i := strings.Index(lower, mark); i >= 0 && i < len(part) && (i == 0 || lower[i-1] == ' ') {
			return part[:i]
		}
	}
	return part
}

// splitTokens splits a part into tokens. A hyphen or a slash belongs to a token
// between digits only (12-34, 1/2), a dot within initials only (N.E.), and an
// apostrophe between letters (O'Hara).
func splitTokens(s string) []token {
	ts := make([]token, 0, 8)
	start, joined := -1, false
	flush := func(end int) {
		if start >= 0 {
			first := len(ts)
			ts = appendSplit(ts, s[start:end])
			ts[first].joined = joined && first > 0
			start, joined = -1, false
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
			ts = append(ts, token{text: "#", raw: "#"})
		case r == '&':
			flush(i)
			ts = append(ts, token{text: "and", raw: "&"})
		default:
			flush(i)
			joined = joined || r == '-' || r == '–' || r == '/'
		}
	}
	flush(len(s))
	return ts
}

// joins reports whether the mark at i belongs to the token that begins at start.
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

// normalize returns a token in lower case, without accents, dots and
// apostrophes.
func normalize(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '\'' || r == '’' || r == '`' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// isPlain reports whether a token needs lower case only to be normalized, as
// nearly all do.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c == '.' || c == '\'' || c == '`' {
			return false
		}
	}
	return true
}

// appendSplit appends a token, or two for a unit designator and its value that
// are written together, such as "apt5".
func appendSplit(ts []token, raw string) []token {
	s := normalize(raw)
	if i := strings.IndexAny(s, digits); i > 0 && len(raw) == len(s) {
		if u, ok := DesignatorOf(s[:i]); ok && u.Letters {
			return append(ts, token{text: s[:i], raw: raw[:i]}, token{text: s[i:], raw: raw[i:]})
		}
	}
	return append(ts, token{text: s, raw: raw})
}

// joinRaw returns the tokens as written, with a space between them.
func joinRaw(ts []token) string {
	raw := make([]string, len(ts))
	for i, t := range ts {
		raw[i] = t.raw
	}
	return strings.ReplaceAll(strings.Join(raw, " "), "# ", "#")
}

// joinText returns the tokens as they are compared, with a space between them.
func joinText(ts []token) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.text
	}
	return strings.Join(s, " ")
}

// Words returns a text as its normalized words, with a space between them. It drops
// what stands in parentheses and recipients (c/o, attn).
func Words(s string) string { return joinText(flatten(tokenize(s))) }

// flatten returns the tokens of all parts.
func flatten(parts [][]token) []token { return slices.Concat(parts...) }

func hasDigit(s string) bool { return strings.ContainsAny(s, digits) }

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
