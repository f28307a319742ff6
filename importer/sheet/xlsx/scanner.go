package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxToken bounds one tag, comment or run of text. The longest text that a cell
// can hold, every character written as a reference, stays well below it, and
// so a part that unpacks to a gigabyte of spaces stops before memory grows.
const maxToken = 1 << 20

// maxDepth bounds how deep elements nest; worksheets need about ten levels.
const maxDepth = 128

// A token is what the scanner stands on.
type token uint8

const (
	endOfPart token = iota // after the root element and nothing else
	startTag               // name and attrs are set
	endTag                 // name is set; an empty element has one too
	charData               // text is set
)

// A badXML says why a part is not well-formed. The text is for tests and for
// whoever mends the exporting program, not for a dispatcher.
type badXML string

func (e badXML) Error() string { return "xml: " + string(e) }

// errDTD is told apart since a document type has no place in a workbook and is
// what attacks are made of.
var errDTD = errors.New("xml: document type declaration")

// An attr is one attribute: its name with its prefix, its value as it stands in
// the file.
type attr struct{ name, value []byte }

// A scanner reads the XML of one part, byte by byte and without allocating for
// each token. It accepts what workbooks are made of and proves that it is
// well-formed up to the end of the part: tags that match, quotes that close,
// one root, references that exist. Names of tags lose their prefix, since
// producers choose prefixes at will.
//
// Everything that it hands out is its own until the next token.
type scanner struct {
	src io.Reader
	buf []byte
	pos int // first unread byte
	end int // one past the last byte read
	// consumed counts the bytes that were read so far.
	consumed int64

	name  []byte // local name of the tag
	attrs []attr
	text  []byte // raw text, references not yet resolved
	cdata bool   // text is literal

	open      []byte // names of the open elements, one after another
	openAt    []int  // where each begins in open
	selfClose bool   // the start tag just given was an empty element
	rooted    bool
}

// newScanner reads a part from src, which must be UTF-8.
func newScanner(src io.Reader) *scanner {
	return &scanner{src: src, buf: make([]byte, 64<<10), attrs: make([]attr, 0, 16)}
}

// fill reads more of the part, keeping everything from pos on. It returns
// io.EOF at the end of the part.
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
	for range 100 {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		s.consumed += int64(n)
		if n > 0 {
			return nil // an error is met again at the next call
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// next moves to the next token. After an error the part can't be read on.
func (s *scanner) next() (token, error) {
	if s.selfClose {
		s.selfClose = false
		s.pop()
		return endTag, nil
	}
	for {
		if s.pos == s.end {
			if err := s.fill(); errors.Is(err, io.EOF) {
				return s.finish()
			} else if err != nil {
				return endOfPart, err
			}
		}
		if s.buf[s.pos] != '<' {
			return s.charData()
		}
		tok, skip, err := s.markup()
		if err != nil {
			return endOfPart, unexpected(err)
		}
		if !skip {
			return tok, nil
		}
	}
}

// finish is the end of the part, which must come after the root element.
func (s *scanner) finish() (token, error) {
	if len(s.openAt) > 0 || !s.rooted {
		return endOfPart, io.ErrUnexpectedEOF
	}
	return endOfPart, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// charData takes everything up to the next tag.
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

// markup takes one tag, comment, instruction or literal section; skip reports
// that it is none of the caller's business.
func (s *scanner) markup() (tok token, skip bool, err error) {
	if err := s.have(2); err != nil {
		return 0, false, err
	}
	switch s.buf[s.pos+1] {
	case '/':
		err = s.closing()
		return endTag, false, err
	case '?':
		_, err = s.upTo(2, "?>")
		return 0, true, err
	case '!':
		return s.declaration()
	}
	err = s.opening()
	return startTag, false, err
}

// declaration takes a comment or a literal section, and nothing else that
// begins with "<!".
func (s *scanner) declaration() (tok token, skip bool, err error) {
	if err := s.have(9); err != nil {
		return 0, false, err
	}
	switch head := s.buf[s.pos:s.end]; {
	case bytes.HasPrefix(head, []byte("<!--")):
		_, err = s.upTo(4, "-->")
		return 0, true, err
	case bytes.HasPrefix(head, []byte("<![CDATA[")):
		if len(s.openAt) == 0 {
			return 0, false, badXML("text outside the root element")
		}
		s.text, err = s.upTo(9, "]]>")
		s.cdata = true
		return charData, false, err
	case bytes.HasPrefix(head, []byte("<!DOCTYPE")):
		return 0, false, errDTD
	}
	return 0, false, badXML("unknown declaration")
}

// have makes sure that n bytes from pos on are in the buffer.
func (s *scanner) have(n int) error {
	for s.end-s.pos < n {
		if err := s.fill(); err != nil {
			return err
		}
	}
	return nil
}

// upTo takes everything through the mark and returns what stands between the
// first skip bytes and the mark.
func (s *scanner) upTo(skip int, mark string) ([]byte, error) {
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

// closing takes an end tag, which must match the element that is open.
func (s *scanner) closing() error {
	inner, err := s.upTo(2, ">")
	if err != nil {
		return err
	}
	if len(s.openAt) == 0 {
		return badXML("end tag without a start")
	}
	at := s.openAt[len(s.openAt)-1]
	if inner = bytes.TrimRight(inner, " \t\r\n"); !bytes.Equal(inner, s.open[at:]) {
		return badXML(fmt.Sprintf("%.20q closes %.20q", inner, s.open[at:]))
	}
	s.pop()
	return nil
}

// pop leaves the innermost element; name is the one left.
func (s *scanner) pop() {
	at := s.openAt[len(s.openAt)-1]
	s.name = local(s.open[at:])
	s.open = s.open[:at]
	s.openAt = s.openAt[:len(s.openAt)-1]
}

// push enters an element.
func (s *scanner) push(name []byte) error {
	if len(s.openAt) == 0 && s.rooted {
		return badXML("a second root element")
	}
	if len(s.openAt) == maxDepth {
		return badXML("elements nest too deep")
	}
	s.rooted = true
	s.openAt = append(s.openAt, len(s.open))
	s.open = append(s.open, name...)
	s.name = local(name)
	return nil
}

// local is a name without its prefix.
func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// depth counts the open elements.
func (s *scanner) depth() int { return len(s.openAt) }

// attr gives the raw value of an attribute by its full name.
func (s *scanner) attr(name string) ([]byte, bool) {
	for i := range s.attrs {
		if string(s.attrs[i].name) == name {
			return s.attrs[i].value, true
		}
	}
	return nil, false
}

// children calls child at the start tag of each element inside the one whose
// start tag was just given, and leaves that element. child must leave the
// element that it is called for.
func (s *scanner) children(child func() error) error {
	for {
		tok, err := s.next()
		if err == nil && tok == startTag {
			err = child()
		}
		if err != nil || tok == endTag {
			return err
		}
	}
}

// skip leaves the element whose start tag was just given, with everything in
// it.
func (s *scanner) skip() error {
	for depth := s.depth(); s.depth() >= depth; {
		if _, err := s.next(); err != nil {
			return err
		}
	}
	return nil
}
