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

// A storedIdentity has the hashes by which a trip is compared with others.
type storedIdentity struct {
	Rider       string        `json:"r,omitempty"`
	Pickup      string        `json:"p,omitempty"`
	Dropoff     string        `json:"d,omitempty"`
	PickupUnit  importer.Unit `json:"pu,omitzero"`
	DropoffUnit importer.Unit `json:"du,omitzero"`
	WayPickup   string        `json:"wp,omitempty"`
	WayDropoff  string        `json:"wd,omitempty"`
}

// A storedChange is a change of a trip that did not come through.
type storedChange struct {
	Event  int64                `json:"event"`
	State  importer.ChangeState `json:"state"`
	Keys   []string             `json:"keys"`
	Values []byte               `json:"values"`
	At     string               `json:"at"`
	Code   string               `json:"code,omitempty"`
}

// A storedAnswer is a person's last answer about a trip.
type storedAnswer struct {
	Verdict string `json:"verdict"`
	GUID    string `json:"guid,omitempty"`
	Event   int64  `json:"event"`
	Who     string `json:"who"`
	At      string `json:"at"`
}

// scanStanding scans standingColumns.
func (l *Ledger) scanStanding(row Scanner) (s importer.Standing, err error) {
	var (
		tripID         []byte
		pickup, appt   importer.DateTime
		identity       storedIdentity
		change         *storedChange
		said           *storedAnswer
		state          importer.TripState
		status, missed int64
		live           bool
	)
	err = row.Scan(
		&s.Number, &s.Row, &s.RowID, &s.Broker, &s.Account.Service, &s.Account.Provider, codeColumn(&s.Leg, importer.ParseLeg), &tripID, &s.Alias,
		dayColumn(&s.Day), timeColumn(&s.Begins), timeColumn(&pickup), timeColumn(&appt), flagColumn(&s.WillCall), jsonColumn(&identity),
		codeColumn(&state, importer.ParseTripState), &s.GUID, &missed, flagColumn(&s.Proved), flagColumn(&s.Answered), instantColumn(&s.LookAfter),
		valuesColumn(&s.Sent), valuesColumn(&s.Seen), &s.Mapping, flagColumn(&s.Held), jsonColumn(&change), jsonColumn(&said),
		&s.Event, &s.Claimed, &s.Run, &s.Attempts, instantColumn(&s.ClaimedAt), instantColumn(&s.SettledAt), &status, &s.Code, flagColumn(&live))
	if err != nil {
		return s, err
	}

	s.State, s.GUIDMissing, s.HTTPStatus = state, missed != 0, int(status)
	s.Copied = s.Claimed <= l.copied
	s.Pickup, s.Dropoff = identity.WayPickup, identity.WayDropoff
	s.Identity = importer.Identity{
		Rider: identity.Rider, Pickup: identity.Pickup, Dropoff: identity.Dropoff,
		PickupUnit: identity.PickupUnit, DropoffUnit: identity.DropoffUnit, Times: timesOf(s.Day, s.WillCall, pickup, appt),
	}
	if s.TripID, err = l.Hashes.Decrypt(tripID); err != nil {
		return s, err
	}
	if s.Change, err = change.standing(); err != nil {
		return s, err
	}
	s.Said, err = said.standing()
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

func (c *storedChange) standing() (*importer.ChangeStanding, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // most trips have no change
	}
	values, err := importer.ParseValues(c.Values)
	if err != nil {
		return nil, err
	}
	at, err := parseInstant(c.At)
	return &importer.ChangeStanding{Event: c.Event, State: c.State, Keys: c.Keys, Values: values, At: at, Code: c.Code}, err
}

func (a *storedAnswer) standing() (*importer.StandingAnswer, error) {
	if a == nil {
		return nil, nil //nolint:nilnil // most trips have no answer
	}
	verdict, _, _ := importer.ParseVerdict(a.Verdict)
	at, err := parseInstant(a.At)
	return &importer.StandingAnswer{Verdict: verdict, GUID: a.GUID, Event: a.Event, Who: a.Who, At: at}, err
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

// identityOf returns the hashes of a trip as they are stored.
func identityOf(own *importer.Own) storedIdentity {
	s := storedIdentity{Rider: own.Identity.Rider}
	s.takePlace(importer.FieldPickup, own)
	s.takePlace(importer.FieldDropoff, own)
	return s
}

// takePlace takes the hashes of one of the two places.
func (s *storedIdentity) takePlace(side importer.Field, own *importer.Own) {
	if side == importer.FieldPickup {
		s.Pickup, s.PickupUnit, s.WayPickup = own.Identity.Pickup, own.Identity.PickupUnit, own.Pickup
		return
	}
	s.Dropoff, s.DropoffUnit, s.WayDropoff = own.Identity.Dropoff, own.Identity.DropoffUnit, own.Dropoff
}

// changeOf returns the stored form of a change; empty for none.
func changeOf(c *importer.ChangeStanding) string {
	if c == nil {
		return ""
	}
	return marshal(storedChange{c.Event, c.State, c.Keys, c.Values.Append(nil), instant(c.At), c.Code})
}

// saidOf returns the stored form of an answer about a trip; empty for none.
func saidOf(a *importer.StandingAnswer) string {
	if a == nil {
		return ""
	}
	return marshal(storedAnswer{a.Verdict.String(), a.GUID, a.Event, a.Who, instant(a.At)})
}
