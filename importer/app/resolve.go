package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/service"
)

// A Resolver takes people's answers about trips that may be booked. It holds the
// ledger until it is closed. It is not safe for concurrent use.
type Resolver struct {
	app    *App
	ledger ledger.Ledger
	open   []ledger.Entry
	trips  tripsBySource
}

// NewResolver opens the ledger and lists the trips that are open: those that may
// be booked, and those whose GUID is missing. Where the schedule of their run,
// or its results workbook, is named, the trips are read from it.
func (a *App) NewResolver(ctx context.Context, schedule, workbook string) (*Resolver, error) {
	l, err := a.openLedger("resolve", 0)
	if err != nil {
		return nil, err
	}

	r := &Resolver{app: a, ledger: l}
	if r.open, err = l.Unresolved(ctx); err == nil {
		r.trips, err = a.tripsOf(l, r.open, schedule, workbook)
	}

	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return r, nil
}

// Close closes the ledger, so that other jobs can open it.
func (r *Resolver) Close() error { return r.ledger.Close() }

// Open lists the trips that were open when the Resolver was made, the earliest
// service date first. Those that LookUp closed are no longer in the list; Answer
// and TakeFile leave it as it is.
func (r *Resolver) Open() []ledger.Entry { return r.open }

// Trip returns the trip of an entry as its file has it; false where no file was
// named, or the file does not have it.
func (r *Resolver) Trip(e ledger.Entry) (importer.Trip, bool) { return r.trips.of(e) }

// Answer records a person's answer about an open trip. Where the ledger does not
// take it, note has the reason in words, and the trip stays open. It also says when
// an answer that was taken counts later.
func (r *Resolver) Answer(ctx context.Context, e ledger.Entry, v importer.Verdict, guid string) (taken bool, note string, err error) {
	return recordAnswer(ctx, r.ledger, e, v, guid)
}

// LookUp asks the service for each open trip, if the settings say how: a GUID
// closes the trip, any other answer leaves it open. It returns how many trips the
// service knows, and whether it was asked at all.
func (r *Resolver) LookUp(ctx context.Context, tokenStdin bool) (known int, asked bool, err error) {
	settings := r.app.Settings
	where, err := settings.lookup()
	if err != nil || where.Path == "" || len(r.open) == 0 {
		return 0, false, err
	}
	if err := settings.trusted("rate", "burst"); err != nil {
		return 0, false, err
	}

	client, address, err := r.app.client(tokenStdin)
	if err != nil {
		return 0, false, err
	}

	if address, err = r.ledger.Service(ctx, address); err != nil {
		return 0, false, err
	}

	gate := pace.New(pace.Config{Rate: settings.number("rate"), Burst: settings.count("burst")})
	for _, e := range slices.Clone(r.open) {
		if e.Account.Service != address {
			continue // this service can't know it
		}
		if err := gate.Wait(ctx); err != nil {
			return known, true, err
		}
		guid, err := client.LookUp(ctx, where, e.TripID, e.Date)
		if err != nil {
			return known, true, &Error{Later, err.Error(), "answer at the terminal (leave lookup_path empty), or run the same command again later"}
		}
		if guid == "" {
			continue
		}
		taken, _, err := r.Answer(ctx, e, importer.There, guid)
		if err != nil {
			return known, true, err
		}
		if taken {
			known++
			r.open = slices.DeleteFunc(r.open, func(o ledger.Entry) bool { return o.Attempt == e.Attempt })
		}
	}
	return known, true, nil
}

// lookup returns how the service can be asked for a trip; an empty path for not at
// all.
func (all Settings) lookup() (service.Lookup, error) {
	where := service.Lookup{Path: all.Text("lookup_path"), GUID: all.Text("lookup_guid")}
	if err := all.trusted("lookup_path", "lookup_guid"); err != nil || where.Path == "" {
		return where, err
	}
	if err := where.Check(); err != nil {
		return where, Usage("", "%s", err)
	}
	return where, nil
}

// Export writes the open trips to a new file, for this user alone, that people
// fill in.
func (r *Resolver) Export(path string) error {
	rows := make([]results.OpenTrip, 0, len(r.open))
	for _, e := range r.open {
		rows = append(rows, listEntry(e))
	}

	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", path)
	}

	err = results.WriteOpenTrips(out, rows)
	return errors.Join(err, out.Close(), r.app.share(path))
}

// listEntry returns the line of an open trip in the list that people fill in.
func listEntry(e ledger.Entry) results.OpenTrip {
	status := importer.Unknown.String()
	if e.GUIDMissing {
		status = "booked, its GUID is not known"
	}

	return results.OpenTrip{
		TripID: e.TripID, Date: e.Date.String(), Leg: e.Leg.String(), Status: status,
		Sent: e.ClaimedAt.Local().Format("2006-01-02 15:04:05"), Run: e.Run, Code: e.Code,
		Service: e.Account.Service, Provider: e.Account.Provider,
	}
}

// TakeFile takes back a filled-in file that Export wrote. It returns how many
// trips are still open, and in words which answers were not taken or count later.
func (r *Resolver) TakeFile(ctx context.Context, path string) (left int, notes []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, nil, Usage("see that it is there and may be read", "%s can't be read", path)
	}

	rows, err := returned.ReadOpenTrips(path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}

	type tripKey struct{ id, service, provider string }
	answers := map[tripKey]returned.AnsweredTrip{}
	for _, row := range rows {
		answers[tripKey{row.TripID, row.Service, row.Provider}] = row
	}

	for _, e := range r.open {
		taken, note, err := r.takeLine(ctx, e, answers[tripKey{e.TripID, e.Account.Service, e.Account.Provider}])
		if err != nil {
			return left, notes, err
		}
		if note != "" {
			notes = append(notes, fmt.Sprintf("trip %s: %s", e.TripID, note))
		}
		if !taken {
			left++
		}
	}
	return left, notes, nil
}

// takeLine takes one line's answer; an empty one leaves the trip open.
func (r *Resolver) takeLine(ctx context.Context, e ledger.Entry, answer returned.AnsweredTrip) (taken bool, note string, err error) {
	verdict := answer.Verdict
	switch {
	case answer.Answer == "":
		return false, "", nil
	case answer.Run != e.Run:
		return false, "it was sent again after this list was written: look for it anew", nil
	case verdict == importer.NoVerdict:
		return false, fmt.Sprintf("line %d does not say clearly whether it is there: write its GUID, there or not there", answer.Line), nil
	}

	return r.Answer(ctx, e, verdict, answer.GUID)
}
