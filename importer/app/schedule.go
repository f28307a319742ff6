package app

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
	"tripimport/importer/sheet"
	"tripimport/mapping"
)

// A schedule is an open sheet of a file with the mapping that is bound to it.
type schedule struct {
	path    string
	file    *sheet.File
	mapping *mapping.Mapping
	bound   *mapping.Bound
	// input is the schedule as a run reads it, and described the form that results need.
	input     run.Input
	described results.Input
	// savedAt reports that the schedule's stamp is the time at which the file was saved, which can lie.
	savedAt bool
}

// headRows is how many rows are searched for the header. Exports have only a few lines above
// it, such as a title and a date range.
const headRows = 40

// openSchedule opens a file with the mapping that the settings name or the one whose columns the file has.
func (a *App) openSchedule(path string) (*schedule, error) {
	m, err := a.choose(path)
	if err != nil {
		return nil, err
	}
	return openSchedule(path, m)
}

// openSchedule opens the sheet of a file that the mapping reads, and binds the mapping to it. It refuses a file if
// trips on another visible sheet would not be read.
func openSchedule(path string, m *mapping.Mapping) (*schedule, error) {
	file, err := sheet.Open(path, readOptions(m))
	if err != nil {
		return nil, err
	}
	s := &schedule{path: path, file: file, mapping: m}
	if err := s.bind(); err != nil {
		_ = file.Close() // only read from
		return nil, err
	}
	return s, nil
}

// bind binds the mapping to the columns of the open sheet, and describes the sheet.
func (s *schedule) bind() error {
	head, err := s.file.Head(max(headRows, s.mapping.Read().HeaderRow+2))
	if err != nil {
		return err
	}
	if returned.IsTable(head) {
		return returned.WithoutRecord(s.file.Name())
	}
	if s.bound, err = s.mapping.Bind(head, filepath.Base(s.path)); err != nil {
		return err
	}
	rows := s.file.Below(s.bound.HeaderRow())
	if !s.file.AreEven(s.bound.HeaderRow()) {
		if err := s.bound.Measure(rows.Rows()); err != nil {
			return err
		}
	}

	path, err := filepath.Abs(s.path)
	stamp, savedAt := sheet.Stamp(s.path, cmp.Or(s.bound.Rules().Location, time.Local))
	s.savedAt = savedAt
	s.input = run.Input{
		Source: rows, Mapper: s.bound, MappingHash: s.mapping.Meaning(), Arrival: importer.Arrival{Stamp: stamp, Cut: !s.file.EndsWhole()},
	}
	s.described = results.Input{
		InputInfo: importer.InputInfo{Name: s.file.Name(), Hash: s.file.Hash()},
		Path:      path, Sheet: s.file.SheetName(), Columns: s.bound.Columns(), Stamp: stamp,
	}
	for _, row := range head {
		if row.Num <= s.bound.HeaderRow() {
			s.described.Head = append(s.described.Head, row)
		}
	}
	return cmp.Or(err, s.refuseUnread())
}

// refuseUnread refuses a file if trips on a visible sheet would not be read, unless the mapping
// names the sheet to read.
func (s *schedule) refuseUnread() error {
	o := readOptions(s.mapping)
	if o.Sheet != "" {
		return nil
	}
	var unread []string
	for _, name := range s.file.Tables() {
		if name == s.file.SheetName() {
			continue
		}
		o.Sheet = name
		found, err := s.findsTrips(o)
		if err != nil {
			return err
		}
		if found {
			unread = append(unread, name)
		}
	}
	if unread == nil {
		return nil
	}
	return &importer.InputError{
		File:   s.file.Name(),
		Reason: "there seem to be trips on " + strings.Join(unread, ", ") + " as well, and only " + s.file.SheetName() + " would be read",
		Fix:    "put all trips on one sheet, or write the name of the one to read under read: in the mapping " + s.mapping.File() + "; or hide the sheets that are not meant",
	}
}

// findsTrips reports whether a sheet that is not read seems to have trips. It looks for them
// below the mapping's headers, below headers of which few are missing, and in a sheet without
// headers, which may continue another sheet.
func (s *schedule) findsTrips(o sheet.Options) (found bool, err error) {
	file, err := sheet.Open(s.path, o)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	head, err := file.Head(headRows)
	if err != nil {
		return false, err
	}

	name := filepath.Base(s.path)
	if bound, err := s.mapping.Bind(head, name); err == nil && bound.HeaderRow() > 0 {
		return hasTrips(file, bound)
	}

	match := s.mapping.Match(head, name)
	if len(match.Missing) > 0 && len(match.Missing)*4 <= match.Named {
		return len(head) > 1, nil
	}
	return slices.ContainsFunc(head, func(row importer.Row) bool {
		m := s.bound.Map(row, nil)
		return m.LeftOut == "" && hasIDs(&m) && !m.Faulty() && !m.Trips[0].Date().IsZero()
	}), nil
}

// hasTrips reports whether any row below the headers is a trip.
func hasTrips(file *sheet.File, bound *mapping.Bound) (bool, error) {
	for row, err := range file.Rows() {
		if err != nil {
			return false, err
		}
		if m := bound.Map(row, nil); row.Num > bound.HeaderRow() && (m.LeftOut == "" || m.Cancelled) && hasIDs(&m) {
			return true, nil
		}
	}
	return false, nil
}

// hasIDs reports whether the row has a trip id and a rider id.
func hasIDs(m *importer.Mapped) bool { return m.Trips[0].ID != "" && m.Trips[0].RiderID != "" }
