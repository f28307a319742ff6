package sheet

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// EndsWhole reports whether the last line of a text file is whole: it has an end, or as many separators as
// the line before. It is true for a workbook, which can't be read if it is cut off, and for a file that can't
// be read.
func EndsWhole(path string) bool {
	const tail = 64 << 10 // bytes: more than two lines
	if strings.HasPrefix(strings.ToLower(filepath.Ext(path)), ".xls") {
		return true
	}
	file, err := os.Open(path)
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }() // only read from
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		_, _ = file.Seek(max(0, size-tail), io.SeekStart) // what can't be read has no line below
	}
	text, _ := io.ReadAll(file)
	lines := bytes.Split(text, []byte("\n"))
	last := lines[len(lines)-1]
	if len(lines) < 3 || len(bytes.Trim(last, "\r\x00")) == 0 {
		return true
	}
	fields := func(line []byte) int {
		return bytes.Count(line, []byte{','}) + bytes.Count(line, []byte{';'}) + bytes.Count(line, []byte{'\t'})
	}
	return fields(last) >= fields(lines[len(lines)-2])
}
