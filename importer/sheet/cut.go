package sheet

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// EndsWhole reports whether the last line of a text file is whole: it has an end, or as many fields as the
// line before. It is true for a workbook, which can't be read if it is cut off, and for a file that can't
// be read.
func EndsWhole(path string) bool {
	if strings.HasPrefix(strings.ToLower(filepath.Ext(path)), ".xls") {
		return true
	}
	file, err := os.Open(path)
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }() // only read from
	if hasLastEnd(file) {
		return true
	}
	var l lineCounter
	_, err = io.Copy(&l, file)
	return err != nil || l.lines < 2 || !l.quoted && l.separators >= l.before
}

// hasLastEnd reports whether a file ends with the end of a line, and goes back to its beginning.
func hasLastEnd(file *os.File) bool {
	const most = 4 // bytes of a line end in any encoding
	end := make([]byte, most)
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.ReadAt(end[:min(size, most)], max(0, size-most))
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	end = bytes.TrimRight(end, "\r\x00")
	return err != nil || len(end) == 0 || bytes.HasSuffix(end, []byte("\n"))
}

// A lineCounter counts the separators of the last two lines that are written to it. A separator or a line end
// between quotes is text: "walker, gate 2" is one field.
type lineCounter struct {
	lines              int // that have an end
	separators, before int // of the last line, and of the line before
	quoted             bool
	last               byte
}

// separators are the bytes between two fields.
const separators = ",;\t|"

// Write implements io.Writer.
func (l *lineCounter) Write(text []byte) (int, error) {
	for _, b := range text {
		switch {
		case b == 0 || b == '\r': // a half of a character of two bytes, or of a line end
			continue
		case l.quoted:
			l.quoted = b != '"'
		case b == '"' && !l.mayQuote():
			b = ' ' // it is text, as in 6" step
		case b == '"':
			l.quoted = true
		case b == '\n':
			l.lines, l.before, l.separators = l.lines+1, l.separators, 0
		case strings.IndexByte(separators, b) >= 0:
			l.separators++
		}
		l.last = b
	}
	return len(text), nil
}

// mayQuote reports whether a quote begins a quoted text: at the beginning of a field, or as the second of two
// quotes in one.
func (l *lineCounter) mayQuote() bool {
	return l.lines == 0 && l.separators == 0 || strings.IndexByte(separators+"\n\"", l.last) >= 0
}
