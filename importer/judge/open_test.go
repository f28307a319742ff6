package judge_test

import (
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestOpenNotThere: a trip that somebody looked for and did not find is to be sent, as long as its schedule wants it.
func TestOpenNotThere(t *testing.T) {
	for says, want := range map[importer.Says]bool{importer.SaysLive: true, importer.SaysGone: false, importer.SaysCancelled: false, importer.SaysLeftOut: false} {
		for _, said := range []int64{5, 9} { // before the answer, and after it
			k := &importer.Known{
				Words: []importer.Word{{Row: 1, Says: says, Said: said, Event: said}},
				Trips: []importer.Standing{{Number: 7, Row: 1, State: importer.TripNotSent, Event: 6, Said: &importer.StandingAnswer{Verdict: importer.NotThere, Event: 6}}},
			}
			if now, open := judge.Open(importer.Outcome{RowNumber: 1, Attempt: 7, Saw: 3}, importer.OnlyLeg, k, time.UTC); open != want {
				t.Errorf("%s at %d: %v, %s", says.Code(), said, open, now.State.Code())
			}
		}
	}
}

// TestOpenByHand: a trip that was booked by hand and that the schedule does not want any more stays open until
// somebody has cancelled it or left it; any other that was not sent does not.
func TestOpenByHand(t *testing.T) {
	said := func(saw, event int64, v importer.Verdict) importer.RowAnswer {
		return importer.RowAnswer{StandingAnswer: importer.StandingAnswer{Verdict: v, Event: event, Who: "Ann", At: evening()}, Leg: importer.OnlyLeg, Saw: saw}
	}
	text := said(1, 3, importer.NoVerdict)
	text.Doubt = importer.Doubt{Note: "ask Dana", In: "list.xlsx", Sides: []importer.Side{{Who: "Ann", Verdict: importer.BookedByHand, At: evening()}}}
	both := said(1, 3, importer.NoVerdict)
	both.Doubt.Sides = []importer.Side{{Who: "Ann", Verdict: importer.BookedByHand}, {Who: "Ben", Verdict: importer.LeaveIt}}
	left := both
	left.Doubt.Sides = []importer.Side{{Who: "Ann", Verdict: importer.Book}, {Who: "Ben", Verdict: importer.LeaveIt}}
	recorded := []importer.Standing{{Number: 7, Row: 1, Leg: importer.OnlyLeg, State: importer.TripCancelled, Claimed: 3}}

	for _, test := range []struct {
		name    string
		says    importer.Says
		answers []importer.RowAnswer
		trips   []importer.Standing
		open    bool
	}{
		{"gone", importer.SaysGone, nil, nil, false},
		{"cancelled", importer.SaysLeftOut, nil, nil, false},
		{"booked by hand, and gone", importer.SaysGone, []importer.RowAnswer{said(1, 2, importer.BookedByHand)}, nil, true},
		{"booked by hand, and cancelled", importer.SaysLeftOut, []importer.RowAnswer{said(1, 2, importer.BookedByHand)}, nil, true},
		{"booked by hand from an older list, after it was gone", importer.SaysGone, []importer.RowAnswer{said(1, 6, importer.BookedByHand)}, nil, true},
		{"and somebody left it so", importer.SaysGone, []importer.RowAnswer{said(5, 6, importer.BookedByHand)}, nil, false},
		{"and somebody cancelled it", importer.SaysGone, []importer.RowAnswer{said(5, 6, importer.DoneByHand)}, nil, false},
		{"left, and gone", importer.SaysGone, []importer.RowAnswer{said(1, 2, importer.LeaveIt)}, nil, false},
		{"booked by hand, or left", importer.SaysGone, []importer.RowAnswer{both}, nil, true},
		{"to be booked, or left", importer.SaysGone, []importer.RowAnswer{left}, nil, false},
		{"booked by hand, and a text nobody can read", importer.SaysGone, []importer.RowAnswer{text}, nil, true},
		{"booked by hand, recorded, cancelled, and gone", importer.SaysGone, []importer.RowAnswer{said(1, 2, importer.BookedByHand)}, recorded, false},
	} {
		word := importer.Word{Row: 1, Says: test.says, Said: 5, Event: 5, Answers: test.answers}
		o := importer.Outcome{State: importer.Fix, RowNumber: 1, Saw: 1}
		now, open := judge.Open(o, importer.OnlyLeg, &importer.Known{Row: 1, Words: []importer.Word{word}, Trips: test.trips}, time.UTC)
		if open != test.open || open && (now.State != importer.CancelByHand || !strings.Contains(now.Reason, "answered `booked by hand` at")) {
			t.Errorf("%s: %v, %s: %s", test.name, open, now.State.Code(), now.Reason)
		}
	}
}
