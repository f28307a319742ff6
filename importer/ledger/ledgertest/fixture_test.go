package ledgertest

import (
	"errors"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// A fixture is a ledger under test, and what its engine can do with it.
type fixture struct {
	Ledger ledger.Ledger
	// Crash ends the process without closing the ledger, and opens it as the next process
	// finds it.
	Crash func(tb testing.TB) ledger.Ledger
	// ReadOnly opens the ledger only for reading, beside Ledger.
	ReadOnly func(tb testing.TB) ledger.Ledger
	// Stored returns everything that is stored, by names.
	Stored func(tb testing.TB) map[string][]byte
}

// roundTrip returns the row with the id, which makes an outbound trip and a return.
func roundTrip(id string) *importer.Mapped {
	out, back := Trip(id+"-A"), Trip(id+"-B")
	out.Leg, back.Leg, back.RiderID = importer.OutboundLeg, importer.ReturnLeg, out.RiderID
	back.Pickup, back.Dropoff = back.Dropoff, back.Pickup
	back.Pickup.PickupTime, back.Pickup.Appt = night13(), importer.DateTime{}
	back.Dropoff.PickupTime, back.Type = importer.DateTime{}, importer.Return
	return RowOf(id, out, back)
}

// night13 is 13:00 on Night.
func night13() importer.DateTime {
	return importer.DateTime{Date: Night(), TimeOfDay: importer.TimeOfDay{Hour: 13}}
}

// standing returns the trip with the number as it stands.
func standing(tb testing.TB, l ledger.Ledger, number int64) importer.Standing {
	tb.Helper()
	known, ok, err := l.Trip(tb.Context(), number)
	must(tb, err)
	if !ok || len(known.Trips) != 1 {
		tb.Fatalf("the ledger has no trip %d", number)
	}
	return known.Trips[0]
}

// wantError wants an error of that code that says something a dispatcher can use.
func wantError(tb testing.TB, err error, code string) {
	tb.Helper()
	var e *ledger.Error
	if !errors.As(err, &e) {
		tb.Fatalf("got %v, want the error %s", err, code)
	}

	if e.Code != code {
		tb.Errorf("got the error %s, want %s", e.Code, code)
	}

	if e.Reason == "" || e.Fix == "" || strings.HasSuffix(e.Reason, ".") || strings.Contains(e.Reason, "SQL") {
		tb.Errorf("not fit for a dispatcher: %q, %q", e.Reason, e.Fix)
	}
}
