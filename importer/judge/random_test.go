package judge_test

import (
	"fmt"
	"slices"
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
	later           bool // by a day
}

func (o *order) row() *importer.Mapped {
	id := o.id
	if o.respelt {
		id = "0" + id
	}
	date := day(2)
	if o.later {
		date = day(3)
	}
	clock := importer.DateTime{Date: date, TimeOfDay: importer.TimeOfDay{Hour: o.minute / 60, Minute: o.minute % 60}}
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
	unwanted   bool              // a person left the car, although its row does not make its trip
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
	switch o.draw(12) {
	case 11:
		x.later = !x.later
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
	if c := o.byHand[way{x.id, places}]; c != nil && c.active && c.begins.Date == t.Date() {
		o.t.Fatalf("a second car for row %s, %s: a person booked it by hand", x.id, places)
	}
	if w, left := o.left[way{x.id, places}]; left && w.begins.Date == t.Date() {
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
	s.Changed = s.Event
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
	if st := d.Outcome.State; s != nil && s.Number != 0 && st == importer.CancelByHand {
		word := &o.words[s.Row-1]
		if word.Says == importer.SaysLive && o.said[s.Row] != nil {
			for _, t := range o.said[s.Row].Trips {
				if placesOf(&t) == o.cars[s.Number].way && !o.hasOther(o.cars[s.Number]) {
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

// hasOther reports whether another car comes for the trip of a car.
func (o *office) hasOther(c *car) bool {
	for _, other := range o.cars {
		if other != c && other.active && other.order == c.order && other.way == c.way {
			return true
		}
	}
	return false
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
	for about, c := range o.byHand {
		if x := o.orderOf(about.order); c.active && !c.unwanted && !x.gone && !x.faulty && !x.makes(about, c.begins.Date) &&
			!slices.ContainsFunc(o.list, func(it item) bool {
				state := it.decision.Outcome.State // of one that may be there, the list says to cancel it if it is
				return it.hand(o) == c && state == importer.CancelByHand || it.way() == about && state == importer.Unknown
			}) {
			o.t.Fatalf("a person booked %v by hand, the row does not make it any more, and nobody is told", about)
		}
	}
}

// makes reports whether the broker wants a trip of a day.
func (x *order) makes(about way, on importer.Date) bool {
	return !x.cancelled && slices.ContainsFunc(x.row().Trips, func(t importer.Trip) bool { return placesOf(&t) == about.places && t.Date() == on })
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
	fixed := c.fixed || !d.Trip.Sent.Same(d.Trip.Seen, "pickup.pickup_time") // the schedule still has another time
	if c.begins != t.Time() && !fixed && c.asItIs != t.Time() {
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
