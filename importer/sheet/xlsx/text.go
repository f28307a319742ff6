package xlsx

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// appendContent appends the text of the element whose start tag the scanner is
// at, and reads the element to its end. It resolves references, makes line ends
// \n as XML requires, and skips elements inside the element.
func (s *scanner) appendContent(dst []byte) ([]byte, error) {
	for {
		tok, err := s.next()
		switch {
		case err != nil:
		case tok == endTag:
			return dst, nil
		case tok == startTag:
			err = s.skip()
		case s.cdata:
			dst, err = appendLiteral(dst, s.text)
		default:
			dst, err = appendText(dst, s.text)
		}

		if err != nil {
			return dst, err
		}
	}
}

// appendText appends raw text and resolves its references.
func appendText(dst, raw []byte) ([]byte, error) {
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return appendLiteral(dst, raw)
		}

		var err error
		if dst, err = appendLiteral(dst, raw[:i]); err != nil {
			return dst, err
		}

		raw = raw[i+1:]
		end := bytes.IndexByte(raw, ';')
		if end < 0 {
			return dst, badXML("an ampersand without a reference")
		}

		r, ok := resolveReference(raw[:end])
		if !ok {
			return dst, badXML("an unknown reference")
		}

		dst = utf8.AppendRune(dst, r)
		raw = raw[end+1:]
	}
}

// appendLiteral appends text without references. It checks that the text is what
// XML allows: UTF-8 without control characters.
func appendLiteral(dst, raw []byte) ([]byte, error) {
	plain := true
	for _, c := range raw {
		if c < ' ' || c >= utf8.RuneSelf {
			plain = false
			break
		}
	}

	if plain {
		return append(dst, raw...), nil
	}
	if !utf8.Valid(raw) {
		return dst, badXML("text that is not UTF-8")
	}

	for i, c := range raw {
		switch {
		case c == '\r':
			if i+1 == len(raw) || raw[i+1] != '\n' {
				dst = append(dst, '\n')
			}
		case c < ' ' && c != '\t' && c != '\n':
			return dst, badXML("a control character")
		default:
			dst = append(dst, c)
		}
	}

	return dst, nil
}

// resolveReference returns the character of a reference by what is between & and
// its semicolon.
func resolveReference(name []byte) (rune, bool) {
	if i := slices.Index([]string{"lt", "gt", "amp", "quot", "apos"}, string(name)); i >= 0 {
		return rune("<>&\"'"[i]), true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	return characterOf(name[1:])
}

// characterOf returns the character that a number in a reference stands for: 38 or
// x26. There is none for the control characters that XML forbids.
func characterOf(digits []byte) (rune, bool) {
	base := 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}

	n, err := strconv.ParseUint(string(digits), base, 32)
	r := rune(n)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(r) || (r < ' ' && r != '\t' && r != '\n' && r != '\r') {
		return 0, false
	}

	return r, true
}

var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`) })

// unescape resolves the escapes _xHHHH_ that spreadsheets write for
// characters that XML does not allow (ECMA-376 part 1, ST_Xstring), and turns
// \r\n, which Windows programs put into cells, into \n.
func unescape(b []byte) []byte {
	if bytes.Contains(b, []byte("_x")) {
		b = escapes().ReplaceAllFunc(b, func(escape []byte) []byte {
			code, _ := strconv.ParseUint(string(escape[2:6]), 16, 16) // it has four digits
			return []byte(string(rune(code)))
		})
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	return b
}
