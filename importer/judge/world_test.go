package judge_test

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

const broker, provider, payer, service = "Lakeshore", "Lakeshore Transit", "County", "https://service.example"

// The schedules of the tests are made on the evening of December 1, for December 2.
func evening() time.Time { return time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC) }

func day(n int) importer.Date { return importer.Date{Year: 2026, Month: 12, Day: n} }

func pair() importer.Pair { return importer.Pair{Provider: provider, FundingSource: payer}.Canonical() }

func at(d importer.Date, clock string) importer.DateTime {
	t, err := time.Parse("15:04", clock)
	if err != nil {
		panic(err)
	}
	return importer.DateTime{Date: d, TimeOfDay: importer.TimeOfDay{Hour: t.Hour(), Minute: t.Minute()}}
}

// A tripOf is a trip of a test: a rider from one place to another at a time.
type tripOf struct {
	leg             importer.Leg
	rider, from, to string
	at              importer.DateTime
}

func (o tripOf) make(id string) importer.Trip {
	place := func(number string) importer.Event {
		return importer.Event{Address1: number + " Elm St", City: "Springfield", State: "OH", Zip: "45501"}
	}
	t := importer.Trip{
		Leg: o.leg, Provider: provider, FundingSource: payer, ID: id, RiderID: o.rider, SpaceType: "AMB",
		Type: importer.Return, Pickup: place(o.from), Dropoff: place(o.to),
	}
	t.Pickup.PickupTime = o.at
	if o.at == importer.WillCallOn(o.at.Date) {
		t.Type = importer.WillCall
	}
	if o.leg != importer.OnlyLeg {
		t.ID += "-" + o.leg.Code()
	}
	return t
}

func row(id string, trips ...tripOf) *importer.Mapped {
	m := &importer.Mapped{Key: importer.RowKey{Broker: broker, ID: id, IDs: importer.UniqueIDs}}
	for _, o := range trips {
		m.Trips = append(m.Trips, o.make(id))
	}
	if len(trips) > 0 {
		m.Key.Date = trips[0].at.Date
	}
	return m
}

// visit is a row with one trip of December 2 from the rider's home to the clinic.
func visit(id, rider, clock string) *importer.Mapped {
	return row(id, tripOf{rider: rider, from: "12", to: "90", at: at(day(2), clock)})
}

func cancelled(m *importer.Mapped) *importer.Mapped {
	c := *m
	c.LeftOut, c.Cancelled = "cancelled by the broker", true
	return &c
}

// A world is a ledger of plain structs. It does what importer/ledger promises.
type world struct {
	now      time.Time
	event    int64
	arrivals []importer.Arrival
	words    []importer.Word
	trips    []importer.Standing
	meant    map[string]bool
	options  judge.Options
	mapping  string
}

func newWorld() *world {
	return &world{
		now: evening(), meant: map[string]bool{}, mapping: "m1",
		options: judge.Options{Rules: &importer.Rules{Location: time.UTC}, SendChanges: true},
	}
}

func (w *world) opts() *judge.Options {
	o := w.options
	o.At, o.Now = w.now, importer.DateTimeOf(w.now)
	return &o
}

func (w *world) next() int64 { w.event++; return w.event }

func hashOf(parts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(parts, "\x00")))
	return max(1, h.Sum64())
}

func rowID(key *importer.RowKey) string { return strings.Join(key.Text(), "|") }

func valuesOf(id string, t *importer.Trip) (v importer.Values) {
	for _, p := range importer.TripProperties() {
		if text := p.AppendComparable(nil, t); len(text) > 0 && !p.OfAccount {
			v = append(v, importer.KeyedValue{Property: p.Number, Hash: hashOf(id, string(p.Number), string(text))})
		}
	}
	importer.SortValues(v)
	return v
}

func ownOf(id string, t *importer.Trip) importer.Own {
	identity, _ := t.Identity()
	if identity.Rider != "" {
		identity.Rider += t.Date().String()
	}
	return importer.Own{Values: valuesOf(id, t), Identity: identity, Pickup: identity.Pickup.At, Dropoff: identity.Dropoff.At}
}

func legsOf(m *importer.Mapped) (legs []importer.LegWord) {
	for i := range m.Trips {
		legs = append(legs, importer.LegWord{Leg: m.Trips[i].Leg, Begins: m.Trips[i].Time(), Values: valuesOf(rowID(&m.Key), &m.Trips[i])})
	}
	return legs
}

