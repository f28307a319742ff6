package nightly

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// The kinds of slot events.
const (
	kindBegun    = "begun"    // work on the slot has begun
	kindFile     = "file"     // a file was dealt with
	kindTried    = "tried"    // a file could not be dealt with
	kindArrived  = "arrived"  // every broker's schedule has come
	kindClosed   = "closed"   // a broker's last call is over
	kindAlarm    = "alarm"    // people have to be told of something
	kindSummary  = "summary"  // people have to be told how a slot went
	kindTold     = "told"     // people or the monitor were told of events
	kindBackup   = "backup"   // the ledger was backed up, and the backup is sound
	kindFinished = "finished" // nothing is left to do in the slot
)

// What became of a file.
const (
	fileBooked     = "booked"
	fileEarlier    = "imported earlier" // in another slot, or by a person
	fileSuperseded = "superseded"       // a newer file came with it
	fileListed     = "listed"           // a newer file had been imported before
	fileWrongDay   = "wrong day"
	fileUnreadable = "unreadable"
	filePhoned     = "phoned" // it was not sent by last call
)

// of reports whether the event is about a file with that hash.
func (e *event) of(hash string) bool { return strings.HasPrefix(e.Input, hash) && hash != "" }

// An event is something that happened in a slot, as the ledger keeps it.
type event struct {
	At time.Time `json:"-"`
	// Slot is the slot's id. Input is the SHA-256 of a file in hex; it may be empty. So may Broker: then the
	// event is about all brokers of the office, which Brokers are.
	Slot    string   `json:"slot"`
	Kind    string   `json:"kind"`
	Broker  string   `json:"broker,omitempty"`
	Brokers []string `json:"brokers,omitempty"`
	Input   string   `json:"input,omitempty"`
	// Signal is what the monitor is told because of the event; empty for nothing.
	Signal string `json:"signal,omitempty"`
	// What is the kind of an alarm, or what became of a file.
	What string `json:"what,omitempty"`
	// Text says what happened, and Fix what to do; Text may be empty. They have no row content and no
	// file names, because they are printed and mailed.
	Text string `json:"text,omitempty"`
	Fix  string `json:"fix,omitempty"`
	// Days counts the broker's trips on the days of a file and of its slot, once the file was dealt
	// with.
	Days map[importer.Date]app.DayCount `json:"days,omitempty"`
	// Written is when the file was written.
	Written string `json:"written,omitempty"`
	// Status is how an import ended, and Sent reports that it had sent trips.
	Status int  `json:"status,omitempty"`
	Sent   bool `json:"sent,omitempty"`
	// Booked counts the booked trips of a slot.
	Booked int `json:"booked,omitempty"`
	// Acts are the sentences about what a person has to do at once, Before the time of the first
	// of them, and Unsent the number of trips that have to be phoned. List counts what is open
	// besides.
	Acts   []string `json:"acts,omitempty"`
	Before string   `json:"before,omitempty"`
	Unsent int      `json:"unsent,omitempty"`
	List   int      `json:"list,omitempty"`
	// Also are sentences that are good to know.
	Also []string `json:"also,omitempty"`
	// Keys are the keys of the events, or of the urgent items, that were told.
	Keys []string `json:"keys,omitempty"`
}

// key identifies an event of which people are told.
func (e *event) key() string {
	return e.Slot + "|" + e.Broker + "|" + e.Kind + "|" + e.What + "|" + e.Input
}

// arrived reports whether the event says that the trips of a file are booked, by this file or
// before.
func (e *event) arrived() bool {
	return e.Kind == kindFile && (e.What == fileBooked || e.What == fileEarlier)
}

// signalKey identifies what the monitor is told because of the event: once in a slot.
func (e *event) signalKey() string { return e.Slot + "|" + e.Signal }

// A journal has the events of the last weeks, in order of time.
type journal []event

// newJournal decodes events. Those of a newer version of the program are decoded as far as possible.
func newJournal(notes []app.SlotNote) journal {
	var j journal
	for _, n := range notes {
		e := event{}
		_ = json.Unmarshal([]byte(n.Text), &e)
		e.At = n.At
		j = append(j, e)
	}
	return j
}

// last returns the last event for which fits returns true; nil if there is none.
func (j journal) last(fits func(*event) bool) *event { return importer.Last(j, fits) }

