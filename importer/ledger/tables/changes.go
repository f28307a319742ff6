package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	// changeColumns select the change to which a trip t points, with its settlement, if
	// it is a change of the attempt a and not of an earlier one.
	changeColumns = `COALESCE(g.id, 0), g.before, COALESCE(g.claimed_at, ''), COALESCE(gs.state, ''), COALESCE(gs.code, ''),
		COALESCE(gk.text, ''), g.properties, COALESCE(gu.text, ''), g.unclear,
		COALESCE(g.mapping, 0), g.service_date, g.minute, g.pickup_place, g.dropoff_place, live(g.run)`
	changeJoins = `LEFT JOIN trip_changes g ON g.id = t.change AND g.attempt = a.id
		LEFT JOIN change_settlements gs ON gs.change = g.id
		LEFT JOIN texts gk ON gk.id = g.layout
		LEFT JOIN texts gu ON gu.id = g.unclear_layout `
	// recordOfSQL finds the trip of a change or of an attempt, if the attempt counts for
	// its trip.
	recordOfSQL = "SELECT " + recordColumns + ` FROM attempts a
		JOIN trips t ON t.id = a.trip AND t.attempt = a.id ` + recordJoins + "WHERE a.id = COALESCE((SELECT attempt FROM trip_changes WHERE id = ?), ?)"
	addChangeSQL = `INSERT INTO trip_changes
		(attempt, run, input, row_num, mapping, layout, properties, unclear_layout, unclear, before,
		service_date, minute, pickup_place, dropoff_place, claimed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`
	addChangeSettlementSQL = "INSERT INTO change_settlements (change, state, http_status, code, settled_at) VALUES (?, ?, ?, ?, ?)"
	pointToChangeSQL       = "UPDATE trips SET change = ? WHERE id = (SELECT trip FROM attempts WHERE id = ?)"
	addAcceptedSQL         = "INSERT INTO accepted (attempt, mapping, layout, properties) VALUES (?, ?, ?, ?) RETURNING id"
	acceptSQL              = `UPDATE trips SET accepted = ?, service_date = COALESCE(?, service_date), minute = COALESCE(?, minute),
		pickup_place = COALESCE(?, pickup_place), dropoff_place = COALESCE(?, dropoff_place)
		WHERE id = (SELECT trip FROM attempts WHERE id = ?)`
	// countChangesSQL counts the trips that a run changed, by the state of their last
	// change.
	countChangesSQL = `SELECT COALESCE(s.state, 'change_unknown'), COUNT(*) FROM trip_changes g
		LEFT JOIN change_settlements s ON s.change = g.id
		WHERE g.id IN (SELECT MAX(c.id) FROM trip_changes c WHERE c.run = ? GROUP BY c.attempt) GROUP BY 1`
)

// A storedChange is the change to which a trip points; the zero storedChange is none.
type storedChange struct {
	number      int64
	before      sql.NullInt64
	claimedAt   time.Time
	state, code string
	// sent are the values that were sent, and unclear the values of earlier changes that
	// may not have arrived.
	sent, unclear keyed.Fingerprint
	mapping       int64
	to            placement
	live          bool // its run goes on, as far as the database knows
}

// targets returns the destinations of a scan of changeColumns.
func (c *storedChange) targets() []any {
	return []any{
		&c.number, &c.before, instantColumn(&c.claimedAt), &c.state, &c.code,
		&c.sent.Keys, &c.sent.Hashes, &c.unclear.Keys, &c.unclear.Hashes,
		&c.mapping, &c.to.date, &c.to.minute, &c.to.pickup, &c.to.dropoff, &c.live,
	}
}

// openValues returns what is open about the change and those before it: ChangeUnknown with
// the values that may not have arrived or, if there are none, ChangeRefused with the
// refused values. If a later change was refused or not sent, that proves nothing about an
// earlier one; if it arrived, its values replace those of the earlier one. The
// fingerprint is empty if nothing is open.
func (c *storedChange) openValues() (importer.State, keyed.Fingerprint) {
	switch {
	case c.number == 0:
		return importer.ChangeUnknown, keyed.Fingerprint{}
	case c.state == importer.Updated.Code():
		return importer.ChangeUnknown, c.unclear.Without(c.sent)
	case c.state == importer.ChangeRefused.Code() && c.unclear.Keys == "":
		return importer.ChangeRefused, c.sent
	case c.state == importer.ChangeRefused.Code():
		return importer.ChangeUnknown, c.unclear
	}
	return importer.ChangeUnknown, c.unclear.With(c.sent)
}

