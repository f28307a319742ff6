package sheet

import (
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// A textFile is a text file in a known encoding.
type textFile struct {
	file     *File
	encoding textEncoding
	start    int64 // offset of the text, after a byte order mark
	end      int64 // offset of its end, before a Ctrl-Z
	loneCR   bool  // some line may end with a carriage return alone
	// mayHaveLost says that the text may have a NUL or U+FFFD, the replacement character
	// that stands for a character which some program could not read.
	mayHaveLost bool
}

// open returns a reader of the text from its beginning. It is UTF-8, and its lines
// end with \n or \r\n.
func (t textFile) open() io.Reader {
	var r io.Reader = io.NewSectionReader(t.file.file, t.start, t.end-t.start)
	if t.encoding.decoder != nil {
		r = transform.NewReader(r, t.encoding.decoder.NewDecoder())
	}

	if t.loneCR {
		r = transform.NewReader(r, lineFeeds{})
	}
	return r
}

// lineFeeds is a transformer that turns each carriage return without a line feed after it into a line feed.
type lineFeeds struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (lineFeeds) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for ; nSrc < len(src); nSrc++ {
		switch {
		case nSrc == len(dst):
			return nSrc, nSrc, transform.ErrShortDst
		case nSrc+1 == len(src) && !atEOF:
			return nSrc, nSrc, transform.ErrShortSrc
		}
		dst[nSrc] = src[nSrc]
		if src[nSrc] == '\r' && (nSrc+1 == len(src) || src[nSrc+1] != '\n') {
			dst[nSrc] = '\n'
		}
	}
	return nSrc, nSrc, nil
}

// A textEncoding is the encoding of a text file.
type textEncoding struct {
	name string
	// decoder is nil for UTF-8.
	decoder encoding.Encoding
	// strict says that the encoding has no U+FFFD, the replacement character,
	// so that one in the decoded text proves the encoding wrong.
	strict bool
}

// fixSaveAsUTF8 says how to fix the encoding of a file.
const fixSaveAsUTF8 = `save it in Excel as "CSV UTF-8", or name its encoding in the mapping (read: encoding)`
