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

// openSchedules opens the sheets of each file, with the mapping that the settings name or the
// one whose columns the file has.
func (a *App) openSchedules(paths []string) ([]*schedule, error) {
	if len(paths) == 0 {
		return nil, Usage("name the spreadsheet", "no file is named")
	}

	var all []*schedule
	for _, path := range paths {
		m, err := a.choose(path)
		var sheets []*schedule
		if err == nil {
			sheets, err = bindSheets(path, m)
		}
		if err != nil {
			closeSchedules(all)
			return nil, err
		}
		all = append(all, sheets...)
	}
	return all, nil
}

// closeSchedules closes the files of schedules.
func closeSchedules(all []*schedule) {
	for _, s := range all {
		_ = s.file.Close() // only read from
	}
}

// bindSchedule opens one sheet of a file and binds the mapping to it.
func bindSchedule(path string, m *mapping.Mapping, o sheet.Options) (*schedule, error) {
	file, err := sheet.Open(path, o)
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
	if err := s.bound.Measure(rows.Rows()); err != nil {
		return err
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
	return err
}

// allSheets is what a mapping says instead of a sheet's name to read each visible sheet.
const allSheets = "all"

// readsAll reports whether the options ask for all sheets.
func readsAll(o sheet.Options) bool { return strings.EqualFold(o.Sheet, allSheets) }

// sheetsOf returns the read options for each sheet of a file that the mapping reads. If the
// mapping says all and the file has a sheet named All, it is that sheet alone.
func sheetsOf(path string, m *mapping.Mapping) (each []sheet.Options, err error) {
	o := readOptions(m)
	if !readsAll(o) {
		return []sheet.Options{o}, nil
	}

	o.Sheet = ""
	_, names, err := headOf(path, o, 0)
	if err != nil {
		return nil, err
	}
	if called := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, allSheets) }); called >= 0 {
		names = names[called : called+1]
	}
	for _, name := range names {
		o.Sheet = name
		each = append(each, o)
	}
	if names == nil {
		each = append(each, o)
	}
	return each, nil
}

// bindSheets opens each sheet of a file that the mapping reads, as a schedule of its own. It
// skips sheets without the mapping's columns and sheets without rows, but at least one sheet
// must be left. It refuses a file if trips on a visible sheet would not be read.
func bindSheets(path string, m *mapping.Mapping) (all []*schedule, err error) {
	each, err := sheetsOf(path, m)
	if err != nil {
		return nil, err
	}

	var none error
	for _, o := range each {
		s, err := bindSchedule(path, m, o)
		var missing *mapping.MissingColumnsError
		var noRows *sheet.NoRowsError
		switch {
		case err == nil:
			all = append(all, s)
		case errors.As(err, &missing) || errors.As(err, &noRows):
			none = cmp.Or(none, err)
		default:
			closeSchedules(all)
			return nil, err
		}
	}

	if len(all) == 0 {
		if _, ok := errors.AsType[*mapping.MissingColumnsError](none); ok {
			none = cmp.Or(refuseOtherSheet(path, candidate{mapping: m, own: filepath.IsAbs(mappingPath(m))}), none)
		}
		return nil, none
	}
	if err := refuseUnread(all); err != nil {
		closeSchedules(all)
		return nil, err
	}
	return all, nil
}

// refuseUnread refuses a file if trips on a visible sheet would not be read, unless the mapping
// names the sheet to read.
func refuseUnread(all []*schedule) error {
	var unread []string
	read := importer.Each(all, func(s *schedule) string { return s.file.SheetName() })

	first := all[0]
	o := readOptions(first.mapping)
	everySheet := readsAll(o)
	if o.Sheet != "" && !everySheet || everySheet && strings.EqualFold(read[0], allSheets) {
		return nil
	}

	for _, name := range first.file.Tables() {
		if slices.Contains(read, name) {
			continue
		}
		o.Sheet = name
		found, err := first.findsTrips(o)
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

	fix := "write `sheet: all` under read: in the mapping " + first.mapping.File() + " to read all sheets, or the name of the one to read; or hide the sheets that are not meant"
	if everySheet {
		fix = "give these sheets the headers that the others have, or hide them if they are not meant"
	}
	return &importer.InputError{
		File:   first.file.Name(),
		Reason: "there seem to be trips on " + strings.Join(unread, ", ") + " as well, and only " + strings.Join(read, ", ") + " would be read",
		Fix:    fix,
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
	if len(match.MissingColumns) > 0 && len(match.MissingColumns)*4 <= match.Named {
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
