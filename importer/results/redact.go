package results

import (
	"slices"

	"tripimport/importer"
)

// redacted returns a row's result with only ids and codes. It is made anew, so that nothing
// else of the row can be shown.
func redacted(r *importer.RowResult) importer.RowResult {
	return importer.RowResult{
		Row:   importer.Row{File: r.Row.File, Sheet: r.Row.Sheet, Num: r.Row.Num, Shown: r.Row.Shown},
		State: r.State, HalfBooked: r.HalfBooked, LeftOut: r.LeftOut,
		Trips: redactedTrips(r.Trips), Problems: onlyCodes(r.Problems), Version: r.Version,
	}
}

// redactedTrips returns trips with only ids and codes. An id that tells who the rider is has
// its alias.
func redactedTrips(trips []importer.TripResult) []importer.TripResult {
	redacted := make([]importer.TripResult, len(trips))
	for i := range trips {
		t, o := &trips[i].Trip, trips[i].Outcome
		o.Message, o.Reason, o.Begins, o.DueAt = "", "", importer.DateTime{}, importer.DateTime{}
		redacted[i] = importer.TripResult{
			Trip:    importer.Trip{Leg: t.Leg, Provider: t.Provider, ID: t.ListedID(), Problems: onlyCodes(t.Problems)},
			Outcome: o, OffRow: trips[i].OffRow,
		}
	}
	return redacted
}

// onlyCodes returns problems with their codes in place of their messages.
func onlyCodes(problems []importer.Problem) []importer.Problem {
	problems = slices.Clone(problems)
	for i := range problems {
		problems[i].Message, problems[i].Fix = problems[i].Code, ""
	}
	return problems
}
