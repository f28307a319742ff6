package sqlite

import (
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// outcomeColumns are what came of an attempt: the settlement s, and a person's
// answer v about it. Both may be missing.
const outcomeColumns = `COALESCE(s.state, ''), COALESCE(s.guid, ''), COALESCE(s.guid_missing, 0),
	COALESCE(s.http_status, 0), COALESCE(s.code, ''), COALESCE(s.settled_at, ''),
	COALESCE(v.verdict, ''), COALESCE(v.guid, ''), COALESCE(v.resolved_at, '')`

// An outcome is what came of an attempt, as it is stored. States are stored by
// their codes, verdicts by those of verdictCode.
type outcome struct {
	state, guid, code, settledAt string
	guidMissing                  bool
	httpStatus                   int

	verdict, answeredGUID, answeredAt string
}

// targets are where a scan puts outcomeColumns.
func (o *outcome) targets() []any {
	return []any{
		&o.state, &o.guid, &o.guidMissing, &o.httpStatus, &o.code, &o.settledAt,
		&o.verdict, &o.answeredGUID, &o.answeredAt,
	}
}

// known reports whether anything is known of what came of the attempt. An
// attempt of which nothing is known is being sent, or its run was broken off.
func (o *outcome) known() bool { return o.state != "" || o.verdict != "" }

// fill says in the record what came of the attempt. A person's answer counts for
// more than the settlement. An attempt of which nothing is known is Unknown.
func (o *outcome) fill(r *importer.Record) (err error) {
	r.State, _ = importer.ParseState(o.state)
	r.GUID, r.GUIDMissing = o.guid, o.guidMissing
	r.HTTPStatus, r.Code = o.httpStatus, o.code
	at := o.settledAt
	switch parseVerdict(o.verdict) {
	case ledger.There:
		r.State, r.GUID, r.GUIDMissing = importer.Created, o.answeredGUID, o.answeredGUID == ""
		r.Answered = true
		at = o.answeredAt
	case ledger.NotThere:
		r.State, r.GUID, r.GUIDMissing = importer.NotSent, "", false
		at = o.answeredAt
	}

	r.SettledAt, err = parseInstant(at)
	return err
}

// verdictCode gives the code under which a verdict is stored.
func verdictCode(v ledger.Verdict) string {
	switch v {
	case ledger.There:
		return "there"
	case ledger.NotThere:
		return "not there"
	}
	return ""
}

// parseVerdict is the inverse of verdictCode.
func parseVerdict(code string) ledger.Verdict {
	for _, v := range []ledger.Verdict{ledger.There, ledger.NotThere} {
		if code == verdictCode(v) {
			return v
		}
	}
	return ledger.Later
}

// A legColumn scans the code of a leg.
type legColumn struct{ leg *importer.Leg }

// Scan implements sql.Scanner.
func (c legColumn) Scan(value any) error {
	code, _ := value.(string)
	leg, ok := importer.ParseLeg(code)
	if !ok {
		return fmt.Errorf("the ledger has the leg %v, which this program does not know", value)
	}
	*c.leg = leg
	return nil
}
