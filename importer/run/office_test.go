package run_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// An office imports a schedule whose trips change after they were booked, and its
// dispatchers change trips in the service itself. What the service has of each trip is
// compared with the schedule: a property that the schedule left alone is never sent,
// and whatever is not as in the schedule is on a list.
type office struct {
	*history
	rng  *rand.Rand
	day  importer.Date
	rows [][]importer.Trip
	// exports are the schedules so far.
	exports []*file
	trace   []string

	mu sync.Mutex
	// seen are the values that the imported schedules have had, by trip and property.
	seen map[string]map[string]map[string]bool
	held map[string]bool // the trips that nobody may change
	sent []sentChange
	// settled reports that the service is working on nothing any more.
	settled bool
	counts  changeCounts
}

// A sentChange is a change that left for the service.
type sentChange struct {
	run  int
	id   string
	keys []string
}

// changeCounts count what happened to booked trips.
type changeCounts struct{ sent, updated, listed, edits, holds, withheld int }

func (c *changeCounts) add(d changeCounts) {
	c.sent += d.sent
	c.updated += d.updated
	c.listed += d.listed
	c.edits += d.edits
	c.holds += d.holds
	c.withheld += d.withheld
}

func newOffice(t *testing.T, seed uint64, trips int) *office {
	rng := rand.New(rand.NewPCG(seed, 3))
	o := &office{
		history: newHistory(t, seed, []int{1, 2, 8}[rng.IntN(3)]), rng: rng,
		day:  []importer.Date{{Year: 2000, Month: 1, Day: 9}, {Year: 2000, Month: 1, Day: 2}, {Year: 2000, Month: 1, Day: 1}}[rng.IntN(3)],
		seen: map[string]map[string]map[string]bool{}, held: map[string]bool{},
	}
	o.rideOf = func(t *importer.Trip) string { return t.ID }
	o.judgeChange = o.judgeSent
	o.faults = []float64{0, 0, 0.05, 0.2, 0.4}[rng.IntN(5)]
	for n := range trips {
		id := "T" + strconv.Itoa(n)
		row := []importer.Trip{o.newTrip(id, importer.OnlyLeg)}
		if rng.IntN(3) == 0 {
			row = []importer.Trip{o.newTrip(id, importer.OutboundLeg), o.newTrip(id+"r", importer.ReturnLeg)}
			row[1].Pickup.PickupTime.Hour += 3
		}
		o.rows = append(o.rows, row)
	}
	return o
}

func (o *office) newTrip(id string, leg importer.Leg) importer.Trip {
	t := fullTrip(id)
	t.Leg, t.Type, t.Pickup.Appt, t.Dropoff.Appt = leg, importer.Return, importer.DateTime{}, importer.DateTime{}
	t.Pickup.PickupTime = importer.DateTime{Date: o.day, TimeOfDay: importer.TimeOfDay{Hour: 16 + o.rng.IntN(3), Minute: o.rng.IntN(60)}}
	t.Pickup.LocationName, t.Dropoff.LocationName = "home of "+id, "clinic"
	if o.rng.IntN(3) == 0 {
		t.Dropoff.Position.Source = "the places list"
	}
	if o.rng.IntN(8) == 0 {
		willCall(&t)
	}
	return t
}

