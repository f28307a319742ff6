package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// Histories returns what the ledger knows about the trips that the search finds. Search.Trip is a trip id or a GUID. runs
// has all runs of the ledger, by their ids.
func (a *App) Histories(ctx context.Context, s ledger.Search) (all []ledger.History, runs map[string]ledger.Run, err error) {
	runs = map[string]ledger.Run{}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		known, err := l.Runs(ctx, 0)
		if err != nil {
			return err
		}
		for _, r := range known {
			runs[r.ID] = r
		}
		all, err = ledger.Histories(ctx, l, s)
		return err
	})
	return all, runs, err
}

// Report writes the trips of some days that are booked or may be booked, for billing, to a workbook at a path; empty
// for none. Both days are in it. It returns them with their totals, and what is wrong with the ledger: also that a run booked
// another number of trips than its control total says.
func (a *App) Report(ctx context.Context, from, to importer.Date, path string) (r results.Report, written string, v ledger.Verification, err error) {
	if from.IsZero() || to.IsZero() || to.Compare(from) < 0 {
		return r, "", v, Usage("give --from and --to as 2026-12-01; both days are in it", "the days of the report are not clear")
	}
	if path != "" && !strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return r, "", v, Usage("end its name with .xlsx", "the report is a workbook, and can't be written to %s", filepath.Base(path))
	}

	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		trips, err := l.Find(ctx, ledger.Search{From: from, To: to, FundingSources: a.knownNames().FundingSources})
		if err != nil {
			return err
		}
		for _, t := range trips {
			r.Add(results.ReportLine(t))
		}
		slices.SortFunc(r, func(a, b results.ReportLine) int {
			return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.ListedID(), b.ListedID()), cmp.Compare(a.Leg, b.Leg))
		})
		v, err = l.Verify(ctx)
		return err
	})
	if err == nil && path != "" {
		if written, err = r.Write(path); err != nil {
			err = Usage("see that its folder is there and may be written, and that the disk is not full", "the report can't be written to %s", path)
		}
	}
	return r, written, v, err
}
