package run_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// A broker exports one schedule again and again, and changes it in between. What
// the service has is judged by the rides that the schedule wants: a rider, a date
// and a way. Each is to be booked once, and whatever differs from it has to be on a
// person's list.
type broker struct {
	*history
	rng      *rand.Rand
	ids      importer.IDUse
	complete bool
	visits   []*visit
	exports  []*export
	asked    map[string]int // questions by their code
	trace    []string
}

// A visit is a row of the schedule: a ride to an appointment, from it, or both.
type visit struct {
	id, respelt   string // respelt is empty while the row has its own id
	rider         string
	date          importer.Date
	minute        int // of the pickup
	home, clinic  string
	back, both    bool // it is the way back, or has both ways
	sibling       bool // another row has the other way
	otherProvider bool
	cancelled     bool
	blank         int // what of a cancelled row is blank or wrong
	// moved, corrected and renamed report that the row's time, its rider, date or places,
	// or its id have been changed. No program can recognize a row in which all of them
	// have changed.
	moved, corrected, renamed bool
	// spelt and reshaped report that its id was respelt, and that it was flipped or
	// cancelled, in some export.
	spelt, reshaped bool
	redated         bool // moved to another day
}

// An export is a file that the broker made.
type export struct {
	*file
	n      int
	day    importer.Date   // of the rows where there are those of one day only
	wanted map[string]bool // the rides of its live rows
	has    map[string]bool // the riders and dates of its rows
}

const days = 3

func dayNumber(n int) importer.Date { return importer.Date{Year: 2000, Month: 1, Day: 9 + n} }

func newBroker(t *testing.T, seed uint64, rows int) *broker {
	rng := rand.New(rand.NewPCG(seed, 2))
	b := &broker{
		history: newHistory(t, seed, []int{1, 2, 8}[rng.IntN(3)]), rng: rng,
		ids:      []importer.IDUse{importer.UniqueIDs, importer.RepeatedIDs, importer.UnsaidIDs}[rng.IntN(3)],
		complete: rng.IntN(2) == 0, asked: map[string]int{},
	}
	b.rideOf = rideOf
	b.faults = []float64{0, 0, 0.05, 0.2}[rng.IntN(4)]
	for len(b.visits) < rows {
		n := len(b.visits)
		v := &visit{
			id: fmt.Sprintf("LK-00%d", 701+n), rider: "rider " + strconv.Itoa(n), date: dayNumber(rng.IntN(days)), minute: 480 + 15*rng.IntN(30),
			home: fmt.Sprintf("%d Example Street", 100+n), clinic: "1 Clinic Way", both: rng.IntN(2) == 0,
		}
		b.visits = append(b.visits, v)
		switch rng.IntN(6) {
		case 0: // the way back on a row of its own, whose id differs in a letter
			v.both, v.sibling = false, true
			other := *v
			v.id, other.id, other.back, other.minute = v.id+"A", v.id+"B", true, v.minute+120
			b.visits = append(b.visits, &other)
		case 1, 2: // a standing order, which has its id again on another day
			if b.ids != importer.UniqueIDs {
				again := *v
				again.date = dayNumber((v.date.Day - 9 + 1) % days)
				b.visits = append(b.visits, &again)
			}
		}
	}
	return b
}

// rideOf names what must be booked once: a rider's way on a day.
func rideOf(t *importer.Trip) string {
	return t.RiderID + " " + t.Date().String() + " from " + t.Pickup.LocationName
}

func (v *visit) rowID() string {
	if v.respelt != "" {
		return v.respelt
	}
	return v.id
}

// trips returns the trips that a mapping makes of the row, and the row's key.
func (b *broker) trips(v *visit) ([]importer.Trip, importer.RowKey) {
	key := importer.RowKey{Broker: "Lakeshore", ID: v.rowID(), TripID: v.rowID(), IDs: b.ids, Date: v.date}
	if b.ids == importer.RepeatedIDs {
		key.TripID += "-" + v.date.String()
	}
	event := func(name, address string) importer.Event {
		return importer.Event{LocationName: name, Address1: address}
	}
	trip := func(leg importer.Leg, suffix string, back bool, minute int) importer.Trip {
		t := importer.Trip{
			Leg: leg, Provider: "Lakeshore Transit", FundingSource: "Lakeshore Plan", SpaceType: "AMB", Type: importer.Return,
			ID: key.TripID + suffix, RiderID: v.rider, Pickup: event("home", v.home), Dropoff: event("clinic", v.clinic),
		}
		if v.otherProvider {
			t.Provider, t.FundingSource = "Prairie Rides", "Prairie Plan"
		}
		if back {
			t.Pickup, t.Dropoff = t.Dropoff, t.Pickup
		}
		t.Pickup.PickupTime = importer.DateTime{Date: v.date, TimeOfDay: importer.TimeOfDay{Hour: minute / 60, Minute: minute % 60}}
		return t
	}
	if v.both {
		return []importer.Trip{trip(importer.OutboundLeg, "-A", false, v.minute), trip(importer.ReturnLeg, "-B", true, v.minute+120)}, key
	}
	return []importer.Trip{trip(importer.OnlyLeg, "", v.back, v.minute)}, key
}

