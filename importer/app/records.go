package app

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// Histories calls do with what the ledger knows about the trips that the search finds.
// Search.Trip is a trip id or a GUID. names has the names of all files that the ledger's runs
// read, by their SHA-256.
func (a *App) Histories(ctx context.Context, s ledger.Search, do func(found iter.Seq2[ledger.History, error], names map[string]string) error) error {
	return a.ReadLedger(ctx, func(l ledger.Ledger) error {
		runs, err := l.Runs(ctx, 0)
		if err != nil {
			return err
		}
		names := map[string]string{}
		for _, r := range runs {
			for _, in := range r.Inputs {
				names[in.Hash] = in.Name
			}
		}
		s.FundingSources = a.fundingSources()
		return do(l.Histories(ctx, s), names)
	})
}

// fundingSources returns the names of all funding sources in the saved access list; none if
// there is no such list.
func (a *App) fundingSources() (names []string) {
	access, err := a.savedAccess()
	if err != nil {
		return nil
	}
	for _, p := range access.Providers {
		for _, f := range p.FundingSources {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// VerifyLedger reads and checks the whole ledger of the office. A run may go on meanwhile.
func (a *App) VerifyLedger(ctx context.Context) (v ledger.Verification, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		v, err = l.Verify(ctx)
		return err
	})
	return v, err
}

// ReportOptions says what a report contains.
type ReportOptions struct {
	// From and To are the first and the last day of service.
	From, To importer.Date
	// Provider and FundingSource select the trips by these names, in any case of letters;
	// empty for all trips.
	Provider, FundingSource string
	// By says how the totals are grouped.
	By results.ReportGroup
	// Path is the file to write, whose ending (.csv or .xlsx) decides its format; empty for
	// no file.
	Path string
}

// Report writes the trips of some days that are booked or may be booked, for billing. It
// returns them with their totals, and with the control totals of all runs that booked one of
// them.
func (a *App) Report(ctx context.Context, o ReportOptions) (r results.Report, written string, err error) {
	if o.From.IsZero() || o.To.IsZero() || o.To.Compare(o.From) < 0 {
		return r, "", Usage("give --from and --to as 2026-12-01; both days are in it", "the days of the report are not clear")
	}
	format, err := formatOf(o.Path)
	if err != nil {
		return r, "", err
	}
	if o.FundingSource != "" && !slices.ContainsFunc(a.fundingSources(), func(name string) bool { return importer.SameName(name, o.FundingSource) }) {
		return r, "", Usage("`tripimport access` asks for them and lists them", "the funding source %q is not among those that the service listed", o.FundingSource)
	}

	r = results.Report{From: o.From, To: o.To, By: o.By, Location: a.env.Clock.Now().Location()}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		search := ledger.Search{From: o.From, To: o.To, FundingSources: a.fundingSources()}
		for h, err := range l.Histories(ctx, search) {
			if err != nil {
				return err
			}
			if o.Provider != "" && !importer.SameName(h.Account.Provider, o.Provider) || o.FundingSource != "" && !importer.SameName(h.FundingSource, o.FundingSource) {
				continue
			}
			r.Add(reportLine(&h))
		}
		return addControls(ctx, l, &r)
	})
	if err == nil && o.Path != "" {
		written, err = r.Write(o.Path, format)
	}
	return r, written, err
}

// reportLine returns the line of a trip in a report.
func reportLine(h *ledger.History) results.ReportLine {
	line := results.ReportLine{
		Date: h.Date, TripID: h.ListedID(), Leg: h.Leg, Provider: h.Account.Provider, FundingSource: h.FundingSource,
		State: h.State, GUID: h.GUID, Cancelled: h.Cancelled, ByHand: h.Code == importer.CodeBookedByHand,
	}
	for _, e := range h.Events {
		switch {
		case e.Kind == ledger.EventSent && e.State == importer.Created:
			line.Booked, line.Run = e.Settled, e.Run
		case e.Kind == ledger.EventSent && e.Attempt == h.Attempt && line.Run == "": // no proof, but a person said that it is there
			line.Run = e.Run
		case e.Kind == ledger.EventAnswered && e.Attempt == h.Attempt && h.State == importer.Created:
			addAnswer(&line, &e)
		case e.Kind == ledger.EventChanged && e.State == importer.Updated:
			line.Changed = e.Settled
		}
	}
	return line
}

// addAnswer adds a person's answer about a booked trip to its line: that the trip is there, or
// was changed by hand.
func addAnswer(line *results.ReportLine, e *ledger.Event) {
	if line.Booked.IsZero() {
		line.Booked, line.ByHand = e.At, line.ByHand || e.Verdict == importer.BookedByHand
	}
	if e.Verdict == importer.DoneByHand && !line.Cancelled {
		line.Changed, line.ByHand = e.At, true
	}
}

// addControls adds the control totals of the runs that booked a trip of the report.
func addControls(ctx context.Context, l ledger.Ledger, r *results.Report) error {
	for _, id := range r.Runs() {
		known, err := l.Run(ctx, id)
		if err != nil {
			return err
		}
		control := results.RunControl{Run: id, Started: known.Started, Total: known.Totals.Trips[importer.Created], BrokenOff: known.Ended.IsZero()}
		for e, err := range l.Trips(ctx, id) {
			if err != nil {
				return err
			}
			switch {
			case !e.Proved:
			case e.Date.Compare(r.From) >= 0 && e.Date.Compare(r.To) <= 0:
				control.Within++
			default:
				control.OtherDays++
			}
		}
		r.Controls = append(r.Controls, control)
	}
	return nil
}

// formatOf returns the format that a file's ending names; XLSX for no file.
func formatOf(path string) (results.Format, error) {
	if path == "" {
		return results.XLSX, nil
	}
	format, err := results.ParseFormat(strings.TrimPrefix(filepath.Ext(path), "."))
	if err != nil {
		return format, Usage("end its name with .xlsx or .csv", "the report can't be written to %s", filepath.Base(path))
	}
	return format, nil
}
