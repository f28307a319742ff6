package xlsx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxToken bounds the bytes of one tag, comment or run of text, so that a part
// that unpacks to a gigabyte of spaces stops before memory grows. The longest
// text that a cell can hold stays below it with every character written as a
// reference.
const maxToken = 1 << 20

// maxDepth bounds how deep elements nest; worksheets need about ten levels.
const maxDepth = 128

// A badXML says why a part is not what a workbook is made of. The text is for
// tests and for developers; a dispatcher reads that the part is damaged.
type badXML string

func (e badXML) Error() string { return "xml: " + string(e) }

// A partError is what is wrong with a part or a sheet, in words for a dispatcher that follow its name.
type partError string

func (e partError) Error() string { return string(e) }

const (
	errTooLarge partError = "unpacks to more than a workbook needs"
	errEncoding partError = "is in an encoding that can't be read"
	// errDTD is the error for a document type declaration. No workbook has one, and attacks on XML parsers use it.
	errDTD partError = "declares a document type, which no workbook needs and attacks use"
)

// A token is a kind of piece of XML.
type token uint8

const (
	endOfPart token = iota // the part ended after its root element
	startTag               // name and attrs are set
	endTag                 // name is set; an empty element has one too
	charData               // text is set
)

// An attr is one attribute: its name with the prefix, and its raw value, in
// which references are not resolved.
type attr struct{ name, value []byte }

// A scanner reads the XML of one part as a stream and allocates nothing for a
// token. It accepts the subset of XML that workbooks use, and checks that the
// part is well-formed to its end: tags match, quotes close, and there is one
// root element.
//
// Names of tags come without their prefix, since producers choose prefixes
// freely. All slices that the scanner gives out are valid until the next token.
type scanner struct {
	in *bufio.Reader // of UTF-8, with room for the longest token

	name  []byte // the tag's, without the prefix
	attrs []attr // the start tag's
	text  []byte // raw: references are not resolved
	cdata bool   // text is from a CDATA section and has no references
	// struckRun reports that a run of appendRuns is struck through.
	struckRun bool

	open         []byte // the full names of the open elements, one after another
	openAt       []int  // where each of them begins in open
	emptyElement bool   // the start tag just given is an empty element's
	hasRoot      bool   // the root element was met
}

// next moves to the next token. After an error it must not be called again.
func (s *scanner) next() (token, error) {
	if s.emptyElement {
		s.emptyElement = false
		s.pop()
		return endTag, nil
	}
	for {
		b, err := s.read()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && s.depth() == 0 && s.hasRoot:
			return endOfPart, nil
		default:
			return endOfPart, err
		}
		switch {
		case b[0] != '<':
			return charData, s.readText(b)
		case b[1] == '/':
			return endTag, s.readEndTag(b[2 : len(b)-1])
		case b[1] == '?', bytes.HasPrefix(b, []byte("<!--")):
			continue
		case bytes.HasPrefix(b, []byte("<!DOCTYPE")):
			return endOfPart, errDTD
		case b[1] == '!':
			return charData, s.readText(b)
		}
		return startTag, s.readStartTag(b[1 : len(b)-1])
	}
}

// read reads the next piece, as pieceLen measures it. White space around the root element is none.
func (s *scanner) read() ([]byte, error) {
	for {
		b, _ := s.in.Peek(s.in.Buffered())
		if s.depth() == 0 {
			spaces := len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
			_, _ = s.in.Discard(spaces)
			b = b[spaces:]
		}
		if n := pieceLen(b); n > 0 {
			_, _ = s.in.Discard(n)
			return b[:n], nil
		}
		_, err := s.in.Peek(len(b) + 1)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, badXML("a tag or text is too long")
		case errors.Is(err, io.EOF) && len(b) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
	}
}

// pieceLen returns the length of the tag, comment, instruction, CDATA section or text that b begins with; 0 if b
// ends before that does.
func pieceLen(b []byte) int {
	switch {
	case len(b) < 2:
		return 0
	case b[0] != '<':
		return max(0, bytes.IndexByte(b, '<'))
	case b[1] != '?' && b[1] != '!':
		return tagLen(b)
	}
	for _, marks := range [...][2]string{{"<?", "?>"}, {"<!--", "-->"}, {cdataBegin, cdataEnd}} {
		if inner, ok := bytes.CutPrefix(b, []byte(marks[0])); ok {
			before, _, ends := bytes.Cut(inner, []byte(marks[1]))
			if !ends {
				return 0
			}
			return len(marks[0]) + len(before) + len(marks[1])
		}
	}
	return tagLen(b)
}