// mapped is the row as an export has it.
func (b *broker) mapped(v *visit) importer.Mapped {
	shape := *v
	if v.cancelled && v.blank == otherShape && !v.sibling {
		shape.both = !v.both
	}
	trips, key := b.trips(&shape)
	m := importer.Mapped{Key: key, Trips: trips}
	if !v.cancelled {
		return m
	}
	m.LeftOut, m.Cancelled = "cancelled", true
	for i := range m.Trips {
		switch t := &m.Trips[i]; v.blank {
		case noPayer:
			t.Provider, t.FundingSource = "", ""
		case otherPayer:
			t.Provider, t.FundingSource = "Prairie Rides", "Prairie Plan"
		case onlyIDs:
			m.Key.Date, m.Key.TripID = importer.Date{}, v.rowID()
			*t = importer.Trip{Leg: t.Leg, ID: strings.ReplaceAll(t.ID, key.TripID, m.Key.TripID)}
		}
	}
	return m
}

// The ways in which a cancelled row is blank or wrong.
const (
	nothingBlank = iota
	noPayer
	otherPayer
	otherShape
	onlyIDs
	blanks
)

// export makes a file of the schedule as it is. Where nobody says whether ids come
// again, a file has one day, since an id is in a file once.
func (b *broker) export() *export {
	x := &export{n: len(b.exports) + 1}
	if b.ids == importer.UnsaidIDs {
		x.day = dayNumber(b.rng.IntN(days))
	}
	return b.exportOf(x)
}

func (b *broker) exportOf(x *export) *export {
	x.wanted, x.has = map[string]bool{}, map[string]bool{}
	x.file = newFile(fmt.Sprintf("export-%d.csv", x.n))
	x.rules.Complete, x.wide = b.complete, true
	for _, v := range b.visits {
		if !x.day.IsZero() && v.date != x.day {
			continue
		}
		m := b.mapped(v)
		x.has[v.rider+" "+v.date.String()] = true
		x.mapped = append(x.mapped, m)
		for i := range m.Trips {
			if !v.cancelled {
				x.wanted[rideOf(&m.Trips[i])] = true
			}
		}
	}
	b.exports = append(b.exports, x)
	return x
}

// wanted are the rides of the schedule as it is.
func (b *broker) wanted() map[string]bool {
	all := map[string]bool{}
	for _, v := range b.visits {
		trips, _ := b.trips(v)
		for i := range trips {
			if !v.cancelled {
				all[rideOf(&trips[i])] = true
			}
		}
	}
	return all
}

