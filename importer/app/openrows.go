package app

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// openRows gathers what is open in the rows of one results file.
type openRows struct {
	*openList

	job  *job
	path string
	// names are the columns of passengers' names in each input.
	names []results.NameColumns
	// superseded reports that newer results of the broker were read.
	superseded bool
	// ownSent and ownTrips are the trips that this file decides for older results.
	ownSent  []int64
	ownTrips []string
}

func (r *openRows) broker() string { return r.job.inputs[0].Mapper.RowIDs().Broker }

// gather gathers what is open in a row, unless newer results have the row.
func (r *openRows) gather(row importer.RowResult) error {
	input, names := "", results.NameColumns{}
	for i, in := range r.job.described {
		if in.Name == row.Row.File && in.Sheet == row.Row.Sheet {
			input, names = in.Hash, r.names[i]
		}
	}
	at := rowAt{input, row.Row.Sheet, row.Row.Num}
	if r.rows[at] {
		return nil
	}
	r.rows[at] = true

	shown := r.recallRefused(&row)
	missing := slices.ContainsFunc(row.Trips, func(t importer.TripResult) bool { return t.Outcome.State.Missing() })
	for i := range row.Trips {
		item := results.MorningItem{
			TripResult: row.Trips[i], File: row.Row.File, Sheet: row.Row.Sheet, Input: input, Row: row.Row.Num, Results: r.path,
			Passenger: names.Of(row.Row), Day: row.Day(),
		}
		o := &item.Outcome
		o.HalfBooked = row.HalfBooked && (o.State.Missing() || !missing && o.State.Booked())
		item.Problem, item.Fix = results.Explain(&row, i, r.Made.Location())
		switch {
		case o.State == importer.Refused:
			item.Problem, item.Fix = shown[i].Problem, shown[i].Fix
		case row.Row.Edited && o.State == importer.NotSent:
			item.Problem, item.Fix = "fixed in the results, and not sent yet", "retry the results"
		}
		if !r.isSettled(o, shown[i].State) {
			r.decide(item)
		}
	}
	return nil
}

// isSettled reports whether a trip that the results show as booked was cancelled or moved
// since, because a person answered so in newer results. These results do not have that
// answer, and would ask to book the trip a second time.
func (r *openRows) isSettled(o *importer.Outcome, shown importer.State) bool {
	return r.superseded && shown.Booked() && shown != importer.Reinstate && (o.State == importer.Waiting || o.State == importer.Reinstate)
}

// recallRefused sets the state of trips that the service refused back to Refused, unless
// their row was changed since, because a check of the rows can't find out why the service
// refused them. It gives an invalid row without trips one trip. It returns the trips as the
// results show them.
func (r *openRows) recallRefused(row *importer.RowResult) []returned.ShownTrip {
	if row.State == importer.Invalid && len(row.Trips) == 0 {
		row.Trips = []importer.TripResult{{Outcome: importer.Outcome{State: importer.Invalid}}}
	}
	shown := make([]returned.ShownTrip, len(row.Trips))
	for i := range row.Trips {
		o := &row.Trips[i].Outcome
		shown[i], _ = r.job.edited.Shown(row.Row.File, row.Row.Sheet, row.Row.Num, row.Trips[i].Trip.Leg)
		if shown[i].State == importer.Refused && o.State == importer.NotSent && !o.TooLate && !row.Row.Edited {
			o.State = importer.Refused
		}
	}
	row.Summarize()
	return shown
}

// isOwn reports whether the number in an outcome is that of its own trip, and not of another
// trip that a question is about.
func isOwn(o *importer.Outcome) bool { return o.Attempt != 0 && !o.State.Missing() }

// decide adds an item to the list, unless newer results decide its trip.
func (r *openRows) decide(item results.MorningItem) {
	o := &item.Outcome
	key := strings.Join([]string{r.broker(), item.Trip.ID, item.Trip.Leg.Code(), item.Day.String()}, "\x00")
	if item.Trip.ID != "" {
		r.ownTrips = append(r.ownTrips, key)
	}
	decided := r.trips[key]
	if isOwn(o) {
		r.ownSent = append(r.ownSent, o.Attempt)
		decided = decided || r.sent[o.Attempt]
	}
	if !isOwn(o) || o.State == importer.Reinstate {
		decided = decided || r.isReplaced(&item)
	}
	if !decided {
		r.add(item)
	}
}

// note records for older results which trips these results decide.
func (r *openRows) note() {
	for _, number := range r.ownSent {
		r.sent[number] = true
	}
	for _, key := range r.ownTrips {
		r.trips[key] = true
	}
	r.brokers[r.broker()] = true
}

// isReplaced reports whether a newer schedule of the broker has all trips of the item's day,
// or of any day if the item has none.
func (r *openRows) isReplaced(item *results.MorningItem) bool {
	for whole := range r.whole {
		if whole.broker == r.broker() && (whole.day == item.Day || item.Day.IsZero()) {
			return true
		}
	}
	return false
}

// addOnTheirOwn adds the booked trips that the results list as gone from the schedule, if no
// newer results decide them, they are still gone and no person has answered about them since.
func (r *openRows) addOnTheirOwn() error {
	for _, t := range r.job.edited.OnTheirOwn() {
		if t.State != importer.Gone || r.sent[t.Attempt] {
			continue // trips to be cancelled are added with their rows
		}
		known, _, err := r.ledger.Trip(r.ctx, t.Attempt)
		if err != nil {
			return err
		}
		for _, d := range judge.Gone(&known, &judge.Options{Rules: r.job.inputs[0].Mapper.Rules(), Now: r.now}) {
			if t.GUID != "" && !importer.SameGUID(t.GUID, d.Trip.GUID) {
				continue // it is a trip of a ledger that was lost
			}
			item := r.sentItem(d.Trip, d.Outcome)
			item.Row, item.Results = 0, r.path
			r.ownSent = append(r.ownSent, t.Attempt)
			r.add(item)
		}
	}
	return nil
}

