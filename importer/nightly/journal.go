package nightly

import (
	"encoding/json"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

// The kinds of slot events.
const (
	kindBegun    = "begun"    // the slot is worked on
	kindFile     = "file"     // a file was dealt with; it is not looked at again
	kindTried    = "tried"    // a file could not be dealt with
	kindClosed   = "closed"   // the last call of a broker is over
	kindAlarm    = "alarm"    // somebody has to be told
	kindSummary  = "summary"  // somebody has to be told what a slot came to
	kindTold     = "told"     // they were told
	kindPing     = "ping"     // the monitor has to be told
	kindPinged   = "pinged"   // it was told
	kindBackup   = "backup"   // the ledger was copied, and the copy is sound
	kindFinished = "finished" // nothing is left to do
)

// What became of a file.
const (
	fileBooked     = "booked"
	fileSame       = "same"       // it was done before
	fileSuperseded = "superseded" // a newer one came with it
	fileListed     = "listed"     // a newer one was imported before it
	fileWrongDay   = "wrong day"
	fileUnreadable = "unreadable"
	filePhoned     = "phoned" // it was not sent by last call
)

// A record is what a slot event says, as it is kept.
type record struct {
	What string `json:"what,omitempty"`
	// Text and Fix are what an alarm says. They hold nothing of a row and no file's name,
	// since they are mailed.
	Text string `json:"text,omitempty"`
	Fix  string `json:"fix,omitempty"`
	// Days are how many trips a file has on each day, and Whole whether that is all.
	Days  map[string]int `json:"days,omitempty"`
	Whole bool           `json:"whole,omitempty"`
	// Status is how an import ended, and Token marks the token with which.
	Status int    `json:"status,omitempty"`
	Token  string `json:"token,omitempty"`
	// Booked counts trips of a file or a slot; Act and List count what a person has to do
	// before Before, and in the course of the day.
	Booked int `json:"booked,omitempty"`
	// Again counts those of a file's Booked that an earlier file of the slot booked.
	Again  int    `json:"again,omitempty"`
	Act    int    `json:"act,omitempty"`
	List   int    `json:"list,omitempty"`
	Before string `json:"before,omitempty"`
	// Keys are the events that somebody was told of.
	Keys []string `json:"keys,omitempty"`
}

// An event is a slot event with its record.
type event struct {
	ledger.SlotEvent
	record

	fails bool // the monitor is told that the night fails
}

// key tells the events apart that somebody is told of.
func (e *event) key() string {
	return e.Slot + "|" + e.Broker + "|" + e.Kind + "|" + e.What + "|" + e.Input
}

// arrived reports that the trips of a file are booked, now or before.
func (e *event) arrived() bool {
	return e.Kind == kindFile && (e.What == fileBooked || e.What == fileSame)
}

// A journal has the events of the last weeks, in their order.
type journal []event

// newJournal reads the records of slot events. One that a newer program wrote in another
// way is read as far as it goes.
func newJournal(noted []ledger.SlotEvent) journal {
	var j journal
	for _, n := range noted {
		e := event{SlotEvent: n}
		_ = json.Unmarshal([]byte(n.Detail), &e.record)
		j = append(j, e)
	}
	return j
}

// last returns the last event that fits; nil for none.
func (j journal) last(fits func(*event) bool) *event {
	for i := len(j) - 1; i >= 0; i-- {
		if fits(&j[i]) {
			return &j[i]
		}
	}
	return nil
}

// of returns the last event of a kind in a slot, of a broker; of any where it is empty.
func (j journal) of(slot, broker, kind string) *event {
	return j.last(func(e *event) bool {
		return e.Slot == slot && e.Kind == kind && (broker == "" || e.Broker == broker)
	})
}

// file returns what became of the file with that hash; nil where it is new. What could not
// be used is looked at again if somebody puts it back.
func (j journal) file(hash, slot string) *event {
	return j.last(func(e *event) bool {
		replaced := (e.What == fileSuperseded || e.What == fileListed) && e.Slot == slot
		return e.Kind == kindFile && e.Input == hash && (e.arrived() || e.What == filePhoned || replaced)
	})
}

// arrived reports whether a schedule of the broker was dealt with in the slot, as it
// should be: it was booked, now or before, or a newer one was.
func (j journal) arrived(d *dueSlot, broker string) bool {
	return j.last(func(e *event) bool {
		return e.Slot == d.id && e.Broker == broker && (e.arrived() || e.What == fileListed)
	}) != nil
}

// failed returns the last try of the broker that failed, unless a file of it was dealt
// with since; nil for none.
func (j journal) failed(broker string, since time.Time) *event {
	e := j.last(func(e *event) bool {
		return e.Broker == broker && (e.Kind == kindFile && e.What == fileBooked || e.Kind == kindTried && e.Status != int(app.BadInput))
	})
	if e == nil || e.Kind == kindFile || e.At.Before(since) {
		return nil
	}
	return e
}

// trips returns how many trips the broker's files of a slot had on a day. Files that have
// all trips replace each other, others add up.
func (j journal) trips(slot, broker string, day importer.Date) (trips int) {
	for i := range j {
		e := &j[i]
		n, has := e.Days[day.String()]
		switch {
		case e.Slot != slot || e.Broker != broker || !e.arrived() || !has:
		case e.Whole:
			trips = n
		default:
			trips += n
		}
	}
	return trips
}

// booked returns how many trips the broker's files of a slot booked, or found booked. What
// a later file had again does not count twice.
func (j journal) booked(slot, broker string) (trips int) {
	seen := map[string]bool{}
	for i := len(j) - 1; i >= 0; i-- {
		e := &j[i]
		if e.Slot != slot || e.Broker != broker || !e.arrived() {
			continue
		}
		fresh := false
		for day := range e.Days {
			fresh = fresh || !seen[day]
			seen[day] = seen[day] || e.Whole
		}
		if fresh && !e.Whole {
			trips -= e.Again // the earlier file counts them
		}
		if fresh {
			trips += e.Booked
		}
	}
	return trips
}

// has reports whether there is an event with the same key.
func (j journal) has(e *event) bool {
	return j.last(func(other *event) bool { return other.key() == e.key() }) != nil
}

// doubted reports whether somebody was told that a file of the broker's has too few trips
// or too many.
func (j journal) doubted(slot, broker string) bool {
	return j.last(func(e *event) bool {
		return e.Slot == slot && e.Broker == broker && e.Kind == kindAlarm && (e.What == "volume" || e.What == "half")
	}) != nil
}

// earlier returns how many trips the broker had on each earlier day of service of the
// same weekday, the latest first. A day counts once its slot is finished.
func (j journal) earlier(broker string, day importer.Date) (counts []int) {
	seen := map[string]bool{day.String(): true}
	for i := len(j) - 1; i >= 0; i-- {
		e := &j[i]
		if e.Kind != kindFinished {
			continue
		}
		for text := range e.Days {
			on, err := importer.ParseDate(text)
			if err != nil || seen[text] || on.Weekday() != day.Weekday() || on.Compare(day) > 0 {
				continue
			}
			seen[text] = true
			counts = append(counts, j.trips(e.Slot, broker, on))
		}
	}
	return counts
}

// usual returns the least and the most trips that a day of the broker may have without
// being odd, by the same weekday in the weeks before: from the fourth on.
func (j journal) usual(b *Broker, day importer.Date) (least, most int, known bool) {
	const enough, weeks = 3, 8
	counts := j.earlier(b.Name, day)
	counts = counts[:min(len(counts), weeks)]
	switch {
	case b.Least > 0 || b.Most > 0:
		return b.Least, b.Most, true
	case len(counts) < enough:
		return 0, 0, false
	}
	return slices.Min(counts), slices.Max(counts), true
}

// usualList returns how long the lists of the last slots were.
func (j journal) usualList(before time.Time) (least, most int, known bool) {
	const enough, nights = 3, 20
	var lengths []int
	for i := len(j) - 1; i >= 0 && len(lengths) < nights; i-- {
		if e := &j[i]; e.Kind == kindSummary && e.At.Before(before) {
			lengths = append(lengths, e.List)
		}
	}
	if len(lengths) < enough {
		return 0, 0, false
	}
	return slices.Min(lengths), slices.Max(lengths), true
}
