package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/next"
	"tripimport/importer/results"
	"tripimport/mapping"
)

// MorningOptions says what a morning list is made from.
type MorningOptions struct {
	// Folder is the shared results folder: the workbook is written to it, and answers are
	// taken from it. Empty for no workbook.
	Folder string
	// Inputs are results files, and folders with results files. Folder counts as one of them.
	Inputs []string
	// Unsent are schedules that were not sent by last call. They are written to a workbook
	// downtime.….xlsx in Folder, from which staff phone them.
	Unsent []Unsent
}

// An Unsent is a schedule that was not sent. Mapping is the file of its mapping or the name of
// a template; empty to choose the mapping by the schedule's columns.
type Unsent struct{ Path, Mapping string }

// Morning lists what is open in all runs of the office's ledger, and writes the list to the
// workbook morning.xlsx in the folder, in which people answer. The open rows come from the
// results of the runs, found among Inputs. Their rows are checked anew, with the ledger and
// the mapping as they are now, so that what was answered, fixed or booked since is not
// listed. A run whose results are not found is named in Morning.Lost.
//
// Nothing is sent. Answers that were not taken yet stay in the new workbook, beside their
// trips. A workbook that somebody has open is left as it is, and a second one is written.
func (a *App) Morning(ctx context.Context, o MorningOptions) (m *results.Morning, err error) {
	err = a.ReadLedger(ctx, func(l next.Ledger) error {
		list, err := a.listOpen(ctx, l, o)
		if err != nil {
			return err
		}
		m = list.Morning
		if o.Folder == "" {
			return nil
		}
		return errors.Join(list.writeUnsent(o.Folder, o.Unsent), list.findPhoned(o.Folder), list.writeWorkbook(o.Folder))
	})
	return m, err
}

// writeUnsent writes the workbook of the schedules that were not sent.
func (g *openList) writeUnsent(folder string, all []Unsent) error {
	for _, u := range all {
		unsent, err := g.readUnsent(u)
		switch {
		case g.ctx.Err() != nil:
			return g.ctx.Err()
		case err != nil:
			g.Lost = append(g.Lost, lostFile(u.Path, err))
		default:
			g.Unsent = append(g.Unsent, unsent)
		}
	}
	if len(all) == 0 {
		return nil
	}
	path := filepath.Join(folder, "downtime."+g.Made.UTC().Format(runTime)+".xlsx")
	if err := g.WriteUnsent(path); err != nil {
		return Usage("see that there is room and that this user may write there", "%s can't be written", path)
	}
	return g.share(g.UnsentFile)
}

// findPhoned finds the workbooks of unsent schedules of the last 24 hours.
func (g *openList) findPhoned(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "downtime.*.xlsx"))
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && g.Made.Sub(info.ModTime()) < 24*time.Hour {
			g.Phoned = append(g.Phoned, path)
		}
	}
	return err
}

// readUnsent reads a schedule that was not sent, and returns its trips that are missing in
// the service and those that are to be cancelled there.
func (g *openList) readUnsent(u Unsent) (unsent results.UnsentSchedule, err error) {
	unsent.File = filepath.Base(u.Path)
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
	names := map[string]results.NameColumns{} // by sheet
	for _, in := range j.described {
		names[in.Sheet] = results.FindNames(in.Columns)
	}
	err = j.checkRows(g.ctx, g.ledger, g.address, func(row importer.RowResult) error {
		for _, t := range row.Trips {
			item := results.MorningItem{TripResult: t, File: row.Row.File, Row: row.Row.Num, Passenger: names[row.Row.Sheet].Of(row.Row)}
			switch {
			case t.Outcome.State.Missing():
				unsent.Trips = append(unsent.Trips, item)
			case t.Outcome.State == importer.CancelledCreated:
				unsent.Cancelled = append(unsent.Cancelled, item)
			}
		}
		return nil
	})
	return unsent, err
}
