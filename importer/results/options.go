package results

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Format is the kind of file that results are written as.
type Format uint8

const (
	XLSX Format = iota // a workbook
	CSV                // the Results table alone, UTF-8 with a BOM
)

// Ext gives the format's file extension.
func (f Format) Ext() string {
	if f == CSV {
		return "csv"
	}
	return "xlsx"
}

// ParseFormat reads the name of a format as --results-format takes it.
func ParseFormat(name string) (Format, error) {
	switch strings.ToLower(name) {
	case "xlsx":
		return XLSX, nil
	case "csv":
		return CSV, nil
	}
	return XLSX, fmt.Errorf("%q is not a results format: xlsx or csv", name)
}

// A Kind says what results are of; it is part of their file's name, so that
// nobody takes a rehearsal for a night's work.
type Kind string

const (
	OfImport    Kind = "results"
	OfRehearsal Kind = "rehearsal"
	OfCheck     Kind = "check"
)

// Name gives the path of the results beside their input:
// schedule.xlsx.20261202T031500Z.results.xlsx. The time is in UTC.
func Name(input string, now time.Time, kind Kind, format Format) string {
	return fmt.Sprintf("%s.%s.%s.%s", input, now.UTC().Format("20060102T150405Z"), kind, format.Ext())
}

// An Input is one input file as results have to know it.
type Input = seal.Input

// A MappingInfo names the mapping of a run.
type MappingInfo = seal.MappingInfo

// Commands are the exact command lines that the results tell people to run;
// one that is empty is not mentioned.
type Commands struct {
	// Retry gives the command that runs the fixed rows of the results file of
	// that name: which name it has is known only when it is written.
	Retry func(results string) string
	// Again runs the whole input again.
	Again string
	// Resolve asks about the trips that may be booked.
	Resolve string
	// Fresh writes this file anew from the ledger.
	Fresh string
	// Import sends what was only checked or rehearsed.
	Import string
}

// retry gives the command for that file, nothing where there is none.
func (c *Commands) retry(results string) string {
	if c.Retry == nil {
		return ""
	}
	return c.Retry(results)
}

// Options say how results are written.
type Options struct {
	// Path is the file to write. Where it exists already, or can't be
	// replaced, a second name beside it is taken: see WrittenTo.
	Path   string
	Format Format
	// Key keys the rows' digests: the ledger's own, or random bytes where
	// there is none.
	Key []byte
	// Inputs are the files of the run, in order; their names must differ.
	Inputs   []Input
	Mapping  MappingInfo
	Commands Commands
	// Version is the program's.
	Version string
	// Location is the zone in which times are shown; nil for UTC. Trips' own
	// times are never converted.
	Location *time.Location
	// Now gives the instant, for the times at which a run starts and ends.
	Now func() time.Time
	// Legs is how many trips a row can give; 0 for two.
	Legs int
	// FailedOnly leaves out the rows that need nothing.
	FailedOnly bool
	// Redact leaves ids and codes only. Redacted results can't be fed back.
	Redact bool
	// MaxRows is how many rows a sheet takes before another one is begun; 0
	// for as many as a spreadsheet can hold.
	MaxRows int
	// TempDir is where a long workbook is kept while it is written, in a folder
	// for this user alone; empty for the system's.
	TempDir string
}

// check fills in what was left open and reports what can't be.
func (o *Options) check() error {
	if o.Path == "" {
		return errors.New("results have no path")
	}
	if len(o.Inputs) == 0 {
		return errors.New("results have no input")
	}
	if len(o.Inputs) > 1 && o.Format == CSV {
		return errors.New("results of several input files can't be CSV: their columns may differ")
	}
	seen := map[string]bool{}
	for _, in := range o.Inputs {
		if seen[in.Name] {
			return fmt.Errorf("two input files are called %s", in.Name)
		}
		seen[in.Name] = true
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Legs < 2 {
		o.Legs = 2
	}
	if o.MaxRows <= 0 || o.MaxRows > importer.MaxRows {
		o.MaxRows = importer.MaxRows
	}
	o.Path = filepath.Clean(o.Path)
	return nil
}