// change changes a row between two exports.
func (b *broker) change(v *visit) {
	settled := !v.renamed && !v.spelt
	repeats := slices.ContainsFunc(b.visits, func(o *visit) bool { return o != v && o.id == v.id })
	did := ""
	switch kind := b.rng.IntN(11); {
	case kind == 0 && !v.sibling && !v.renamed && (!v.redated || b.ids != importer.UnsaidIDs):
		v.both, v.reshaped = !v.both, true
		did = "flipped"
	case kind <= 2 && (!v.renamed || b.complete):
		v.minute += b.rng.IntN(90) - 45
		v.moved = true
		did = "moved"
	case kind == 3 && !v.corrected && !v.renamed && (!v.cancelled || v.blank != onlyIDs):
		v.respelt, v.spelt = b.respell(v), true
		did = "respelt"
	case kind <= 5 && !v.renamed && !v.cancelled && (!v.redated || b.ids != importer.UnsaidIDs):
		v.cancelled, v.reshaped, v.blank = true, true, b.rng.IntN(blanks)
		if v.blank == onlyIDs && v.spelt {
			v.blank = noPayer
		}
		did = "cancelled"
	case kind == 6 && v.cancelled:
		v.cancelled = false
		did = "live again"
	case kind == 7 && !v.renamed:
		v.otherProvider = !v.otherProvider
		did = "reassigned"
	case kind == 8 && settled && !v.corrected && !v.reshaped && !repeats && (b.complete || !v.moved):
		v.id, v.renamed = v.id+"9", true
		if b.complete {
			v.minute += b.rng.IntN(120)
		}
		did = "given a new id"
	case kind == 9 && settled && !repeats && !v.sibling && b.mayMove(v):
		v.date, v.corrected, v.redated = dayNumber(b.rng.IntN(days)), true, true
		did = "moved to another day"
	case kind == 10 && settled:
		v.corrected = true
		if b.rng.IntN(2) == 0 {
			if b.rng.IntN(2) == 0 {
				v.clinic = "1 Hospital Road"
			}
			v.home = strings.Replace(v.home, "Example", "Sample", 1)
			did = "given another address"
		} else if !v.sibling && !repeats {
			v.rider += "x"
			did = "given another rider"
		}
	}
	if did != "" {
		b.trace = append(b.trace, fmt.Sprintf("%s (%s) %s: %+v", v.rowID(), v.rider, did, *v))
	}
}

// mayMove reports whether a program can recognize a row on another day. If nobody says
// whether ids come again, a cancelled row on another day is not the booked trip.
func (b *broker) mayMove(v *visit) bool {
	return b.ids == importer.UniqueIDs || b.ids == importer.UnsaidIDs && !v.reshaped
}

// respell returns another spelling of a row's id, or its own again.
func (b *broker) respell(v *visit) string {
	switch b.rng.IntN(4) {
	case 0:
		return strings.ToLower(v.id)
	case 1:
		return strings.Replace(v.id, "-00", "-", 1)
	case 2:
		return strings.Replace(v.id, "-", "", 1)
	}
	return ""
}

// importFile runs the program on a file, and judges its results unless it died.
func (b *broker) importFile(x *export, e ending) (*reporter, bool) {
	b.file = x.file
	p, r := b.runOnce(e, &run.Earlier{Ledger: b.ledger, Address: "https://trips.example"})
	b.trace = append(b.trace, fmt.Sprintf("run of export %d: %v", x.n, r.lines()))
	time.Sleep(15 * time.Minute) // for what the service is still working on
	if p.crashed() {
		return r, false
	}
	b.judge(x, r)
	return r, true
}

// judge compares the results of an import with what the service has.
func (b *broker) judge(x *export, r *reporter) {
	covered := map[string]bool{}
	named := map[string]bool{} // the GUIDs of bookings that are on a person's list
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			o, ride := trip.Outcome, rideOf(&trip.Trip)
			if o.State.NeedsPerson() || o.State == importer.Waiting || o.State == importer.Invalid {
				for _, booked := range b.bookingsOf(&o, row.Problems) {
					named[booked.guid] = true
				}
				// A row whose id has to be corrected, or of which the ledger could not be
				// asked, has a person look at the rider's trips.
				respelt := slices.ContainsFunc(trip.Trip.Problems, func(p importer.Problem) bool { return p.Code == "trip-id-respelt" })
				for _, booked := range b.truth.all() {
					ofRow := strings.HasPrefix(booked.ride, trip.Trip.RiderID+" ") || strings.HasPrefix(booked.id, strings.TrimRight(trip.Trip.ID, "-AB"))
					if (respelt || o.State == importer.Unknown || o.Question == importer.AskWay) && ofRow {
						named[booked.guid] = true
					}
				}
			}
			if row.LeftOut != "" || trip.OffRow {
				continue
			}
			covered[ride] = true
			switch booked := b.truth.liveNow(ride); {
			case (o.State == importer.Created || o.State == importer.AlreadyCreated) && booked == nil:
				b.unaccounted("reported as %s, and not booked: %s", o.State.Code(), ride)
			case o.State == importer.Skipped && booked == nil:
				b.unaccounted("left out, and not booked: %s", ride)
			}
			for _, p := range trip.Trip.Problems {
				if p.Severity == importer.Fault && p.Code != "trip-id-respelt" && p.Code != importer.CodeDoubleBooking {
					b.truth.wrong("a false fault: %s %s (%s)", p.Code, p.Message, ride)
				}
			}
			if o.Question != importer.NoQuestion {
				b.asked[o.Question.Code()]++
			}
		}
	}
	for ride := range x.wanted {
		if !covered[ride] {
			b.unaccounted("not reported: %s", ride)
		}
	}
	for _, booked := range b.truth.all() {
		riderAndDate, _, _ := strings.Cut(booked.ride, " from ")
		ofFile := x.has[riderAndDate] || x == b.exports[len(b.exports)-1] && x.day.IsZero()
		if !booked.cancelled && !x.wanted[booked.ride] && ofFile && !named[booked.guid] {
			b.unaccounted("booked as %s, not wanted, and on nobody's list: %s", booked.id, booked.ride)
		}
	}
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			if trip.Outcome.State != importer.CancelledCreated || strings.Contains(trip.Outcome.Reason, "perhaps") {
				continue
			}
			for _, booked := range b.bookingsOf(&trip.Outcome, nil) {
				if x.wanted[booked.ride] {
					b.unaccounted("on the list to be cancelled, and wanted: %s", booked.ride)
				}
			}
		}
	}
}

