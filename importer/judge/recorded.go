package judge

import (
	"time"

	"tripimport/importer"
)

// Recorded returns the outcome of a trip as it stands, before it is compared with any row. Its
// times are told in the zone.
func Recorded(s *importer.Standing, zone *time.Location) importer.Outcome {
	o := importer.Outcome{
		State: s.State.Sent(), GUID: s.GUID, GUIDMissing: s.GUIDMissing, Attempt: s.Number, RowNumber: s.Row, Saw: s.Event,
		Answered: s.Answered && !s.Proved, // no answer corrects what the service proved
		SentAt:   s.ClaimedAt, AnsweredAt: s.SettledAt, HTTPStatus: s.HTTPStatus, Begins: s.Begins,
	}
	switch s.State {
	case importer.TripBooked:
		o.State, o.BookedAt = importer.BookedEarlier, s.SettledAt
		if s.GUIDMissing {
			o.Reason = doubtOf(s)
		}
	case importer.TripCancelled:
		o.State, o.BookedAt, o.Answered = importer.LeftOut, s.SettledAt, true
		o.Reason = "a person cancelled it in the service"
	case importer.TripSending:
		o.Reason = "it is being sent now"
	case importer.TripUnclear:
		o.Reason = "it was sent on " + Clock(s.ClaimedAt, zone) + " and no proof came back"
		switch why := doubtOf(s); {
		case why != "" && s.Code == importer.CodeBookedByHand: // it was not sent
			o.Reason = why
		case why != "":
			o.Reason += "; " + why
		}
		if !s.LookAfter.IsZero() {
			o.Reason = "a person said that it is not there, too soon to be sure: look again after " + Clock(s.LookAfter, zone)
		}
	}
	return o
}

// isFree reports whether nothing that is known of the trip itself keeps it from being sent.
func isFree(s *importer.Standing) bool {
	return s == nil || s.State == importer.TripNotSent || s.State == importer.TripRefused
}
