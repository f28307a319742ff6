package importer

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"strings"
	"sync"
)

// A ProblemCode is a kind of problem. Results and mappings use the codes, so a code never
// changes its meaning.
type ProblemCode struct {
	// Code is the value of Problem.Code.
	Code string
	// Stage is the part of the program that finds the problem: file (reading it), mapping (making trips of a row),
	// check (checking these against the rules), places (looking up coordinates), or run (comparing them with the
	// account and the ledger).
	Stage string
	// Severity is the problem's severity.
	Severity Severity
	// Meaning describes the problem, for the reference.
	Meaning string
}

// Codes returns all kinds of problems that the program reports, in the order of the
// reference. Nobody may change the list.
func Codes() []ProblemCode { return codes() }

// SeverityOf returns the severity of a kind of problem: Fault for one that is not in the list.
func SeverityOf(code string) Severity {
	return cmp.Or(First(Codes(), func(c *ProblemCode) bool { return c.Code == code }), &ProblemCode{}).Severity
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
		c := ProblemCode{Stage: r[0], Code: r[1], Severity: Fault, Meaning: r[3]}
		if r[2] == Notice.String() {
			c.Severity = Notice
		}
		all = append(all, c)
	}
	return all
})
