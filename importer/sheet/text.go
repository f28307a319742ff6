package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

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

// endOfText is Ctrl-Z, with which DOS programs end a text.
const endOfText = 0x1a

// open returns a reader of the text from its beginning. It is UTF-8, and its lines
// end with \n or \r\n.
func (t textFile) open() io.Reader {
	var r io.Reader = io.NewSectionReader(t.file.file, t.start, t.end-t.start)
	if t.encoding.decoder != nil {
		r = transform.NewReader(r, t.encoding.decoder.NewDecoder())
	}

	if t.loneCR {
		r = transform.NewReader(r, lineEnds{})
	}
	return r
}

// openText opens a text file as a CSV file. head is its beginning.
func (f *File) openText(head []byte, o Options) error {
	s, err := f.surveyText(head)
	if err != nil {
		return err
	}

	text := textFile{file: f, end: f.size, loneCR: s.loneCR, mayHaveLost: s.hasLost || s.nul != [4]int64{}}
	if s.last == endOfText {
		text.end--
	}

	if err := text.detectEncoding(s, o.Encoding); err != nil {
		return err
	}

	sample := make([]byte, 256<<10)
	n, err := io.ReadFull(text.open(), sample)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable(f.name)
	}

	sample = sample[:n]
	if len(bytes.TrimSpace(sample)) == 0 && err != nil {
		return refuse(f.name, "the file has only white space", "export it again")
	}

	if what, fix := markup(sample); what != "" {
		return refuse(f.name, what, fix)
	}
	if err := f.refuseNamed(); err != nil {
		return err
	}

	return f.openCSV(text, sample, err == nil, o)
}

// refuseNamed refuses text with the name of an .xlsx workbook, which Excel does not
// open either. Portals save text with the name .xls, and Excel opens it, so that such
// a file gives only a notice.
func (f *File) refuseNamed() error {
	switch ext := f.extension(); ext {
	case "xlsx", "xlsm", "xlsb", "ods":
		return refuse(f.name, "this is text, not the workbook that its name says", "export it again, or rename it to end in .csv if it is a CSV file")
	case "xls":
		f.addNotice("misnamed", "the file is text, although its name says .xls; it was read as text", "")
	}
	return nil
}

// jsonStart matches the beginning of JSON: a list or an object that is empty or begins with a text,
// a list or an object.
var jsonStart = regexp.MustCompile(`^(\[\s*[\[{"\]]|\{\s*["}])`)

// elementStart matches the beginning of markup. Its group is the name of the
// element.
var elementStart = regexp.MustCompile(`^<([a-z][\w:.-]*)[\s>]`)

// markup recognises markup, and JSON, by the beginning of a text. what is the reason to refuse
// it, and empty for other text.
func markup(sample []byte) (what, fix string) {
	head := bytes.ToLower(bytes.TrimSpace(sample[:min(len(sample), 8<<10)]))
	switch {
	case bytes.HasPrefix(head, []byte("mime-version:")):
		return "this is a web archive (.mht)", fixSaveAsXLSX
	case jsonStart.Match(head):
		return "this is JSON", fixExport
	case !bytes.HasPrefix(head, []byte("<")):
		return "", ""
	case bytes.Contains(head, []byte("urn:schemas-microsoft-com:office:spreadsheet")) && bytes.HasPrefix(head, []byte("<?xml")):
		return "this is an XML spreadsheet of Excel 2003", fixSaveAsXLSX
	}

	for _, tag := range []string{"<!doctype html", "<html", "<table", "<head", "<body", "<meta", "<style", "<div", "<center"} {
		if bytes.Contains(head, []byte(tag)) {
			return htmlPage(sample)
		}
	}

	if bytes.HasPrefix(head, []byte("<?xml")) || elementStart.Match(head) && bytes.Contains(head, slices.Concat([]byte("</"), elementStart.FindSubmatch(head)[1])) {
		return "this is an XML file, or a piece of an HTML page", fixExport
	}
	return "", ""
}

// htmlPage returns why an HTML page is refused, and what to do: portals save tables as such
// pages, with the name of a workbook.
func htmlPage(sample []byte) (what, fix string) {
	if bytes.Contains(bytes.ToLower(sample), []byte("<table")) {
		return "this is an HTML page with a table, not a workbook", fixSaveAsXLSX
	}
	return "this is an HTML page without a table", fixExport
}

// A textSurvey is what one reading of all bytes of a text file finds.
type textSurvey struct {
	head []byte // the beginning of the file
	size int64
	// nul counts the NUL bytes by their offset modulo 4.
	nul     [4]int64
	utf8    bool // the file is valid UTF-8
	loneCR  bool // some line ends with a carriage return alone
	hasLost bool // the file has U+FFFD in UTF-8
	last    byte // the last byte
}

// isText reports whether so few bytes are NUL that the rest must be text.
func (s *textSurvey) isText() bool {
	const most = 1000
	return s.utf8 && (s.nul[0]+s.nul[1]+s.nul[2]+s.nul[3])*most <= s.size
}

// surveyText reads the whole file once. It also sets the hash of the file.
func (f *File) surveyText(head []byte) (textSurvey, error) {
	s := textSurvey{head: head, utf8: true}
	hash := sha256.New()
	in := io.TeeReader(f.reader(), hash)
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
			break
		}

		kept = copy(buf, buf[len(piece):kept+n])
	}

	f.hash = hex.EncodeToString(hash.Sum(nil))
	return s, nil
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
	for i := bytes.IndexByte(b, 0); i >= 0 && i < len(b); i++ {
		if b[i] == 0 {
			s.nul[(s.size+int64(i))%4]++
		}
	}

	s.loneCR = s.loneCR || hasLoneCR(b)
	s.utf8 = s.utf8 && utf8.Valid(b)
	s.hasLost = s.hasLost || bytes.Contains(b, []byte("\uFFFD"))
	s.size += int64(len(b))
	if len(b) > 0 {
		s.last = b[len(b)-1]
	}
}

// hasLoneCR reports whether some line of b ends with a carriage return alone.
func hasLoneCR(b []byte) bool {
	for {
		_, after, ok := bytes.Cut(b, []byte("\r"))
		if !ok {
			return false
		}
		if !bytes.HasPrefix(after, []byte("\n")) {
			return true
		}

		b = after
	}
}

// lineEnds is a transformer that turns each carriage return without a line feed
// after it into a line feed.
type lineEnds struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (lineEnds) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}

		c := src[nSrc]
		if c == '\r' {
			if nSrc+1 == len(src) && !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			if nSrc+1 == len(src) || src[nSrc+1] != '\n' {
				c = '\n'
			}
		}

		dst[nDst] = c
		nDst++
		nSrc++
	}

	return nDst, nSrc, nil
}
