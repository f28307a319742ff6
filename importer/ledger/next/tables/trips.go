package tables

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

const (
	tripColumns = `SELECT t.num, t.row, r.id, r.broker, t.account, a.service, a.provider, t.leg, t.trip_id, t.day, t.begins,
		t.will_call, t.identity, t.state, t.guid, t.guid_missing, t.proved, t.answered, t.look_after, t.sent, t.seen,
		t.mapping, t.held, t.change, t.claimed, t.event, t.claim, t.run, w.id, t.attempts, t.claimed_at, t.settled_at,
		t.http_status, t.code, live(t.run), t.event <= ` + copiedSQL + `
		FROM trips t JOIN rows r ON r.num = t.row JOIN accounts a ON a.num = t.account JOIN runs w ON w.num = t.run `
	copiedSQL       = "COALESCE((SELECT CAST(value AS BIGINT) FROM meta WHERE name = '" + MetaCopied + "'), 0)"
	tripsSQL        = tripColumns + "WHERE t.num IN (listed(?1)) ORDER BY t.num"
	tripOfNumberSQL = tripColumns + "WHERE t.num = ?"
	saveTripSQL     = `INSERT INTO trips (num, row, account, leg, trip_id, day, begins, will_call, identity, state, guid, guid_missing,
		proved, answered, look_after, sent, seen, mapping, held, change, claimed, open, event, claim, run, attempts, claimed_at,
		settled_at, http_status, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (num) DO UPDATE SET row = excluded.row, account = excluded.account, leg = excluded.leg, trip_id = excluded.trip_id,
		day = excluded.day, begins = excluded.begins, will_call = excluded.will_call, identity = excluded.identity,
		state = excluded.state, guid = excluded.guid, guid_missing = excluded.guid_missing, proved = excluded.proved,
		answered = excluded.answered, look_after = excluded.look_after, sent = excluded.sent, seen = excluded.seen,
		mapping = excluded.mapping, held = excluded.held, change = excluded.change, claimed = excluded.claimed,
		open = excluded.open, event = excluded.event, claim = excluded.claim, run = excluded.run, attempts = excluded.attempts,
		claimed_at = excluded.claimed_at, settled_at = excluded.settled_at, http_status = excluded.http_status, code = excluded.code`
	settleTripSQL = `UPDATE trips SET state = ?, guid = ?, guid_missing = ?, proved = ?, answered = ?, claimed = NULL, open = ?, event = ?,
		settled_at = ?, http_status = ?, code = ? WHERE num = ?`
	addKeysSQL = "INSERT INTO keys (hash, trip) SELECT value, CAST(?2 AS BIGINT) FROM (listed(?1)) AS given WHERE true ON CONFLICT DO NOTHING"
	linksSQL   = "SELECT k.hash, k.trip FROM keys k WHERE k.hash IN (listed(?1))"
)

// A trip is a trip as it is stored. Its Standing is what was last written: standing
// returns how it stands now.
type trip struct {
	importer.Standing
	account, mapping, run int64
	broker                int64
	hiddenID              []byte // the sealed trip id, alias and subject of keyed.Hashes.Meant
	claim                 int64  // the number of the last claim
	claimed               *claimed
	live                  bool // the run of the last claim is still working
}

// A claimed is what is claimed of a trip and not settled. Without Keys it is the booking;
// the other fields say what the trip is once a change is accepted.
type claimed struct {
	Keys         []string          `json:",omitempty"`
	Values, Seen importer.Values   `json:",omitempty"`
	Begins       importer.DateTime `json:",omitzero"`
	WillCall     bool              `json:",omitempty"`
	Identity     importer.Identity `json:",omitzero"`
	Mapping      int64             `json:",omitempty"`
}

// booking reports that a booking is claimed.
func (c *claimed) booking() bool { return c != nil && len(c.Keys) == 0 }

// changing reports that a change is claimed.
func (c *claimed) changing() bool { return c != nil && len(c.Keys) > 0 }

