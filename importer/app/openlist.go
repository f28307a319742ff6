package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/run"
)

// An openList is what is open according to the ledger.
type openList struct {
	*App
	*results.Morning

	ctx    context.Context // kept here because callbacks get none
	ledger ledger.Ledger
	asked  map[itemID]*workbookRow // the rows of the items with words
	items  map[itemID]*results.OpenItem
	raised map[string]string // what runs raised, by its subject
	seenBy time.Time         // when people will have seen the list; zero for three hours from now
}

// listOpen lists what is open, for people who will have seen the list at an instant; zero for three
// hours from now.
func (a *App) listOpen(ctx context.Context, l ledger.Ledger, seenBy time.Time) (*openList, error) {
	g := &openList{App: a, Morning: &results.Morning{Made: a.env.Clock.Now()}, ctx: ctx, ledger: l, asked: map[itemID]*workbookRow{}, items: map[itemID]*results.OpenItem{}, seenBy: seenBy}
	g.Since = a.env.Clock.Wall(nil).AddDays(-keptOpen)
	var err error
	if g.raised, err = raisedItems(ctx, l); err != nil {
		return nil, err
	}
	if err := cmp.Or(g.addItems(), g.addLost()); err != nil {
		return nil, err
	}
	g.Sort()
	return g, nil
}

// addItems adds what runs left open, as it stands now, and then the trips that wait for a person
// of which no run has told, because it was broken off.
func (g *openList) addItems() error {
	words, err := readWords(g.ctx, g.ledger)
	if err != nil {
		return err
	}
	items, err := openItems(g.ctx, g.ledger)
	if err != nil {
		return err
	}
	told := map[int64]bool{} // the trips, by their numbers
	for k := range items {
		i := &items[k]
		item := *i
		known, err := knownAbout(g.ctx, g.ledger, &item.Outcome)
		if err != nil {
			return err
		}
		zone := i.Location()
		now, open := judge.Open(item.Outcome, item.Trip.Leg, &known, zone)
		if open && now.Question == importer.AskWord {
			words.addTo(i.Words, i.Broker)
			now, open = judge.OpenWords(now, i.Words)
			g.asked[idOfItem(&now, item.Trip.Leg)] = rowWithWords(i)
		}
		if judge.TellsOfTrip(&now, &known) {
			told[now.Attempt] = open || told[now.Attempt]
		}
		if !open {
			continue
		}
		g.items[idOfItem(&item.Outcome, item.Trip.Leg)] = i
		now.DueAt = item.Outcome.DueAt // a will call's, which only its row tells
		if now.State != item.Outcome.State || now.Question != item.Outcome.Question || now.Saw != item.Outcome.Saw {
			if now.Attempt != item.Outcome.Attempt { // it was sent since
				item.Faults = nil
			}
			item.Outcome = now
			item.Explain(zone)
		}
		g.add(item, zone)
	}
	return g.addUnresolved(told)
}

// addUnresolved adds the trips that wait for a person and were not told.
func (g *openList) addUnresolved(told map[int64]bool) error {
	open, err := unresolved(g.ctx, g.ledger)
	for k := range open {
		s := &open[k]
		if told[s.Number] {
			continue
		}
		alone := importer.RowResult{Trips: []importer.TripResult{run.OffRow(s, judge.Unresolved(s, nil), importer.Ref{})}}
		g.add(results.NewItem(&alone, 0, results.NameColumns{}, g.Made.Location()), nil)
	}
	return err
}

// unresolved returns the ledger's Unresolved without the trips that are being sent or changed
// at this moment, which need no answer.
func unresolved(ctx context.Context, l ledger.Ledger) ([]importer.Standing, error) {
	open, err := l.Unresolved(ctx)
	return slices.DeleteFunc(open, func(s importer.Standing) bool {
		return s.State == importer.TripSending || s.Change != nil && s.Change.State == importer.ChangeSending
	}), err
}

// addLost names the schedules of runs that were broken off, and that no later run read to its end:
// what they would have left open is not known.
func (g *openList) addLost() error {
	runs, err := g.ledger.Runs(g.ctx, 0)
	finished := map[string]bool{} // inputs, by their SHA-256
	named := map[string]bool{}
	for _, known := range runs { // the newest first
		if !known.Ended.IsZero() {
			finished[known.Input.Hash] = true
			continue
		}
		file := known.Input.Name
		if known.Live || finished[known.Input.Hash] || named[file] || importer.DateOf(known.Started.In(g.Made.Location())).Compare(g.Since) < 0 {
			continue
		}
		named[file] = true
		ahead, err := g.isAhead(known)
		if err != nil {
			return err
		}
		if ahead {
			reason := "run " + known.ID + " on " + known.Host + " was broken off"
			g.Lost = append(g.Lost, results.LostRun{Run: known.ID, File: file, Host: known.Host, Reason: reason, Fix: "do the same again: nothing is booked twice"})
		}
	}
	slices.Reverse(g.Lost)
	return err
}

// isAhead reports whether a run may have trips still to come: it sent one of today or later,
// or it sent none at all.
func (g *openList) isAhead(known ledger.Run) (bool, error) {
	trips, err := g.ledger.Find(g.ctx, ledger.Search{Run: known.ID})
	today := g.env.Clock.Wall(nil).Date
	return len(trips) == 0 || slices.ContainsFunc(trips, func(t ledger.Found) bool { return t.Day.Compare(today) >= 0 }), err
}

// add puts an item into the part of the list where it belongs. It does not list an item whose
// times are past.
func (g *openList) add(item results.OpenItem, zone *time.Location) {
	o := &item.Outcome
	if !judge.Asks(o) {
		return
	}
	now := g.env.Clock.Wall(zone)
	one := []importer.TripResult{item.TripResult}
	judge.Due(one, item.Day, now, run.WallAt(g.seenBy, zone))
	item.TripResult = one[0]
	day := o.DueAt.Date
	phone := o.TooLate && o.Due == importer.ActNow // nobody could be told before it began
	switch {
	case !phone && (judge.Past(&item.TripResult, now) || !day.IsZero() && day.Compare(now.Date) < 0):
		g.NeverAnswered += importer.One(day.Compare(g.Since) >= 0)
	case o.Due == importer.ActNow:
		about, known := item.Item()
		if !known {
			about.Subject = fmt.Sprint("trip ", o.Attempt, item.Input, item.Sheet, item.Row)
		}
		item.Key = about.Subject + "\n" + about.Detail
		item.Told = g.raised[about.Subject] == raisedValue(about, time.Time{})
		g.Urgent = append(g.Urgent, item)
	default:
		g.Listed = append(g.Listed, item)
	}
}