// alter changes a trip in the schedule.
func (o *office) alter(t *importer.Trip) {
	n := strconv.Itoa(o.rng.IntN(1000))
	event := &t.Pickup
	if o.rng.IntN(2) == 0 {
		event = &t.Dropoff
	}
	switch o.rng.IntN(18) {
	case 0, 1, 2:
		if t.Type != importer.WillCall {
			t.Pickup.PickupTime.Minute = o.rng.IntN(60)
		}
	case 3, 4:
		event.Address1 = n + " Sample Street"
		event.Position.Latitude += 0.001
	case 5:
		event.City = "City " + n
	case 6, 7:
		event.Phone = "312-555-0" + n
	case 8:
		event.Phone = "" // the service can't be told so
	case 9:
		event.Comment = "comment " + n
	case 10:
		t.SpaceType = []string{"AMB", "WCH", "STR"}[o.rng.IntN(3)]
	case 11:
		t.AdditionalRiders[0].Count = 1 + o.rng.IntN(4)
	case 12:
		t.BillableDistance.Value = float64(o.rng.IntN(9))
	case 13:
		event.Name = "name " + n
	case 14:
		if t.Type == importer.WillCall {
			t.Type, t.Pickup.PickupTime = importer.Return, importer.DateTime{Date: o.day, TimeOfDay: importer.TimeOfDay{Hour: 17}}
		} else {
			willCall(t)
		}
	case 15:
		event.Position.Longitude += 0.001
	case 16:
		event.Position.Source = []string{"", "the places list"}[o.rng.IntN(2)]
	case 17:
		t.Phone = "312-555-0" + n
	}
}

// export makes a file of the schedule as it is.
func (o *office) export() *file {
	f := newFile(fmt.Sprintf("export-%d.csv", len(o.exports)+1))
	f.rules.AllowPast = false
	for n, trips := range o.rows {
		id := "T" + strconv.Itoa(n)
		f.mapped = append(f.mapped, importer.Mapped{
			Key:   importer.RowKey{Broker: "Lakeshore", ID: id, TripID: id, IDs: importer.UniqueIDs, Date: o.day},
			Trips: cloneTrips(trips),
		})
	}
	o.exports = append(o.exports, f)
	return f
}

func cloneTrips(trips []importer.Trip) []importer.Trip {
	trips = slices.Clone(trips)
	for i := range trips {
		trips[i].AdditionalRiders = slices.Clone(trips[i].AdditionalRiders)
	}
	return trips
}

// note takes note of the values of an imported schedule.
func (o *office) note(f *file) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range f.mapped {
		for i := range m.Trips {
			t := &m.Trips[i]
			if o.seen[t.ID] == nil {
				o.seen[t.ID] = map[string]map[string]bool{}
			}
			values := valueMap(t.Properties())
			for _, p := range importer.TripProperties() {
				if o.seen[t.ID][p.Key] == nil {
					o.seen[t.ID][p.Key] = map[string]bool{}
				}
				o.seen[t.ID][p.Key][values[p.Key]] = true
			}
		}
	}
}

// isPlace reports whether the property is of an address or its coordinates; side is the
// event.
func isPlace(key string) (side string, is bool) {
	side, part, _ := strings.Cut(key, ".")
	return side, part == "complete_address" || strings.HasPrefix(part, "event_location.")
}

// judgeSent judges a change when it leaves for the service.
func (o *office) judgeSent(n int, c *importer.TripChange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	id := c.Trip.ID
	o.sent = append(o.sent, sentChange{n, id, slices.Clone(c.Keys)})
	o.counts.sent++
	values := changedValues(c)
	if o.held[id] {
		o.truth.wrong("changed, though a person holds it: %s %v", id, c.Keys)
	}
	if o.changes.Withheld != "" {
		o.truth.wrong("changed, though changes are withheld: %s %v", id, c.Keys)
	}
	now := importer.DateTimeOf(time.Now().UTC())
	wasTimed := len(o.seen[id]["trip_type"]) == 1 && c.Trip.Type != importer.WillCall
	frozen := now.Date == o.day || wasTimed && now.Date == o.day.AddDays(-1) && now.Hour*60+now.Minute > o.changes.Freeze.Hour*60+2
	for _, key := range c.Keys {
		side, place := isPlace(key)
		ofPlace := place && slices.ContainsFunc(c.Keys, func(other string) bool {
			otherSide, is := isPlace(other)
			return is && otherSide == side && len(o.seen[id][other]) > 1
		})
		switch {
		case values[key] == "":
			o.truth.wrong("%s of %s is sent without a value", key, id)
		case len(o.seen[id][key]) < 2 && (!strings.HasSuffix(key, "itude") || !ofPlace):
			o.truth.wrong("%s of %s is sent, and the schedule left it alone: %v", key, id, o.seen[id][key])
		case !importer.Changeable(key):
			o.truth.wrong("%s of %s is sent, and can't be", key, id)
		case frozen && !o.changes.NoFreeze && (place || strings.HasSuffix(key, "_time") || key == "trip_type" || key == "space_type"):
			o.truth.wrong("%s of %s is sent at %s", key, id, now)
		}
	}
}

