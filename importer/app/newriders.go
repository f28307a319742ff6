package app

import (
	"context"

	"tripimport/importer"
)

// maxRiders is how many riders of a run are looked up in the ledger. No office has
// so many in a night, and their ids fit into memory.
const maxRiders = 10_000

// A riderList lists the riders whose trips a run tried to book, in the order of
// their first trips. A nil list ignores what is added.
type riderList struct {
	accounts map[string]importer.Account // by the provider's name at the service
	seen     map[rider]bool
	order    []rider
	over     bool // there were more than maxRiders
}

// A rider belongs to a provider: one id at two providers is two riders.
type rider struct{ provider, id string }

// newRiderList makes an empty list for a run with those accounts.
func newRiderList(accounts []importer.Account) *riderList {
	l := &riderList{accounts: make(map[string]importer.Account, len(accounts)), seen: map[rider]bool{}}
	for _, a := range accounts {
		l.accounts[a.Provider] = a
	}
	return l
}

// add lists the riders of a row.
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

// tried reports whether the run tried to book the trip. An attempt that did not reach the
// service counts, because the ledger has it as the rider's first: no later run would report
// the rider as new.
func tried(o importer.Outcome) bool {
	switch o.State {
	case importer.Created, importer.Refused, importer.Unknown:
		return true
	case importer.NotSent:
		return o.Attempts > 0
	}
	return false
}

// addNewRiders names in the results the riders whom no earlier run tried to book. If the
// ledger can't answer, the results are written all the same, with a notice.
func (r *reporter) addNewRiders() {
	if r.riders == nil {
		return
	}

	named := map[string]bool{}
	for _, who := range r.riders.order {
		account, ok := r.riders.accounts[who.provider]
		if !ok || named[who.id] {
			continue
		}
		// Not the job's context: an interrupted run has results as well.
		isNew, err := r.target.ledger.NewRider(context.Background(), r.start.Run.ID, account, who.id)
		if err != nil {
			r.notice("the ledger could not say which riders are new: the sheet New riders is not complete")
			return
		}
		if isNew {
			named[who.id] = true
			r.writer.NewRider(who.id)
		}
	}

	if r.riders.over {
		r.notice("new riders were looked for among the first %d riders only", maxRiders)
	}
}