// sentItem returns the item of a trip that is known from the ledger alone.
func (g *openList) sentItem(s *importer.Standing, o importer.Outcome) results.MorningItem {
	trip := importer.Trip{Leg: s.Leg, ID: s.TripID, Alias: s.Alias, Provider: s.Account.Provider, Pickup: importer.Event{PickupTime: s.Begins}}
	item := results.MorningItem{TripResult: importer.TripResult{Trip: trip, Outcome: o, OffRow: true}}
	if inputs := g.inputs[s.Run]; len(inputs) == 1 {
		item.Input, item.File = inputs[0].Hash, inputs[0].Name
	}
	row := importer.RowResult{Trips: []importer.TripResult{item.TripResult}}
	item.Problem, item.Fix = results.Explain(&row, 0, g.Made.Location())
	return item
}

// addUnresolved adds the trips that wait for a person according to the ledger and whose
// results were not found.
func (g *openList) addUnresolved() error {
	open, err := unresolved(g.ctx, g.ledger)
	for i := range open {
		if s := &open[i]; !g.sent[s.Number] {
			g.add(g.sentItem(s, openOutcome(s)))
		}
	}
	return err
}

// addLost names the runs that may have trips still to come and whose results were not found,
// nor any newer results of their schedules.
func (g *openList) addLost() error {
	for _, known := range slices.Backward(g.runs) {
		var lost []string
		for _, in := range known.Inputs {
			if !g.found[in.Hash] {
				g.found[in.Hash] = true // named once
				if !g.isLost(in.Name) { // of several files with one name, the newest is named
					lost = append(lost, in.Name)
				}
			}
		}
		if len(lost) == 0 || known.Live || known.Command == "ledger adopt" || g.isAccounted(known) {
			continue
		}
		if ahead, err := g.isAhead(known); err != nil {
			return err
		} else if !ahead {
			continue
		}

		g.Lost = append(g.Lost, g.lostRun(known, lost))
	}
	return nil
}

// isAccounted reports whether the ledger alone shows all that a run left open, and no other
// run read more rows of its schedules.
func (g *openList) isAccounted(known ledger.Run) bool {
	return !known.Ended.IsZero() && known.Totals.AllAccounted() && !slices.ContainsFunc(known.Inputs, func(in importer.InputInfo) bool {
		return g.mostRows[in.Hash] > known.Totals.RowsRead
	})
}

// lostRun describes a run whose open rows are not known: where it ran, and what to do.
func (g *openList) lostRun(known ledger.Run, files []string) results.LostRun {
	lost := results.LostRun{Run: known.ID, Files: files, Host: known.Host, Reason: "its results were not found", Fix: "name the folder in which they are"}
	_, here := whoAmI()
	elsewhere := known.Host != here && known.Host != ""
	switch {
	case known.Ended.IsZero() && elsewhere:
		lost.Reason, lost.Fix = "run "+known.ID+" on "+known.Host+" was broken off", "run the same command again, there or here: nothing is booked twice"
	case known.Ended.IsZero():
		lost.Reason, lost.Fix = "the run was broken off", "run the same command again: nothing is booked twice"
	case elsewhere:
		lost.Reason = "the results of run " + known.ID + " are on " + known.Host
		lost.Fix = "run `tripimport morning` there, or name a folder of it that this machine sees; machines that write results to one shared folder need neither"
	}
	return lost
}

// isLost reports whether g.Lost names a file with that name.
func (g *openList) isLost(name string) bool {
	return slices.ContainsFunc(g.Lost, func(run results.LostRun) bool { return slices.Contains(run.Files, name) })
}

// isAhead reports whether a run may have trips still to come: it sent one of today or later,
// or it sent none at all.
func (g *openList) isAhead(known ledger.Run) (bool, error) {
	none := true
	for s, err := range g.ledger.Find(g.ctx, ledger.Search{Run: known.ID}) {
		if err != nil {
			return false, err
		}
		if none = false; s.Day.Compare(g.now.Date) >= 0 {
			return true, nil
		}
	}
	return none, nil
}

// add puts an item into the part of the list where it belongs, if it is open. It does not list
// an item whose times are past.
func (g *openList) add(item results.MorningItem) {
	o := &item.Outcome
	o.Raised, o.Soon, o.Past = false, false, false
	if o.Urgency() == importer.NoAction {
		return
	}

	now, times := g.now, []importer.DateTime{o.Begins}
	if !item.OffRow {
		times = append(times, item.Trip.Time())
	}
	times = slices.DeleteFunc(times, importer.DateTime.IsZero)
	if len(times) == 0 && !item.Day.IsZero() {
		times = append(times, importer.WillCallOn(item.Day))
	}
	ahead := func(at importer.DateTime) bool { return at.Compare(now) >= 0 }
	o.Soon = slices.ContainsFunc(times, func(at importer.DateTime) bool { return ahead(at) && now.MinutesUntil(at) <= importer.SoonMinutes })
	switch {
	case len(times) > 0 && !slices.ContainsFunc(times, ahead):
		if times[0].Date.Compare(g.Since) >= 0 {
			g.NeverAnswered++
			g.past = append(g.past, item)
		}
	case o.Urgency() == importer.ActNow:
		g.Urgent = append(g.Urgent, item)
	default:
		g.Listed = append(g.Listed, item)
	}
}
