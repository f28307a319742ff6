package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// A textFile is a file of text in a known encoding.
type textFile struct {
	file     *File
	encoding textEncoding
	// start is where the text begins, after a byte order mark.
	start int64
	// end is where it ends, before the mark that DOS programs put there.
	end int64
	// loneCR reports that some lines end with a carriage return alone.
	loneCR bool
	// lost reports that the text may have U+FFFD, the mark of a character that
	// could not be read.
	lost bool
}

// endOfText is the character by which DOS programs end a text (Ctrl-Z).
const endOfText = 0x1a

// open reads the text from its beginning, as UTF-8 with lines that end in a
// line feed (with or without a carriage return before it).
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

// openText opens a file of text as what it is: a delimited table or an HTML
// page.
func (f *File) openText(o Options) error {
	s, err := f.surveyText()
	if err != nil {
		return err
	}
	text := textFile{file: f, end: f.size, loneCR: s.loneCR, lost: s.replaced}
	if s.last == endOfText {
		text.end--
	}
	if err := text.decide(s, o.Encoding); err != nil {
		return err
	}
	sample := make([]byte, 256<<10)
	n, err := io.ReadFull(text.open(), sample)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable(f.name)
	}
	sample = sample[:n]
	if len(bytes.TrimSpace(sample)) == 0 && err != nil {
		return refuse(f.name, "the file is empty but for white space", "export it again")
	}
	if what, fix := markup(sample); what == "html" {
		return f.openHTML(text)
	} else if what != "" {
		return refuse(f.name, what, fix)
	}
	if err := f.refuseNamed("text"); err != nil {
		return err
	}
	return f.openCSV(text, sample, err == nil, o)
}

// refuseNamed refuses text and HTML under the name of an .xlsx workbook, which
// Excel does not open either. Under .xls, where portals put them and Excel
// opens them, they are read as what they are.
func (f *File) refuseNamed(what string) error {
	switch ext := f.extension(); ext {
	case "xlsx", "xlsm", "xlsb", "ods":
		return refuse(f.name, "this is "+what+", not the workbook that its name says", "export it again, or rename it to end in .csv if it is a CSV file")
	case "xls":
		f.notice("misnamed", "the file is "+what+", whatever its name says; it was read as that", "")
	}
	return nil
}

// markup knows pages and documents that are text but no table.
func markup(sample []byte) (what, fix string) {
	head := bytes.ToLower(bytes.TrimSpace(sample[:min(len(sample), 8<<10)]))
	switch {
	case bytes.HasPrefix(head, []byte("mime-version:")):
		return "this is a web archive (.mht)", asXLSX
	case !bytes.HasPrefix(head, []byte("<")):
		return "", ""
	case bytes.Contains(head, []byte("urn:schemas-microsoft-com:office:spreadsheet")) && bytes.HasPrefix(head, []byte("<?xml")):
		return "this is an XML spreadsheet of Excel 2003", asXLSX
	}
	for _, tag := range []string{"<!doctype html", "<html", "<table", "<head", "<body", "<meta", "<style", "<div", "<center"} {
		if bytes.Contains(head, []byte(tag)) {
			return "html", ""
		}
	}
	if bytes.HasPrefix(head, []byte("<?xml")) {
		return "this is an XML file", "export the schedule as CSV or as an .xlsx workbook"
	}
	return "", ""
}

// A textSurvey is what one look at all bytes of a file of text says.
type textSurvey struct {
	head []byte // the first bytes
	size int64
	// nul counts the NUL bytes by their place within four bytes.
	nul      [4]int64
	utf8     bool // valid UTF-8
	loneCR   bool
	replaced bool // has U+FFFD, as UTF-8
	last     byte // the last byte
}

// surveyText reads the whole file once, which also gives its hash.
func (f *File) surveyText() (textSurvey, error) {
	s := textSurveyor{textSurvey: textSurvey{utf8: true}, hash: sha256.New()}
	buf := make([]byte, 256<<10)
	for in := f.bytes(); ; {
		n, err := in.Read(buf)
		s.take(buf[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.textSurvey, unreadable(f.name)
		}
	}
	s.finish()
	f.hash = hex.EncodeToString(s.hash.Sum(nil))
	return s.textSurvey, nil
}

// A textSurveyor takes a file in pieces.
type textSurveyor struct {
	textSurvey
	hash  hash.Hash
	carry []byte // the beginning of a character that the last piece cut
	cr    bool   // the last piece ended with a carriage return
}

func (s *textSurveyor) take(b []byte) {
	if len(b) == 0 {
		return
	}
	_, _ = s.hash.Write(b) // a hash never fails
	if s.size == 0 {
		s.head = bytes.Clone(b[:min(len(b), headSize)])
	}
	s.countNUL(b)
	s.lookForCR(b)
	s.lookForUTF8(b)
	s.size += int64(len(b))
	s.last = b[len(b)-1]
}

func (s *textSurveyor) countNUL(b []byte) {
	for i := bytes.IndexByte(b, 0); i >= 0 && i < len(b); i++ {
		if b[i] == 0 {
			s.nul[(s.size+int64(i))%4]++
		}
	}
}

func (s *textSurveyor) lookForCR(b []byte) {
	if s.loneCR {
		return
	}
	if s.cr && b[0] != '\n' {
		s.loneCR = true
	}
	s.cr = b[len(b)-1] == '\r'
	for rest := b; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 || i+1 == len(rest) {
			return
		}
		if rest[i+1] != '\n' {
			s.loneCR = true
			return
		}
		rest = rest[i+2:]
	}
}

func (s *textSurveyor) lookForUTF8(b []byte) {
	if !s.utf8 {
		return
	}
	if len(s.carry) > 0 {
		b = append(s.carry, b...)
		s.carry = nil
	}
	// The last character may go on in the next piece.
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				s.carry = bytes.Clone(b[i:])
				b = b[:i]
			}
			break
		}
	}
	s.utf8 = utf8.Valid(b)
	s.replaced = s.replaced || bytes.Contains(b, []byte("\uFFFD"))
}

func (s *textSurveyor) finish() {
	s.loneCR = s.loneCR || s.cr
	if len(s.carry) > 0 {
		s.utf8 = false
	}
}

// lineEnds turns each carriage return that stands alone into a line feed. It is
// only used on files that have some.
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
