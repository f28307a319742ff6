package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/mapping"
)

// A Sample shows what a mapping makes of a file.
type Sample struct {
	// Trips are the file's first trips that have no fault, other than coordinates that are
	// still to be found.
	Trips []importer.Trip
	// Rows counts the rows to be booked. Faulty counts those in which a check finds faults.
	// Unplaced counts the faulty rows that lack only coordinates.
	Rows, Faulty, Unplaced int
	// Faults are what is wrong in the faulty rows: the first fault of each kind, five at most.
	Faults []importer.Problem
	// Words are, for each status column, the words that are in none of the mapping's lists.
	Words []string
	// Questions are about columns that the mapping does not use and that have no answer in
	// the mapping. Unlisted are the other columns that the mapping neither uses nor lists: an
	// approval lists them. Unused names all columns that the mapping does not use.
	Questions []ColumnQuestion
	Unlisted  []mapping.UnusedColumn
	Unused    []string
	// Headers are the headers of the file's first sheet.
	Headers *mapping.Headers
	// Notes say what else may be wrong with the mapping.
	Notes []string
}

// SampleTrips reads a file with a mapping as a check does. Its Sample has at most limit
// trips. If no trip is good, the error is an *importer.InputError. If the mapping makes trip
// ids from values that may change, or all rows have the same fault, it is mapping.Findings.
func (a *App) SampleTrips(ctx context.Context, m *mapping.Mapping, file string, limit int) (_ Sample, err error) {
	if findings := m.ChangingIDs(); len(findings) > 0 {
		return Sample{}, findings
	}
	if err := refuseResults(file); err != nil {
		return Sample{}, err
	}
	schedules, err := bindSheets(file, m, "")
	if err != nil {
		return Sample{}, err
	}
	defer closeSchedules(schedules)

	j, err := a.newJob("check", Options{}, Silent{}, schedules)
	if err != nil {
		return Sample{}, err
	}
	// The file may be of any day, so today stays the zero date.
	for _, step := range []func(context.Context) error{j.openPlaces, j.watchWords, j.openLayouts, j.makePlan, j.refuseMappingFaults, j.preparePlaces} {
		if err := step(ctx); err != nil {
			return Sample{}, err
		}
	}

	sample := Sample{Headers: schedules[0].bound.Headers()}
	if err := sample.addColumns(j.layouts); err != nil {
		return sample, err
	}
	for _, in := range j.inputs {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return Sample{}, err
			}
			mapped := in.Mapper.Map(row, nil)
			if mapped.LeftOut != "" {
				continue
			}
			for i := range mapped.Trips {
				j.placer.Place(&mapped.Trips[i])
			}
			j.checker.Check(&mapped, in.Mapper.Rules())
			sample.add(&mapped, limit)
		}
	}

	sample.Words = j.words.questions()
	if len(sample.Trips) == 0 {
		return sample, importer.Advise(&importer.InputError{File: filepath.Base(file), Reason: "none of its rows becomes a good trip with this mapping"},
			importer.Do("see what is wrong", importer.CheckWith, m.File(), file))
	}
	return sample, nil
}

// DraftTrips is SampleTrips for the text of a mapping, which is or will be in the file with that path.
func (a *App) DraftTrips(ctx context.Context, path, text, file string, limit int) (Sample, error) {
	m, err := parseMapping(path, []byte(text))
	if err != nil {
		return Sample{}, err
	}
	return a.SampleTrips(ctx, m, file, limit)
}

// addColumns adds what the layouts of all sheets say about columns: questions, unlisted and
// unused columns, and notes.
func (s *Sample) addColumns(layouts []*layout) error {
	seen := map[string]bool{}
	for _, l := range layouts {
		open, unlisted, err := l.questions()
		if err != nil {
			return err
		}
		for _, q := range open {
			if !seen[q.String()] {
				s.Questions = append(s.Questions, q)
			}
			seen[q.String()] = true
		}
		for _, u := range unlisted {
			if !seen[u.String()] {
				u.Holds = l.sheet.Holds(u.Num)
				s.Unlisted = append(s.Unlisted, u)
			}
			seen[u.String()] = true
		}
		s.Notes = append(s.Notes, l.notes()...)
		for _, u := range l.schedule.bound.Unused() {
			if name := fmt.Sprintf("%v %s", u, l.sheet.Holds(u.Num)); !slices.Contains(s.Unused, name) {
				s.Unused = append(s.Unused, name)
			}
		}
	}
	return nil
}

// MostlyFaulty reports whether most rows have faults other than coordinates that are still to be found:
// then the mapping is wrong, and not the rows.
func (s *Sample) MostlyFaulty() bool { return 2*(s.Faulty-s.Unplaced) > s.Rows }

