package xlsx

import (
	"bytes"
)

// readStartTag reads a start tag. If the buffer ends inside the tag, it reads
// more and parses the tag again from its beginning, since tags are short.
func (s *scanner) readStartTag() error {
	for {
		ok, err := s.parseTag(s.buf[s.pos:s.end])
		if err != nil || ok {
			return err
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// parseTag parses the start tag at the beginning of b. It reports false if b
// ends before the tag does; then it has not moved.
func (s *scanner) parseTag(b []byte) (bool, error) {
	i := nameEnd(b, 1)
	if i == len(b) {
		return false, nil
	}
	if i == 1 {
		return false, badXML("a tag without a name")
	}

	name := b[1:i]
	s.attrs = s.attrs[:0]
	for {
		gap := i
		i = spaceEnd(b, i)
		if i == len(b) {
			return false, nil
		}

		switch b[i] {
		case '>':
			s.pos += i + 1
			return true, s.push(name)
		case '/':
			if i+1 == len(b) {
				return false, nil
			}
			if b[i+1] != '>' {
				return false, badXML("a stray slash in a tag")
			}
			s.pos += i + 2
			s.emptyElement = true
			return true, s.push(name)
		}

		if gap == i {
			return false, badXML("attributes without a space between them")
		}

		var ok bool
		var err error
		if i, ok, err = s.parseAttribute(b, i); err != nil || !ok {
			return false, err
		}
	}
}

// parseAttribute parses name="value" at b[i] and gives the index after it. It
// reports false if b ends before the attribute does.
func (s *scanner) parseAttribute(b []byte, i int) (int, bool, error) {
	from := i
	i = nameEnd(b, i)
	name := b[from:i]
	i = spaceEnd(b, i)
	if i == len(b) {
		return i, false, nil
	}
	if b[i] != '=' || len(name) == 0 {
		return i, false, badXML("an attribute without a value")
	}

	i = spaceEnd(b, i+1)
	if i == len(b) {
		return i, false, nil
	}

	quote := b[i]
	if quote != '"' && quote != '\'' {
		return i, false, badXML("an attribute without quotes")
	}

	n := bytes.IndexByte(b[i+1:], quote)
	if n < 0 {
		return i, false, nil
	}

	value := b[i+1 : i+1+n]
	if bytes.IndexByte(value, '<') >= 0 {
		return i, false, badXML("a tag inside an attribute")
	}

	s.attrs = append(s.attrs, attr{name, value})
	return i + n + 2, true, nil
}

// nameEnd returns the index after the name that begins at b[i].
func nameEnd(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n', '/', '>', '=', '<', '"', '\'', '&':
			return i
		}
	}
	return i
}

// spaceEnd returns the index after the white space that begins at b[i].
func spaceEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}