const cdataBegin, cdataEnd = "<![CDATA[", "]]>"

// tagLen returns the length of a tag, up to the first > outside quotation marks.
func tagLen(b []byte) int {
	quote := byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return 0
}

// readText takes a run of text or a CDATA section.
func (s *scanner) readText(b []byte) error {
	if s.depth() == 0 {
		return badXML("text outside the root element")
	}
	s.text, s.cdata = bytes.CutPrefix(b, []byte(cdataBegin))
	if s.cdata {
		s.text = s.text[:len(s.text)-len(cdataEnd)]
	} else if b[0] == '<' {
		return badXML("unknown declaration")
	}
	return nil
}

// readStartTag takes what is in a start tag, and enters the element.
func (s *scanner) readStartTag(b []byte) (err error) {
	b, s.emptyElement = bytes.CutSuffix(b, []byte("/"))
	n := nameLen(b)
	name, rest := b[:n], b[n:]
	s.attrs = s.attrs[:0]
	for attrs := bytes.TrimSpace(rest); len(attrs) > 0; attrs = bytes.TrimSpace(rest) {
		if attrs[0] == rest[0] {
			return badXML("attributes without a space between them")
		}
		if rest, err = s.readAttribute(attrs); err != nil {
			return err
		}
	}
	return s.push(name)
}

// readAttribute takes the attribute name="value" at the beginning of b, and returns what follows it.
func (s *scanner) readAttribute(b []byte) (rest []byte, err error) {
	n := nameLen(b)
	if n == 0 || len(b) < n+2 || b[n] != '=' || b[n+1] != '"' && b[n+1] != '\'' {
		return nil, badXML("an attribute without a value in quotes")
	}
	value, rest, _ := bytes.Cut(b[n+2:], b[n+1:n+2])
	if bytes.IndexByte(value, '<') >= 0 {
		return nil, badXML("a tag inside an attribute")
	}
	s.attrs = append(s.attrs, attr{b[:n], value})
	return rest, nil
}

// nameLen returns the length of the name that b begins with.
func nameLen(b []byte) int {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r', '\n', '/', '>', '=', '<', '"', '\'', '&':
			return i
		}
	}
	return len(b)
}

// push enters an element and sets name to its name.
func (s *scanner) push(name []byte) error {
	switch {
	case len(name) == 0:
		return badXML("a tag without a name")
	case s.depth() == 0 && s.hasRoot:
		return badXML("a second root element")
	case s.depth() == maxDepth:
		return badXML("elements nest too deep")
	}
	s.hasRoot = true
	s.openAt = append(s.openAt, len(s.open))
	s.open = append(s.open, name...)
	s.name = localName(name)
	return nil
}

// readEndTag takes the name in an end tag, which must be that of the innermost open element.
func (s *scanner) readEndTag(name []byte) error {
	if s.depth() == 0 {
		return badXML("end tag without a start")
	}
	if want := s.open[s.openAt[s.depth()-1]:]; !bytes.Equal(name, want) && !bytes.Equal(bytes.TrimSpace(name), want) {
		return badXML(fmt.Sprintf("%.20q closes %.20q", name, want))
	}
	s.pop()
	return nil
}

// pop leaves the innermost element and sets name to its name.
func (s *scanner) pop() {
	at := s.openAt[s.depth()-1]
	s.name = localName(s.open[at:])
	s.open, s.openAt = s.open[:at], s.openAt[:s.depth()-1]
}

// localName returns a name without its prefix.
func localName(name []byte) []byte {
	for i, c := range name { // names are short: bytes.IndexByte takes longer
		if c == ':' {
			return name[i+1:]
		}
	}
	return name
}

// textBetween reads the tags open, a text and the tags end, if they follow at once and the buffer has
// all of them, and returns the raw text. Otherwise it reads nothing and reports false.
func (s *scanner) textBetween(open, end string) ([]byte, bool) {
	b, _ := s.in.Peek(s.in.Buffered())
	if s.emptyElement || len(b) < len(open) || string(b[:len(open)]) != open {
		return nil, false
	}
	b = b[len(open):]
	n := bytes.IndexByte(b, '<')
	if n < 0 || len(b) < n+len(end) || string(b[n:n+len(end)]) != end {
		return nil, false
	}
	_, _ = s.in.Discard(len(open) + n + len(end))
	return b[:n], true
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
