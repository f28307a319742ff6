package results

import (
	"bufio"
	"encoding/csv"
	"errors"
	"strconv"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// A csvSink is results as CSV: the Results table alone. Its last column has the
// keys, and the header of that column ends with the record of the run. The
// source's columns are known only at run time, so encoding/csv writes them.
type csvSink struct {
	o      *Options
	record *seal.RunRecord
	inputs []*inputLayout
	file   *atomicfile.File
	buffer *bufio.Writer
	out    *csv.Writer
	done   bool
}

func newCSVSink(o *Options, record *seal.RunRecord, inputs []*inputLayout) (*csvSink, error) {
	file, err := atomicfile.Create(o.Path)
	if err != nil {
		return nil, err
	}
	s := &csvSink{o: o, record: record, inputs: inputs, file: file, buffer: bufio.NewWriterSize(file, 1<<16)}
	s.out = csv.NewWriter(s.buffer)
	s.out.UseCRLF = true
	if err := s.start(); err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// start writes the first lines.
func (s *csvSink) start() error {
	if _, err := s.buffer.WriteString(seal.UTF8BOM); err != nil {
		return err
	}
	if s.record.Rehearsal {
		if err := s.out.Write([]string{rehearsalBanner}); err != nil {
			return err
		}
	}
	encoded, err := s.record.Encode()
	if err != nil {
		return err
	}
	header := seal.OwnHeaders(s.o.Legs)
	for _, h := range s.inputs[0].shown {
		header = append(header, seal.Escape(h))
	}

	return s.out.Write(append(header, seal.SurplusHeader, seal.KeyHeader+" "+encoded))
}

func (s *csvSink) row(_ *inputLayout, shown *shownRow, _ *importer.RowResult) error {
	var record []string
	for _, text := range shown.ownTexts() {
		record = append(record, seal.Escape(text))
	}
	record = append(record, strconv.Itoa(shown.row))
	for _, c := range shown.cells {
		record = append(record, seal.Escape(c.Text))
	}
	return s.out.Write(append(record, seal.Escape(seal.JoinSurplus(shown.surplus)), shown.key))
}

func (s *csvSink) finish(*Summary, *seal.RunRecord) (string, error) {
	defer s.abandon()
	s.out.Flush()
	if err := errors.Join(s.out.Error(), s.buffer.Flush()); err != nil {
		return "", err
	}
	return s.file.Commit(s.o.Path)
}

func (s *csvSink) abandon() {
	if !s.done {
		s.done = true
		s.file.Discard()
	}
}