// add counts a row to be booked, and keeps its trips if they are good and the sample has
// fewer than limit.
func (s *Sample) add(m *importer.Mapped, limit int) {
	if m.LeftOut != "" { // a copy
		return
	}
	s.Rows++
	faulty, onlyUnplaced := false, true
	for _, p := range m.AllProblems() {
		if p.Severity == importer.Fault {
			faulty = true
			s.addFault(p)
			onlyUnplaced = onlyUnplaced && (p.Code == "position-unknown" || p.Code == "position-missing")
		}
	}
	if faulty {
		s.Faulty++
	}
	if faulty && onlyUnplaced {
		s.Unplaced++
	}
	if onlyUnplaced {
		s.Trips = append(s.Trips, m.Trips[:min(len(m.Trips), max(0, limit-len(s.Trips)))]...)
	}
}

// addFault keeps a fault, if it is the first of its kind.
func (s *Sample) addFault(p importer.Problem) {
	const most = 5
	if len(s.Faults) < most && !slices.ContainsFunc(s.Faults, func(f importer.Problem) bool { return f.Code == p.Code && f.Field == p.Field }) {
		s.Faults = append(s.Faults, p)
	}
}

// ReadMapping reads a mapping from a file, with the tables beside it. The error is an *Error
// if the file can't be read, and mapping.Findings if the mapping can't be used.
func ReadMapping(path string) (*mapping.Mapping, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, Usage("see that it is there and may be read", "the mapping %s can't be read", path)
	}
	return parseMapping(path, text)
}

// MappingFaults returns what is wrong with a mapping, if that is the error; nil for any other.
func MappingFaults(err error) (lines []string) {
	var findings mapping.Findings
	if errors.As(err, &findings) {
		for _, f := range findings {
			lines = append(lines, f.Long())
		}
	}
	return lines
}

// LintMapping reads a mapping and returns everything that is wrong with it or would go wrong
// later. The error is an *Error if the file can't be read.
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

// An Approval is what a person decided when they approved a mapping.
type Approval struct {
	// Unused are the columns that stay unused.
	Unused []mapping.UnusedColumn
	// Complete is `day` if each file has all trips of its days, `part` if a file may lack
	// some, and empty if nobody said.
	Complete string
}

// ApproveMapping removes the line `draft: true` from a mapping's file. It adds what the
// approval says and, if the mapping identifies a column by its place
// alone, the headers. It leaves out what a list in brackets has no place for. Everything else
// stays as it was written. It refuses a file that has changed since m was read from it,
// because nobody has seen the trips which that file makes. It keeps a copy of the file for
// ChangedSinceApproval.
func (a *App) ApproveMapping(m *mapping.Mapping, sample Sample, approval Approval) error {
	path := m.File()
	text, err := os.ReadFile(path)
	if err != nil {
		return Usage("see that it is there and may be read", "the mapping %s can't be read", path)
	}

	if now, err := parseMapping(path, text); err != nil || now.Hash() != m.Hash() {
		return Usage("do the same again, to see the trips that it makes now", "%s was changed in the meantime", path)
	}

	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "draft:") {
			kept.WriteString(line)
		}
		if approval.Complete != "" && strings.HasPrefix(line, "mapping:") {
			kept.WriteString("complete: " + approval.Complete + "\n")
		}
	}

	approved := kept.String()
	for _, add := range []func(string) string{
		func(text string) string { return mapping.WithUnused(text, approval.Unused) },
		func(text string) string {
			if sample.Headers != nil && m.ByPlace(sample.Headers) {
				return mapping.WithColumns(text, sample.Headers)
			}
			return text
		},
	} {
		more := add(approved)
		if _, err := parseMapping(path, []byte(more)); err == nil { // nothing can be added to a list in brackets
			approved = more
		}
	}

	if err := atomic.WriteFile(path, strings.NewReader(approved)); err != nil {
		return Usage("see that this user may write it", "%s can't be written", path)
	}
	return writePrivate(a.approvedCopy(path), []byte(approved))
}

// approvedCopy returns the path of the copy of a mapping that is kept as it was approved.
func (a *App) approvedCopy(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(a.Folders.Data, "approved", hex.EncodeToString(sum[:8])+".yaml")
}

// ChangedSinceApproval returns the keys of a mapping whose values have changed since this
// user approved it. It returns none if this user has not approved the mapping.
func (a *App) ChangedSinceApproval(m *mapping.Mapping) ([]string, error) {
	before, err := os.ReadFile(a.approvedCopy(m.File()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	now, errNow := os.ReadFile(m.File())
	if err := errors.Join(err, errNow); err != nil {
		return nil, Usage("see that this user may read it", "%s or the copy of it as it was approved can't be read", m.File())
	}
	return mapping.ChangedKeys(before, now), nil
}
