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
	// stamp is when the schedule was made. savedAt reports that it is the time at which the
	// file was saved, which can lie.
	stamp   time.Time
	savedAt bool
	// cut reports that the last line of the file is not whole.
	cut bool
	// chosen says how the program chose the mapping; empty if a person named it.
	chosen string
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
		known, err := a.mappings(path)
		var sheets []*schedule
		if err == nil {
			sheets, err = a.openSchedule(path, known)
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

// openSchedule opens the sheets of a file, with the one mapping among known whose columns it
// has.
func (a *App) openSchedule(path string, known []candidate) ([]*schedule, error) {
	if len(known) == 1 {
		return bindSheets(path, known[0].mapping, "")
	}
	m, err := a.choose(path, known)
	if err != nil {
		return nil, err
	}
	return bindSheets(path, m, "chosen by its columns")
}

// bindSchedule opens one sheet of a file and binds the mapping to it.
func bindSchedule(path string, m *mapping.Mapping, o sheet.Options, chosen string) (*schedule, error) {
	file, err := sheet.Open(path, o)
	if err != nil {
		return nil, err
	}

	head, err := file.Head(max(headRows, m.Read().HeaderRow+2))
	if err == nil && returned.IsTable(head) {
		err = returned.WithoutRecord(file.Name())
	}
	if err == nil {
		var bound *mapping.Bound
		if bound, err = m.Bind(head, filepath.Base(path)); err == nil {
			err = bound.Measure(file.Below(bound.HeaderRow()).Rows())
		}
		if err == nil {
			s := &schedule{path: path, file: file, mapping: m, bound: bound, chosen: chosen}
			s.stamp, s.savedAt = sheet.Stamp(path, cmp.Or(bound.Rules().Location, time.Local))
			s.cut = !file.EndsWhole()
			return s, nil
		}
	}

	_ = file.Close() // only read from
	return nil, err
}

// inputs returns the schedules as inputs of a run.
func inputs(all []*schedule) []run.Input {
	var in []run.Input
	for _, s := range all {
		in = append(in, run.Input{
			Source:      s.file.Below(s.bound.HeaderRow()),
			Mapper:      s.bound,
			MappingHash: s.mapping.Meaning(),
			Arrival:     importer.Arrival{Stamp: s.stamp, Cut: s.cut},
		})
	}
	return in
}

// describe returns the schedule in the form that results need.
func (s *schedule) describe() (results.Input, error) {
	path, err := filepath.Abs(s.path)
	if err != nil {
		return results.Input{}, err
	}

	in := results.Input{
		InputInfo: importer.InputInfo{Name: s.file.Name(), Hash: s.file.Hash()},
		Path:      path, Sheet: s.file.SheetName(), Columns: s.bound.Columns(),
		Stamp: s.stamp,
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
