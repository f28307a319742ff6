package sheet

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// A textSurvey is what one reading of all bytes of a text file finds.
type textSurvey struct {
	hasNUL         bool   // some byte is NUL
	returns, pairs int    // carriage returns, and those with a line feed after them
	last           byte   // the last byte
	notUTF8        bool   // some character is not valid in UTF-8
	begun          []byte // a character whose other bytes are to come
}

// Write implements io.Writer.
func (s *textSurvey) Write(b []byte) (int, error) {
	s.hasNUL = s.hasNUL || bytes.IndexByte(b, 0) >= 0
	s.returns += bytes.Count(b, []byte("\r"))
	s.pairs += bytes.Count(b, []byte("\r\n"))
	if s.last == '\r' && bytes.HasPrefix(b, []byte("\n")) {
		s.pairs++
	}
	if len(b) > 0 {
		s.last = b[len(b)-1]
	}
	s.surveyCharacters(b)
	return len(b), nil
}

// surveyCharacters looks for characters that are not valid in UTF-8. One may begin in one piece of the file and end in
// the next.
func (s *textSurvey) surveyCharacters(b []byte) {
	if len(s.begun) > 0 {
		b = slices.Concat(s.begun, b)
	}
	end := len(b)
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				end -= n
			}
			break
		}
	}
	s.notUTF8 = s.notUTF8 || !utf8.Valid(b[:end])
	s.begun = bytes.Clone(b[end:])
}

// isUTF8 reports whether the whole file is valid UTF-8.
func (s *textSurvey) isUTF8() bool { return !s.notUTF8 && len(s.begun) == 0 }

// A textFile is a text file in a known encoding.
type textFile struct {
	file     *File
	encoding string            // its name
	decoder  encoding.Encoding // nil for UTF-8
	start    int64             // offset of the text, after a byte order mark
	end      int64             // offset of its end, before a Ctrl-Z
	loneCR   bool              // some line may end with a carriage return alone
	hasNUL   bool              // some byte is NUL
}

// open returns a reader of the text from its beginning. It is UTF-8, and its lines
// end with \n or \r\n.
func (t textFile) open() io.Reader {
	var r io.Reader = io.NewSectionReader(t.file.file, t.start, t.end-t.start)
	if t.decoder != nil {
		r = transform.NewReader(r, t.decoder.NewDecoder())
	}

	if t.loneCR {
		r = transform.NewReader(r, byteEditor{edit: lineFeeds})
	}
	return r
}

// A byteEditor is a transformer that changes bytes, or takes them out.
type byteEditor struct {
	transform.NopResetter

	// edit returns what a byte becomes, and whether it stays. next is the byte after it, 0 at the end.
	edit func(c, next byte) (to byte, stays bool)
}

// Transform implements transform.Transformer.
func (e byteEditor) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for ; nSrc < len(src); nSrc++ {
		next := byte(0)
		switch {
		case nDst == len(dst):
			return nDst, nSrc, transform.ErrShortDst
		case nSrc+1 < len(src):
			next = src[nSrc+1]
		case !atEOF:
			return nDst, nSrc, transform.ErrShortSrc
		}
		if to, stays := e.edit(src[nSrc], next); stays {
			dst[nDst] = to
			nDst++
		}
	}
	return nDst, nSrc, nil
}

// lineFeeds turns a carriage return without a line feed after it into a line feed.
func lineFeeds(c, next byte) (to byte, stays bool) {
	if c == '\r' && next != '\n' {
		c = '\n'
	}
	return c, true
}

// fixSaveAsUTF8 says how to fix the encoding of a file.
const fixSaveAsUTF8 = `save it in Excel as "CSV UTF-8", or name its encoding in the mapping (read: encoding)`
