package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// An order is what the broker really wants of a rider.
type order struct {
	id, rider       string
	minute          int // of the day
	was             int // before the last change
	both            bool
	cancelled, gone bool
	respelt, faulty bool
	moved           bool // to the other transportation provider
}

func (o *order) row() *importer.Mapped {
	id := o.id
	if o.respelt {
		id = "0" + id
	}
	clock := importer.DateTime{Date: day(2), TimeOfDay: importer.TimeOfDay{Hour: o.minute / 60, Minute: o.minute % 60}}
	out := tripOf{rider: o.rider, from: "12", to: "90", at: clock}
	if !o.both {
		return o.say(row(id, out))
	}
	back := tripOf{importer.ReturnLeg, o.rider, "90", "12", clock}
	back.at.Hour += 3
	out.leg = importer.OutboundLeg
	return o.say(row(id, out, back))
}

func (o *order) say(m *importer.Mapped) *importer.Mapped {
	if o.moved {
		for i := range m.Trips {
			m.Trips[i].Provider = "Harbor Rides"
		}
	}
	if o.cancelled {
		return cancelled(m)
	}
	if o.faulty {
		last := &m.Trips[len(m.Trips)-1]
		last.Problems = append(last.Problems, importer.Problem{Code: "space-unknown", Severity: importer.Fault})
	}
	return m
}

// A car is what the service really has.
type car struct {
	order, way string
	begins     importer.DateTime
	active     bool
	fixed      bool // a person set another time than the schedule's
	rider      string
	with       string            // the transportation provider
	asItIs     importer.DateTime // a person left the car as it is, while its row said this
}

// A wish is that a trip is left, as its row was when a person said so.
type wish struct {
	rider  string
	begins importer.DateTime
	event  int64
}

// A way is a row's trip from one place to another.
type way struct{ order, places string }

func placesOf(t *importer.Trip) string { return t.Pickup.Address1 + ">" + t.Dropoff.Address1 }

// An office is a world with the broker, the service and the persons around it.
type office struct {
	*world
	t      *rapid.T
	orders []*order
	cars   map[int64]*car // by trip
	left   map[way]wish
	byHand map[way]*car // booked by a person, and not recorded yet
	files  []file
	books  []book
	list   []item // what a person saw last
	said   map[int64]*importer.Mapped
	made   int
	fixing bool
}

type file struct {
	stamp time.Time
	rows  []*importer.Mapped
}

// A book is a results workbook: the rows with the versions of their words.
type book struct {
	arrival *importer.Arrival
	rows    []*importer.Mapped
	version []int64
}

type item struct {
	decision judge.Decision
	row      *importer.Mapped
	leg      importer.Leg
	fixed    bool
}

func newOffice(t *rapid.T) *office {
	o := &office{world: newWorld(), t: t, cars: map[int64]*car{}, left: map[way]wish{}, byHand: map[way]*car{}, said: map[int64]*importer.Mapped{}}
	o.now = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for range 11 {
		o.add("")
	}
	return o
}

func (o *office) add(rider string) *order {
	o.made++
	if rider == "" {
		rider = fmt.Sprint("rider", o.made)
	}
	made := &order{id: fmt.Sprint(100 + o.made), rider: rider, minute: 420 + 15*o.draw(20), both: o.draw(3) == 0}
	made.was = made.minute
	o.orders = append(o.orders, made)
	return made
}

func rowName(m *importer.Mapped) string {
	if m == nil {
		return "gone"
	}
	return m.Key.ID + " " + m.Key.Date.String()
}

func (o *office) draw(n int) int { return rapid.IntRange(0, n-1).Draw(o.t, "n") }

// orderOf returns the order of a row, by its id.
func (o *office) orderOf(id string) *order {
	i := slices.IndexFunc(o.orders, func(x *order) bool { return importer.SameID(x.id, id) })
	return o.orders[i]
}

