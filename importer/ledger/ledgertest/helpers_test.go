package ledgertest

import (
	"context"
	"errors"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// prairie is the account of another provider of the same service.
func prairie() importer.Account { return provider("Prairie Rides", "key-of-prairie") }

// dana is the person who answers.
func dana() ledger.Person { return ledger.Person{Who: "dana"} }

// at returns the account under which the tests book, at another address.
func at(service string) importer.Account {
	a := Lakeshore()
	a.Service = service
	return a
}

// under returns the claim as one of another account.
func under(a importer.Account, c importer.Claim) importer.Claim {
	c.Account = a
	return c
}

// wantTaken wants a claim refused, because its trip or its row is booked or may be.
func wantTaken(tb testing.TB, l importer.Ledger, what string, c importer.Claim) {
	tb.Helper()
	if _, err := l.Claim(context.Background(), c); !errors.Is(err, importer.ErrClaimed) {
		tb.Errorf("%s could be claimed: %v", what, err)
	}
}

// wantState wants a trip in a state, with a GUID or, where it is empty, without.
func wantState(tb testing.TB, l importer.Ledger, what, id string, state importer.State, guid string) {
	tb.Helper()
	if r := Find(tb, l, Trip(id)); r.State != state || r.GUID != guid || r.InFlight {
		tb.Errorf("%s: the trip %s is %+v, want %s %s", what, id, r, state.Code(), guid)
	}
}

// wantUnknown wants accounts under which the ledger has no such trip.
func wantUnknown(tb testing.TB, l importer.Ledger, trip *importer.Trip, accounts ...importer.Account) {
	tb.Helper()
	for _, a := range accounts {
		if r, ok, err := l.Find(context.Background(), a, trip); ok || err != nil {
			tb.Errorf("under %s at %s: %+v, %v", a.Provider, a.Service, r, err)
		}
	}
}