// record returns what is open about the change, or nil.
func (c *storedChange) record() *importer.ChangeRecord {
	state, values := c.openValues()
	if values.Keys == "" {
		return nil // as for most trips
	}
	return &importer.ChangeRecord{State: state, Keys: values.PropertyKeys(), ClaimedAt: c.claimedAt, Code: c.code}
}

// changing reports whether the change is being sent now.
func (l *Ledger) changing(c *storedChange) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, open := l.changes[c.number]
	return c.number != 0 && c.state == "" && (open || c.live || l.HeldByOther)
}

// ClaimChange implements importer.Ledger. It is as certain as Claim.
func (l *Ledger) ClaimChange(ctx context.Context, c importer.ChangeClaim) (claimed importer.ClaimedChange, err error) {
	if err := ctx.Err(); err != nil {
		return claimed, err
	}
	err = l.commits.do(func(ctx context.Context, w *Writer) (err error) {
		l.dropChange(claimed.Number) // from a first transaction, which was rolled back
		claimed.Number = 0
		claimed.Number, err = l.claimChange(ctx, w, &c)
		return err
	})
	if err != nil {
		l.dropChange(claimed.Number)
		return importer.ClaimedChange{}, err
	}
	return claimed, nil
}

// dropChange forgets the claim of a change that was not committed.
func (l *Ledger) dropChange(number int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.changes, number)
}

// mayChange reports whether the trip of the record may be changed.
func (l *Ledger) mayChange(r *storedRecord, c *importer.ChangeClaim) bool {
	outdated := c.Seen != nil && *c.Seen != r.Revision // another office changed the trip, or a person answered
	return r.State == importer.Created && !r.Cancelled && !r.Held && !outdated && !l.changing(&r.change)
}

func (l *Ledger) claimChange(ctx context.Context, w *Writer, c *importer.ChangeClaim) (int64, error) {
	run, err := w.openRun(ctx, c.Run)
	if err != nil {
		return 0, err
	}

	r, err := l.recordOf(ctx, w, 0, c.Attempt)
	if err != nil {
		return 0, err
	}
	if !l.mayChange(&r, c) {
		return 0, refuse(importer.ErrClaimed)
	}

	sent := l.values(c.Trip, r.TripID, c.Keys...)
	if len(sent.PropertyKeys()) != len(c.Keys) {
		return 0, refuse(fmt.Errorf("a change of %v has a property without a value", c.Keys))
	}

	state, unclear := r.change.openValues()
	if state != importer.ChangeUnknown {
		unclear = keyed.Fingerprint{}
	}
	ids, err := w.textIDs(ctx, c.Input, c.MappingHash, sent.Keys, unclear.Keys)
	if err != nil {
		return 0, err
	}
	p := l.placementOf(&r, c.Trip, c.Keys, r.fingerprint.PropertyKeys())
	number, err := scanID(w.QueryRowContext(ctx, addChangeSQL, c.Attempt, run, ids[0], c.Row, ids[1], ids[2], sent.Hashes, ids[3], unclear.Hashes,
		sql.NullInt64{Int64: r.change.number, Valid: r.change.number != 0}, p.date, p.minute, p.pickup, p.dropoff, instant(c.At)))
	if err != nil {
		return 0, err
	}
	if _, err := w.ExecContext(ctx, pointToChangeSQL, number, c.Attempt); err != nil {
		return 0, err
	}

	// From now on the trip may be at its new time and places.
	if slices.ContainsFunc(c.Keys, ofIdentity) {
		if err := l.addTimes(ctx, w, c.Attempt, c.Trip); err != nil {
			return 0, err
		}
	}

	// This comes before the commit, for the reason in addOpenClaim.
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes[number] = c.Run
	return number, nil
}

// SettleChange implements importer.Ledger. It ignores the end of ctx, as Settle does.
func (l *Ledger) SettleChange(_ context.Context, c importer.ClaimedChange, s importer.Settlement) error {
	if !slices.Contains([]importer.State{importer.Updated, importer.ChangeRefused, importer.ChangeUnknown, importer.NotSent}, s.State) {
		return fmt.Errorf("a change can't end as %s", s.State.Code())
	}
	return l.commits.do(func(ctx context.Context, w *Writer) error { return l.settleChange(ctx, w, c.Number, s) })
}

