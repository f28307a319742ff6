package app

import (
	"cmp"
	"path/filepath"
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