// standing returns the trip as it stands: what was claimed by a run that is not working any
// more, and was never settled, is unclear.
func (t *trip) standing() importer.Standing {
	s := t.Standing
	switch {
	case s.State == importer.TripSending && !t.live:
		s.State = importer.TripUnclear
	case t.claimed.changing() && t.live:
		s.Change = &importer.ChangeStanding{State: importer.ChangeSending, Keys: t.claimed.Keys, Values: t.claimed.Values, At: t.ClaimedAt}
	case t.claimed.changing():
		t.leaveUnclear(&s, "")
	}
	return s
}

// leaveUnclear makes the claimed change, together with an earlier one that is unclear, one
// of which nobody knows whether it arrived.
func (t *trip) leaveUnclear(s *importer.Standing, code string) {
	change := importer.ChangeStanding{State: importer.ChangeUnclear, Keys: t.claimed.Keys, Values: t.claimed.Values, At: t.ClaimedAt, Code: code}
	if was := t.Change; was != nil && was.State == importer.ChangeUnclear {
		change.Values = was.Values.With(change.Values, change.Keys)
		change.Keys = keysOf(keyNumbers(slices.Compact(slices.Sorted(slices.Values(slices.Concat(was.Keys, change.Keys))))))
	}
	s.Sent, s.Seen = s.Sent.Forget(change.Keys), s.Seen.Forget(change.Keys)
	s.Change = &change
}

// open reports whether somebody has to find out more about the trip.
func (t *trip) open() bool {
	return t.State == importer.TripUnclear || t.State == importer.TripSending || t.GUIDMissing || t.claimed.changing() ||
		t.Change != nil && t.Change.State != importer.ChangeRefusedByService
}

func (l *Ledger) scanTrip(row Scanner) (t trip, err error) {
	var id, change, claim, seen []byte
	var identity string
	err = row.Scan(&t.Number, &t.Row, &id, &t.broker, &t.account, &t.Account.Service, &t.Account.Provider, codeColumn(&t.Leg, importer.ParseLeg),
		&t.hiddenID, dayColumn(&t.Day), timeColumn(&t.Begins), &t.WillCall, &identity,
		codeColumn(&t.State, importer.ParseTripState), &t.GUID, &t.GUIDMissing, &t.Proved, &t.Answered, instantColumn(&t.LookAfter),
		valuesColumn(&t.Sent), &seen, &t.mapping, &t.Held, &change, &claim, &t.Event, &t.claim, &t.run, &t.Run, &t.Attempts,
		instantColumn(&t.ClaimedAt), instantColumn(&t.SettledAt), &t.HTTPStatus, &t.Code, &t.live, &t.Copied)
	if err != nil {
		return t, err
	}
	t.RowID = keyed.RowID(id)
	t.Seen = t.Sent // stored as nothing
	if seen != nil {
		if t.Seen, err = importer.ParseValues(seen); err != nil {
			return t, err
		}
	}
	plain, err := l.Hashes.Open(t.hiddenID)
	tripID, rest := cutPart([]byte(plain))
	alias, _ := cutPart(rest)
	t.TripID, t.Alias = tripID, alias
	err = errors.Join(err, parseIdentity(identity, &t.Identity), parseJSON(change, &t.Change), parseJSON(claim, &t.claimed))
	return t, err
}

// meantOfTrip returns the subject of keyed.Hashes.Meant of the trip, or 0.
func (l *Ledger) meantOfTrip(t *trip) (int64, error) {
	plain, err := l.Hashes.Open(t.hiddenID)
	_, rest := cutPart([]byte(plain))
	_, rest = cutPart(rest)
	subject, _ := cutPart(rest)
	if err != nil || subject == "" {
		return 0, err
	}
	return strconv.ParseInt(subject, 10, 64)
}

// sealTripID returns the sealed form of what a trip has of its rider.
func (l *Ledger) sealTripID(t *importer.Trip) []byte {
	plain := appendPart(appendPart(nil, t.ID), t.Alias)
	return l.Hashes.Seal(string(appendPart(plain, strconv.FormatInt(l.Hashes.Meant(t), 10))))
}

// readTrips returns the trips that a query finds.
func (l *Ledger) readTrips(ctx context.Context, q Querier, text string, args ...any) ([]trip, error) {
	trips, err := Query(ctx, q, l.scanTrip, text, args...)
	for i := range trips {
		err = errors.Join(err, l.nameTrip(ctx, q, &trips[i]))
	}
	return trips, err
}

