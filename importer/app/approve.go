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

// A Sample is what a mapping makes of a file.
type Sample struct {
	// Trips are the file's first trips without a fault, or with none but that their
	// coordinates are still to be found.
	Trips []importer.Trip
	// Rows counts the rows to be booked, and Faulty those of them that a check finds
	// faulty. Unplaced are those of the faulty ones that lack nothing but coordinates.
	Rows, Faulty, Unplaced int
	// Words are the lists of words that an approval adds to the mapping.
	Words []FoundWords
	// Questions are about columns of which the mapping makes nothing, and which nobody
	// has answered there. Unlisted are other such columns that the mapping does not
	// list: an approval adds them. Unused names all columns of which nothing is made.
	Questions []ColumnQuestion
	Unlisted  []mapping.UnusedColumn
	Unused    []string
	// Headers are those of the file's first sheet.
	Headers *mapping.Headers
	// Notes are what else may be wrong with the mapping.
	Notes []string
}

// SampleTrips reads a file with a mapping as a check does, and returns up to most of its
// trips. A file without a trip is an *importer.InputError; a mapping that makes ids of
// what may change, or with which all rows have the same fault, is mapping.Findings.
func (a *App) SampleTrips(ctx context.Context, m *mapping.Mapping, file string, most int) (_ Sample, err error) {
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
	// The file may be of any day: today stays the zero date.
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
			sample.add(&mapped, most)
		}
	}

	sample.Words = j.words.first.lists()
	for _, rule := range j.words.totals() {
		sample.Notes = append(sample.Notes, rule.String()+": "+rule.Cure())
	}
	if len(sample.Trips) == 0 {
		return sample, &importer.InputError{
			File: filepath.Base(file), Reason: "no row of it becomes a good trip with this mapping",
			Fix: "`tripimport check -m " + Quoted(m.File()) + " " + Quoted(file) + "` says what is wrong",
		}
	}
	return sample, nil
}

// DraftTrips reads a file with the text of a mapping, as SampleTrips does with one that is
// in a file.
func (a *App) DraftTrips(ctx context.Context, text, file string, most int) (Sample, error) {
	m, err := parseMapping(filepath.Join(filepath.Dir(file), "draft.yaml"), []byte(text))
	if err != nil {
		return Sample{}, err
	}
	return a.SampleTrips(ctx, m, file, most)
}

// addColumns takes note of the columns of which nothing is made, on each sheet.
func (s *Sample) addColumns(layouts []*layout) error {
	asked := map[string]bool{}
	for _, l := range layouts {
		open, unlisted, err := l.questions()
		if err != nil {
			return err
		}
		for _, q := range open {
			if !asked[q.String()] {
				s.Questions = append(s.Questions, q)
			}
			asked[q.String()] = true
		}
		for _, u := range unlisted {
			if !asked[u.String()] {
				u.Holds = l.sheet.Holds(u.Num)
				s.Unlisted = append(s.Unlisted, u)
			}
			asked[u.String()] = true
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

// add counts a row to be booked, and keeps its trips if they are good.
func (s *Sample) add(m *importer.Mapped, most int) {
	if m.LeftOut != "" { // a copy
		return
	}
	s.Rows++
	faulty, unplaced := false, false
	for _, p := range m.AllProblems() {
		if p.Severity == importer.Fault {
			faulty = faulty || !strings.HasPrefix(p.Code, "position-")
			unplaced = true
		}
	}
	if unplaced {
		s.Faulty++
	}
	if unplaced && !faulty {
		s.Unplaced++
	}
	if !faulty {
		s.Trips = append(s.Trips, m.Trips[:min(len(m.Trips), max(0, most-len(s.Trips)))]...)
	}
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

// An Approval is what a person said of a mapping when they approved it.
type Approval struct {
	// Unused are the columns that are to stay unused.
	Unused []mapping.UnusedColumn
	// Complete is `day` if each file has all trips of its days, and `part` if it may lack
	// some; empty if nobody said.
	Complete string
}

// ApproveMapping takes the line `draft: true` out of the file of a mapping, adds the
// lists of words of the sample, what the approval says, and the headers where a column is
// told by its place alone, and leaves everything else as it was written. It refuses a file
// that was changed since m was read from it, since nobody has seen the trips of that one.
// It keeps a copy for ChangedSinceApproval.
func (a *App) ApproveMapping(m *mapping.Mapping, sample Sample, approval Approval) error {
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
		if approval.Complete != "" && strings.HasPrefix(line, "mapping:") {
			kept.WriteString("complete: " + approval.Complete + "\n")
		}
	}

	var lists []mapping.WordList
	for _, f := range sample.Words {
		lists = append(lists, f.WordList)
	}
	approved := mapping.WithUnused(mapping.WithWords(kept.String(), lists), approval.Unused)
	if m.ByPlace() && sample.Headers != nil {
		approved = mapping.WithColumns(approved, sample.Headers)
	}
	if _, err := parseMapping(path, []byte(approved)); err != nil { // a list in brackets can't be added to
		approved = kept.String()
	}

	if err := atomic.WriteFile(path, strings.NewReader(approved)); err != nil {
		return Usage("see that this user may write it", "%s can't be written", path)
	}
	return writePrivate(a.approvedCopy(path), []byte(approved))
}

// approvedCopy returns where the text of a mapping is kept as it was approved.
func (a *App) approvedCopy(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(a.Folders.Data, "approved", hex.EncodeToString(sum[:8])+".yaml")
}

// ChangedSinceApproval returns the keys of a mapping that this user approved and that
// say something else now; none where nothing is known of an approval.
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
