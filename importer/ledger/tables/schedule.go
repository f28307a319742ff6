package tables

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const (
	// A note applies to a trip that a run of edited results claimed after the note. It
	// does not apply to an import, which books what the schedule has then. The same
	// values noted again do not make a new note, because an import may read them once
	// more while it is not known what became of the trip.
	noteJoins = `LEFT JOIN schedule_notes e ON e.id = (SELECT MAX(o.id) FROM schedule_notes o
			WHERE o.row_key = t.row_key AND o.leg = t.leg AND o.day IN ('', t.service_date) AND o.attempt < a.id AND r.command IN ('retry', '` + importer.ImportRehearsed + `'))
		LEFT JOIN texts ek ON ek.id = e.layout `
	noteColumns = `COALESCE(ek.text, ''), e.properties,
		CASE WHEN e.id IS NULL THEN '' ELSE (SELECT z.text FROM texts z WHERE z.id = a.layout) END,
		CASE WHEN e.id IS NOT NULL THEN a.properties END, `
	addNoteSQL = `INSERT INTO schedule_notes (row_key, leg, day, attempt, layout, properties) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (row_key, leg, day) DO UPDATE SET attempt = excluded.attempt, layout = excluded.layout, properties = excluded.properties
		WHERE schedule_notes.layout <> excluded.layout OR schedule_notes.properties <> excluded.properties`
	notesSQL = `SELECT k.text, e.properties FROM schedule_notes e JOIN texts k ON k.id = e.layout
		WHERE e.row_key = ? AND e.leg = ? AND e.day IN ('', ?, '` + ofBooked + `', ?)`
	// ofBooked is the prefix of the day in notes of NoteChange.
	ofBooked    = "booked "
	addHoldSQL  = "INSERT INTO holds (attempt, held, who, host, held_at) VALUES (?, ?, ?, ?, ?)"
	addStampSQL = `INSERT INTO schedules (broker, day, inputs, stamp) VALUES (?, ?, ?, ?)
		ON CONFLICT (broker, day, inputs) DO UPDATE SET stamp = excluded.stamp WHERE schedules.stamp < excluded.stamp`
	latestStampSQL = `SELECT COALESCE(MAX(s.stamp), '') FROM schedules s
		JOIN texts b ON b.id = s.broker JOIN texts i ON i.id = s.inputs
		WHERE b.text = ? AND s.day = ? AND ? NOT LIKE '%' || i.text || '%'`
	tripsOfBrokerSQL = "SELECT '', '', '', " + recordColumns + recordTables + `
		WHERE t.service = (SELECT d.service FROM addresses d WHERE d.address = ?) AND t.service_date = ? AND t.taken = 1
		AND b.text = ? ORDER BY t.minute, a.id`
)

// NoteSchedule implements importer.Ledger.
func (l *Ledger) NoteSchedule(ctx context.Context, key importer.RowKey, trip *importer.Trip) error {
	return l.note(ctx, key, trip, "")
}

// NoteChange implements importer.Ledger.
func (l *Ledger) NoteChange(ctx context.Context, key importer.RowKey, trip *importer.Trip) error {
	return l.note(ctx, key, trip, ofBooked)
}

// note records the values that the schedule has for a trip.
func (l *Ledger) note(ctx context.Context, key importer.RowKey, trip *importer.Trip, day string) error {
	row := l.Hashes.Row(key)
	if err := ctx.Err(); err != nil || row == nil {
		return err
	}

	if key.IDs == importer.RepeatedIDs {
		day += trip.Date().String()
	}
	values := l.rowValues(trip, row)
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		layout, err := w.textID(ctx, values.Keys)
		if err == nil {
			_, err = w.ExecContext(ctx, addNoteSQL, row, trip.Leg.Code(), day, w.LastAttempt, layout, values.Hashes)
		}
		return err
	})
}

// rowValues returns the fingerprint of a trip bound to its row and not to its id, because
// a person may fix the id.
func (l *Ledger) rowValues(trip *importer.Trip, row []byte) keyed.Fingerprint {
	return l.values(trip, "row "+hex.EncodeToString(row))
}

// holdEdited puts a booked trip on hold if it was changed by hand to values that the
// schedule did not have when it was last read.
func (l *Ledger) holdEdited(ctx context.Context, w *Writer, b *storedRecord, r ledger.Resolution) error {
	if b.rowKey == nil {
		return nil
	}
	day, now, ofSchedule := r.Trip.Date().String(), l.rowValues(r.Trip, b.rowKey), false
	err := eachRow(ctx, w, func(row Scanner) error {
		var noted keyed.Fingerprint
		err := row.Scan(&noted.Keys, &noted.Hashes)
		ofSchedule = ofSchedule || now.Differs(noted) == nil
		return err
	}, notesSQL, b.rowKey, r.Trip.Leg.Code(), day, ofBooked+day)
	if err != nil || ofSchedule {
		return err
	}
	_, err = w.ExecContext(ctx, addHoldSQL, r.Attempt, 1, r.Who, "", instant(r.When))
	return err
}

