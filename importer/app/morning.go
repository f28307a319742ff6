package app

import (
	"context"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/mapping"
)

// MorningOptions say what a morning list is made of.
type MorningOptions struct {
	// Folder is the shared folder of results, into which the workbook is written, and from
	// which answers are taken; empty for no workbook.
	Folder string
	// Inputs are results of runs and folders with such. Folder is one of them.
	Inputs []string
	// Unsent are schedules that were not sent, for the sheets with which they are phoned.
	Unsent []Unsent
}

// An Unsent is a schedule that was not sent, with its mapping's file or a template's name;
// empty for the one whose columns it has.
type Unsent struct{ Path, Mapping string }

// Morning lists what is open of all runs of the office's ledger, and writes the list to the
// workbook morning.xlsx in the folder, in which people answer. What a run booked is looked
// up in the ledger; which rows are open and what they say is in the run's results, found
// among Inputs, whose rows are checked anew with the mapping as it is now: so what was
// answered, fixed or booked since is not open, and no record of open rows can be out of
// date. A run whose results are not found is named in Morning.Lost.
//
// Nothing is sent. Answers that are not taken yet stay in the new workbook, beside their
// trips. A workbook that somebody has open is left as it is, and a second one is written.
func (a *App) Morning(ctx context.Context, o MorningOptions) (m *results.Morning, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		list, err := a.listOpen(ctx, l, o)
		if err != nil {
			return err
		}
		m = list.Morning
		for _, u := range o.Unsent {
			unsent, err := list.readUnsent(u)
			if err != nil {
				return err
			}
			m.Unsent = append(m.Unsent, unsent)
		}
		if o.Folder == "" {
			return nil
		}
		return list.writeWorkbook(o.Folder)
	})
	return m, err
}

// readUnsent reads a schedule that was not sent.
func (g *openList) readUnsent(u Unsent) (results.UnsentSchedule, error) {
	unsent := results.UnsentSchedule{File: filepath.Base(u.Path)}
	known, err := g.mappings(u.Path)
	if u.Mapping != "" {
		var m *mapping.Mapping
		m, err = namedMapping(u.Mapping)
		known = []candidate{{m, true}}
	}
	if err != nil {
		return unsent, err
	}

	schedules, err := g.openSchedule(u.Path, known)
	if err != nil {
		return unsent, err
	}
	defer closeSchedules(schedules)
	j, err := g.newJob("check", Options{}, Silent{}, schedules)
	if err != nil {
		return unsent, err
	}
	rows := unsentRows{&unsent, map[string]nameColumns{}}
	for _, in := range j.described {
		rows.names[in.Sheet] = findNames(in.Columns)
	}
	return unsent, j.checkRows(g.ctx, g.ledger, g.address, rows)
}

// unsentRows gathers the trips that are not booked, and the booked ones that are cancelled.
// It is an importer.Reporter.
type unsentRows struct {
	*results.UnsentSchedule
	names map[string]nameColumns // by sheet
}

// Start implements importer.Reporter.
func (unsentRows) Start(importer.RunStart) error { return nil }

// End implements importer.Reporter.
func (unsentRows) End(importer.RunResult) error { return nil }

// Row implements importer.Reporter.
func (u unsentRows) Row(row importer.RowResult) error {
	for _, t := range row.Trips {
		item := results.MorningItem{TripResult: t, File: row.Row.File, Row: row.Row.Num, Passenger: u.names[row.Row.Sheet].of(row.Row)}
		switch {
		case t.Outcome.State.Missing():
			u.Trips = append(u.Trips, item)
		case t.Outcome.State == importer.CancelledCreated:
			u.Cancelled = append(u.Cancelled, item)
		}
	}
	return nil
}
