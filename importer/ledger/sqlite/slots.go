package sqlite

import (
	"context"
	"errors"
	"time"

	"tripimport/importer/ledger"
)

const (
	addSlotEventSQL = "INSERT INTO slot_events (at, slot, kind, broker, input, detail) VALUES (?, ?, ?, ?, ?, ?)"
	slotEventsSQL   = "SELECT at, slot, kind, broker, input, detail FROM slot_events WHERE at >= ? ORDER BY id"
)

// NoteSlot implements ledger.Ledger.
func (l *Ledger) NoteSlot(_ context.Context, e ledger.SlotEvent) error {
	return l.commits.do(func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, addSlotEventSQL, instant(e.At), e.Slot, e.Kind, e.Broker, e.Input, l.hashes.Encrypt(e.Detail))
		return err
	})
}

// SlotEvents implements ledger.Ledger.
func (l *Ledger) SlotEvents(ctx context.Context, from time.Time) (events []ledger.SlotEvent, err error) {
	rows, err := l.readers.QueryContext(ctx, slotEventsSQL, instant(from))
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()

	for rows.Next() {
		var e ledger.SlotEvent
		var at string
		var detail []byte
		if err := rows.Scan(&at, &e.Slot, &e.Kind, &e.Broker, &e.Input, &detail); err != nil {
			return nil, l.readError(ctx, err)
		}
		var errs [2]error
		e.At, errs[0] = parseInstant(at)
		e.Detail, errs[1] = l.hashes.Decrypt(detail)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, l.readError(ctx, err)
		}
		events = append(events, e)
	}
	return events, l.readError(ctx, rows.Err())
}
