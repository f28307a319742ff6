package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A token is a kind of piece of XML.
type token uint8

const (
	endOfPart token = iota // the part ended after its root element
	startTag               // name and attrs are set
	endTag                 // name is set; an empty element has one too
	charData               // text is set
)

// errDTD is the error for a document type declaration. No workbook has one, and
// attacks on XML parsers use it.
var errDTD = errors.New("declares a document type, which no workbook needs and attacks use")

// next moves to the next token. After an error it must not be called again.
func (s *scanner) next() (token, error) {
	if s.emptyElement {
		s.emptyElement = false
		s.pop()
		return endTag, nil
	}

	for {
		if s.pos == s.end {
			err := s.fill()
			if errors.Is(err, io.EOF) && len(s.openAt) == 0 && s.hasRoot {
				return endOfPart, nil
			}
			if err != nil {
				return endOfPart, unexpectedEOF(err)
			}
		}

		if s.buf[s.pos] != '<' {
			return s.charData()
		}

		tok, skip, err := s.markup()
		if err != nil {
			return endOfPart, unexpectedEOF(err)
		}
		if !skip {
			return tok, nil
		}
	}
}

// charData reads everything up to the next tag.
func (s *scanner) charData() (token, error) {
	from := 0
	for {
		i := bytes.IndexByte(s.buf[s.pos+from:s.end], '<')
		if i >= 0 {
			s.text, s.cdata = s.buf[s.pos:s.pos+from+i], false
			s.pos += from + i
			break
		}

		from = s.end - s.pos
		if err := s.fill(); errors.Is(err, io.EOF) {
			s.text, s.cdata = s.buf[s.pos:s.end], false
			s.pos = s.end
			break
		} else if err != nil {
			return endOfPart, err
		}
	}

	if len(s.openAt) == 0 && len(bytes.TrimSpace(s.text)) > 0 {
		return endOfPart, badXML("text outside the root element")
	}

	return charData, nil
}

// markup reads one tag, comment, instruction or CDATA section. skip reports
// that it is no token.
func (s *scanner) markup() (tok token, skip bool, err error) {
	if err := s.ensure(2); err != nil {
		return 0, false, err
	}

	switch s.buf[s.pos+1] {
	case '/':
		err = s.readEndTag()
		return endTag, false, err
	case '?':
		_, err = s.readThrough(2, "?>")
		return 0, true, err
	case '!':
		return s.declaration()
	}

	err = s.readStartTag()
	return startTag, false, err
}

// declaration reads a comment or a CDATA section. Anything else that begins
// with "<!" is an error.
func (s *scanner) declaration() (tok token, skip bool, err error) {
	if err := s.ensure(9); err != nil {
		return 0, false, err
	}

	switch head := s.buf[s.pos:s.end]; {
	case bytes.HasPrefix(head, []byte("<!--")):
		_, err = s.readThrough(4, "-->")
		return 0, true, err
	case bytes.HasPrefix(head, []byte("<![CDATA[")):
		if len(s.openAt) == 0 {
			return 0, false, badXML("text outside the root element")
		}
		s.text, err = s.readThrough(9, "]]>")
		s.cdata = true
		return charData, false, err
	case bytes.HasPrefix(head, []byte("<!DOCTYPE")):
		return 0, false, errDTD
	}
	return 0, false, badXML("unknown declaration")
}

// textBetween reads the tags open, a text and the tags end, if they follow at once and the buffer has
// all of them, and returns the raw text. Otherwise it reads nothing and reports false.
func (s *scanner) textBetween(open, end string) ([]byte, bool) {
	b := s.buf[s.pos:s.end]
	if s.emptyElement || len(b) < len(open) || string(b[:len(open)]) != open {
		return nil, false
	}
	b = b[len(open):]
	n := bytes.IndexByte(b, '<')
	if n < 0 || len(b) < n+len(end) || string(b[n:n+len(end)]) != end {
		return nil, false
	}
	s.pos += len(open) + n + len(end)
	return b[:n], true
}

// readThrough reads everything up to and including the mark. It returns what is
// between the first skip bytes and the mark.
func (s *scanner) readThrough(skip int, mark string) ([]byte, error) {
	from := skip
	for {
		if i := bytes.Index(s.buf[s.pos+from:s.end], []byte(mark)); i >= 0 {
			inner := s.buf[s.pos+skip : s.pos+from+i]
			s.pos += from + i + len(mark)
			return inner, nil
		}

		from = max(skip, s.end-s.pos-len(mark)+1)
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// readEndTag reads an end tag, which must match the innermost open element.
func (s *scanner) readEndTag() error {
	if len(s.openAt) == 0 {
		return badXML("end tag without a start")
	}

	want := s.open[s.openAt[len(s.openAt)-1]:]
	n := len(want)
	if b := s.buf[s.pos+2 : s.end]; len(b) > n && b[n] == '>' && bytes.Equal(b[:n], want) {
		s.pos += n + 3
		s.pop()
		return nil
	}

	inner, err := s.readThrough(2, ">")
	if err != nil {
		return err
	}
	if inner = bytes.TrimRight(inner, " \t\r\n"); !bytes.Equal(inner, want) {
		return badXML(fmt.Sprintf("%.20q closes %.20q", inner, want))
	}
	s.pop()
	return nil
}

// depth returns the number of open elements.
func (s *scanner) depth() int { return len(s.openAt) }

// attr returns the raw value of an attribute by its full name; nil if the tag does not
// have it.
func (s *scanner) attr(name string) []byte {
	for i := range s.attrs {
		if string(s.attrs[i].name) == name {
			return s.attrs[i].value
		}
	}
	return nil
}

// tags calls tag at each start tag up to the end of the part. tag may read on, up to the
// end of its element.
func (s *scanner) tags(tag func() error) error { return s.until(endOfPart, tag) }

// children calls child at the start tag of each element inside the element
// whose start tag the scanner is at, and reads that element to its end. child
// must read its element to its end.
func (s *scanner) children(child func() error) error { return s.until(endTag, child) }

// until calls tag at each start tag before the next token of the kind end.
func (s *scanner) until(end token, tag func() error) error {
	for {
		tok, err := s.next()
		if err == nil && tok == startTag {
			err = tag()
		}
		if err != nil || tok == end {
			return err
		}
	}
}

// skip reads the element whose start tag the scanner is at to its end.
func (s *scanner) skip() error {
	for depth := s.depth(); s.depth() >= depth; {
		if _, err := s.next(); err != nil {
			return err
		}
	}
	return nil
}
