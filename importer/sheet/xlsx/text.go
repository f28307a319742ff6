package xlsx

import (
	"bytes"
	"encoding/xml"
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
			dst, err = appendXML(dst, "<t><![CDATA[", s.text, "]]></t>")
		default:
			dst, err = appendText(dst, s.text)
		}

		if err != nil {
			return dst, err
		}
	}
}

// appendText appends raw text and resolves its references. What has other references than the five by name, or
// other characters than those of ASCII, is left to encoding/xml, which refuses what XML does not allow.
func appendText(dst, raw []byte) ([]byte, error) {
	from := len(dst)
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '&' {
			end := bytes.IndexByte(raw[i:], ';')
			n := slices.Index([]string{"&lt", "&gt", "&amp", "&quot", "&apos"}, string(raw[i:i+max(0, end)]))
			if n < 0 {
				return appendXML(dst[:from], "<t>", raw, "</t>")
			}
			c, i = "<>&\"'"[n], i+end
		} else if c < ' ' || c >= utf8.RuneSelf {
			return appendXML(dst[:from], "<t>", raw, "</t>")
		}
		dst = append(dst, c)
	}
	return dst, nil
}

// appendXML appends the text of an element, which raw is between its tags.
func appendXML(dst []byte, open string, raw []byte, end string) ([]byte, error) {
	var text string
	if err := xml.Unmarshal(slices.Concat([]byte(open), raw, []byte(end)), &text); err != nil {
		return dst, badXML("a text that XML does not allow")
	}
	return append(dst, text...), nil
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
