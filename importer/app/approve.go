package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/propose"
)

// A Sample shows what a mapping makes of a file.
type Sample struct {
	// Trips are trips of the file that have no fault, other than coordinates that are still to be
	// found: the first ones of each kind, and then others.
	Trips []importer.Trip
	// LeftOut says how many rows are left out, for each reason.
	LeftOut []string
	// Rows counts the rows to be booked. Faulty counts those in which a check finds faults.
	// Unplaced counts the faulty rows that lack only coordinates.
	Rows, Faulty, Unplaced int
	// Faults are what is wrong in the faulty rows: the first fault of each kind, five at most.
	Faults []importer.Problem
	// Words are, for each status column, the words that are in none of the mapping's lists.
	Words []string
	// Questions are about columns that the mapping does not use although trips seem to need them,
	// and that nobody has left out. Unused names all columns that the mapping does not use.
	Questions []propose.ColumnQuestion
	Unused    []string
	// Headers are the headers of the file.
	Headers *mapping.Headers
	// Doubts say what may be wrong although each row is good: ids of riders beside the names of several
	// passengers, one id in all rows, times that may be of the afternoon. A person has to say that it is right.
	Doubts []string
	// Moved says that a column which is known by its place alone may be another one; nil if none can be.
	Moved error

	kinds   map[string]int    // how many of the trips are of each kind
	alike   []importer.Trip   // further good trips of these kinds
	leftOut map[string]int    // by reason
	columns map[string]string // what the unused columns hold, by name
	others  bool              // no approval has some of the other unused columns
}

// SampleTrips reads a file with a mapping as a check does, and compares its columns with what was
// approved; nil for nothing. Its Sample has at most limit trips. If no trip is good, the error is an
// *importer.InputError.
func (a *App) SampleTrips(ctx context.Context, m *mapping.Mapping, approved *Approval, file string, limit int) (_ Sample, err error) {
	if err := refuseResults(file); err != nil {
		return Sample{}, err
	}
	opened, err := openSchedule(file, m)
	if err != nil {
		return Sample{}, err
	}
	j := a.newJob("check", Options{}, Silent{}, opened)
	defer func() { err = errors.Join(err, j.close()) }()
	j.approval = approved
	// The file may be of any day, so today stays the zero date.
	if err := j.through(ctx, j.openPlaces, j.watchWords, j.openLayout, j.makePlan, j.preparePlaces); err != nil {
		return Sample{}, err
	}

	sample := Sample{Headers: opened.bound.Headers(), columns: map[string]string{}, kinds: map[string]int{}, leftOut: map[string]int{}}
	sample.Moved = j.refuseMoved(ctx)
	if err := sample.addColumns(j.layout); err != nil {
		return sample, err
	}
	if err := sample.read(j, limit); err != nil {
		return Sample{}, err
	}
	sample.Trips = append(sample.Trips, sample.alike[:min(len(sample.alike), limit-len(sample.Trips))]...)
	for _, reason := range slices.Sorted(maps.Keys(sample.leftOut)) {
		sample.LeftOut = append(sample.LeftOut, importer.Counted(sample.leftOut[reason], "row", "rows")+": "+reason)
	}
	sample.Doubts = j.layout.doubts()
	sample.Words = j.checker.NewWords()
	if len(sample.Trips) == 0 {
		return sample, importer.Advise(&importer.InputError{File: filepath.Base(file), Reason: "none of its rows becomes a good trip with this mapping"},
			importer.Do("see what is wrong", importer.CheckWith, m.File(), file))
	}
	return sample, nil
}

// read adds all rows of a job.
func (s *Sample) read(j *job, limit int) error {
	for row, err := range j.input.Source.Rows() {
		if err != nil {
			return err
		}
		mapped := j.input.Mapper.Map(row, nil)
		if mapped.LeftOut != "" {
			s.leftOut[mapped.LeftOut]++
			continue
		}
		for i := range mapped.Trips {
			j.placer.Place(&mapped.Trips[i])
		}
		j.checker.Check(&mapped, j.input.Mapper.Rules())
		s.add(&mapped, limit)
	}
	return nil
}

// DraftTrips is SampleTrips for the text of a mapping, which is or will be in the file with that path.
func (a *App) DraftTrips(ctx context.Context, path, text, file string, limit int) (Sample, error) {
	m, err := parseMapping(path, []byte(text))
	if err != nil {
		return Sample{}, err
	}
	return a.SampleTrips(ctx, m, nil, file, limit)
}

