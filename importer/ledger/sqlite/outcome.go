package sqlite

import (
	"tripimport/importer"

	"tripimport/importer/ledger"
)

// answerColumns are what came of an attempt: the settlement s, and a person's
// word v on it. Both may be missing.
const answerColumns = `COALESCE(s.state, ''), COALESCE(s.guid, ''), COALESCE(s.guid_missing, 0),
	COALESCE(s.http_status, 0), COALESCE(s.code, ''), COALESCE(s.settled_at, ''),
	COALESCE(v.verdict, ''), COALESCE(v.guid, ''), COALESCE(v.resolved_at, '')`

// An answer is what came of an attempt, as it stands in the file.
type answer struct {
	state, guid, code, at string
	guidMissing           bool
	status                int

	verdict, verdictGUID, verdictAt string
}

// targets are where a scan puts answerColumns.
func (a *answer) targets() []any {
	return []any{
		&a.state, &a.guid, &a.guidMissing, &a.status, &a.code, &a.at,
		&a.verdict, &a.verdictGUID, &a.verdictAt,
	}
}

// settled reports whether anything is known of the attempt. A claim that is not
// settled is being sent, or its run was broken off.
func (a *answer) settled() bool { return a.state != "" || a.verdict != "" }

// fill says in the record how the trip stands: a person's word counts for more
// than what the attempt proved.
func (a *answer) fill(r *importer.Record) (err error) {
	r.State, r.GUID, r.GUIDMissing = stateOf(a.state), a.guid, a.guidMissing
	r.HTTPStatus, r.Code = a.status, a.code
	at := a.at
	switch a.verdict {
	case ledger.There.String():
		r.State, r.GUID, r.GUIDMissing = importer.Created, a.verdictGUID, a.verdictGUID == ""
		at = a.verdictAt
	case ledger.NotThere.String():
		r.State, r.GUID, r.GUIDMissing = importer.NotSent, "", false
		at = a.verdictAt
	}
	r.SettledAt, err = parseInstant(at)
	return err
}

// verdictOf is the inverse of ledger.Verdict.String.
func verdictOf(word string) ledger.Verdict {
	switch word {
	case ledger.There.String():
		return ledger.There
	case ledger.NotThere.String():
		return ledger.NotThere
	}
	return ledger.Later
}
