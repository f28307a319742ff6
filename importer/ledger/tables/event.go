package tables

import (
	"context"
	"time"

	"tripimport/importer/ledger"
)

const addEventSQL = "INSERT INTO events (num, at, kind, what, trip, row, run, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

// An event is an event as it is stored.
type event struct {
	at         time.Time
	kind, what string
	trip, row  int64
	run        int64
	detail     ledger.EventDetail
}

// happened records what happened to a trip: the trip as it stands then, and the event, of which it gives
// the number.
func (l *Ledger) happened(ctx context.Context, w *Writer, t *trip, e event) {
	e.trip, e.row = t.Number, t.Row
	t.Event = l.addEvent(ctx, w, e)
	l.save(ctx, w, t)
}

// addEvent adds an event, and returns its number.
func (l *Ledger) addEvent(ctx context.Context, w *Writer, e event) int64 {
	w.LastEvent++
	var detail []byte
	if e.detail.Who != "" || e.detail.GUID != "" || e.detail.Code != "" || e.detail.Keys != nil || e.detail.Note != "" {
		detail = l.Hashes.Encrypt(marshal(e.detail))
	}
	w.put(ctx, addEventSQL, w.LastEvent, instant(e.at), e.kind, e.what, e.trip, e.row, e.run, detail)
	return w.LastEvent
}

// Events returns the events of a trip and those of a row that are about no trip, in their order; 0 for no trip or row.
func (l *Ledger) Events(ctx context.Context, trip, row int64) ([]ledger.Event, error) {
	const text = "SELECT e.num, e.trip, e.row, e.at, e.kind, e.what, COALESCE((SELECT r.id FROM runs r WHERE r.num = e.run), ''), e.detail FROM events e " +
		"WHERE e.trip = ? AND e.trip > 0 OR e.row = ? AND e.row > 0 AND e.trip = 0 ORDER BY e.num"
	all, err := Query(ctx, l.Readers, func(row Scanner) (e ledger.Event, err error) {
		err = row.Scan(&e.Number, &e.Trip, &e.Row, instantColumn(&e.At), &e.Kind, &e.What, &e.Run, sealedColumn(l.Hashes, jsonColumn(&e.EventDetail)))
		return e, err
	}, text, trip, row)
	return all, l.readError(ctx, err)
}
