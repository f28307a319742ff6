package results

import (
	"fmt"
	"io"

	"github.com/gocarina/gocsv"

	"tripimport/importer/results/seal"
)

// An OpenTrip is a trip that may be booked, or whose GUID is missing, as
// `resolve --export` lists it. It has no row content.
type OpenTrip struct {
	TripID   string `csv:"trip id"`
	Row      string `csv:"row"`
	Date     string `csv:"service date"`
	Leg      string `csv:"leg"`
	Status   string `csv:"status"`
	Sent     string `csv:"sent"`
	Run      string `csv:"run"`
	Code     string `csv:"code"`
	Service  string `csv:"service"`
	Provider string `csv:"provider"`
	// Attempt is the ledger's number of the attempt that the answer is about.
	Attempt string `csv:"attempt"`
	// Answer is for the person: a GUID, there, or not there.
	Answer string `csv:"what we found"`
}

// WriteOpenTrips writes the list as CSV in UTF-8 with a byte order mark, safe for
// spreadsheet programs. Package returned reads it back.
func WriteOpenTrips(w io.Writer, list []OpenTrip) error {
	if _, err := io.WriteString(w, seal.UTF8BOM); err != nil {
		return err
	}
	out := newCSVWriter(w)
	if err := gocsv.MarshalCSV(&list, escapingWriter{gocsv.NewSafeCSVWriter(out)}); err != nil {
		return fmt.Errorf("write list of open trips: %w", err)
	}
	return out.Error()
}

// An escapingWriter escapes what a spreadsheet program would run as a formula.
type escapingWriter struct{ gocsv.CSVWriter }

func (w escapingWriter) Write(record []string) error {
	for i, text := range record {
		record[i] = seal.Escape(text)
	}
	return w.CSVWriter.Write(record)
}