// nameTrip sets the names of a trip.
func (l *Ledger) nameTrip(ctx context.Context, q Querier, t *trip) (err error) {
	broker, brokerErr := l.nameText(ctx, q, t.broker)
	mapping, mappingErr := l.nameText(ctx, q, t.mapping)
	t.Broker, t.Mapping = broker, mapping
	return errors.Join(brokerErr, mappingErr)
}

// tripOf returns the trip with the number, or nil.
func (l *Ledger) tripOf(ctx context.Context, q Querier, number int64) (*trip, error) {
	trips, err := l.readTrips(ctx, q, tripOfNumberSQL, number)
	if err != nil || len(trips) == 0 {
		return nil, err
	}
	return &trips[0], nil
}

// saveTrip writes a trip with its last event.
func (w *Writer) saveTrip(ctx context.Context, t *trip, event int64) error {
	t.Event = event
	change, changeErr := optionalJSON(t.Change)
	claim, claimErr := optionalJSON(t.claimed)
	if err := errors.Join(changeErr, claimErr); err != nil {
		return err
	}
	sent, seen := t.Sent.Append([]byte{}), t.Seen.Append([]byte{})
	if bytes.Equal(sent, seen) {
		seen = nil // it mostly is, and half of what a trip takes
	}
	return w.Later(ctx, saveTripSQL, t.Number, t.Row, t.account, t.Leg.Code(), t.hiddenID, t.Day.String(), t.Begins.String(), flag(t.WillCall),
		formatIdentity(&t.Identity), t.State.Code(), t.GUID, flag(t.GUIDMissing), flag(t.Proved), flag(t.Answered), instant(t.LookAfter),
		sent, seen, t.mapping, flag(t.Held), change, claim, flag(t.open()), t.Event, t.claim, t.run,
		t.Attempts, instant(t.ClaimedAt), instant(t.SettledAt), t.HTTPStatus, t.Code)
}

// saveSettled is saveTrip for a booking that was settled.
func (w *Writer) saveSettled(ctx context.Context, t *trip, event int64) error {
	return w.Later(ctx, settleTripSQL, t.State.Code(), t.GUID, flag(t.GUIDMissing), flag(t.Proved), flag(t.Answered), flag(t.open()), event,
		instant(t.SettledAt), t.HTTPStatus, t.Code, t.Number)
}

// formatIdentity returns the stored form of an identity: its hashes, then its times.
func formatIdentity(id *importer.Identity) string {
	parts := []string{id.Rider, id.Pickup, id.Dropoff, id.PickupUnit, id.DropoffUnit}
	for _, t := range id.Times {
		parts = append(parts, t.Kind.Code()+" "+t.At.String())
	}
	return strings.Join(parts, ",")
}

// parseIdentity is the inverse of formatIdentity.
func parseIdentity(stored string, id *importer.Identity) error {
	parts := strings.Split(stored, ",")
	if len(parts) < 5 {
		return errors.New("the ledger has a trip that is damaged")
	}
	*id = importer.Identity{Rider: parts[0], Pickup: parts[1], Dropoff: parts[2], PickupUnit: parts[3], DropoffUnit: parts[4]}
	for _, part := range parts[5:] {
		code, at, _ := strings.Cut(part, " ")
		kind, known := importer.ParseTimeKind(code)
		time, err := parseDateTime(at)
		if err != nil {
			return err
		}
		if known {
			id.Times = append(id.Times, importer.IdentityTime{Kind: kind, At: time})
		}
	}
	return nil
}

// addKeys adds hashes by which a trip is found.
func (w *Writer) addKeys(ctx context.Context, trip int64, hashes []int64) error {
	if len(hashes) == 0 {
		return nil
	}
	return w.Later(ctx, addKeysSQL, numberList(hashes), trip)
}

// optionalJSON returns the JSON form of a value, or nil for nil.
func optionalJSON[T any](value *T) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	return json.Marshal(value)
}

func parseJSON(stored []byte, to any) error {
	if len(stored) == 0 {
		return nil
	}
	return json.Unmarshal(stored, to)
}

// byNumber orders trips by their numbers.
func byNumber(a, b importer.Standing) int { return cmp.Compare(a.Number, b.Number) }
