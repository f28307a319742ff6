package tables

import (
	"context"
	"time"

	"tripimport/importer/ledger"
)

const (
	addSlotEventSQL = "INSERT INTO slot_events (at, slot, kind, broker, input, detail) VALUES (?, ?, ?, ?, ?, ?)"
	slotEventsSQL   = "SELECT at, slot, kind, broker, input, detail FROM slot_events WHERE at >= ? ORDER BY id"
)

// NoteSlot implements ledger.Ledger.
func (l *Ledger) NoteSlot(_ context.Context, e ledger.SlotEvent) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		_, err := w.ExecContext(ctx, addSlotEventSQL, instant(e.At), e.Slot, e.Kind, e.Broker, e.Input, l.Hashes.Encrypt(e.Detail))
		return err
	})
}

// SlotEvents implements ledger.Ledger.
func (l *Ledger) SlotEvents(ctx context.Context, from time.Time) ([]ledger.SlotEvent, error) {
	events, err := Query(ctx, l.lookUps, func(row Scanner) (e ledger.SlotEvent, err error) {
		err = row.Scan(instantColumn(&e.At), &e.Slot, &e.Kind, &e.Broker, &e.Input, l.secretColumn(&e.Detail))
		return e, err
	}, slotEventsSQL, instant(from))
	return events, l.readError(ctx, err)
}
