package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/mapping"
)

// A Sample is what a mapping makes of a file.
type Sample struct {
	// Trips are the file's first trips without a fault.
	Trips []importer.Trip
	// Rows counts the rows to be booked, Faulty those of them that have faults.
	// Missing coordinates do not count as faults, since they come from places.
	Rows, Faulty int
	// Words are the lists of words that an approval adds to the mapping.
	Words []FoundWords
}

// SampleTrips reads a file with a mapping and returns up to most of its trips
// without a fault. A file without such a trip is an *importer.InputError, and a
// mapping that makes ids of what may change is mapping.Findings.
func (a *App) SampleTrips(m *mapping.Mapping, file string, most int) (_ Sample, err error) {
	if findings := m.ChangingIDs(); len(findings) > 0 {
		return Sample{}, findings
	}
	schedules, err := bindSheets(file, m, "")
	if err != nil {
		return Sample{}, err
	}
	defer closeSchedules(schedules)

	var sample Sample
	var found wordLists
	for _, s := range schedules {
		found = found.with(s.bound)
	}
	checker := check.New(importer.Date{}) // no today: the file may be of any day
	for _, in := range inputs(schedules) {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return Sample{}, err
			}
			mapped := in.Mapper.Map(row)
			if mapped.LeftOut == "" {
				found.add(&mapped)
				checker.Check(&mapped, in.Mapper.Rules())
				sample.add(&mapped, most)
			}
		}
	}

	sample.Words = found.lists()
	if len(sample.Trips) == 0 {
		return sample, &importer.InputError{
			File: filepath.Base(file), Reason: "no row of it becomes a good trip with this mapping",
			Fix: "`tripimport check -m " + Quoted(m.File()) + " " + Quoted(file) + "` says what is wrong",
		}
	}
	return sample, nil
}

// add counts a row to be booked, and keeps its trips if they are good.
func (s *Sample) add(m *importer.Mapped, most int) {
	s.Rows++
	if faultyBesidesPlaces(m) {
		s.Faulty++
		return
	}
	s.Trips = append(s.Trips, m.Trips[:min(len(m.Trips), max(0, most-len(s.Trips)))]...)
}

// faultyBesidesPlaces reports whether a row has a fault that no list of places
// could fix.
func faultyBesidesPlaces(m *importer.Mapped) bool {
	for _, p := range m.AllProblems() {
		if p.Severity == importer.Fault && !strings.HasPrefix(p.Code, "position-") {
			return true
		}
	}
	return false
}

// ReadMapping reads a mapping from a file, with the tables beside it. The error is
// an *Error where the file can't be read, and mapping.Findings where the mapping
// can't be used.
func ReadMapping(path string) (*mapping.Mapping, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, Usage("see that it is there and may be read", "the mapping %s can't be read", path)
	}
	return parseMapping(path, text)
}

// LintMapping reads a mapping and returns everything that is wrong with it or
// would go wrong later. The error is an *Error where the file can't be read.
func LintMapping(path string) (mapping.Findings, error) {
	m, err := ReadMapping(path)
	var findings mapping.Findings
	if errors.As(err, &findings) {
		return findings, nil
	}
	if err != nil {
		return nil, err
	}
	return mapping.Lint(m), nil
}

// ApproveMapping takes the line `draft: true` out of the file of a mapping, adds the
// lists of words, and leaves everything else as it was written. It refuses a file
// that was changed since m was read from it, since nobody has seen the trips of that
// one.
func ApproveMapping(m *mapping.Mapping, found []FoundWords) error {
	path := m.File()
	text, err := os.ReadFile(path)
	if err != nil {
		return Usage("see that it is there and may be read", "the mapping %s can't be read", path)
	}

	if now, err := parseMapping(path, text); err != nil || now.Hash() != m.Hash() {
		return Usage("run the same command again, to see the trips that it makes now", "%s was changed in the meantime", path)
	}

	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "draft:") {
			kept.WriteString(line)
		}
	}

	var lists []mapping.WordList
	for _, f := range found {
		lists = append(lists, f.WordList)
	}
	approved := mapping.WithWords(kept.String(), lists)
	if _, err := parseMapping(path, []byte(approved)); err != nil { // a list in brackets can't be added to
		approved = kept.String()
	}

	if err := atomic.WriteFile(path, strings.NewReader(approved)); err != nil {
		return Usage("see that this user may write it", "%s can't be written", path)
	}
	return nil
}
