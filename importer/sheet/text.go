package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
func (f *File) openText(head []byte, o Options) error {
	s, err := f.surveyText(head)
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
func (f *File) surveyText(head []byte) (textSurvey, error) {
	s := textSurvey{head: head, utf8: true}
	hash := sha256.New()
	in := io.TeeReader(f.bytes(), hash)
	buf := make([]byte, 256<<10)
	for kept := 0; ; {
		n, err := in.Read(buf[kept:])
		if err != nil && err != io.EOF {
			return s, unreadable(f.name)
		}
		piece := buf[:kept+n]
		if err == nil {
			piece = piece[:len(piece)-unfinished(piece)]
		}
		s.take(piece)
		if err == io.EOF {
			break
		}
		kept = copy(buf, buf[len(piece):kept+n])
	}
	f.hash = hex.EncodeToString(hash.Sum(nil))
	return s, nil
}

// unfinished gives the length of the character or line end that b ends in the
// middle of, if it does: it may go on in the next piece of the file.
func unfinished(b []byte) int {
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

// take takes a piece of the file into account, which ends with a whole
// character and line end.
func (s *textSurvey) take(b []byte) {
	for i := bytes.IndexByte(b, 0); i >= 0 && i < len(b); i++ {
		if b[i] == 0 {
			s.nul[(s.size+int64(i))%4]++
		}
	}
	s.loneCR = s.loneCR || hasLoneCR(b)
	s.utf8 = s.utf8 && utf8.Valid(b)
	s.replaced = s.replaced || bytes.Contains(b, []byte("\uFFFD"))
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
