package sheet

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A textSurvey is what one reading of all bytes of a text file finds.
type textSurvey struct {
	head   []byte // the beginning of the file
	size   int64
	nuls   int64 // how many bytes are NUL
	utf8   bool  // the file is valid UTF-8
	loneCR bool  // some line ends with a carriage return alone
	last   byte  // the last byte
}

// surveyText reads the whole file once.
func (f *File) surveyText(head []byte) (textSurvey, error) {
	s := textSurvey{head: head, utf8: true}
	in := f.reader()
	buf := make([]byte, 256<<10)
	for kept := 0; ; {
		n, err := in.Read(buf[kept:])
		if err != nil && err != io.EOF {
			return s, unreadable(f.name)
		}

		piece := buf[:kept+n]
		if err == nil {
			piece = piece[:len(piece)-unfinishedTail(piece)]
		}

		s.add(piece)
		if err == io.EOF {
			return s, nil
		}

		kept = copy(buf, buf[len(piece):kept+n])
	}
}

// unfinishedTail returns the number of bytes at the end of b that may be the first
// part of a character or line end.
func unfinishedTail(b []byte) int {
	if bytes.HasSuffix(b, []byte("\r")) {
		return 1
	}

	for n := 1; n <= min(len(b), utf8.UTFMax); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}

	return 0
}

// add surveys the next piece of the file, which must not end in the middle of a
// character or line end.
func (s *textSurvey) add(b []byte) {
	s.nuls += int64(bytes.Count(b, []byte{0}))
	s.loneCR = s.loneCR || bytes.Count(b, []byte("\r")) > bytes.Count(b, []byte("\r\n"))
	s.utf8 = s.utf8 && utf8.Valid(b)
	s.size += int64(len(b))
	if len(b) > 0 {
		s.last = b[len(b)-1]
	}
}
