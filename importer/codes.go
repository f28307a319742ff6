package importer

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strings"
	"sync"
)

// A ProblemCode is a kind of problem. Results and mappings use the codes, so a code never
// changes its meaning.
type ProblemCode struct {
	// Code is the value of Problem.Code.
	Code string
	// Stage is the part of the program that finds the problem.
	Stage Stage
	// Severity is the problem's severity.
	Severity Severity
	// Meaning describes the problem, for the reference.
	Meaning string
}

// A Stage is a part of the program that finds problems.
type Stage string

// The stages, in the order in which a row passes them.
const (
	StageFile    Stage = "file"    // reading the file
	StageMapping Stage = "mapping" // making trips of a row
	StageCheck   Stage = "check"   // checking the trips against the rules
	StagePlaces  Stage = "places"  // looking up coordinates
	StageRun     Stage = "run"     // comparing the trips with the account and the ledger
)

// Codes returns all kinds of problems that the program reports, in the order of the
// reference. The caller may change the list.
func Codes() []ProblemCode { return slices.Clone(codes()) }

// SeverityOf returns the severity of a kind of problem: Fault for one that is not in the list.
func SeverityOf(code string) Severity {
	i := slices.IndexFunc(codes(), func(c ProblemCode) bool { return c.Code == code })
	if i < 0 {
		return Fault
	}
	return codes()[i].Severity
}

//go:embed codes.csv
var codesFile string

// codes returns the lines of codes.csv.
var codes = sync.OnceValue(func() []ProblemCode {
	records, err := csv.NewReader(strings.NewReader(codesFile)).ReadAll()
	if err != nil {
		panic("importer: codes.csv: " + err.Error())
	}

	var all []ProblemCode
	for _, r := range records[1:] {
		c := ProblemCode{Stage: Stage(r[0]), Code: r[1], Severity: Fault, Meaning: r[3]}
		if r[2] == Notice.String() {
			c.Severity = Notice
		}
		all = append(all, c)
	}
	return all
})