// importFile runs the program on a file, and judges its results unless it died.
func (o *office) importFile(f *file, e ending) (*reporter, bool) {
	o.file = f
	o.note(f)
	earlier := &run.Earlier{Ledger: o.ledger, Address: "https://trips.example", Changes: o.changes, Clock: importer.SystemClock{}}
	p, r := o.runOnce(e, earlier)
	o.trace = append(o.trace, fmt.Sprintf("%s run %d of %s (%+v): %v", time.Now().UTC().Format("2 15:04"), o.runs, f.name, o.changes, r.lines()))
	o.settled = o.faults == 0 || o.rng.IntN(3) > 0
	if o.settled {
		time.Sleep(15 * time.Minute) // for what the service is still working on
	} else {
		time.Sleep(time.Duration(o.rng.IntN(10)) * time.Minute)
	}
	if p.crashed() {
		return r, false
	}
	if o.changes != nil && o.changes.Withheld != "" {
		o.counts.withheld++
	}
	o.judge(r)
	return r, true
}

// judge compares the results of an import with what the service has and what was sent.
func (o *office) judge(r *reporter) {
	for _, row := range r.rows {
		for i := range row.Trips {
			t, out := &row.Trips[i].Trip, &row.Trips[i].Outcome
			o.judgeListed(t, out)
			if out.State.Booked() && o.settled {
				o.judgeBooked(t, out)
			}
		}
	}
}

// judgeListed compares what was sent of a trip in the last run with what is listed.
func (o *office) judgeListed(t *importer.Trip, out *importer.Outcome) {
	var sent []string
	for _, s := range o.sent {
		if s.run == o.runs && s.id == t.ID {
			sent = s.keys
		}
	}
	listed := slices.Concat(out.Updated, out.Changed)
	for _, key := range sent {
		if !slices.Contains(listed, key) {
			o.unaccounted("%s of %s was sent and is not listed (%s)", key, t.ID, out.State.Code())
		}
	}
	for _, key := range out.Updated {
		o.counts.updated++
		if !slices.Contains(sent, key) {
			o.unaccounted("%s of %s is listed as changed, and was not sent", key, t.ID)
		}
	}
}

// judgeBooked compares a booked trip with the schedule. It ignores changes of dispatchers
// who did not tell the program, because it can't know of them.
func (o *office) judgeBooked(t *importer.Trip, out *importer.Outcome) {
	b := o.truth.liveNow(t.ID)
	if b == nil {
		o.unaccounted("reported as %s, and not booked: %s", out.State.Code(), t.ID)
		return
	}
	is, edited := o.truth.valuesOf(b)
	wanted := valueMap(t.Properties())
	for _, p := range importer.TripProperties() {
		_, place := isPlace(p.Key)
		switch {
		case is[p.Key] == wanted[p.Key] || p.Informational || p.OfAccount || edited[p.Key]:
		case place && p.OfBoth && (wanted[p.Key] == "" || is[p.Key] == "" || o.placed(t.ID, p.Key)): // compared if both are from the row
		case slices.Contains(out.Changed, p.Key) && out.State.NeedsPerson():
			o.counts.listed++
		case out.State == importer.Changed && out.Changed == nil: // the ledger failed, and could not say in what
			o.counts.listed++
		default:
			o.unaccounted("%s of %s is %q in the service and %q in the schedule, and on no list: %s %v", p.Key, t.ID, is[p.Key], wanted[p.Key], out.State.Code(), out.Changed)
		}
	}
}

