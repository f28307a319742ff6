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

// An AnsweredTrip is a trip of the list that results.WriteOpenTrips writes, with a
// person's answer.
type AnsweredTrip struct {
	results.OpenTrip
	// Line is the line of the file that it was read from.
	Line int
	// Verdict and GUID are what Answer says.
	Verdict importer.Verdict
	GUID    string
}

// ReadOpenTrips reads the answered list. path names the file in errors, which are
// *importer.InputError if something is wrong with the file. Lines without an answer are
// left out. An answer that can't be read has the Verdict NoVerdict.
func ReadOpenTrips(path string, r io.Reader) ([]AnsweredTrip, error) {
	refuse := func(line int, reason, fix string) error {
		return &importer.InputError{File: filepath.Base(path), At: importer.Ref{Row: line}, Reason: reason, Fix: fix}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	records, lines, err := readRecords(data)
	var broken *csv.ParseError
	switch {
	case errors.As(err, &broken):
		return nil, refuse(broken.StartLine, "the line can't be read as CSV", "save the list as CSV (comma delimited) again")
	case err != nil:
		return nil, err
	}

	if reason := headerFault(records); reason != "" {
		return nil, refuse(1, reason, "use the file that resolve --export wrote, with its header")
	}
	var trips []results.OpenTrip
	if err := gocsv.UnmarshalDecoder(records, &trips); err != nil {
		return nil, err
	}

	var answered []AnsweredTrip
	for i, trip := range trips {
		if trip.Answer == "" {
			continue
		}
		a := AnsweredTrip{OpenTrip: trip, Line: lines[i+1]} // the header is the first record
		a.Verdict, a.GUID, _ = importer.ParseVerdict(trip.Answer)
		answered = append(answered, a)
	}

	return answered, nil
}

// csvRecords are a CSV file's records, the header first. They implement
// gocsv.Decoder.
type csvRecords [][]string

// GetCSVRows returns the records.
func (r csvRecords) GetCSVRows() ([][]string, error) { return r, nil }

// readRecords reads a CSV file, and the line on which each record begins, which gocsv
// does not return. Fields may be separated by semicolons, as Excel writes them in much of
// Europe. White space around a text is dropped, and so is the escape that keeps
// spreadsheet programs from running it as a formula.
func readRecords(data []byte) (records csvRecords, lines []int, err error) {
	data = bytes.TrimPrefix(data, []byte(seal.UTF8BOM))
	r := csv.NewReader(bytes.NewReader(data))
	if first, _, _ := bytes.Cut(data, []byte("\n")); !bytes.ContainsRune(first, ',') && bytes.ContainsRune(first, ';') {
		r.Comma = ';'
	}

	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return records, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		for i, text := range record {
			record[i] = strings.TrimSpace(seal.Unescape(text))
		}
		line, _ := r.FieldPos(0)
		records, lines = append(records, record), append(lines, line)
	}
}

// headerFault says what is wrong with the header, or returns "". It changes the header's
// names to lower case with single spaces. It refuses equal names, because gocsv silently
// takes the last of two equal columns.
func headerFault(records csvRecords) string {
	if len(records) == 0 {
		return "it has no header"
	}
	head := records[0]
	for i, name := range head {
		head[i] = strings.ToLower(strings.Join(strings.Fields(name), " "))
		if slices.Contains(head[:i], head[i]) {
			return fmt.Sprintf("its column %q is there twice", head[i])
		}
	}

	for _, name := range []string{"trip id", "service", "provider", "what we found"} {
		if !slices.Contains(head, name) {
			return fmt.Sprintf("it has no column %q", name)
		}
	}

	return ""
}
