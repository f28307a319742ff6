package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tripimport/importer"
)

// standingColumns are the columns of a trip as it stands, for scanStanding.
const standingColumns = `t.id, t.row, t.row_key, t.broker, a.service, a.provider, t.leg, t.trip_id, t.alias, t.day, t.begins,
	t.pickup_time, t.appt_time, t.will_call, t.identity, t.state, t.guid, t.guid_missing, t.proved, t.answered, t.look_after,
	t.sent, t.seen, t.mapping, t.held, t.change, t.said, t.event, t.claimed, COALESCE((SELECT r.id FROM runs r WHERE r.num = t.run), ''),
	t.attempts, t.claimed_at, t.settled_at, t.http_status, t.code, CASE WHEN live(t.run) THEN 1 ELSE 0 END`

// openTrips selects the trips of the index trips_open, and perhaps more: those that are being sent, may be
// booked, have no GUID or have a change that did not come through.
const openTrips = "(state IN ('sending', 'unclear') OR guid_missing = 1 OR change <> '')"

const fromTrips = " FROM trips t JOIN accounts a ON a.id = t.account "

// scanStanding scans standingColumns.
func (l *Ledger) scanStanding(row Scanner) (s importer.Standing, err error) {
	var (
		pickup, appt importer.DateTime
		own          importer.Own
		live         bool
	)
	err = row.Scan(
		&s.Number, &s.Row, &s.RowID, &s.Broker, &s.Account.Service, &s.Account.Provider, textColumn(&s.Leg), sealedColumn(l.Hashes, rawColumn(&s.TripID)), &s.Alias,
		textColumn(&s.Day), textColumn(&s.Begins), textColumn(&pickup), textColumn(&appt), flagColumn(&s.WillCall), jsonColumn(&own),
		textColumn(&s.State), &s.GUID, flagColumn(&s.GUIDMissing), flagColumn(&s.Proved), flagColumn(&s.Answered), instantColumn(&s.LookAfter),
		valuesColumn(&s.Sent), valuesColumn(&s.Seen), &s.Mapping, flagColumn(&s.Held), jsonColumn(&s.Change), sealedColumn(l.Hashes, jsonColumn(&s.Said)),
		&s.Event, &s.Claimed, &s.Run, &s.Attempts, instantColumn(&s.ClaimedAt), instantColumn(&s.SettledAt), &s.HTTPStatus, &s.Code, flagColumn(&live))
	if err != nil {
		return s, err
	}
	s.Copied = s.Claimed <= l.copied
	s.Pickup, s.Dropoff, s.Identity = own.Pickup, own.Dropoff, own.Identity
	s.Identity.Times = timesOf(s.Day, s.WillCall, pickup, appt)
	if live && (l.HeldByOther || !l.ReadOnly) {
		return s, err
	}
	// Nobody is sending: the run that claimed it was broken off.
	if s.State == importer.TripSending {
		s.State = importer.TripUnclear
	}
	if s.Change != nil && s.Change.State == importer.ChangeSending {
		s.Change.State = importer.ChangeUnclear
	}
	return s, err
}

// timesOf returns the times by which a trip is compared: importer.Trip.Identity.
func timesOf(day importer.Date, willCall bool, pickup, appt importer.DateTime) (times []importer.IdentityTime) {
	add := func(kind importer.TimeKind, at importer.DateTime) {
		if !at.IsZero() {
			times = append(times, importer.IdentityTime{Kind: kind, At: at})
		}
	}
	if willCall {
		add(importer.ByDay, importer.DateTime{Date: day})
		return times
	}
	add(importer.ByPickup, pickup)
	add(importer.ByAppointment, appt)
	return times
}

// standing reads the trip with the number from a transaction.
func (l *Ledger) standing(ctx context.Context, q Querier, number int64) (importer.Standing, error) {
	s, err := QueryOne(ctx, q, l.scanStanding, "SELECT "+standingColumns+fromTrips+"WHERE t.id = ?", number)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, refuse(importer.ErrMeanwhile)
	case err != nil:
		return s, fmt.Errorf("trip %d of the ledger: %w", number, err)
	}
	return s, nil
}

// identityOf returns the stored form of the hashes by which a trip is compared with others.
func identityOf(own *importer.Own) string {
	return marshal(importer.Own{Pickup: own.Pickup, Dropoff: own.Dropoff, Identity: importer.Identity{
		Rider: own.Identity.Rider, Pickup: own.Identity.Pickup, Dropoff: own.Identity.Dropoff,
		PickupUnit: own.Identity.PickupUnit, DropoffUnit: own.Identity.DropoffUnit,
	}})
}

// changeOf returns the stored form of a change; empty for none.
func changeOf(c *importer.ChangeStanding) string {
	if c == nil {
		return ""
	}
	return marshal(c)
}

// saidOf returns the stored form of an answer about a trip; nil for none.
func (l *Ledger) saidOf(a *importer.StandingAnswer) any {
	if a == nil {
		return nil
	}
	return l.Hashes.Encrypt(marshal(a))
}