// placed reports whether the coordinate came from elsewhere in some schedule.
func (o *office) placed(id, key string) bool { return o.seen[id][key][""] }

// dispatch is a dispatcher who changes a trip in the service. Some tell the program to
// leave it alone.
func (o *office) dispatch() {
	all := o.truth.all()
	if len(all) == 0 {
		return
	}
	b := all[o.rng.IntN(len(all))]
	key := []string{"pickup.pickup_time", "dropoff.phone_number", "space_type", "pickup.event_location.address1"}[o.rng.IntN(4)]
	o.truth.change(b.guid, map[string]string{key: "as agreed by phone"}, true)
	o.counts.edits++
	o.trace = append(o.trace, fmt.Sprintf("a dispatcher changes %s of %s", key, b.id))
	if e := o.ledger.entryOfGUID(b.guid); e != nil && o.rng.IntN(2) == 0 {
		o.ledger.hold(e, true)
		o.held[b.id] = true
		o.counts.holds++
		o.trace = append(o.trace, "and holds it")
	}
}

// answer is a person who works on the list: they change the trip in the service to what
// the schedule says, and tell the program so.
func (o *office) answer(f *file, r *reporter, often float64) {
	o.lookUp()
	for i, row := range r.rows {
		for j := range row.Trips {
			out := &row.Trips[j].Outcome
			e, b := o.ledger.entryOf(out.Attempt), o.truth.liveNow(row.Trips[j].Trip.ID)
			if !out.State.NeedsPerson() || !out.State.Booked() || e == nil || b == nil || o.held[b.id] || o.rng.Float64() >= often {
				continue
			}
			t := &f.mapped[i].Trips[j]
			o.truth.mu.Lock()
			b.values, b.edited = valueMap(t.Properties()), map[string]bool{}
			o.truth.mu.Unlock()
			o.ledger.accept(e, t)
			o.trace = append(o.trace, "a person settles "+b.id+" "+out.State.Code())
		}
	}
}

// newChangesOf draws what a run does about booked trips.
func (o *office) drawChanges(older bool) *run.Changes {
	c := &run.Changes{Freeze: importer.TimeOfDay{Hour: 1 + int(o.seed%3)}, Confirmed: o.rng.IntN(3) == 0, Only: o.rng.IntN(4) == 0}
	if older && !c.Confirmed {
		c.Withheld = "a later schedule of the same day was imported"
	}
	return c
}

// night has the schedule change and the office import it, an older file after a newer
// one now and then, by itself or behind a person's yes, while dispatchers work. In the
// end the last schedule is imported until nothing more is sent.
func (o *office) night() {
	for range 2 + o.rng.IntN(6) {
		f := o.export()
		older := o.rng.IntN(6) == 0 && len(o.exports) > 1
		if older {
			f = o.exports[o.rng.IntN(len(o.exports)-1)]
		}
		o.mapping = []string{"", "", "", "another mapping"}[o.rng.IntN(4)]
		for range 1 + o.rng.IntN(2) {
			o.changes = o.drawChanges(older)
			r, whole := o.importFile(f, o.endings(o.runs+2))
			if o.settled && o.rng.IntN(2) == 0 {
				o.lookUp()
			}
			if whole && o.settled && !older {
				o.answer(f, r, []float64{0, 0, 0.3}[o.rng.IntN(3)])
			}
			if o.rng.IntN(3) == 0 {
				o.dispatch()
			}
		}
		few := 1 + o.rng.IntN(1+len(o.rows)/3)
		for range few {
			row := o.rows[o.rng.IntN(len(o.rows))]
			o.alter(&row[o.rng.IntN(len(row))])
		}
		if o.rng.IntN(12) == 0 { // all of them alike
			for _, row := range o.rows {
				for i := range row {
					row[i].Dropoff.Phone = "312-555-0" + strconv.Itoa(o.runs)
				}
			}
		}
	}
	o.settle()
}

