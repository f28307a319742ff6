package tables

import (
	"context"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// Trip returns the trip with the number, with its row's word.
func (l *Ledger) Trip(ctx context.Context, number int64) (k importer.Known, found bool, err error) {
	k.Trips, err = Query(ctx, l.Readers, l.scanStanding, "SELECT "+standingColumns+fromTrips+"WHERE t.id = ?", number)
	if err != nil || len(k.Trips) == 0 {
		return k, false, l.readError(ctx, err)
	}
	k.ID, k.Row = k.Trips[0].RowID, k.Trips[0].Row
	k.Words, err = Query(ctx, l.Readers, l.scanWord, "SELECT "+wordColumns+" FROM rows w WHERE w.id = ?", k.Row)
	return k, true, l.readError(ctx, err)
}

// Row returns the row with the number, with its trips, and false if there is none.
func (l *Ledger) Row(ctx context.Context, number int64) (k importer.Known, found bool, err error) {
	k.Words, err = Query(ctx, l.Readers, l.scanWord, "SELECT "+wordColumns+" FROM rows w WHERE w.id = ?", number)
	if err != nil || len(k.Words) == 0 {
		return k, false, l.readError(ctx, err)
	}
	k.ID, k.Row = k.Words[0].ID, number
	k.Trips, err = Query(ctx, l.Readers, l.scanStanding, "SELECT "+standingColumns+fromTrips+"JOIN keys k ON k.trip = t.id WHERE k.hash = ? AND t.row = ? ORDER BY t.id", keyed.Number(k.ID), number)
	return k, true, l.readError(ctx, err)
}

// Unresolved returns the trips that may be booked, are booked without a GUID, have a change that may not have
// arrived, or are in doubt, the earliest day first.
func (l *Ledger) Unresolved(ctx context.Context) ([]importer.Standing, error) {
	open, err := Query(ctx, l.Readers, l.scanStanding, "SELECT "+standingColumns+fromTrips+
		"WHERE t.open AND t.state IN ('unclear', 'sending', 'booked') ORDER BY t.day, t.id")
	return open, l.readError(ctx, err)
}

// Find returns the trips that a search selects, by day and time.
func (l *Ledger) Find(ctx context.Context, s ledger.Search) (found []ledger.Found, err error) {
	riders, err := l.riderKeys(ctx, s.Rider)
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	text, args := searchText(s, riders)
	all, err := Query(ctx, l.Readers, l.scanStanding, text, args...)
	for _, t := range all {
		if s.Trip == "" || l.isSought(&t, s.Trip) {
			found = append(found, ledger.Found{Standing: t, FundingSource: l.fundingSource(&t, s.FundingSources)})
		}
	}
	return found, l.readError(ctx, err)
}

// fundingSource returns the name that the trip's Sent has; empty if it has none of them.
func (l *Ledger) fundingSource(s *importer.Standing, names []string) string {
	for _, name := range names {
		if s.Sent.Same(l.Hashes.Values(s.RowID, &importer.Row{}, &importer.Trip{FundingSource: name}), "funding_source_name") {
			return name
		}
	}
	return ""
}

func searchText(s ledger.Search, riders []int64) (string, []any) {
	var where []string
	var args []any
	add := func(condition string, arg any) {
		where, args = append(where, condition), append(args, arg)
	}
	if !s.From.IsZero() {
		add("t.day >= ?", s.From.String())
	}
	if !s.To.IsZero() {
		add("t.day <= ?", s.To.String())
	}
	if s.Run != "" {
		add("t.id IN (SELECT e.trip FROM runs r JOIN events e ON e.run = r.num WHERE r.id = ? AND e.kind IN ('claimed', 'changing'))", s.Run)
	}
	if s.Rider != "" {
		add("t.id IN (SELECT k.trip FROM keys k WHERE k.hash IN (numbers(?)))", list(riders))
	}
	text := "SELECT " + standingColumns + fromTrips
	if len(where) > 0 {
		text += "WHERE " + strings.Join(where, " AND ")
	}
	return text + " ORDER BY t.day, t.begins, t.id", args
}

// riderKeys returns the hashes of a rider on all days on which the ledger has trips.
func (l *Ledger) riderKeys(ctx context.Context, rider string) ([]int64, error) {
	if rider == "" {
		return nil, nil
	}
	return Query(ctx, l.Readers, func(row Scanner) (int64, error) {
		var service string
		var day importer.Date
		err := row.Scan(&service, textColumn(&day))
		trip := importer.Trip{RiderID: rider, Pickup: importer.Event{PickupTime: importer.DateTime{Date: day}}}
		return keyed.Number(l.Hashes.Rider(service, &trip)), err
	}, "SELECT DISTINCT a.service, t.day"+fromTrips)
}

// isSought reports whether a trip has the id, the id without a leg's own part, or the GUID.
func (l *Ledger) isSought(s *importer.Standing, sought string) bool {
	if importer.SameID(s.TripID, sought) || importer.SameGUID(s.GUID, sought) || s.Alias != "" && s.Alias == sought {
		return true
	}
	before, _, cut := strings.Cut(s.TripID, "-")
	last := strings.LastIndex(s.TripID, "-")
	return cut && (importer.SameID(before, sought) || importer.SameID(s.TripID[:last], sought))
}