// addColumns adds what the layout says about columns: questions, and unused columns.
func (s *Sample) addColumns(l *layout) error {
	open, err := l.questions()
	if err != nil {
		return err
	}
	for _, q := range open {
		if q.Looks == "" {
			s.others = true
		} else {
			s.Questions = append(s.Questions, q)
		}
	}
	for _, u := range l.schedule.bound.Unused() {
		s.columns[u.Name] = l.sheet.Holds(u.Num)
		s.Unused = append(s.Unused, fmt.Sprintf("%v %s", u, s.columns[u.Name]))
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
	s.Faulty += importer.One(faulty)
	s.Unplaced += importer.One(faulty && onlyUnplaced)
	if onlyUnplaced {
		for i := range m.Trips {
			s.keep(&m.Trips[i], limit)
		}
	}
}

// keep keeps a trip, if the sample has fewer than limit: first few of each kind.
func (s *Sample) keep(t *importer.Trip, limit int) {
	const few = 3
	kind := kindOf(t)
	switch {
	case len(s.Trips) < limit && s.kinds[kind] < few:
		s.Trips = append(s.Trips, *t)
		s.kinds[kind]++
	case len(s.alike) < limit:
		s.alike = append(s.alike, *t)
	}
}

// kindOf tells trips apart that a mapping may get wrong in different ways.
func kindOf(t *importer.Trip) string {
	at := t.Time()
	return fmt.Sprint(t.SpaceType, t.Type, t.Leg, t.Date(), len(t.AdditionalRiders) > 0, at.Hour < 6, at.Hour > 19, t.Pickup.CompleteAddress == "")
}

// addFault keeps a fault, if it is the first of its kind.
func (s *Sample) addFault(p importer.Problem) {
	const most = 5
	if len(s.Faults) < most && !slices.ContainsFunc(s.Faults, func(f importer.Problem) bool { return f.Code == p.Code && f.Field == p.Field }) {
		s.Faults = append(s.Faults, p)
	}
}

// ApproveMapping records in the office's ledger that a person has approved what a mapping makes of
// the file of a sample. before is what was approved earlier, nil for nothing: of the same mapping its
// columns stay approved. The error is an *Error while a question is open, or if most rows have faults.
func (a *App) ApproveMapping(ctx context.Context, m *mapping.Mapping, before *Approval, sample Sample, said Settled) error {
	if err := sample.Refusal(m, said); err != nil {
		return err
	}
	columns := map[string]string{}
	if before.Covers() {
		maps.Copy(columns, before.Unused)
	}
	maps.Copy(columns, sample.columns)
	return a.approve(ctx, Approval{Broker: m.Name(), Content: m.Content(), Headers: sample.Headers.Texts(), Unused: columns})
}

// CoveredBy reports whether all that the sample shows is approved already.
func (s *Sample) CoveredBy(p *Approval) bool {
	return p.Covers() && s.Moved == nil && len(s.Questions) == 0 && !s.others && len(s.Doubts) == 0
}

// Settled is what a person says to the questions of a sample.
type Settled struct {
	// Unused names the columns with questions that stay unused.
	Unused []string
	// Sure reports that Sample.Doubts are answered: what they name is right, or only those rows are wrong.
	Sure bool
}

// Refusal says why a mapping can't be approved with these answers.
func (s *Sample) Refusal(m *mapping.Mapping, said Settled) error {
	if s.MostlyFaulty() {
		return Usage("fix the mapping, or name a file that it is for", "not approved: most rows have faults with %s", m.File())
	}
	for _, q := range s.Questions {
		switch {
		case q.Cancels:
			return Usage("list its words under status: in the mapping, those that are booked and those that are cancelled", "not approved: %v looks like %s", q.UnusedColumn, q.Looks)
		case !slices.Contains(said.Unused, q.Name):
			return Usage("use it in the mapping, or say that it stays unused", "not approved: %v looks like %s, and the mapping does not use it", q.UnusedColumn, q.Looks)
		}
	}
	if len(s.Doubts) > 0 && !said.Sure {
		return Usage("correct the mapping or the file; or, if it is right, approve it where you can be asked", "not approved: %s", strings.Join(s.Doubts, "; "))
	}
	return nil
}
