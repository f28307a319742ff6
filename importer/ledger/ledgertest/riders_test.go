package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// claimOf returns a claim of a trip of that rider; its id is made from the row.
func claimOf(run, rider string, row int) importer.Claim {
	trip := Trip(fmt.Sprint("trip-", row))
	trip.RiderID = rider
	return Claim(run, trip, row)
}

// newRiders returns the riders who are new in the run.
func newRiders(t *testing.T, l ledger.Ledger, run string, account importer.Account, riders ...string) []string {
	t.Helper()
	var found []string
	for _, rider := range riders {
		isNew, err := l.NewRider(t.Context(), run, account, rider)
		must(t, err)
		if isNew {
			found = append(found, rider)
		}
	}
	return found
}

func wantNew(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

// testNewRider sends trips in two runs, and asks about the riders of each.
func testNewRider(t *testing.T, f fixture) {
	l := f.Ledger
	lakeshore := Lakeshore()
	all := []string{"R-1", "R-2", "R-3", "R-4", "r-1", "R-9", ""}
	wantNew(t, "before anything was sent", newRiders(t, l, "run-1", lakeshore, all...))

	for i, state := range []importer.State{importer.Created, importer.Refused, importer.Unknown} {
		Send(t, l, claimOf("run-1", all[i], i+2), Settlement(state, "g1"))
	}

	Book(t, l, claimOf("run-1", "R-1", 20), "g20") // the way back
	Book(t, l, claimOf("run-1", "", 21), "g21")
	wantTaken(t, l, "a booked trip", claimOf("run-1", "R-4", 2))

	first := []string{"R-1", "R-2", "R-3"}
	wantNew(t, "in the first night", newRiders(t, l, "run-1", lakeshore, all...), first...)

	must(t, l.End(t.Context(), "run-1", importer.Totals{}, Noon(), "finished"))
	Begin(t, l, "run-2")
	for row, rider := range []string{"R-1", "R-2", "R-4", "r-1"} {
		Book(t, l, claimOf("run-2", rider, row+30), fmt.Sprint("g", row+30))
	}

	l = f.Crash(t)
	wantNew(t, "the second night after a crash", newRiders(t, l, "run-2", lakeshore, all...), "R-4", "r-1")
	wantNew(t, "the first night, asked later", newRiders(t, l, "run-1", lakeshore, all...), first...)
	wantNew(t, "a run that never was", newRiders(t, l, "run-3", lakeshore, all...))
}

// testNewRiderOfAccount keeps the riders of one provider apart from those of
// another, and with their provider when its name or key changes.
func testNewRiderOfAccount(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	Book(t, l, claimOf("run-1", "R-1", 2), "g1")
	wantNew(t, "a provider without trips", newRiders(t, l, "run-1", prairie(), "R-1"))
	Begin(t, l, "run-2")
	for row, account := range []importer.Account{prairie(), at(testHost), Lakeshore()} {
		Book(t, l, under(account, claimOf("run-2", "R-1", row+3)), fmt.Sprint("g", row+3))
	}

	wantNew(t, "another provider", newRiders(t, l, "run-2", prairie(), "R-1"), "R-1")
	wantNew(t, "another service", newRiders(t, l, "run-2", at(testHost), "R-1"), "R-1")
	wantNew(t, "the same provider", newRiders(t, l, "run-2", Lakeshore(), "R-1"))

	changed := provider("Lakeshore Transit", "renewed-key")
	_, err := l.NewRider(ctx, "run-2", changed, "R-1")
	WantError(t, err, "ledger-provider-key")
	must(t, l.Rekey(ctx, changed, "", dana()))
	changed.Provider = "Lakeshore Mobility"
	must(t, l.CheckAccounts(ctx, []importer.Account{changed}))
	Begin(t, l, "run-3")
	Book(t, l, under(changed, claimOf("run-3", "R-1", 9)), "g9")
	wantNew(t, "a provider with a new name and key", newRiders(t, l, "run-3", changed, "R-1"))
	wantNew(t, "its first run", newRiders(t, l, "run-1", changed, "R-1"), "R-1")
}

// testNewRiderReadOnly asks a ledger that is opened for reading only.
func testNewRiderReadOnly(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
	l := f.ReadOnly(t)
	wantNew(t, "reading only", newRiders(t, l, "run-1", Lakeshore(), "R-1", "R-2"), "R-1")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.NewRider(cancelled, "run-1", Lakeshore(), "R-1"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