// change lets the broker change one order.
func (o *office) change() {
	x := o.orders[o.draw(len(o.orders))]
	switch o.draw(11) {
	case 10:
		x.faulty = !x.faulty
	case 9:
		x.moved = !x.moved
	case 8: // the id stands for another rider
		o.made++
		x.rider = fmt.Sprint("rider", o.made)
	case 0, 1:
		x.was, x.minute = x.minute, 420+15*o.draw(20)
	case 2:
		x.was, x.minute = x.minute, x.was
	case 3:
		x.cancelled = !x.cancelled
	case 4:
		x.gone = !x.gone
	case 5:
		x.both = !x.both
	case 6:
		x.respelt = !x.respelt
	case 7: // another id for the same trip
		if o.draw(2) == 0 {
			x.gone = true
		} else {
			x.cancelled = true
		}
		o.add(x.rider)
	}
}

// export is what the broker's system writes now.
func (o *office) export() file {
	f := file{stamp: o.now}
	for _, x := range o.orders {
		if !x.gone {
			f.rows = append(f.rows, x.row())
		}
	}
	o.files = append(o.files, f)
	return f
}

// send imports a file: Propose is left out, because everything is recorded first.
func (o *office) send(f file, whole bool) *importer.Arrival {
	o.t.Logf("send %s whole %v", f.stamp, whole)
	a := arrivalOf(f.stamp, whole, f.rows...)
	o.whole(a, f.rows)
	o.record(a, f.rows)
	b := book{arrival: a}
	for _, m := range f.rows {
		word := o.look(m).Word()
		if word.Arrival == a.Number {
			o.said[word.Row] = m
		}
		b.rows, b.version = append(b.rows, m), append(b.version, judge.Version(o.wanted(m, a), o.look(m)))
	}
	o.books = append(o.books, b)
	o.list = nil
	for _, m := range f.rows {
		o.do(o.wanted(m, a))
	}
	for i := range o.words {
		word := &o.words[i]
		var k importer.Known
		k.Row, k.Words = word.Row, []importer.Word{*word}
		for _, s := range o.trips {
			if s.Row == word.Row {
				k.Trips = append(k.Trips, s)
			}
		}
		for _, d := range judge.Gone(&k, o.opts()) {
			o.lists(&d, nil)
		}
	}
	return a
}

// do judges a row and does what the judge says.
func (o *office) do(w *judge.Wanted) {
	k := o.look(w.Row)
	decisions := judge.Row(w, k, o.opts())
	frees := true
	for i := range decisions {
		d := &decisions[i]
		switch {
		case d.Do == judge.Send && frees:
			frees = o.books1(w, k, d)
		case d.Do == judge.Send:
			d.Outcome.State = importer.Held
		case d.Do == judge.Change:
			o.changes(w, k, d)
		case d.Do == judge.Enter:
			o.enters(w.Row, d)
		default:
			frees = d.Outcome.State.Booked() && d.Outcome.State != importer.CancelByHand && d.Outcome.State != importer.ReinstateByHand
		}
		o.lists(d, w.Row)
	}
}

// books1 sends one trip. It reports whether the next leg may follow.
func (o *office) books1(w *judge.Wanted, k *importer.Known, d *judge.Decision) bool {
	m := w.Row
	t := &m.Trips[d.Leg]
	o.isLastWord(w, k)
	x := o.orderOf(m.Key.ID)
	places := placesOf(t)
	for n, c := range o.cars {
		if c.active && c.order == x.id && c.way == places {
			o.t.Fatalf("a second car for row %s, %s: trip %d is there (%s)", x.id, places, n, o.trips[n-1].State.Code())
		}
	}
	if c := o.byHand[way{x.id, places}]; c != nil && c.active {
		o.t.Fatalf("a second car for row %s, %s: a person booked it by hand", x.id, places)
	}
	if _, left := o.left[way{x.id, places}]; left {
		o.t.Fatalf("row %s, %s was sent, and a person wants it left", x.id, places)
	}
	state := []importer.TripState{importer.TripBooked, importer.TripBooked, importer.TripBooked, importer.TripRefused, importer.TripUnclear, importer.TripUnclear, importer.TripNotSent}[o.draw(7)]
	s := o.book(m, d.Leg, state)
	if d.Trip != nil { // it is sent again
		again := *s
		o.trips = o.trips[:len(o.trips)-1]
		s = &o.trips[d.Trip.Number-1]
		again.Number = s.Number
		*s = again
	}
	o.cars[s.Number] = &car{order: x.id, way: places, rider: t.RiderID, with: t.Provider, begins: t.Time(), active: state == importer.TripBooked || state == importer.TripUnclear && o.draw(2) == 0}
	sent := *s
	d.Trip, d.Outcome = &sent, judge.Recorded(s, time.UTC)
	d.Outcome.Saw = o.event
	return state == importer.TripBooked
}