// settle imports the last schedule, without faults, until nothing more is sent.
func (o *office) settle() {
	o.faults = 0
	time.Sleep(15 * time.Minute)
	f := o.export()
	o.changes, o.mapping = &run.Changes{Freeze: importer.TimeOfDay{Hour: 1}, Confirmed: true}, ""
	for range 5 {
		o.lookUp()
		before := len(o.sent)
		r, _ := o.importFile(f, ending{})
		if len(o.sent) == before && !slices.ContainsFunc(r.rows, func(row importer.RowResult) bool { return row.State == importer.Created }) {
			o.evaluateOffice(f, r)
			return
		}
	}
	o.truth.wrong("something is sent in each of five runs of one schedule")
	o.evaluateOffice(f, nil)
}

// evaluateOffice has a person settle all that is listed, and wants nothing left.
func (o *office) evaluateOffice(f *file, r *reporter) {
	if r != nil {
		o.answer(f, r, 1)
		before := len(o.sent)
		last, _ := o.importFile(f, ending{})
		for _, row := range last.rows {
			for _, trip := range row.Trips {
				if out := trip.Outcome; out.State != importer.AlreadyCreated && out.State.Booked() && !o.held[trip.Trip.ID] {
					o.unaccounted("%s is %s after all was settled: %v %s", trip.Trip.ID, out.State.Code(), out.Changed, out.Reason)
				}
			}
		}
		if len(o.sent) > before {
			o.unaccounted("the same schedule is sent again: %v", o.sent[before:])
		}
	}
	o.tally.histories, o.tally.runs, o.tally.posts = 1, o.runs, len(o.truth.all())
	o.tally.twice += o.truth.report(o.t, o.seed)
	if len(o.truth.wrongs) > 0 && len(o.rows) < 100 {
		o.t.Log(strings.Join(o.trace, "\n"))
	}
}

// simulateOffice runs the nights of one office in a bubble of synctest. One in a hundred
// has 100 rows.
func simulateOffice(t *testing.T, seed uint64) (o *office) {
	synctest.Test(t, func(t *testing.T) {
		rows := 1 + int(seed%9)
		if seed%100 == 50 {
			rows = 100
		}
		o = newOffice(t, seed, rows)
		o.night()
	})
	return o
}

// TestEveryStepOfChanges has the process die at each step of an import with changes, and
// then runs it again until nothing more is sent.
func TestEveryStepOfChanges(t *testing.T) {
	for _, workers := range []int{1, 8} {
		crashes, counts := 0, changeCounts{}
		for crashAt, crashed := 1, true; crashed; crashAt++ {
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(t, 7, 4)
				o.workers, o.faults, o.day = workers, 0, importer.Date{Year: 2000, Month: 1, Day: 9}
				for n := range o.rows {
					o.rows[n] = []importer.Trip{o.newTrip("T"+strconv.Itoa(n), importer.OnlyLeg)}
				}
				o.changes = o.drawChanges(false)
				o.changes.Only, o.changes.Confirmed = false, true
				o.importFile(o.export(), ending{})
				o.rows[0][0].SpaceType, o.rows[0][0].Dropoff.Phone = "WCH", ""
				o.rows[1][0].Pickup.Address1 = "12 Sample Street"
				o.rows[2][0].SpaceType = "STR"
				o.rows = append(o.rows, []importer.Trip{o.newTrip("T4", importer.OnlyLeg)})
				_, whole := o.importFile(o.export(), ending{crashAt: crashAt})
				crashed = !whole
				o.rows[2][0].SpaceType = "AMB" // as it was booked
				o.settle()
				counts.add(o.counts)
				crashes += o.tally.crashes
			})
			if t.Failed() {
				t.Fatalf("after a crash at step %d", crashAt)
			}
		}
		t.Logf("%d workers: %d crashes, %+v", workers, crashes, counts)
	}
}

// entryOfGUID returns the entry of a booked trip; nil for none.
func (m *memory) entryOfGUID(guid string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.guids[strings.ToLower(guid)]
}
