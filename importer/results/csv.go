package results

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// A csvSink writes results as CSV: only the Results table. Its last column has the keys,
// and the header of that column ends with the record of the run. Because the record
// counts the rows, the rows are kept in a file of their own until the end.
type csvSink struct {
	o       *Options
	sealer  *seal.Sealer
	columns []column[*shownRow]
	rows    *atomicfile.File
	out     *csv.Writer // buffered, until flush
}

func newCSVSink(o *Options, sealer *seal.Sealer, in *inputLayout) (sink, error) {
	rows, err := atomicfile.Create(o.Path)
	if err != nil {
		return nil, err
	}
	columns := ownColumns(&styles{}, (*shownRow).sourceCells)
	add := func(header string, text func(*shownRow) string) {
		columns = append(columns, textColumn(0, header, 0, text))
	}
	for i, h := range in.Shown {
		add(h, func(r *shownRow) string { return r.cells[i].Text })
	}
	add(seal.SurplusHeader, func(r *shownRow) string { return r.surplus.Text })
	add(seal.KeyHeader, func(r *shownRow) string { return r.key })
	return &csvSink{o: o, sealer: sealer, columns: columns, rows: rows, out: newCSVWriter(rows)}, nil
}

// newCSVWriter returns a writer of CSV as spreadsheet programs write it.
func newCSVWriter(f io.Writer) *csv.Writer {
	out := csv.NewWriter(bufio.NewWriterSize(f, 1<<16)) // csv uses this buffer instead of its own
	out.UseCRLF = true
	return out
}

// flush writes what is in the buffer.
func (s *csvSink) flush() error {
	s.out.Flush()
	return s.out.Error()
}

// writeHeader writes the first lines.
func (s *csvSink) writeHeader(record *seal.RunRecord) error {
	if record.Rehearsal {
		if err := s.out.Write([]string{rehearsalBanner}); err != nil {
			return err
		}
	}
	encoded, err := record.Encode(s.sealer)
	for len(encoded) > seal.MaxHeader && len(record.Unbooked) > 0 { // UnbookedRows still counts those that are dropped
		record.Unbooked = record.Unbooked[:len(record.Unbooked)/2]
		encoded, err = record.Encode(s.sealer)
	}
	if err != nil {
		return err
	}
	header := escaped(importer.Each(s.columns, func(c column[*shownRow]) string { return c.header }))
	header[len(header)-1] += " " + encoded
	return s.out.Write(header)
}

func (s *csvSink) row(shown *shownRow, _ *importer.RowResult) error {
	return s.out.Write(escaped(importer.Each(s.columns, func(c column[*shownRow]) string { return textOf(c.cell(shown)) })))
}

func (s *csvSink) finish(_ *Summary, record *seal.RunRecord, _ []OpenItem) (string, error) {
	defer s.abandon()
	if err := s.flush(); err != nil {
		return "", err
	}
	file, err := atomicfile.Create(s.o.Path)
	if err != nil {
		return "", err
	}
	defer file.Discard() // does nothing once it has its name

	s.out = newCSVWriter(file)
	_, unwritten := file.WriteString(seal.UTF8BOM)
	_, unread := s.rows.Seek(0, io.SeekStart)
	if err := errors.Join(unwritten, s.writeHeader(record), s.flush(), unread); err != nil {
		return "", err
	}
	if _, err := io.Copy(file, s.rows); err != nil {
		return "", err
	}
	return file.Commit(s.o.Path)
}

func (s *csvSink) abandon() {
	s.rows.Discard()
}

// csvText returns a text in a form that a CSV file can hold: with line breaks of one
// kind, because encoding/csv drops carriage returns, and without NUL.
func csvText(text string) string {
	if !strings.ContainsAny(text, "\r\x00") {
		return text
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ").Replace(text)
}

// escaped returns the texts in a form that no spreadsheet program runs as formulas.
func escaped(texts []string) []string {
	return importer.Each(texts, func(text string) string { return seal.Escape(csvText(text)) })
}