// enters records a trip that a person booked by hand.
func (o *office) enters(m *importer.Mapped, d *judge.Decision) {
	t := &m.Trips[d.Leg]
	about := way{o.orderOf(m.Key.ID).id, placesOf(t)}
	c := o.byHand[about]
	if c == nil {
		o.t.Fatalf("row %s, %s is recorded as booked by hand, and nobody did that", about.order, about.places)
	}
	s := o.book(m, d.Leg, importer.TripBooked)
	s.Proved, s.Answered = false, true
	o.cars[s.Number] = c
	delete(o.byHand, about)
	booked := *s
	d.Trip, d.Outcome = &booked, judge.Recorded(s, time.UTC)
	d.Outcome.Saw = o.event
}

// isLastWord fails if a row that is not the last word leaves.
func (o *office) isLastWord(w *judge.Wanted, k *importer.Known) {
	word := k.Word()
	switch {
	case word == nil || word.Says != importer.SaysLive:
		o.t.Fatalf("row %s was sent, and is not wanted", w.Row.Key.ID)
	case word.Digest != k.Digest && (w.Version == 0 || !word.SaysAsAt(w.Version)):
		o.t.Fatalf("row %s was sent, and is not the last word", w.Row.Key.ID)
	}
}

func (o *office) changes(w *judge.Wanted, k *importer.Known, d *judge.Decision) {
	o.isLastWord(w, k)
	s := &o.trips[d.Trip.Number-1]
	t := &w.Row.Trips[d.Leg]
	said := k.Word().Leg(t.Leg).Values
	s.Event = o.next()
	s.Claimed = s.Event
	reply := o.draw(5)
	o.t.Logf("change %v: reply %d", d.Send, reply)
	took := reply < 3 || reply == 3 && o.draw(2) == 0
	if took {
		o.cars[s.Number].begins = t.Time()
	}
	switch {
	case reply < 3:
		s.Sent, s.Seen = s.Sent.With(k.Own[d.Leg].Values, d.Send), s.Seen.With(said, d.Send)
		s.Begins, s.Change = t.Time(), nil
		s.Identity, s.SettledAt = k.Own[d.Leg].Identity, o.now
		d.Outcome.State = importer.Changed
	case reply == 3:
		s.Seen = s.Seen.Forget(d.Send)
		s.Change = &importer.ChangeStanding{State: importer.ChangeUnclear, Keys: d.Send, Values: k.Own[d.Leg].Values, At: o.now}
		d.Outcome.State = importer.ChangeUnknown
	default:
		lost := s.Change != nil && s.Change.State == importer.ChangeUnclear
		if !lost {
			s.Change = &importer.ChangeStanding{State: importer.ChangeRefusedByService, Keys: d.Send, Values: k.Own[d.Leg].Values, At: o.now}
			d.Outcome.State, d.Outcome.Why = importer.ChangeByHand, importer.WhyRefused
		}
	}
	d.Outcome.Saw = s.Event
}

