package results

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A csvSink is results as CSV: the Results table alone. Its last column has the
// keys, and that column's header the identity of the run. The source's columns
// are known only at run time, so encoding/csv writes them.
type csvSink struct {
	o      *Options
	id     *identity
	inputs []*inputState
	file   *placing
	buffer *bufio.Writer
	out    *csv.Writer
	done   bool
}

// utf8BOM makes Excel read the file as UTF-8.
const utf8BOM = "\uFEFF"

func newCSVSink(o *Options, id *identity, inputs []*inputState) (*csvSink, error) {
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
	if _, err := s.buffer.WriteString(utf8BOM); err != nil {
		return err
	}
	if s.id.Rehearsal {
		if err := s.out.Write([]string{rehearsalBanner}); err != nil {
			return err
		}
	}
	data, err := s.id.encode()
	if err != nil {
		return err
	}
	record := ownHeaders(s.o.Legs)
	for _, h := range s.inputs[0].shown {
		record = append(record, escaped(h))
	}
	return s.out.Write(append(record, beyondHeader, keyHeader+" "+base64.RawURLEncoding.EncodeToString(data)))
}

func (s *csvSink) row(_ *inputState, l *line, _ *importer.RowResult) error {
	var record []string
	for _, text := range l.ownTexts() {
		record = append(record, escaped(text))
	}
	record = append(record, strconv.Itoa(l.row))
	for _, c := range l.cells {
		record = append(record, escaped(c.Text))
	}
	return s.out.Write(append(record, escaped(joinBeyond(l.beyond)), l.key))
}

// exact has nothing to keep: a CSV file holds every text as it is.
func (s *csvSink) exact([]exactCell) error { return nil }

func (s *csvSink) finish(*Summary, *identity) ([]string, error) {
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

// escaped escapes what a spreadsheet program would run as a formula: an
// apostrophe before it. A number stays a number, also a negative one. Texts
// with an apostrophe of their own get another, so that unescaped takes
// back exactly what this did.
func escaped(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r\n'", rune(text[0])) || isNegativeNumber(text) {
		return text
	}
	return "'" + text
}

// unescaped takes back what escaped did.
func unescaped(text string) string {
	if len(text) > 1 && text[0] == '\'' && strings.ContainsRune("=+-@\t\r\n'", rune(text[1])) {
		return text[1:]
	}
	return text
}

// isNegativeNumber reports whether text is a minus and a plain decimal number.
func isNegativeNumber(text string) bool {
	digits, ok := strings.CutPrefix(text, "-")
	if !ok {
		return false
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	return whole != "" && isDigits(whole) && isDigits(fraction)
}

func isDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
