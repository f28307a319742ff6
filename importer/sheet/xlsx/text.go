package xlsx

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// appendContent appends the text of the element whose start tag was just
// given, with references resolved and line ends made \n as XML asks, and leaves
// the element. Elements inside it are passed over.
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

// appendText appends raw text with its references resolved.
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
			return dst, badXML("a bare ampersand")
		}
		r, ok := reference(raw[:end])
		if !ok {
			return dst, badXML("an unknown reference")
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[end+1:]
	}
}

// appendLiteral appends text that has no references, proving that it is what
// XML allows: UTF-8, and no control characters.
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

// reference resolves what stands between & and ;.
func reference(name []byte) (rune, bool) {
	switch string(name) {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
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

// attrText resolves the references of an attribute's value.
func attrText(raw []byte) (string, error) {
	b, err := appendText(nil, raw)
	return string(b), err
}

// unescape resolves, in place, the _xHHHH_ by which spreadsheets write the
// characters that XML can't hold (ECMA-376 part 1, ST_Xstring), and makes one
// line end of the \r\n that Windows programs put into cells.
func unescape(b []byte) []byte {
	if !bytes.Contains(b, []byte("_x")) && bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	out := b[:0]
	for i := 0; i < len(b); {
		r, n := escaped(b[i:])
		if n == 0 {
			r, n = utf8.DecodeRune(b[i:])
		} else if lo, m := escaped(b[i+n:]); m > 0 && utf16.IsSurrogate(r) {
			r, n = utf16.DecodeRune(r, lo), n+m
		}
		if r == '\r' && endsLine(b[i+n:]) {
			i += n
			continue
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out
}

// escaped reads _xHHHH_ at the beginning of b; n is 0 where there is none.
func escaped(b []byte) (r rune, n int) {
	if len(b) < 7 || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(v), 7
}

// endsLine reports whether b begins with a line feed, plain or escaped.
func endsLine(b []byte) bool {
	if r, n := escaped(b); n > 0 {
		return r == '\n'
	}
	return len(b) > 0 && b[0] == '\n'
}
