package run

import "tripimport/importer"

// RecordedOutcome returns the outcome of a trip that the ledger has as booked or unknown
// from an earlier run, before its content is compared. Once a person has said that the
// trip is there, its GUID does not count as missing.
func RecordedOutcome(rec importer.Record) importer.Outcome {
	o := importer.Outcome{
		GUID: rec.GUID, GUIDMissing: rec.GUIDMissing && !rec.Answered, Answered: rec.Answered, Attempt: rec.Attempt,
		SentAt: rec.ClaimedAt, AnsweredAt: rec.SettledAt, HTTPStatus: rec.HTTPStatus, Begins: rec.Time,
	}

	switch {
	case rec.State == importer.Created:
		o.State, o.BookedAt = importer.AlreadyCreated, rec.SettledAt
	case rec.InFlight:
		o.State, o.Reason = importer.Unknown, "it is being sent now"
	case rec.Answered:
		o.State, o.Reason = importer.Unknown, "a person said that it is not there, too soon to be sure: a run that begins after "+
			rec.ClaimedAt.Add(importer.UnderWay).Local().Format("2006-01-02 15:04 MST")+" sends it"
	default:
		o.State, o.Reason = importer.Unknown, "it was sent on "+rec.ClaimedAt.Local().Format("2006-01-02 15:04 MST")+" and no proof came back"
	}
	return o
}

// OpenOutcome returns the outcome of a trip about which a person is asked: ChangeUnknown
// if a change of a booked trip may not have arrived, otherwise RecordedOutcome.
func OpenOutcome(rec importer.Record) importer.Outcome {
	o := RecordedOutcome(rec)
	if o.State == importer.AlreadyCreated && isLost(&rec) {
		o.State, o.Changed = importer.ChangeUnknown, rec.Change.Keys
	}
	return o
}

// ReplayedOutcome returns the outcome that a trip had in the run that sent it. The ledger
// does not store the service's message, so the code takes its place.
func ReplayedOutcome(rec importer.Record) importer.Outcome {
	o := importer.Outcome{
		State: rec.State, GUID: rec.GUID, GUIDMissing: rec.GUIDMissing, HTTPStatus: rec.HTTPStatus, Message: rec.Code,
		Answered: rec.Answered, Attempt: rec.Attempt,
		Attempts: rec.Attempts, SentAt: rec.ClaimedAt, AnsweredAt: rec.SettledAt,
	}
	if rec.State == importer.Unknown {
		o.Reason = "it was sent and no proof came back"
	}
	return o
}

// OutcomeBefore returns the outcome that a trip had in a run that did not send it. If
// earlier reports that rec is from an earlier run, that is what the earlier run had done;
// otherwise it follows from a check of the trip now.
func OutcomeBefore(rec importer.Record, earlier bool, checked importer.Outcome) importer.Outcome {
	switch {
	case earlier && rec.State == importer.Created:
		return importer.Outcome{
			State: recordedState(rec), GUID: rec.GUID, GUIDMissing: rec.GUIDMissing, Answered: rec.Answered,
			Attempt: rec.Attempt, BookedAt: rec.SettledAt, Changed: rec.Differs,
		}
	case earlier && rec.State == importer.Unknown:
		return importer.Outcome{State: importer.Unknown, SentAt: rec.ClaimedAt, Attempt: rec.Attempt, Reason: "it was sent and no proof came back"}
	case checked.State == importer.Ready:
		return importer.Outcome{State: importer.NotSent, Reason: "the run did not send it"}
	}
	return checked
}