func digestOf(id string, says importer.Says, with importer.Pair, legs []importer.LegWord) uint64 {
	if says != importer.SaysLive {
		return hashOf(id, "off")
	}
	text := []byte(id + with.Provider + with.FundingSource)
	for _, l := range legs {
		text = l.Values.Append(append(text, l.Leg.Code()...))
	}
	return hashOf(string(text))
}

func riderDay(t *importer.Trip) string { return importer.RiderText(t.RiderID) + t.Date().String() }

// look is importer/ledger.Ledger.Look for one row.
func (w *world) look(m *importer.Mapped) *importer.Known {
	id := rowID(&m.Key)
	k := &importer.Known{ID: id, Arrivals: slices.Clone(w.arrivals), Digest: digestOf(id, m.Says(), m.Pair(), legsOf(m))}
	for i := range m.Trips {
		own := ownOf(id, &m.Trips[i])
		own.Meant = w.meant[own.Identity.Rider[:max(0, len(own.Identity.Rider)-10)]+own.Pickup+own.Dropoff]
		k.Own = append(k.Own, own)
	}
	rows := map[int64]bool{}
	for _, s := range w.trips {
		shares := s.RowID == id || slices.ContainsFunc(m.Trips, func(t importer.Trip) bool {
			return t.ID != "" && importer.SameID(t.ID, s.TripID) || s.Identity.Rider == riderDay(&t)
		})
		if shares {
			k.Trips = append(k.Trips, s)
			rows[s.Row] = true
		}
	}
	var own []importer.Word
	for _, word := range w.words {
		if word.ID == id {
			own = append(own, word)
		}
		if word.ID == id || rows[word.Row] {
			word.Answers, word.Legs = slices.Clone(word.Answers), slices.Clone(word.Legs)
			k.Words = append(k.Words, word)
		}
	}
	if i := importer.PickWord(&m.Key, m.Row.Version, own); i >= 0 {
		k.Row = own[i].Row
	}
	return k
}

// wanted is the row as the arrival has it.
func (w *world) wanted(m *importer.Mapped, a *importer.Arrival) *judge.Wanted {
	return &judge.Wanted{Row: m, Arrival: a, Mapping: w.mapping}
}

func (w *world) judge(m *importer.Mapped, a *importer.Arrival) []judge.Decision {
	return judge.Row(w.wanted(m, a), w.look(m), w.opts())
}

// arrivalOf makes the arrival of a schedule with the rows.
func arrivalOf(stamp time.Time, whole bool, rows ...*importer.Mapped) *importer.Arrival {
	a := &importer.Arrival{Broker: broker, Stamp: stamp, Read: stamp, Whole: whole}
	for _, m := range rows {
		a.Input += fmt.Sprintf("%s %s %+v\n", m.Key.ID, m.LeftOut, m.Trips)
		i := slices.IndexFunc(a.Scopes, func(s importer.Scope) bool { return s.Day == m.Key.Date && s.Pair == m.Pair() })
		if i < 0 {
			i, a.Scopes = len(a.Scopes), append(a.Scopes, importer.Scope{Day: m.Key.Date, Pair: m.Pair()})
		}
		if m.LeftOut == "" {
			a.Scopes[i].Live++
		}
	}
	return a
}

// arrive records an arrival and what it says: importer/ledger.Ledger.Arrive.
func (w *world) arrive(stamp time.Time, whole bool, rows ...*importer.Mapped) *importer.Arrival {
	a := arrivalOf(stamp, whole, rows...)
	w.whole(a, rows)
	w.record(a, rows)
	return a
}

// whole lets the judge decide whether the arrival is half an export.
func (w *world) whole(a *importer.Arrival, rows []*importer.Mapped) []string {
	var scheduled []importer.Known
	for _, word := range w.words {
		scheduled = append(scheduled, importer.Known{Row: word.Row, Words: []importer.Word{word}})
	}
	half, why := judge.Whole(a, &judge.Scheduled{
		Rows: scheduled, Known: w.arrivals, Has: func(word *importer.Word) bool { return hasRow(rows, word) }, Now: importer.DateTimeOf(w.now), Zone: time.UTC,
	})
	return append(half, why...)
}

func hasRow(rows []*importer.Mapped, word *importer.Word) bool {
	return slices.ContainsFunc(rows, func(m *importer.Mapped) bool {
		return rowID(&m.Key) == word.ID && (m.Key.IDs == importer.UniqueIDs || m.Key.Date == word.Day)
	})
}