// lastOf returns the last event of a kind in a slot, for a broker or, if that is empty, for any
// broker. It returns nil if there is none.
func (j journal) lastOf(slot, broker, kind string) *event {
	return j.last(func(e *event) bool {
		return e.Slot == slot && e.Kind == kind && (broker == "" || e.Broker == broker)
	})
}

// dealtWith returns what became of a file that is in the inbox although the slot has dealt with it: it could not be
// moved yet. It returns nil for a file to be dealt with, as one is that came again, or that could not be used: its day
// may have come, or its mapping may be right now, and as one is that a person has put back. What was phoned is not sent
// in any slot.
func (j journal) dealtWith(f *arrival, broker, slot string) *event {
	return j.last(func(e *event) bool {
		if e.Kind != kindFile || e.Broker != broker || e.Input != f.hash || e.What == fileWrongDay || e.What == fileUnreadable {
			return false
		}
		return e.What == filePhoned || e.Slot == slot && e.Written == spokenExactly(f.written) && j.became(slot, broker, "done")
	})
}

// became reports whether one of these things became of a file of the broker in the slot, or was an alarm.
func (j journal) became(slot, broker string, whats ...string) bool {
	return j.last(func(e *event) bool {
		return e.Slot == slot && e.Broker == broker && slices.Contains(whats, e.What)
	}) != nil
}

// arrived reports whether the broker's schedule has come in the slot: its trips are booked, or
// those of a newer schedule.
func (j journal) arrived(slot, broker string) bool {
	return j.became(slot, broker, fileBooked, fileEarlier, fileListed)
}

// failed returns the last failed try of a broker's file at or after since. It returns nil if
// there is none, or if a file of the broker was booked after it.
func (j journal) failed(broker string, since time.Time) *event {
	e := j.last(func(e *event) bool {
		return e.Broker == broker && (e.Kind == kindFile && e.What == fileBooked || e.Kind == kindTried && e.Status != int(app.BadInput))
	})
	if e == nil || e.Kind == kindFile || e.At.Before(since) {
		return nil
	}
	return e
}

// counts returns how many trips the broker has on the days of the files of a slot, as the last of
// them left it.
func (j journal) counts(slot, broker string) map[importer.Date]app.DayCount {
	counts := map[importer.Date]app.DayCount{}
	for i := range j {
		if e := &j[i]; e.Slot == slot && e.Broker == broker && e.arrived() {
			maps.Copy(counts, e.Days)
		}
	}
	return counts
}

// has reports whether there is an event with the same key.
func (j journal) has(e *event) bool {
	return j.last(func(other *event) bool { return other.key() == e.key() }) != nil
}

// usual returns the least and the most trips that are usual for the broker on a day: those of the
// same weekday in the weeks before. known is false until there are three such days.
func (j journal) usual(broker string, day importer.Date) (least, most int, known bool) {
	const weeks = 8
	var counts []int
	for week := range weeks {
		on := day.AddDays(-7 * (week + 1))
		last := j.last(func(e *event) bool {
			_, has := e.Days[on]
			return has && e.Broker == broker
		})
		if last != nil {
			counts = append(counts, last.Days[on].Trips)
		}
	}
	return spread(counts)
}

// spread returns the least and the greatest of some numbers. known is false for fewer than three.
func spread(counts []int) (least, most int, known bool) {
	const enough = 3
	if len(counts) < enough {
		return 0, 0, false
	}
	return slices.Min(counts), slices.Max(counts), true
}

// usualList returns the least and the greatest length of the lists of the last slots. known is
// false until there were three.
func (j journal) usualList(before time.Time) (least, most int, known bool) {
	const nights = 20
	var lengths []int
	for i := len(j) - 1; i >= 0 && len(lengths) < nights; i-- {
		if e := &j[i]; e.Kind == kindSummary && e.At.Before(before) {
			lengths = append(lengths, e.List)
		}
	}
	return spread(lengths)
}

// keys returns the keys that the events of a kind have: kindTold for the events that were told,
// kindSummary for the urgent items.
func (j journal) keys(kind string) map[string]bool {
	keys := map[string]bool{}
	for i := range j {
		for _, key := range j[i].Keys {
			keys[key] = keys[key] || j[i].Kind == kind
		}
	}
	return keys
}