func (l *Ledger) settleChange(ctx context.Context, w *Writer, number int64, s importer.Settlement) error {
	r, err := l.recordOf(ctx, w, number, 0)
	if err != nil {
		return err
	}
	if number == 0 || r.change.number != number || r.change.state != "" {
		return refuse(fmt.Errorf("change %d is not waiting for a settlement", number))
	}

	r.change.state = s.State.Code()
	_, err = w.ExecContext(ctx, addChangeSettlementSQL, number, r.change.state, s.HTTPStatus, s.Code, instant(s.At))
	if err == nil && s.State == importer.Updated {
		err = w.acceptValues(ctx, r.Attempt, r.change.mapping, r.fingerprint.With(r.change.sent), r.change.to)
	}
	if err != nil {
		return err
	}

	_, values := r.change.openValues()
	to := sql.NullInt64{Int64: number, Valid: values.Keys != ""}
	if s.State == importer.NotSent {
		to = r.change.before
	}
	_, err = w.ExecContext(ctx, pointToChangeSQL, to, r.Attempt)
	return err
}

// recordOf returns the record of the trip of a change or of an attempt. It returns the
// zero storedRecord if the attempt does not count for its trip.
func (l *Ledger) recordOf(ctx context.Context, w *Writer, change, attempt int64) (storedRecord, error) {
	r, err := l.scanRecord(w.QueryRowContext(ctx, recordOfSQL, change, attempt))
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return r, err
}

// acceptValues makes values count as booked, and sets the trip's placement.
func (w *Writer) acceptValues(ctx context.Context, attempt, mapping int64, values keyed.Fingerprint, p placement) error {
	layout, err := w.textID(ctx, values.Keys)
	if err != nil {
		return err
	}
	id, err := scanID(w.QueryRowContext(ctx, addAcceptedSQL, attempt, mapping, layout, values.Hashes))
	if err == nil {
		_, err = w.ExecContext(ctx, acceptSQL, id, p.date, p.minute, p.pickup, p.dropoff, attempt)
	}
	return err
}

// A placement is the time and places of a trip after values are accepted. Fields that the
// values do not change are nil.
type placement struct {
	date, minute    any
	pickup, dropoff []byte
}

// placementOf returns the placement of a booked trip after the properties with the keys
// get the values of now. others are the keys of all properties that the booked trip has.
// The places of a trip that was booked before ledgers stored them stay unknown.
func (l *Ledger) placementOf(r *storedRecord, now *importer.Trip, keys, others []string) (p placement) {
	key := beginKey(now)
	if slices.Contains(keys, key) && (key == pickupTime || !slices.Contains(others, pickupTime)) {
		p.date, p.minute = now.Date().String(), minuteOf(now.Time().TimeOfDay)
	}
	if r.pickupPlace != nil || r.dropoffPlace != nil {
		places, _ := now.Places()
		p.pickup, p.dropoff = l.Hashes.Places(r.rowKey, places)
	}
	if !slices.ContainsFunc(keys, func(key string) bool { return ofPlace(importer.FieldPickup, key) }) {
		p.pickup = nil
	}
	if !slices.ContainsFunc(keys, func(key string) bool { return ofPlace(importer.FieldDropoff, key) }) {
		p.dropoff = nil
	}
	return p
}

const pickupTime = "pickup.pickup_time"

// beginKey returns the key of the property that Trip.Time returns.
func beginKey(t *importer.Trip) string {
	switch {
	case !t.Pickup.PickupTime.IsZero():
		return pickupTime
	case !t.Dropoff.Appt.IsZero():
		return "dropoff.appt_time"
	}
	return "pickup.appt_time"
}

// ofPlace reports whether the property with that key is part of the place of that side.
func ofPlace(side importer.Field, key string) bool {
	of, ok := importer.PlaceOf(key)
	return ok && of == side
}

// ofIdentity reports whether a trip's identity depends on the property with that key.
func ofIdentity(key string) bool {
	_, place := importer.PlaceOf(key)
	return place || strings.HasSuffix(key, "_time") || key == "trip_type"
}

// addTimes makes the trip of an attempt also be found by the times and places of now.
func (l *Ledger) addTimes(ctx context.Context, w *Writer, attempt int64, now *importer.Trip) error {
	id, _ := now.Identity()
	identities := l.Hashes.IdentityRows(id)
	l.cache.addTimes(identities)
	return w.addIdentities(ctx, attempt, identities)
}