// bookingsOf returns the live bookings that an outcome or a problem of its row names.
func (b *broker) bookingsOf(o *importer.Outcome, problems []importer.Problem) []*booking {
	var all []*booking
	e := b.ledger.entryOf(o.Attempt)
	for _, booked := range b.truth.all() {
		byAttempt := e != nil && e.TripID == booked.id && strings.EqualFold(e.Account.Provider, booked.provider)
		byProblem := slices.ContainsFunc(problems, func(p importer.Problem) bool { return strings.Contains(p.Message, "trip "+booked.id+" ") })
		if !booked.cancelled && (byAttempt || byProblem || o.GUID != "" && o.GUID == booked.guid) {
			all = append(all, booked)
		}
	}
	return all
}

// answer is a person who works on the list, with a probability for each entry, and
// tells the ledger. It reports whether there was anything to do.
func (b *broker) answer(x *export, r *reporter, often float64) (worked bool) {
	b.lookUp()
	wanted := b.wanted()
	for i, row := range r.rows {
		for _, trip := range row.Trips {
			o, key := trip.Outcome, x.mapped[i].Key
			if !o.Asks() && o.State != importer.Invalid || b.rng.Float64() >= often {
				continue
			}
			e := b.ledger.entryOf(o.Attempt)
			did := false
			switch {
			case o.State == importer.Invalid:
				did = b.correctID(key.ID)
			case o.State == importer.Unknown:
				did = true // it was looked up
			case e != nil && e.State != importer.Unknown:
				did = b.settle(&trip.Trip, key, &o, e, wanted)
			}
			worked = worked || did
			if did {
				b.trace = append(b.trace, fmt.Sprintf("a person settles %s %s %s", trip.Trip.ID, o.State.Code(), o.Question.Code()))
			}
		}
	}
	return worked
}

// settle does in the service what one entry of the list says, and tells the ledger.
func (b *broker) settle(t *importer.Trip, key importer.RowKey, o *importer.Outcome, e *entry, wanted map[string]bool) bool {
	var booked *booking
	for _, other := range b.bookingsOf(&importer.Outcome{Attempt: o.Attempt}, nil) {
		booked = other
	}
	ride := rideOf(t)
	switch o.State {
	case importer.CancelledCreated:
		if booked == nil || wanted[booked.ride] {
			return false
		}
		booked.cancelled = true
		b.ledger.cancel(e, false)
		return true
	case importer.Reinstate:
		return b.reinstate(t, key, e, ride)
	case importer.Changed, importer.ChangeByHand:
		live := b.truth.liveNow(ride)
		if booked == nil || live != nil && live != booked {
			return false
		}
		booked.ride = ride
		b.ledger.accept(e, t)
		return true
	case importer.Waiting:
	default:
		return false
	}

	if booked == nil && o.Question == importer.AskOtherDay || booked != nil && booked.ride != ride && wanted[booked.ride] {
		b.ledger.decide(importer.Decision{Question: o.Question, Key: key, Trip: t, Other: o.Attempt}, importer.Meant)
		return true
	}
	if booked != nil {
		booked.cancelled = true
		b.ledger.cancel(e, true)
	}
	return booked != nil
}