// lists puts what a decision leaves on the person's list, and checks that a trip that is to be
// cancelled is not wanted.
func (o *office) lists(d *judge.Decision, m *importer.Mapped) {
	s := d.Trip
	if st := d.Outcome.State; s != nil && st == importer.CancelByHand {
		word := &o.words[s.Row-1]
		if word.Says == importer.SaysLive && o.said[s.Row] != nil {
			for _, t := range o.said[s.Row].Trips {
				if placesOf(&t) == o.cars[s.Number].way {
					o.t.Fatalf("trip %d of row %s is to be cancelled, and is wanted: %s", s.Number, word.ID, d.Outcome.Reason)
				}
			}
		}
	}
	leg := importer.OnlyLeg
	if d.Leg >= 0 {
		leg = m.Trips[d.Leg].Leg
	} else if s != nil {
		leg = s.Leg
	}
	o.list = append(o.list, item{*d, m, leg, o.fixing})
	o.t.Logf("%s %s trip %d: %s %s", rowName(m), leg.Code(), d.Outcome.Attempt, summary([]judge.Decision{*d}), d.Outcome.Reason)
}

// answers lets an honest person work through a part of a list, which may be an old one.
func (o *office) answers(list []item) {
	for i := range list {
		if o.draw(3) > 0 {
			continue
		}
		it := &list[i]
		d := &it.decision
		a := importer.Answer{Trip: d.Outcome.Attempt, Row: d.Outcome.RowNumber, Leg: it.leg, Saw: d.Outcome.Saw, Shown: d.Outcome.State, Who: "Ann", At: o.now}
		if d.Outcome.State == importer.Held {
			a.Trip, a.Other, a.Question = 0, a.Trip, d.Outcome.Question
		}
		then := func() {}
		_, leaves := importer.LeaveIt.RuleOf(&d.Outcome)
		_, books := importer.Book.RuleOf(&d.Outcome)
		_, hand := importer.BookedByHand.RuleOf(&d.Outcome)
		_, meant := importer.Meant.RuleOf(&d.Outcome)
		switch {
		case judge.Asks(&d.Outcome) && o.draw(16) == 0:
			a.Note, a.Where = "ask Dana", fmt.Sprintf("list%d.xlsx, B2", o.draw(3))
		case meant && o.draw(4) == 0:
			a.Verdict = importer.Meant
		case leaves && o.draw(5) == 0 && (!d.Outcome.Contradicted || !d.Outcome.State.Booked()): // who leaves that has looked
			a.Verdict, then = importer.LeaveIt, o.leaves(it)
		case books && o.draw(2) == 0 && o.byHand[it.way()] == nil:
			a.Verdict = importer.Book
		case hand && o.draw(3) == 0 && o.mayBook(it):
			a.Verdict, then = importer.BookedByHand, o.booksByHand(it)
		default:
			if a.Verdict, then = o.does(it); a.Verdict == importer.NoVerdict {
				continue
			}
		}
		about := it.way()
		if about != (way{}) {
			own := ownOf("", &it.row.Trips[d.Leg])
			a.Pickup, a.Dropoff = own.Pickup, own.Dropoff
		}
		refused := o.take(a)
		o.t.Logf("answer about trip %d, row %d %s: %s, %v", a.Trip, a.Row, a.Leg.Code(), a.Verdict, refused)
		wants := a.Verdict != importer.LeaveIt && a.Verdict != importer.NotThere && a.Shown != importer.CancelByHand
		if about != (way{}) && (refused == nil && wants || refused != nil && refused.Waits) {
			delete(o.left, about)
		}
		if refused == nil {
			then()
		}
	}
}

// way returns the trip of a row that an item is about; none if it is about a trip that its row does not make.
func (it *item) way() way {
	d := &it.decision
	if it.row == nil || d.Leg < 0 || d.Leg >= len(it.row.Trips) {
		return way{}
	}
	return way{strings.TrimLeft(it.row.Key.ID, "0"), placesOf(&it.row.Trips[d.Leg])}
}

// leaves returns what follows from it that a person wants an item left.
func (o *office) leaves(it *item) func() {
	about := it.way()
	if about == (way{}) {
		return func() {}
	}
	t := &it.row.Trips[it.decision.Leg]
	switch c := o.cars[it.decision.Outcome.Attempt]; it.decision.Outcome.State {
	case importer.ChangeByHand, importer.ChangeUnknown:
		return func() { c.asItIs, c.fixed = t.Time(), c.fixed || it.fixed }
	case importer.CancelByHand:
		return func() {}
	}
	return func() {
		if was, left := o.left[about]; left && was.event > it.decision.Outcome.Saw {
			return // the same was said before, about a newer list
		}
		w := wish{t.RiderID, t.Time(), o.event}
		if it.fixed { // what the schedule had is not what the row shows
			w.begins = importer.DateTime{}
		}
		o.left[about] = w
	}
}

