package main

import (
	"fmt"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/results"
)

// describe gives the schedule as the results have to know it.
func (s *schedule) describe() (results.Input, error) {
	path, err := filepath.Abs(s.path)
	if err != nil {
		return results.Input{}, err
	}
	in := results.Input{
		InputInfo: importer.InputInfo{Name: s.file.Name(), Hash: s.file.Hash()},
		Path:      path, Sheet: s.file.SheetName(), Columns: s.bound.Columns(),
	}
	head, err := s.file.Head(headRows)
	if err != nil {
		return in, err
	}
	for _, row := range head {
		if row.Num <= s.bound.HeaderRow() {
			in.Head = append(in.Head, row)
		}
	}
	return in, nil
}

// legs is how many trips a row can give at most: results have a column for
// each one's GUID.
func (j *job) legs() int { return j.mapping.Legs() }

// tellSchedules says how each file was read, where that was found and not told.
func (j *job) tellSchedules(all []*schedule) {
	for _, s := range all {
		if s.chosen != "" {
			j.notice("%s: read with the mapping %s, %s", s.file.Name(), s.mapping.File(), s.chosen)
		}
		for _, c := range s.bound.NewColumns() {
			j.notice("%s: the column %q (%s) is new: the mapping does not know it", s.file.Name(), c.Header, importer.ColumnName(c.Num))
		}
	}
}

// tellNotices says what the reader noticed while it read the files.
func (j *job) tellNotices() {
	for _, s := range j.schedules {
		for _, p := range s.file.Notices() {
			j.notice("%s: %s", s.file.Name(), p.Message)
		}
	}
}

// tellHeading says what is in the files: how many trips, for which dates, new
// or booked earlier. Nothing has been sent at that point.
func (j *job) tellHeading() {
	j.tellNotices()
	if j.opts.quiet || j.opts.json {
		return
	}
	p := j.draft.PlanSummary
	counts := ""
	if j.venue != nil {
		counts = fmt.Sprintf("; %d new, %d booked earlier", p.New, p.Earlier)
	}
	j.line(fmt.Sprintf("%s: %s, %s: %s%s", filepath.Base(j.path),
		plural(p.Rows, "row"), plural(p.Trips, "trip"), spokenDates(p), counts))
	switch {
	case j.rehearsal:
		_, _ = fmt.Fprintf(j.Out, "rehearsal: nothing is booked; today is taken to be %s\n", spoken(j.today))
	case j.opts.today != "":
		_, _ = fmt.Fprintf(j.Out, "today is taken to be %s\n", spoken(j.today))
	}
}

func plural(n int, what string) string { return pluralOf(n, what, what+"s") }

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
