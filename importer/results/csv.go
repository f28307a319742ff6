package results

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"strconv"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A csvSink is results as CSV: the Results table alone. Its last column has the
// keys, and that column's header the identity of the run. The source's columns
// are known only at run time, so encoding/csv writes them.
type csvSink struct {
	o      *Options
	id     *seal.Identity
	inputs []*inputState
	file   *placing
	buffer *bufio.Writer
	out    *csv.Writer
	done   bool
}

func newCSVSink(o *Options, id *seal.Identity, inputs []*inputState) (*csvSink, error) {
	file, err := newPlacing(o.Path)
	if err != nil {
		return nil, err
	}
	s := &csvSink{o: o, id: id, inputs: inputs, file: file, buffer: bufio.NewWriterSize(file, 1<<16)}
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
	if s.id.Rehearsal {
		if err := s.out.Write([]string{rehearsalBanner}); err != nil {
			return err
		}
	}
	data, err := s.id.Encode()
	if err != nil {
		return err
	}
	record := seal.OwnHeaders(s.o.Legs)
	for _, h := range s.inputs[0].shown {
		record = append(record, seal.Escape(h))
	}
	return s.out.Write(append(record, seal.SurplusHeader, seal.KeyHeader+" "+base64.RawURLEncoding.EncodeToString(data)))
}

func (s *csvSink) row(_ *inputState, l *line, _ *importer.RowResult) error {
	var record []string
	for _, text := range l.ownTexts() {
		record = append(record, seal.Escape(text))
	}
	record = append(record, strconv.Itoa(l.row))
	for _, c := range l.cells {
		record = append(record, seal.Escape(c.Text))
	}
	return s.out.Write(append(record, seal.Escape(seal.JoinSurplus(l.beyond)), l.key))
}

// exact has nothing to keep: a CSV file holds every text as it is.
func (s *csvSink) exact([]seal.Original) error { return nil }

func (s *csvSink) finish(*Summary, *seal.Identity) ([]string, error) {
	defer s.abandon()
	s.out.Flush()
	if err := errors.Join(s.out.Error(), s.buffer.Flush()); err != nil {
		return nil, err
	}
	name, err := s.file.place(s.o.Path)
	if err != nil {
		return nil, err
	}
	return []string{name}, nil
}

func (s *csvSink) abandon() {
	if !s.done {
		s.done = true
		s.file.discard()
	}
}