func (w *world) record(a *importer.Arrival, rows []*importer.Mapped) {
	a.Number = int64(len(w.arrivals) + 1)
	known := &importer.Known{Arrivals: slices.Clone(w.arrivals)}
	w.arrivals = append(w.arrivals, *a)
	for _, m := range rows {
		w.say(a, m, known)
	}
	for i := range w.words {
		word := &w.words[i]
		began := importer.DateTime{}
		if len(word.Legs) > 0 {
			began = word.Legs[0].Begins
		}
		if word.Says == importer.SaysLive && !word.Of().Newer(a) && !hasRow(rows, word) && a.Tells(word.Day, word.Pair, began) {
			w.turn(word, a, importer.SaysGone, nil, word.Legs)
		}
	}
}

func (w *world) say(a *importer.Arrival, m *importer.Mapped, known *importer.Known) {
	id := rowID(&m.Key)
	var own []importer.Word
	for _, word := range w.words {
		if word.ID == id {
			own = append(own, word)
		}
	}
	if i := importer.PickWord(&m.Key, m.Row.Version, own); i >= 0 {
		word := &w.words[own[i].Row-1]
		switch newer := laterWhole(a, m, known); {
		case word.Of().Newer(a):
		case newer != nil:
			w.turn(word, newer, importer.SaysGone, m, legsOf(m))
		default:
			w.turn(word, a, m.Says(), m, legsOf(m))
		}
		return
	}
	if newer := laterWhole(a, m, known); newer != nil {
		w.words = append(w.words, importer.Word{Row: int64(len(w.words) + 1), ID: id, Broker: broker, Day: m.Key.Date, Pair: m.Pair()})
		w.turn(&w.words[len(w.words)-1], newer, importer.SaysGone, m, legsOf(m))
		return
	}
	w.words = append(w.words, importer.Word{Row: int64(len(w.words) + 1), ID: id, Broker: broker, Day: m.Key.Date, Pair: m.Pair()})
	w.turn(&w.words[len(w.words)-1], a, m.Says(), m, legsOf(m))
}

// laterWhole returns a newer whole arrival that lacks the row, or nil.
func laterWhole(a *importer.Arrival, m *importer.Mapped, known *importer.Known) *importer.Arrival {
	newer := known.Newest(broker, m.Key.Date, m.Pair(), true)
	if newer == nil || !newer.Newer(a) || len(m.Trips) == 0 || !newer.Tells(m.Key.Date, m.Pair(), m.Trips[0].Time()) {
		return nil
	}
	return newer
}

// turn lets a word say what an arrival says, of a row if it has one.
func (w *world) turn(word *importer.Word, a *importer.Arrival, says importer.Says, m *importer.Mapped, legs []importer.LegWord) {
	on, with := word.Day, word.Pair
	if m != nil {
		on, with = m.Key.Date, m.Pair()
	}
	digest := digestOf(word.ID, says, with, legs)
	word.Arrival, word.Stamp = a.Number, a.Stamp
	if word.Said > 0 && word.Digest == digest && word.Says == says && word.Pair == with {
		return
	}
	if word.Said > 0 {
		word.Earlier = slices.Insert(word.Earlier, 0, importer.WordVersion{Said: word.Said, Digest: word.Digest, Pair: word.Pair, Legs: word.Legs})
	}
	word.Event = w.next()
	word.Said, word.Says, word.Digest, word.Day, word.Pair, word.Legs = word.Event, says, digest, on, with, legs
	if says != importer.SaysLive {
		word.Off = &importer.OffWord{Says: says, Stamp: a.Stamp, Event: word.Event}
	}
}

// book claims a trip of a row and settles it with the state.
func (w *world) book(m *importer.Mapped, leg int, state importer.TripState) *importer.Standing {
	k := w.look(m)
	t := &m.Trips[leg]
	s := importer.Standing{
		Number: int64(len(w.trips) + 1), Row: k.Row, RowID: k.ID, Broker: broker,
		Account: importer.Account{Service: service, Provider: t.Provider}, Leg: t.Leg, TripID: t.ID, Day: t.Date(), Begins: t.Time(),
		Identity: k.Own[leg].Identity, Pickup: k.Own[leg].Pickup, Dropoff: k.Own[leg].Dropoff, WillCall: t.Type == importer.WillCall,
		State: state, Sent: k.Own[leg].Values, Seen: k.Own[leg].Values, Mapping: w.mapping,
		ClaimedAt: w.now, SettledAt: w.now,
	}
	if word := k.Word(); word != nil {
		if said := word.Leg(t.Leg); said != nil {
			s.Seen = said.Values
		}
	}
	s.Claimed = w.next()
	s.Event = w.next()
	if state == importer.TripBooked {
		s.GUID, s.Proved = "3f2504e0-4f89-11d3-9a0c-"+pad(s.Number), true
	}
	w.trips = append(w.trips, s)
	return &w.trips[len(w.trips)-1]
}

