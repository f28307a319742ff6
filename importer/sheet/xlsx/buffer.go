package xlsx

import (
	"errors"
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
	src io.Reader
	buf []byte
	pos int // index in buf of the first unread byte
	end int // index in buf after the last byte
	// consumed counts the bytes that were read from src.
	consumed int64

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

// newScanner returns a scanner of src, which must be UTF-8.
func newScanner(src io.Reader) *scanner {
	return &scanner{src: src, buf: make([]byte, 64<<10), attrs: make([]attr, 0, 16)}
}

// fill reads more of the part into buf and keeps the bytes from pos on. It
// gives io.EOF at the end of the part.
func (s *scanner) fill() error {
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.pos = 0
	}

	if s.end == len(s.buf) {
		if len(s.buf) >= maxToken {
			return badXML("a tag or text is too long")
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}

	n, err := io.ReadAtLeast(s.src, s.buf[s.end:], 1) // after an error, the next call meets it again
	s.end += n
	s.consumed += int64(n)
	return err
}

// ensure fills buf until it has n bytes from pos on.
func (s *scanner) ensure(n int) error {
	for s.end-s.pos < n {
		if err := s.fill(); err != nil {
			return err
		}
	}
	return nil
}

// push enters an element and sets name to its name.
func (s *scanner) push(name []byte) error {
	if len(s.openAt) == 0 && s.hasRoot {
		return badXML("a second root element")
	}
	if len(s.openAt) == maxDepth {
		return badXML("elements nest too deep")
	}

	s.hasRoot = true
	s.openAt = append(s.openAt, len(s.open))
	s.open = append(s.open, name...)
	s.name = localName(name)
	return nil
}

// pop leaves the innermost element and sets name to its name.
func (s *scanner) pop() {
	at := s.openAt[len(s.openAt)-1]
	s.name = localName(s.open[at:])
	s.open = s.open[:at]
	s.openAt = s.openAt[:len(s.openAt)-1]
}

// unexpectedEOF turns io.EOF, the end of a part inside a token, into
// io.ErrUnexpectedEOF.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
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
