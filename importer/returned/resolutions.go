package returned

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocarina/gocsv"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/seal"
)

// An AnsweredTrip is a trip of the list that results.WriteResolutions writes,
// with what a person found out.
type AnsweredTrip struct {
	results.Resolution
	// Line is the line of the file that it was read from.
	Line int
	// Verdict and GUID are what Answer says.
	Verdict Verdict
	GUID    string
}

// ReadResolutions reads the list back, answered. path names the file in
// errors, which are *importer.InputError for a file at fault. Lines without an
// answer are left out; an answer that can't be read has the Verdict Unclear.
func ReadResolutions(path string, r io.Reader) ([]AnsweredTrip, error) {
	refuse := func(line int, reason, fix string) error {
		return &importer.InputError{File: filepath.Base(path), At: importer.Ref{Row: line}, Reason: reason, Fix: fix}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	// gocsv would take the mark for a part of the first header.
	lines := newLineReader(bytes.TrimPrefix(data, []byte(seal.UTF8BOM)))
	if err := lines.checkHeader(); err != nil {
		return nil, refuse(1, err.Error(), "use the file that resolve --export wrote, with its header")
	}
	var list []results.Resolution
	if err := gocsv.UnmarshalCSV(lines, &list); err != nil {
		return nil, refuse(lines.broken, "the line can't be read as CSV", "save the list as CSV (comma delimited) again")
	}
	var answered []AnsweredTrip
	for i, res := range list {
		if res.Answer == "" {
			continue
		}
		// The header is the first record.
		a := AnsweredTrip{Resolution: res, Line: lines.at[i+1]}
		a.Verdict, a.GUID = parseAnswer(res.Answer)
		answered = append(answered, a)
	}
	return answered, nil
}

// A lineReader is a CSV reader for gocsv that remembers the physical line of
// each record, which gocsv does not know.
type lineReader struct {
	*csv.Reader
	at     []int
	broken int
	head   []string
}

func newLineReader(data []byte) *lineReader {
	l := &lineReader{Reader: csv.NewReader(bytes.NewReader(data))}
	if first, _, _ := bytes.Cut(data, []byte("\n")); !bytes.ContainsRune(first, ',') && bytes.ContainsRune(first, ';') {
		// Excel in much of Europe.
		l.Comma = ';'
	}
	return l
}

// checkHeader reads the header ahead, since gocsv takes the last of two equal
// columns without a word.
func (l *lineReader) checkHeader() error {
	head, err := l.Reader.Read()
	if err != nil {
		return errors.New("it has no header")
	}
	for i, name := range head {
		head[i] = strings.ToLower(strings.Join(strings.Fields(name), " "))
		if slices.Contains(head[:i], head[i]) {
			return fmt.Errorf("its column %q is there twice", head[i])
		}
	}
	for _, name := range []string{"trip id", "service", "provider", "what we found"} {
		if !slices.Contains(head, name) {
			return fmt.Errorf("it has no column %q", name)
		}
	}
	l.head, l.at = head, []int{1}
	return nil
}

// Read implements gocsv.CSVReader.
func (l *lineReader) Read() ([]string, error) {
	if l.head != nil {
		head := l.head
		l.head = nil
		return head, nil
	}
	record, err := l.Reader.Read()
	switch {
	case err == nil:
		line, _ := l.FieldPos(0)
		l.at = append(l.at, line)
		for i, text := range record {
			record[i] = strings.TrimSpace(seal.Unescape(text))
		}
	case !errors.Is(err, io.EOF):
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			l.broken = parse.StartLine
		}
	}
	return record, err
}

// ReadAll implements gocsv.CSVReader.
func (l *lineReader) ReadAll() ([][]string, error) {
	var all [][]string
	for {
		record, err := l.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
}
