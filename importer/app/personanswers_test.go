package app_test

import (
	"context"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

// found returns what a person finds out in the service about a trip.
func (o *simulatedOffice) found(t simTrip) string {
	b := o.service.booking(t)
	if b == nil || b.seen.After(o.clock.now) {
		return ""
	}
	return b.guid
}

// answerFor is what a person says of a trip that may be booked: the truth, in one of
// several words, or nothing, or something that can't be taken.
func (o *simulatedOffice) answerFor(t simTrip) string {
	o.service.mu.Lock()
	defer o.service.mu.Unlock()
	guid := o.found(t)
	if o.rng.IntN(5) == 0 && !o.service.calm { // what nobody may take
		o.did["answers that are none"]++
		wrong := []string{"none", "not here", "00000000-0000-0000-0000-000000000000", "missing", "yes", "there?", "not there; there"}
		if t.way != "" {
			wrong = wrong[:6] // the other leg may be there
		}
		return wrong[o.rng.IntN(len(wrong))]
	}
	if guid != "" {
		delete(o.service.lost, t)
		return []string{guid, "there", "there " + strings.ToUpper(guid)}[o.rng.IntN(3)]
	}
	b := o.service.booking(t)
	switch late := o.clock.now.Sub(o.service.sent[t]) > 16*time.Minute; {
	case b != nil:
		return "" // it appears yet
	case late || o.rng.IntN(2) == 0:
		if !late {
			o.did["early answers"]++
		}
		delete(o.service.lost, t)
		return "not there"
	}
	return ""
}

// answersAbout is what a person writes beside a row.
func (o *simulatedOffice) answersAbout(r *simRow, shown importer.RowResult) string {
	var texts []string
	for i := range shown.Trips {
		out := &shown.Trips[i].Outcome
		t, _ := o.tripOf(shown.Trips[i].Trip.ID)
		text := ""
		switch {
		case o.wrongly[t] != "" && out.State == importer.Unknown: // it is asked again
			delete(o.wrongly, t)
		case o.wrongly[t] != "" && out.Answered:
			o.did["corrected later"]++
			text = "not there"
			o.corrected[t] = o.wrongly[t]
			delete(o.wrongly, t)
			delete(o.service.lost, t)
		case out.State == importer.Unknown && !o.service.calm && o.service.booking(t) == nil && o.rng.IntN(8) == 0 && r.unknownRider == "":
			text = "there" // in error; beside a rider who is corrected later it would be asked about as another rider's
			o.wrongly[t] = text
		case out.State == importer.Unknown:
			text = o.answerFor(t)
		case out.GUIDMissing:
			text = o.found(t)
		case out.State == importer.ChangeByHand:
			text = "done by hand"
		case out.State == importer.Held && out.Question == importer.AskRider:
			text = "done by hand"
		case out.State == importer.Held && out.Question == importer.AskAgain: // what was written before could not be taken
			o.did["answered again"]++
			text = "book"
			if b := o.service.booking(t); b != nil {
				text = "booked by hand " + b.guid
			} else if o.service.left[t] {
				text = "leave it"
			}
		case out.State == importer.Held && out.Question != importer.NoQuestion:
			text = "meant"
		case !o.service.calm && (out.State == importer.Refused || out.State == importer.NotSent || out.State == importer.Fix) && o.service.booking(t) == nil:
			text = o.byHand(t)
		}
		if text == "" {
			continue
		}
		if r.round {
			text = shown.Trips[i].Trip.Leg.String() + ": " + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// byHand enters a trip in the service by hand, or decides to leave it.
func (o *simulatedOffice) byHand(t simTrip) string {
	o.service.mu.Lock()
	defer o.service.mu.Unlock()
	switch o.rng.IntN(8) {
	case 0:
		o.did["booked by hand"]++
		guid := o.service.book(t, o.clock.now)
		return []string{"booked by hand", "booked by hand " + guid}[o.rng.IntN(2)]
	case 1:
		if t.way != "" || o.rows[t.row].edited {
			return "" // it holds for the row as it is, and the other leg could not be fixed any more
		}
		o.did["left"]++
		o.service.left[t] = true
		return "leave it"
	}
	return ""
}

// answerList answers about the open trips one after the other: mistypes, names a
// neighbour's GUID, and corrects what was said wrongly or too early.
func (o *simulatedOffice) answerList() {
	o.clock.now = o.clock.now.Add(time.Minute)
	m, _, err := o.simApp().Morning(context.Background(), app.MorningOptions{})
	if err != nil {
		o.note("morning: %v", err)
		if app.StatusOf(err) != app.NotSetUp {
			o.Errorf("morning: %v", err)
		}
		return
	}
	take := func(say func(t simTrip) string) {
		for _, item := range slices.Concat(m.Urgent, m.Listed) {
			if s := item.Outcome.State; s != importer.Unknown && s != importer.ChangeUnknown && !item.Outcome.GUIDMissing {
				continue
			}
			t, known := o.tripOf(item.Trip.ID)
			if !known {
				o.Errorf("the open trip %q", item.Trip.ID)
				continue
			}
			text := say(t)
			verdict, guid, ok := importer.ParseVerdict(text)
			if !ok {
				continue
			}
			o.note("list: %s %s", item.Trip.ID, text)
			note, err := o.simApp().AnswerOpen(context.Background(), &item, verdict, guid)
			if app.StatusOf(err) == app.NotSetUp { // an older copy shows its list, and takes no answer
				o.note("answer: %v", err)
				return
			}
			o.must(err)
			switch {
			case note != "":
				o.note("%s", note)
			case guid != "" && o.service.booking(t) == nil: // the ledger has no trip with it that is proved
				o.wrongly[t] = text
			}
		}
	}
	o.did["lists answered"]++

	wrongly := map[simTrip]string{}
	take(func(t simTrip) string {
		neighbour := ""
		for _, b := range o.service.bookings {
			if b.simTrip != t && !o.service.lost[b.simTrip] && o.desks[0].newest != "" && o.knownGUID(b) {
				neighbour = b.guid
			}
		}
		open := o.service.lost[t]
		booked := o.service.booking(t)
		switch o.rng.IntN(6) {
		case 1:
			if neighbour != "" {
				o.did["neighbours' GUIDs"]++
				return neighbour
			}
		case 2: // said wrongly, and corrected
			if open && booked == nil {
				wrongly[t] = "not there"
				return "there"
			}
			if open && booked != nil {
				wrongly[t] = booked.guid
				return "not there"
			}
		case 3:
			return ""
		}
		return o.answerFor(t)
	})
	o.clock.now = o.clock.now.Add(9 * time.Minute)
	take(func(t simTrip) string {
		text, corrected := wrongly[t]
		if !corrected {
			return ""
		}
		o.did["corrected"]++
		delete(o.service.lost, t)
		return text
	})
}

// knownGUID reports whether the results of a desk show the booking's GUID.
func (o *simulatedOffice) knownGUID(b simBooking) bool {
	for i := range o.desks {
		for _, row := range o.desks[i].shown {
			for _, t := range row.Trips {
				if importer.SameGUID(t.Outcome.GUID, b.guid) {
					return true
				}
			}
		}
	}
	return false
}

// settle lets the service answer, lets the broker correct the schedule, and lets people work
// until nothing is open. Then each trip must be booked once.
func (o *simulatedOffice) settle() {
	if o.Failed() {
		return
	}
	o.note("settle")
	o.service.mu.Lock()
	o.service.calm = true
	o.service.mu.Unlock()
	for at := range o.desks {
		for round := range 5 {
			o.clock.now = o.clock.now.Add(20 * time.Minute)
			o.writeSchedule(at, round > 0)
			if err := o.importAgain(at); err == nil && round > 0 || o.Failed() {
				break
			}
			o.clock.now = o.clock.now.Add(20 * time.Minute)
			o.workOn(at, false)
		}
	}
	for i := range o.rows {
		for _, way := range o.rows[i].ways() {
			t, n := simTrip{i, way}, 0
			for _, b := range o.service.bookings {
				if b.simTrip == t {
					n++
				}
			}
			if right := n == 1 || n == 0 && (o.service.left[t] || o.service.mayLeave[t]) || n > 1 && o.service.allowed[t]; !right {
				o.Errorf("%s%s is booked %d times in the end", o.rows[i].id, way, n)
			}
			o.did["trips"]++
		}
	}
	err := o.simApp().ReadLedger(context.Background(), func(l ledger.Ledger) error {
		v, err := l.Verify(context.Background())
		if len(v.Wrong) > 0 {
			o.Errorf("the ledger is not sound: %q", v.Wrong)
		}
		return err
	})
	o.must(err)
}