// handCar returns the car of an item that a person books by hand, if there is one.
func (o *office) handCar(it *item) *car {
	if it.decision.Outcome.State == importer.Held || it.decision.Outcome.Attempt == 0 {
		return o.byHand[it.way()]
	}
	return o.cars[it.decision.Outcome.Attempt]
}

// mayBook reports whether a person who looks in the service books an item by hand: it is not there yet, and
// the list does not say that a newer one has something else.
func (o *office) mayBook(it *item) bool {
	c := o.handCar(it)
	newest := !strings.Contains(it.decision.Outcome.Reason, "work with its results")
	return newest && it.way() != (way{}) && it.row.LeftOut == "" && (c == nil || !c.active || it.decision.Outcome.Question == importer.AskAgain)
}

// booksByHand returns what follows from it that a person books an item's trip in the service, as the item has
// it, or changes it there to that.
func (o *office) booksByHand(it *item) func() {
	t := &it.row.Trips[it.decision.Leg]
	return func() {
		c := o.handCar(it)
		if c == nil {
			c = &car{order: it.way().order, way: it.way().places}
			o.byHand[it.way()] = c
		}
		c.active, c.begins, c.rider, c.with, c.fixed = true, t.Time(), t.RiderID, t.Provider, c.fixed || it.fixed
	}
}

// does returns what an honest person answers about an item, and what they do in the service for it.
func (o *office) does(it *item) (importer.Verdict, func()) {
	d := &it.decision
	c := o.cars[d.Outcome.Attempt]
	if hand := o.byHand[it.way()]; hand != nil && d.Outcome.State == importer.CancelByHand && d.Outcome.Attempt == 0 {
		c = hand
	}
	if c == nil {
		return importer.NoVerdict, nil
	}
	switch d.Outcome.State {
	case importer.Unknown:
		if c.active {
			return importer.There, func() {}
		}
		return importer.NotThere, func() {}
	case importer.CancelByHand:
		return importer.DoneByHand, func() { c.active = false }
	case importer.ReinstateByHand:
		return importer.DoneByHand, func() { c.active = true }
	case importer.ChangeByHand, importer.ChangeUnknown:
		if it.way() == (way{}) {
			return importer.NoVerdict, nil
		}
		t := &it.row.Trips[d.Leg]
		looks := d.Outcome.Back || d.Outcome.Contradicted
		return importer.DoneByHand, func() {
			c.begins, c.rider, c.fixed, c.active = t.Time(), t.RiderID, c.fixed || it.fixed, c.active || looks
		}
	case importer.Held:
		if hand := o.byHand[it.way()]; hand != nil && hand.active {
			return importer.NoVerdict, nil
		}
		if d.Outcome.Question == importer.AskRider && o.draw(2) == 0 {
			t := &it.row.Trips[d.Leg]
			return importer.DoneByHand, func() {
				c.begins, c.rider, c.fixed, c.active = t.Time(), t.RiderID, c.fixed || it.fixed, c.active || d.Outcome.Contradicted
			}
		}
		if d.Outcome.Question != importer.AskAgain {
			return importer.CancelledThere, func() { c.active = false }
		}
	}
	return importer.NoVerdict, nil
}

// nothingLost checks, after the newest schedule was imported, that each trip that is wanted is in
// the service as it is wanted, or is told of.
func (o *office) nothingLost() {
	for _, x := range o.orders {
		if x.gone || x.cancelled {
			continue
		}
		for _, t := range x.row().Trips {
			i := slices.IndexFunc(o.list, func(it item) bool {
				return it.row != nil && it.decision.Leg >= 0 && importer.SameID(it.row.Key.ID, x.id) && it.leg == t.Leg
			})
			if i < 0 {
				o.t.Fatalf("nothing is told of row %s", x.id)
			}
			o.isTrue(x, &t, &o.list[i].decision)
		}
	}
}

