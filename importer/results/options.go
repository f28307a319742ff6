package results

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
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

// Formats returns all formats, the usual one first. Settings, endings and names are made from them.
func Formats() []Format { return []Format{XLSX, CSV} }

// Endings names the endings of all formats, as people are told them.
func Endings() string {
	return strings.Join(importer.Each(Formats(), func(f Format) string { return "." + string(f) }), " or ")
}

// FormatOf returns the format of a file by the ending of its name; empty for another ending.
func FormatOf(name string) Format {
	f := Format(strings.TrimPrefix(filepath.Ext(name), "."))
	if !slices.Contains(Formats(), f) {
		return ""
	}
	return f
}

// isText reports whether results are written as delimited text.
func (f Format) isText() bool { return f == CSV }

// A Kind says what kind of run the results come from. It is part of their file's name, so
// that nobody takes a rehearsal for the real thing.
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
// schedule.xlsx.20261202T031500Z.results.xlsx. The time is in UTC. If the input is itself
// such a results file, the name is made from its schedule's name. Otherwise the name
// would grow with each round of fixing until it is too long for a disk.
func Name(input string, now time.Time, kind Kind, format Format) string {
	schedule := input
	for ours := true; ours; {
		schedule, ours = Made(schedule)
	}
	return fmt.Sprintf("%s.%s.%s.%s", schedule, now.UTC().Format("20060102T150405Z"), kind, format)
}

// Made reads the name of a results file: the name of its schedule. It reports false for any other
// name, which it returns.
func Made(name string) (schedule string, ours bool) {
	m := regexp.MustCompile(`(?i)^(.+)\.\d{8}T\d{6}Z\.(results|rehearsal|check)(-\d+)?\.[a-z]+$`).FindStringSubmatch(name)
	if m == nil || FormatOf(strings.ToLower(name)) == "" {
		return name, false
	}
	return m[1], true
}

// Beside reads the name of a file that is written beside a schedule, is not read back, and does not say in itself that it is
// ours: the name of that schedule. It reports false for any other name.
func Beside(name string) (schedule string, ours bool) { return strings.CutSuffix(name, ".places.csv") }

// An Input describes one input file.
type Input = seal.Input

// An UnbookedRow is a row with a trip that is not booked.
type UnbookedRow = seal.UnbookedRow

// A MappingInfo names the mapping of a run.
type MappingInfo = seal.MappingInfo

// Commands are the exact command lines that the results tell people to run. Empty ones
// are not mentioned.
type Commands struct {
	// Retry sends the fixed rows of the results file.
	Retry string
	// Update changes booked trips to what the schedule says.
	Update string
	// Again runs the command for the whole input once more.
	Again string
	// Resolve asks about what is open.
	Resolve string
	// Fresh writes the results again from the ledger.
	Fresh string
	// Import really books what was only checked or rehearsed.
	Import string
	// AddPlaces adds the addresses without coordinates to the list of places, once their
	// coordinates are filled in.
	AddPlaces string
	// Elsewhere counts the trips that a person has to cancel and that are in no row of the results, but in
	// the list of what is open.
	Elsewhere int
}

// Options control how results are written.
type Options struct {
	// Path is the file to write. If it exists, a similar name is used, which
	// Summary.Files has.
	Path   string
	Format Format
	// Key is the key of the run's ledger, or nil if there is none.
	// The rows' keys and digests are made with it.
	Key     []byte
	Input   Input
	Mapping MappingInfo
	// Commands returns the commands, for the results file of that name. It is called when the run ends.
	Commands func(written string) Commands
	// Deleted are rows of the input that are not in the run because a person deleted
	// them from earlier results before they were booked. Row is 0 if nothing more is
	// known of a row. They are listed as rows that need a person, and are recorded in the
	// new results.
	Deleted []UnbookedRow
	// Location is the zone in which instants are shown. Trips' own
	// times are wall-clock times and never converted.
	Location *time.Location
	// Now returns the current instant. It is called when the run ends.
	Now func() time.Time
	// Number returns the ledger's Number, and 0 where there is no ledger. It is called when the run ends.
	Number func() int64
	// NoFile makes only the Summary, and writes no file.
	NoFile bool
	// Redact writes only ids and codes. Redacted results can't be fed back.
	Redact bool
}