func pad(n int64) string {
	digits := "000000000000"
	text := []byte(digits)
	for i := len(text) - 1; n > 0; i, n = i-1, n/10 {
		text[i] = byte('0' + n%10)
	}
	return string(text)
}

// answer records what a person says about the outcome of a decision.
func (w *world) answer(t testing.TB, d *judge.Decision, leg importer.Leg, v importer.Verdict) *judge.Refusal {
	t.Helper()
	o := &d.Outcome
	if _, fits := v.RuleOf(o); !fits {
		t.Fatalf("`%s` does not fit %s (%s)", v, o.State, o.Question.Code())
	}
	a := importer.Answer{Row: o.RowNumber, Leg: leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Verdict: v, Who: "Ann", At: w.now}
	if o.Question == importer.NoQuestion || o.Question == importer.AskWord {
		a.Trip = o.Attempt
	} else {
		a.Other = o.Attempt
	}
	return w.take(a)
}

func (w *world) take(a importer.Answer) *judge.Refusal {
	effects, refused := judge.Take(a, w.everything())
	for i := range effects {
		w.apply(&effects[i])
	}
	return refused
}

func (w *world) everything() *importer.Known {
	return &importer.Known{Words: slices.Clone(w.words), Trips: slices.Clone(w.trips), Arrivals: slices.Clone(w.arrivals)}
}

// apply is importer/ledger.Ledger.Record for one effect.
func (w *world) apply(e *importer.Effect) {
	a, number := &e.Answer, w.next()
	if a.Trip != 0 {
		s := &w.trips[a.Trip-1]
		s.Event = number
		s.LookAfter = e.LookAfter
		if !e.Keep {
			s.State, s.Answered = e.State, e.Doubt.IsZero() && e.LookAfter.IsZero()
		}
		if e.Seen != nil {
			s.Seen = e.Seen
		}
		if e.Sent != nil {
			s.Sent = e.Sent
		}
		if e.ChangeDone {
			s.Change = nil
		}
		if s.State == importer.TripBooked && s.GUID == "" {
			s.GUID = cmp.Or(a.GUID, "3f2504e0-4f89-11d3-9a0d-"+pad(s.Number))
		}
		said := e.Said(number)
		s.Said = &said
	}
	if e.ForRow {
		word := &w.words[a.Row-1]
		kept := importer.RowAnswer{StandingAnswer: e.Said(number), Leg: a.Leg, Day: word.Day, Given: a.Day, Other: a.Other, Pickup: a.Pickup, Dropoff: a.Dropoff, Saw: a.Saw}
		if leg := word.LegAt(a.Saw, a.Leg); leg != nil && !leg.Begins.IsZero() {
			kept.Day = leg.Begins.Date
		}
		if day := e.Begins.Date; a.Trip == 0 && !day.IsZero() {
			kept.Day = day
		}
		word.Answers = slices.DeleteFunc(word.Answers, func(b importer.RowAnswer) bool {
			return b.Leg == kept.Leg && b.Day == kept.Day && b.Other == kept.Other
		})
		if !e.Release {
			word.Answers = append(word.Answers, kept)
		}
		word.Event = number
	}
}

// summary tells of decisions in a few words: the leg's index, what is done, the state and the
// question.
func summary(decisions []judge.Decision) string {
	var parts []string
	for i := range decisions {
		d := &decisions[i]
		text := d.Outcome.State.Code()
		switch d.Do {
		case judge.Send:
			text = "send"
		case judge.Change:
			text = "change " + strings.Join(d.Send, ",")
		case judge.Enter:
			text = "enter"
		case judge.Nothing:
		}
		if q := d.Outcome.Question; q != importer.NoQuestion {
			text += " " + q.Code() + "?"
		}
		if d.Outcome.TooLate {
			text += " late"
		}
		if d.Leg < 0 {
			text = "not made: " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " | ")
}