// reinstate reinstates a trip in the service, unless its ride has another booking.
func (b *broker) reinstate(t *importer.Trip, key importer.RowKey, e *entry, ride string) bool {
	if b.truth.liveNow(ride) != nil {
		b.ledger.decide(importer.Decision{Key: key, Trip: t}, importer.LeaveIt)
		return true
	}
	for _, booked := range slices.Backward(b.truth.all()) {
		if booked.id == e.TripID && strings.EqualFold(e.Account.Provider, booked.provider) {
			booked.cancelled, booked.ride = false, ride
			b.ledger.reinstate(e)
			b.ledger.accept(e, t)
			return true
		}
	}
	return false
}

// correctID has the broker write an id as it was when the row was booked.
func (b *broker) correctID(id string) (done bool) {
	for _, v := range b.visits {
		if v.rowID() != id {
			continue
		}
		for _, e := range b.ledger.riders[v.rider] {
			if e.taken() && e.Date == v.date && e.key.ID != id && (v.both || (e.trip.Pickup.LocationName == "clinic") == v.back) {
				v.respelt, v.spelt, done = e.key.ID, true, true
			}
		}
	}
	return done
}

// lookUp looks in the service for each trip that may be booked.
func (h *history) lookUp() {
	for _, e := range h.ledger.unknowns() {
		h.tally.unknowns++
		guid := ""
		for _, booked := range h.truth.all() {
			if booked.id == e.TripID && strings.EqualFold(e.Account.Provider, booked.provider) && !booked.cancelled {
				guid = booked.guid
			}
		}
		h.ledger.found(e, guid)
	}
}

// night has the broker change and export its schedule several times, and the office
// import the exports, an older one after a newer one now and then. In the end the
// newest is imported, and all questions are answered, until nothing is left to do.
func (b *broker) night() {
	for range 2 + b.rng.IntN(5) {
		x := b.export()
		if b.rng.IntN(5) == 0 {
			x = b.exports[b.rng.IntN(len(b.exports))]
		}
		for range 1 + b.rng.IntN(2) {
			r, whole := b.importFile(x, b.endings(b.runs+2))
			if b.rng.IntN(2) == 0 {
				b.lookUp()
			}
			if whole && x == b.exports[len(b.exports)-1] {
				b.answer(x, r, []float64{0, 0.5, 1}[b.rng.IntN(3)])
			}
		}
		for range 1 + len(b.visits)/3 {
			b.change(b.visits[b.rng.IntN(len(b.visits))])
		}
	}
	b.faults = 0
	for day := range days {
		if b.ids == importer.UnsaidIDs {
			b.settleAll(dayNumber(day))
		}
	}
	if b.ids != importer.UnsaidIDs {
		b.settleAll(importer.Date{})
	}
	b.evaluateRides()
}

func (b *broker) settleAll(day importer.Date) {
	for range 30 {
		x := b.exportOf(&export{n: len(b.exports) + 1, day: day})
		r, _ := b.importFile(x, ending{})
		if worked := b.answer(x, r, 1); !worked {
			return
		}
	}
	b.truth.wrong("questions are left after 30 answers to all of them: %v", b.trace[len(b.trace)-1])
}

// evaluateRides compares what the service has in the end with the schedule.
func (b *broker) evaluateRides() {
	b.tally.histories, b.tally.runs = 1, b.runs
	wanted := b.wanted()
	for _, ride := range slices.Sorted(maps.Keys(wanted)) {
		if b.truth.liveNow(ride) == nil {
			b.tally.lost++
			b.truth.wrong("lost: %s", ride)
		}
	}
	for _, booked := range b.truth.all() {
		b.tally.posts++
		if !booked.cancelled && !wanted[booked.ride] {
			b.unaccounted("booked and not wanted in the end: %s as %s", booked.ride, booked.id)
		}
	}
	b.tally.twice += b.truth.report(b.t, b.seed)
	if len(b.truth.wrongs) > 0 && len(b.visits) < 100 {
		b.t.Log(strings.Join(b.trace, "\n"))
	}
}

// simulateBroker runs the night of one broker in a bubble of synctest. One in a
// hundred has 600 trips.
func simulateBroker(t *testing.T, seed uint64) (b *broker) {
	synctest.Test(t, func(t *testing.T) {
		rows := 1 + int(seed%12)
		if seed%100 == 0 {
			rows = 400 // every other row has two trips
		}
		b = newBroker(t, seed, rows)
		b.night()
	})
	return b
}
