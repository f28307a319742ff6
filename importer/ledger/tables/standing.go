package tables

import (
	"context"
	"database/sql"

	"tripimport/importer"
)

const saveTripSQL = `INSERT INTO trips (id, row, account, day, begins, state, guid_key, open, event, run, claimed_at, standing)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row, account = excluded.account,
	day = excluded.day, begins = excluded.begins, state = excluded.state, guid_key = excluded.guid_key, open = excluded.open,
	event = excluded.event, run = excluded.run, claimed_at = excluded.claimed_at, standing = excluded.standing`

// open decrypts a trip.
func (l *Ledger) open(s *storedTrip) (*trip, error) {
	t := &trip{}
	if err := sealedColumn(l.Hashes, jsonColumn(t))(string(s.standing)); err != nil {
		return nil, err
	}
	t.account, t.run, t.Account = s.account, s.run, importer.Account{Service: s.service, Provider: s.provider}
	t.State, _ = importer.ParseTripState(s.state)
	var err error
	t.ClaimedAt, err = parseInstant(s.claimedAt)
	return t, err
}

// scanStanding scans standingColumns.
func (l *Ledger) scanStanding(row Scanner) (standing importer.Standing, err error) {
	var stored storedTrip
	var run string
	var live bool
	if err := row.Scan(append(stored.columns(), &run, &live)...); err != nil {
		return standing, err
	}
	t, err := l.open(&stored)
	if err != nil {
		return standing, err
	}
	s := &t.Standing
	s.Run, s.Copied, s.Identity.Times = run, s.Claimed <= l.copied, t.timed().Times()
	if live && (l.HeldByOther || l.Writer != nil) {
		return *s, nil
	}
	// Nobody is sending: the run that claimed it was broken off.
	if s.State == importer.TripSending {
		s.State = importer.TripUnclear
	}
	if s.Change != nil && s.Change.State == importer.ChangeSending {
		s.Change.State = importer.ChangeUnclear
	}
	return *s, nil
}

// trip returns a trip that the transaction's question found, or that the transaction wrote.
func (l *Ledger) trip(w *Writer, number int64) (*trip, error) {
	stored := w.asked.found[number]
	if stored == nil {
		return nil, refuse(importer.ErrMeanwhile)
	}
	return l.open(stored)
}

// save writes a trip.
func (l *Ledger) save(ctx context.Context, w *Writer, t *trip) {
	changing := t.Change != nil && t.Change.State != importer.ChangeRefusedByService
	open := t.State == importer.TripSending || t.State == importer.TripUnclear || t.GUIDMissing || changing || t.InDoubt()
	guid := importer.GUIDKey(t.GUID)

	s := &storedTrip{t.account, t.run, t.Account.Service, t.Account.Provider, t.State.Code(), instant(t.ClaimedAt), l.Hashes.Encrypt(marshal(t))}
	w.asked.found[t.Number] = s
	w.asked.last[importer.LastEvent{Trip: t.Number}] = t.Event
	if guid != "" {
		w.asked.taken[guid] = t.Number
	}
	w.put(ctx, saveTripSQL, t.Number, t.Row, t.account, t.Day.String(), t.Begins.String(), s.state,
		sql.NullString{String: guid, Valid: guid != ""}, open, t.Event, t.run, s.claimedAt, s.standing)
}