// splitFixed moves from Differs to Fixed the properties that a person fixed before the
// trip was booked: the schedule still has the noted value, and the value that was sent
// instead still counts as booked.
func (l *Ledger) splitFixed(r *storedRecord, trip *importer.Trip) {
	if r.note.Keys == "" || len(r.Differs) == 0 {
		return
	}

	now := l.rowValues(trip, r.rowKey)
	var differs []string
	for _, key := range r.Differs {
		if now.Same(r.note, key) && r.fingerprint.Same(r.sent, key) {
			r.Fixed = append(r.Fixed, key)
		} else {
			differs = append(differs, key)
		}
	}
	r.Differs = differs
}

// TripsOfDay implements importer.Ledger.
func (l *Ledger) TripsOfDay(ctx context.Context, service, broker string, day importer.Date, pairs []importer.Pair) ([]importer.Record, error) {
	found, err := l.findAll(ctx, l.lookUps, tripsOfBrokerSQL, service, day.String(), l.Hashes.Broker(broker))
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	var records []importer.Record
	for _, r := range found {
		if slices.ContainsFunc(pairs, func(p importer.Pair) bool { return l.hasPair(&r, p) }) {
			records = append(records, *l.compared(r, nil))
		}
	}
	return records, nil
}

// hasPair reports whether a trip has the provider and the funding source.
func (l *Ledger) hasPair(r *storedRecord, p importer.Pair) bool {
	const key = "funding_source_name"
	like := importer.Trip{ID: r.TripID, FundingSource: p.FundingSource}
	return strings.EqualFold(r.Account.Provider, p.Provider) && l.Hashes.Fingerprint(&like, key).Same(r.fingerprint, key)
}

// noteSchedule records the columns of a run's row ids, and the stamps of its schedules.
func (l *Ledger) noteSchedule(ctx context.Context, w *Writer, r importer.RunInfo) error {
	if r.RowIDs.Broker == "" {
		return nil
	}

	id, err := w.textID(ctx, l.Hashes.Broker(r.RowIDs.Broker))
	if err == nil {
		err = l.hideIDs(ctx, w, r)
	}
	if err == nil {
		_, err = w.ExecContext(ctx, setBrokerSQL, id, r.RowIDs.Columns, flag(r.RowIDs.Private))
	}
	for i := range r.Schedules {
		if s := &r.Schedules[i]; err == nil && !s.Stamp.IsZero() {
			err = w.addStamps(ctx, l.scheduleParts(r, s), s)
		}
	}
	return err
}

// addStamps records the stamp of a schedule.
func (w *Writer) addStamps(ctx context.Context, parts []string, s *importer.Schedule) error {
	for _, part := range parts {
		ids, err := w.textIDs(ctx, part, s.Input)
		if err != nil {
			return err
		}
		for _, day := range s.Days {
			if _, err := w.ExecContext(ctx, addStampSQL, ids[0], day.String(), ids[1], instant(s.Stamp)); err != nil {
				return err
			}
		}
	}
	return nil
}

// scheduleParts returns a keyed hash for each provider and funding source of a schedule
// of the run's broker, because each pair may have a file of its own.
func (l *Ledger) scheduleParts(r importer.RunInfo, s *importer.Schedule) []string {
	var parts []string
	for _, p := range s.Pairs {
		parts = append(parts, l.Hashes.Broker(strings.Join([]string{r.RowIDs.Broker, p.Provider, p.FundingSource}, "\x1f")))
	}
	return parts
}

// LatestStamp implements ledger.Ledger.
func (l *Ledger) LatestStamp(ctx context.Context, info importer.RunInfo, s *importer.Schedule) (latest time.Time, err error) {
	for _, part := range l.scheduleParts(info, s) {
		for _, day := range s.Days {
			var at time.Time
			err := l.lookUps.QueryRowContext(ctx, latestStampSQL, part, day.String(), inputsText(info)).Scan(instantColumn(&at))
			if err != nil {
				return time.Time{}, l.readError(ctx, err)
			}
			if at.After(latest) {
				latest = at
			}
		}
	}
	return latest, nil
}

// inputsText returns the hashes of a run's inputs in one text, in the order in which
// earlier versions of the program stored several of them.
func inputsText(r importer.RunInfo) string {
	var hashes []string
	for _, input := range r.Inputs {
		hashes = append(hashes, input.Hash)
	}
	slices.Sort(hashes)
	return strings.Join(hashes, " ")
}

// Hold implements ledger.Ledger.
func (l *Ledger) Hold(_ context.Context, attempt int64, hold bool, by ledger.Person) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		_, err := l.checkedEntry(ctx, w, attempt, ledger.CheckHold)
		if err == nil {
			_, err = w.ExecContext(ctx, addHoldSQL,
				attempt, flag(hold), by.Who, by.Host, instant(by.When))
		}
		return err
	})
}
