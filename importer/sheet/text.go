package sheet

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// endOfText is Ctrl-Z, with which DOS programs end a text.
const endOfText = 0x1a

// openText opens a text file as a CSV file. head is its beginning.
func (f *File) openText(head []byte, s *textSurvey, o Options) error {
	text := textFile{file: f, end: f.size, loneCR: s.returns > s.pairs}
	if s.last == endOfText {
		text.end--
	}
	if err := text.detectEncoding(head, s, o.Encoding); err != nil {
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

	if isMarkup(sample) {
		return refuse(f.name, "this is a web page or another markup, not a workbook", "if it has the schedule, "+fixSaveAsXLSX+"; otherwise "+fixExport)
	}
	switch ext := f.extension(); ext {
	case "xlsx", "xlsm", "xlsb", "ods": // Excel does not open it either
		return refuse(f.name, "this is text, not the workbook that its name says", "export it again, or rename it to end in .csv if it is a CSV file")
	case "xls": // portals save text so, and Excel opens it
		f.addNotice("misnamed", "the file is text, although its name says .xls; it was read as text", "")
	}
	f.openCSV(text, sample, err == nil, o)
	return nil
}

// isMarkup recognises markup by the beginning of a text. Portals save tables so, with the name of a workbook.
func isMarkup(sample []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(sample[:min(len(sample), 8<<10)]))
	if !bytes.HasPrefix(head, []byte("<")) {
		return bytes.HasPrefix(head, []byte("mime-version:"))
	}
	return slices.ContainsFunc([]string{"<?xml", "<!doctype html", "<html", "<table", "<head", "<body", "<meta", "<style", "<div", "<center"},
		func(tag string) bool { return bytes.Contains(head, []byte(tag)) })
}