// isTrue fails if a decision says that nothing is to be done about a trip that is wanted, and it is
// neither in the service as it is wanted nor left by a person.
func (o *office) isTrue(x *order, t *importer.Trip, d *judge.Decision) {
	state, about := d.Outcome.State, way{x.id, placesOf(t)}
	switch {
	case state == importer.LeftOut:
		w, left := o.left[about]
		if !left {
			o.t.Fatalf("row %s is left out, and nobody wants that: %s", x.id, d.Outcome.Reason)
		}
		if !w.begins.IsZero() && (w.rider != t.RiderID || w.begins != t.Time()) && !d.Outcome.Moved {
			o.t.Fatalf("row %s is left out, was another trip when a person said so (%v), and nobody is told: %s", x.id, w, d.Outcome.Reason)
		}
		return
	case state != importer.BookedEarlier && state != importer.Changed:
		return
	case d.Trip == nil:
		o.t.Fatalf("row %s is %s, and no trip is booked: %s", x.id, state, d.Outcome.Reason)
	}
	c := o.cars[d.Trip.Number]
	if !c.active || c.way != about.places {
		o.t.Fatalf("row %s is %s, and no car comes (%s, active %v)", x.id, state, c.way, c.active)
	}
	if c.rider != t.RiderID {
		o.t.Fatalf("row %s is %s, and the car comes for %s in place of %s", x.id, state, c.rider, t.RiderID)
	}
	if c.with != t.Provider {
		o.t.Fatalf("row %s is %s, and the car is one of %s in place of %s", x.id, state, c.with, t.Provider)
	}
	if c.begins != t.Time() && len(d.Outcome.Fixed) == 0 && !c.fixed && c.asItIs != t.Time() {
		o.t.Fatalf("row %s is %s, and the car comes at %s in place of %s", x.id, state, c.begins, t.Time())
	}
}

// retry sends rows of an old workbook, some of them fixed.
func (o *office) retry() {
	if len(o.books) == 0 {
		return
	}
	b := o.books[o.draw(len(o.books))]
	o.list = nil
	for i, m := range b.rows {
		if o.draw(4) > 0 {
			continue
		}
		if o.draw(2) == 0 && m.LeftOut == "" {
			x := *o.orderOf(m.Key.ID)
			x.both, x.minute, x.respelt, x.cancelled = len(m.Trips) > 1, 425+15*o.draw(20), false, false
			x.faulty = false
			x.moved = len(m.Trips) > 0 && m.Trips[0].Provider != provider
			m = x.row()
		}
		w := o.wanted(m, b.arrival)
		w.Version = b.version[i]
		o.fixing = true
		o.do(w)
		o.fixing = false
	}
}

// TestRandomNights drives the judge through nights in which files come in any order, replies are
// lost, and persons answer old lists.
func TestRandomNights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOffice(t)
		var older []item
		for range rapid.IntRange(3, 25).Draw(t, "steps") {
			o.now = o.now.Add(time.Duration(5+o.draw(60)) * time.Minute)
			for range o.draw(3) {
				o.change()
			}
			switch o.draw(9) {
			case 0, 1, 2, 3:
				older = o.list
				if a := o.send(o.export(), o.draw(4) > 0); a != nil {
					o.nothingLost()
				}
			case 4:
				if len(o.files) > 0 {
					o.send(o.files[o.draw(len(o.files))], o.draw(2) == 0)
				}
			case 5:
				f := o.export()
				f.rows = f.rows[:len(f.rows)/2]
				o.files = o.files[:len(o.files)-1]
				if len(f.rows) > 0 {
					o.send(f, true)
				}
			case 6:
				o.retry()
			case 7:
				o.answers(o.list)
			case 8:
				o.answers(older)
			}
		}
		o.now = o.now.Add(time.Hour)
		o.send(o.export(), true)
		o.nothingLost()
	})
}
