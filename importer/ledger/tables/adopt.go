package tables

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/mark"
)

// eventsLost is greater than the number of events that the lost ledger had and its copy lacks:
// workbooks with these numbers exist, and a number must never be given twice.
const eventsLost = 10_000_000

// hasSeenSQL is true if the ledger has the run of a mark. Without that run it is a different copy,
// however large its number of events is. A mark from before the ledger was adopted may name a run of
// the lost one.
const hasSeenSQL = "SELECT CASE WHEN ?1 = '' OR EXISTS (SELECT 1 FROM runs WHERE id = ?1) OR ?2 <= COALESCE((SELECT CAST(value AS NUMERIC) FROM meta WHERE name = '" + MetaCopied + "'), 0) THEN 1 ELSE 0 END"

// EventsIn reads the number of the last event.
func EventsIn(ctx context.Context, q Querier) (int64, error) {
	text, err := Meta(ctx, q, MetaEvents)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// Older reports whether a ledger with this last event lacks something that a mark of this machine
// has: it is a copy, or its place was put back to an earlier state.
func (w *Writer) Older(ctx context.Context, last int64, marks []mark.Point) (older bool, err error) {
	for _, seen := range marks {
		var has bool
		err = errors.Join(err, w.QueryRowContext(ctx, hasSeenSQL, seen.Run, seen.Number).Scan(flagColumn(&has)))
		older = older || last < seen.Number || !has
	}
	return older, err
}

// BeginAdopting marks a copy so that it is refused until it is adopted, and has it continue after a
// number that is greater than in any mark.
func BeginAdopting(ctx context.Context, w *Writer, marks []mark.Point) error {
	for _, seen := range marks {
		w.LastEvent = max(w.LastEvent, seen.Number)
	}
	w.LastEvent += eventsLost
	err := w.Later(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", MetaBackup, time.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return err
	}
	return w.Later(ctx, SetMetaSQL, MetaCopied, strconv.FormatInt(w.LastEvent, 10))
}

// Adopt adopts a copy that an engine has opened as l, which is of this ledger; see ledger.Store.Adopt.
// It calls enter, unless that is nil, and then takes the copy into use on the machine. After an error
// it closes the copy.
func (t *Ledger) Adopt(l ledger.Ledger, enter func(ledger.Ledger) (int64, error), machine string, o ledger.Options) (ledger.Ledger, error) {
	var seen int64
	var err error
	if enter != nil {
		seen, err = enter(l)
	}
	if err == nil {
		err = t.Write(func(ctx context.Context, w *Writer) error { return t.adopt(ctx, w, seen, machine, o) })
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// adopt makes the copy the ledger in use. Its numbers continue after seen, the greatest number that is
// known of the lost ledger.
func (t *Ledger) adopt(ctx context.Context, w *Writer, seen int64, machine string, o ledger.Options) error {
	w.LastEvent = max(w.LastEvent, seen) + 1
	if err := w.Later(ctx, SetMetaSQL, MetaMachine, machine); err != nil {
		return err
	}
	if err := w.Later(ctx, "DELETE FROM meta WHERE name = ?", MetaBackup); err != nil {
		return err
	}
	return t.addEvent(ctx, w, w.LastEvent, event{at: time.Now(), kind: "adopted", detail: ledger.EventDetail{Who: o.Who, Host: o.Host}})
}
