package main

import (
	"context"

	"tripimport/importer"
)

// maxRiders is how many riders of a run are held against the ledger: more than
// any office has in a night, and few enough to keep in memory.
const maxRiders = 10_000

// A riderList has the riders whose trips a run tried to book, in the order in
// which they came. Nil takes note of nobody.
type riderList struct {
	accounts map[string]importer.Account // by the provider's name at the service
	seen     map[rider]bool
	order    []rider
	over     bool // there were more than maxRiders
}

// A rider is a provider's: ids of two providers are not held to be one person's.
type rider struct{ provider, id string }

// newRiderList is for a run under those accounts.
func newRiderList(accounts []importer.Account) *riderList {
	l := &riderList{accounts: make(map[string]importer.Account, len(accounts)), seen: map[rider]bool{}}
	for _, a := range accounts {
		l.accounts[a.Provider] = a
	}
	return l
}

// add takes note of the riders of a row.
func (l *riderList) add(r importer.RowResult) {
	if l == nil {
		return
	}
	for i := range r.Trips {
		t := &r.Trips[i]
		who := rider{t.Trip.Provider, t.Trip.RiderID}
		switch {
		case !tried(t.Outcome) || l.seen[who]:
		case len(l.order) == maxRiders:
			l.over = true
		default:
			l.seen[who] = true
			l.order = append(l.order, who)
		}
	}
}

// tried reports that the run may have been the first to try the trip's rider.
// An attempt that did not reach the service counts: the ledger has it as the
// rider's first, so no later run would tell.
func tried(o importer.Outcome) bool {
	switch o.State {
	case importer.Created, importer.Refused, importer.Unknown:
		return true
	case importer.NotSent:
		return o.Attempts > 0
	}
	return false
}

// tellNewRiders tells the results which riders no run before this one had. A
// ledger that can't say so any more is no reason to go without results.
func (t *teller) tellNewRiders() {
	if t.riders == nil {
		return
	}
	told := map[string]bool{}
	for _, r := range t.riders.order {
		account, ok := t.riders.accounts[r.provider]
		if !ok || told[r.id] {
			continue
		}
		// An interrupted run has results as well.
		isNew, err := t.venue.ledger.NewRider(context.Background(), t.run, account, r.id)
		if err != nil {
			t.notice("the ledger could not say which riders are new: the sheet New riders is not complete")
			return
		}
		if isNew {
			told[r.id] = true
			t.writer.NewRider(r.id)
		}
	}
	if t.riders.over {
		t.notice("new riders were looked for among the first %d riders only", maxRiders)
	}
}
