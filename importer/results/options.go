package results

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Format is the kind of file that results are written as: its extension, without the
// dot.
type Format string

const (
	// XLSX is a workbook. So is an empty Format.
	XLSX Format = "xlsx"
	// CSV is the Results table alone, in UTF-8 with a byte order mark.
	CSV Format = "csv"
)

// ParseFormat reads the name of a format, xlsx or csv; letters' case is
// disregarded.
func ParseFormat(name string) (Format, error) {
	if f := Format(strings.ToLower(name)); f == XLSX || f == CSV {
		return f, nil
	}
	return XLSX, fmt.Errorf("%q is not a results format: xlsx or csv", name)
}

// A Kind says what results are of. It is part of their file's name, so that
// nobody takes a rehearsal for the real thing.
type Kind string

const (
	// OfImport: the results of an import or a retry.
	OfImport Kind = "results"
	// OfRehearsal: nothing was booked.
	OfRehearsal Kind = "rehearsal"
	// OfCheck: nothing was sent.
	OfCheck Kind = "check"
)

// Name returns the path of the results beside their input:
// schedule.xlsx.20261202T031500Z.results.xlsx. The time is in UTC. Where the input are
// such results, the name is made from the schedule's: rounds of fixing would make it
// longer until no disk takes it.
func Name(input string, now time.Time, kind Kind, format Format) string {
	schedule := regexp.MustCompile(`(\.\d{8}T\d{6}Z\.(results|rehearsal|check)(-\d+)?\.(xlsx|csv))+$`).ReplaceAllString(input, "")
	return fmt.Sprintf("%s.%s.%s.%s", schedule, now.UTC().Format("20060102T150405Z"), kind, format)
}

// An Input is one input file as results have to know it.
type Input = seal.Input

// An UnbookedRow is a row with something that is not booked.
type UnbookedRow = seal.UnbookedRow

// A MappingInfo names the mapping of a run.
type MappingInfo = seal.MappingInfo

// Commands are the exact command lines that the results tell people to run;
// one that is empty is not mentioned.
type Commands struct {
	// Retry returns the command that sends the fixed rows of the results file with
	// that name, which is known only when the file is written.
	Retry func(file string) string
	// Update changes booked trips to what the schedule says. Older reports that a later
	// schedule was imported, so that one should not.
	Update string
	Older  bool
	// Again runs the command for the whole input once more.
	Again string
	// Resolve asks about the trips that may be booked.
	Resolve string
	// Fresh writes this file anew from the ledger.
	Fresh string
	// Import returns the command that sends what was only checked or rehearsed, given
	// the results file's name.
	Import func(file string) string
	// AddPlaces returns the command that adds the addresses without coordinates to the
	// list of places, once they are filled in; nil or empty where there are none.
	AddPlaces func() string
	// Approve approves the mapping, where it is a draft: an import does not take it before.
	Approve string
}

// of returns the command line for a results file; none where there is no command.
func of(command func(file string) string, file string) string {
	if command == nil {
		return ""
	}
	return command(file)
}

// Options say how results are written.
type Options struct {
	// Path is the file to write. Where it exists, a second name beside it is
	// taken: Writer.WrittenTo tells it.
	Path   string
	Format Format
	// Key is the key of the run's ledger, or random bytes if there is none.
	// The rows' keys and digests are made with it.
	Key []byte
	// Inputs are the files of the run, in order; their names or their sheets must differ.
	Inputs   []Input
	Mapping  MappingInfo
	Commands Commands
	// Deleted are rows of the inputs that are not in the run, since a person deleted
	// them from earlier results before they were booked. Row is 0 for those of
	// which no more is known. They are named as rows that need a person, and the
	// new results remember them.
	Deleted []UnbookedRow
	// PrivateIDs reports that the trip ids of Deleted tell who the riders are: they are
	// not named.
	PrivateIDs bool
	// Location is the zone in which instants are shown; nil for UTC. Trips' own
	// times are wall-clock times and never converted.
	Location *time.Location
	// Now returns the current instant; nil for the system's clock. It is when the
	// run ends.
	Now func() time.Time
	// Number returns the ledger's Number; nil where there is no ledger.
	Number func() int64
	// Legs is how many trips a row can give at most; 0 for two.
	Legs int
	// Kept returns what a person wrote under What we found of a row and what stays
	// there; nil for nothing.
	Kept func(row *importer.RowResult) string
	// NoFile makes the Summary alone: no file is written.
	NoFile bool
	// FailedOnly leaves out the rows that need nothing.
	FailedOnly bool
	// Redact leaves ids and codes only. Redacted results can't be fed back.
	Redact bool
	// MaxRows is how many rows a sheet takes before another one is begun; 0
	// for as many as a spreadsheet can hold.
	MaxRows int
	// TempDir is where a long workbook is kept while it is written, in a folder
	// for this user alone; empty for the system's folder for temporary files.
	TempDir string
}

// complete fills in the defaults, and reports what can't be written.
func (o *Options) complete() error {
	if o.Path == "" {
		return errors.New("results have no path")
	}
	if len(o.Inputs) == 0 {
		return errors.New("results have no input")
	}
	if len(o.Inputs) > 1 && o.Format == CSV {
		return errors.New("results of several input files or sheets can't be CSV, since their columns may differ: leave --results-format csv out, or take one at a time")
	}
	seen := map[source]bool{}
	for _, in := range o.Inputs {
		if seen[source{in.Name, in.Sheet}] {
			return fmt.Errorf("two input files are called %s", in.Name)
		}
		seen[source{in.Name, in.Sheet}] = true
	}

	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Number == nil {
		o.Number = func() int64 { return 0 }
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
