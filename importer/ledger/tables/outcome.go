package tables

import (
	"time"

	"tripimport/importer"
)

// outcomeColumns select what came of the attempt a of the trip t: the settlement s, a
// person's answer v about it, and changes of the trip. All may be missing. If a person
// answered that the trip is not there and it is not free yet, its state is unknown until
// then.
const outcomeColumns = `COALESCE(s.state, ''), COALESCE(s.guid, ''), COALESCE(s.guid_missing, 0),
	COALESCE(s.http_status, 0), COALESCE(s.code, ''), COALESCE(s.settled_at, ''),
	COALESCE(v.verdict, ''), COALESCE(CASE WHEN v.state = 'not_sent' AND t.attempt = a.id AND t.taken = 1 THEN 'unknown' ELSE v.state END, ''),
	COALESCE(v.cancelled, 0), COALESCE(v.guid, ''), COALESCE(v.resolved_at, ''),
	COALESCE((SELECT h.held FROM holds h WHERE h.attempt = a.id ORDER BY h.id DESC LIMIT 1), 0),
	live(a.run), a.id <= COALESCE((SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + MetaCopied + `'), 0), ` + changeColumns

// An outcome is what came of an attempt, as it is stored: states by their codes, and
// verdicts by their words.
type outcome struct {
	state, guid, code     string
	guidMissing           bool
	httpStatus            int
	settledAt, answeredAt time.Time

	verdict, answeredState, answeredGUID string
	cancelled, held, live, copied        bool

	change storedChange
}

// targets returns the destinations of a scan of outcomeColumns.
func (o *outcome) targets() []any {
	return append([]any{
		&o.state, &o.guid, &o.guidMissing, &o.httpStatus, &o.code, instantColumn(&o.settledAt),
		&o.verdict, &o.answeredState, &o.cancelled, &o.answeredGUID, instantColumn(&o.answeredAt), &o.held, &o.live, &o.copied,
	}, o.change.targets()...)
}

// known reports whether the attempt has a settlement or an answer. Without either it is
// being sent, or its run was broken off.
func (o *outcome) known() bool { return o.state != "" || o.verdict != "" }

// fill sets the fields of the record that say what came of the attempt. A person's answer
// takes precedence over the settlement. Without either the state is Unknown.
func (o *outcome) fill(r *importer.Record) {
	r.State, _ = importer.ParseState(o.state)
	r.GUID, r.GUIDMissing = o.guid, o.guidMissing
	r.HTTPStatus, r.Code = o.httpStatus, o.code
	r.SettledAt = o.settledAt
	r.Answered = o.code == importer.CodeBookedByHand
	if o.verdict != "" {
		r.State, _ = importer.ParseState(o.answeredState)
		r.Cancelled, r.GUID = o.cancelled, o.answeredGUID
		r.Answered = r.State != importer.NotSent && (o.guidMissing || !o.proved())
		r.GUIDMissing = r.State == importer.Created && r.GUID == "" && o.code != importer.CodeBookedByHand
		if !o.proved() {
			r.SettledAt = o.answeredAt
		}
	}

	r.Held, r.Copied, r.Change = o.held, o.copied, o.change.record()
}

// proved reports whether the service itself said that it created the trip.
func (o *outcome) proved() bool {
	return o.state == importer.Created.Code() && o.code != importer.CodeBookedByHand
}
