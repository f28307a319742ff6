package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// testHistories lets three trips have a life and searches for them in every way.
func testHistories(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	by := ledger.Person{Who: "sam", Host: "BACK-OFFICE", When: Noon().Add(2 * time.Hour)}
	const guid = "0b7d5c0e-3f1a-4a52-9d31-6f1e2a9c0001"

	// One is not sent first, then unclear, then answered, held, and changed.
	one := Trip("70411-A")
	Send(t, l, Claim("run-1", one, 2), Settlement(importer.NotSent, ""))
	again := Claim("run-1", one, 2)
	again.At = Noon().Add(time.Minute)
	claimed := Send(t, l, again, Settlement(importer.Unknown, ""))
	must(t, l.Resolve(ctx, ledger.Resolution{
		Attempt: claimed.Attempt, Verdict: importer.There, GUID: guid, Who: "sam", When: Noon().Add(30 * time.Minute), Note: "asked dispatch",
	}))
	moved := *one
	moved.Pickup.PickupTime.Hour = 10
	SendChange(t, l, Change("run-1", claimed.Attempt, &moved, "pickup.pickup_time"), importer.Updated)
	must(t, l.Hold(ctx, claimed.Attempt, true, by))

	// Decisions that name it: a person left it, until the schedule had it again, and
	// meant another trip beside it.
	by.When = by.When.Add(time.Minute)
	must(t, l.Decide(ctx, importer.Decision{Other: claimed.Attempt}, importer.LeaveIt, by))
	must(t, l.Decide(ctx, importer.Decision{Other: claimed.Attempt, From: "results of run-1"}, importer.LeaveIt, by))
	must(t, l.ForgetLeft(ctx, claimed.Attempt))
	beside := importer.Decision{Question: importer.AskReplaced, Key: importer.RowKey{Broker: "b", ID: "70499"}, Trip: Trip("70499"), Other: claimed.Attempt}
	by.When = by.When.Add(time.Minute)
	must(t, l.Decide(ctx, beside, importer.Meant, by))

	// Another has the same rider on another day, and one is somebody else's.
	two := Trip("70412")
	two.RiderID = one.RiderID
	two.Pickup.PickupTime.Day++
	two.Dropoff.Appt.Day++
	Book(t, l, Claim("run-1", two, 3), "g2")
	other := Trip("70413")
	other.FundingSource = "State Plan"
	take(t, l, Claim("run-1", other, 4))

	of := func(s ledger.Search) (ids []string) {
		for h, err := range l.Histories(ctx, s) {
			must(t, err)
			ids = append(ids, h.TripID)
		}
		return ids
	}
	next := importer.Date{Year: 2026, Month: time.December, Day: 3}
	for name, c := range map[string]struct {
		search ledger.Search
		want   string
	}{
		"all":                {ledger.Search{}, "70413 70411-A 70412"},
		"a trip id":          {ledger.Search{Trip: "70411-A"}, "70411-A"},
		"in another case":    {ledger.Search{Trip: "70411-a"}, "70411-A"},
		"an id without leg":  {ledger.Search{Trip: "70411"}, "70411-A"},
		"a part of an id":    {ledger.Search{Trip: "7041"}, ""},
		"a GUID of a person": {ledger.Search{Trip: strings.ToUpper(guid)}, "70411-A"},
		"no such GUID":       {ledger.Search{Trip: strings.Replace(guid, "1", "2", 1)}, ""},
		"a rider":            {ledger.Search{Rider: one.RiderID}, "70411-A 70412"},
		"a rider on a day":   {ledger.Search{Rider: one.RiderID, From: next}, "70412"},
		"no such rider":      {ledger.Search{Rider: "R-0"}, ""},
		"a rider and a trip": {ledger.Search{Rider: one.RiderID, Trip: "70413"}, ""},
		"a day":              {ledger.Search{From: Night(), To: Night()}, "70413 70411-A"},
		"later":              {ledger.Search{From: next}, "70412"},
	} {
		if got := strings.Join(of(c.search), " "); got != c.want {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}

	want := []string{
		"sent run-1 row 2 by dana not_sent",
		"sent run-1 row 2 by dana unknown",
		"answered by sam there " + guid + " asked dispatch",
		"change_sent run-1 row 7 by dana updated [pickup.pickup_time]",
		"held by sam",
		"answered by sam leave it  ",
		"answered by sam meant  ",
	}
	if diff := cmp.Diff(want, eventsOf(t, l, "70411-A")); diff != "" {
		t.Errorf("one's events (-want +got):\n%s", diff)
	}
	if got := eventsOf(t, f.Crash(t), "70413"); !slices.Equal(got, []string{"sent run-1 row 4 by dana unknown"}) {
		t.Errorf("an attempt without an answer: %v", got)
	}
}

// eventsOf says what happened to a trip, a line each.
func eventsOf(t *testing.T, l ledger.Ledger, id string) (lines []string) {
	search := ledger.Search{Trip: id, FundingSources: []string{"State Plan", "County Health"}}
	for h, err := range l.Histories(context.Background(), search) {
		must(t, err)
		if want := map[string]string{"70413": "State Plan"}[id]; want != "" && h.FundingSource != want {
			t.Errorf("%s: paid by %q, want %q", id, h.FundingSource, want)
		}
		for _, e := range h.Events {
			line := e.Kind.Code()
			if e.Run != "" {
				line += fmt.Sprint(" ", e.Run, " row ", e.Row)
			}
			line += " by " + e.Who
			switch e.Kind {
			case ledger.EventSent:
				line += " " + e.State.Code()
			case ledger.EventChanged:
				line += fmt.Sprint(" ", e.State.Code(), " ", e.Keys)
			case ledger.EventAnswered:
				line += fmt.Sprint(" ", e.Verdict, " ", e.GUID, " ", e.Note)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// testVerify reads a sound ledger through, and one whose run counted wrong. The rows of an
// input that was lost need no outcome.
func testVerify(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	Book(t, l, Claim("run-1", Trip("1"), 2), "g1")
	Send(t, l, Claim("run-1", Trip("2"), 3), Settlement(importer.Unknown, ""))
	take(t, l, Claim("run-1", Trip("3"), 4))
	l = f.Crash(t)
	verified := func() ledger.Verification {
		v, err := l.Verify(ctx)
		must(t, err)
		return v
	}
	want := ledger.Verification{Runs: 1, Trips: 3, Attempts: 3, Booked: 1, Open: 2}
	if diff := cmp.Diff(want, verified()); diff != "" {
		t.Errorf("after a crash (-want +got):\n%s", diff)
	}

	totals := importer.Totals{RowsRead: 2, TripsRead: 2}
	totals.Rows[importer.Created], totals.Trips[importer.Created] = 2, 2
	Begin(t, l, "run-2")
	Book(t, l, Claim("run-2", Trip("4"), 5), "g4")
	if v := verified(); len(v.Wrong) > 0 {
		t.Errorf("while a run goes on: %v", v.Wrong)
	}
	must(t, l.End(ctx, "run-2", totals, Noon(), "finished"))
	for run, how := range map[string]string{"run-3": ledger.InputLost, "run-4": "failed"} {
		Begin(t, l, run)
		must(t, l.End(ctx, run, importer.Totals{RowsRead: 1, TripsRead: 1}, Noon(), how))
	}
	want.Wrong = []string{"run run-2 counted 2 booked trips, the ledger has 1", "the control total of run run-4 does not balance"}
	if v := verified(); !slices.Equal(v.Wrong, want.Wrong) {
		t.Errorf("a run that counted wrong: %v", v.Wrong)
	}
}
