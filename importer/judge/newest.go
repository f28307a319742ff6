package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// A later is what a newer arrival says of a row. It is nil if the row is the last word.
type later struct {
	says  importer.Says
	stamp time.Time
	// differs are the keys of the properties of each of the row's trips in which the newer
	// arrival differs; nil for a trip that it does not have.
	differs [][]string
	// lacks are the indexes of the trips that the newer arrival does not have.
	lacks []int
	// elsewhere reports that the newer arrival has another provider or funding source.
	elsewhere bool
}

// same reports whether the newer arrival says the same of the trip with the index, apart from remarks.
func (l *later) same(i int) bool {
	return i < len(l.differs) && importer.Informational(l.differs[i]) && !slices.Contains(l.lacks, i) && !l.elsewhere
}

// superseded returns what a newer arrival says of the row, or nil if the row is the last word.
// A row of a workbook is the last word while its word has the version that the workbook was
// made from, or says the same again. A row of a schedule is it unless a newer arrival says
// something else, or has all rows of its day and not this one.
func superseded(w *Wanted, k *importer.Known) *later {
	word := k.Word()
	switch {
	case word == nil:
		return gone(w, k)
	case madeFrom(w, word):
		return nil
	case w.Version == 0 && (w.Arrival == nil || !word.Of().Newer(w.Arrival)):
		return gone(w, k) // a newer whole arrival that had the row would have said its word
	case saysLastWord(k) && word.Says == w.Row.Says():
		return nil
	}
	l := &later{says: word.Says, stamp: word.Stamp, elsewhere: w.Row.Pair() != word.Pair}
	for i := range w.Row.Trips {
		var keys []string
		if leg := word.Leg(w.Row.Trips[i].Leg); leg != nil {
			keys = leg.Values.Differs(k.Own[i].Values)
		} else {
			l.lacks = append(l.lacks, i)
		}
		l.differs = append(l.differs, keys)
	}
	return l
}

// saysLastWord reports whether a row, also one of a workbook, says the same as its last word.
func saysLastWord(k *importer.Known) bool {
	word := k.Word()
	return word != nil && k.Digest != 0 && word.Digest == k.Digest
}

// madeFrom reports whether the row's word is that of its workbook, or of its recorded arrival: the row
// was there when its word was written.
func madeFrom(w *Wanted, word *importer.Word) bool {
	if w.Version != 0 {
		return word.SaysAsAt(w.Version)
	}
	return w.Arrival != nil && w.Arrival.Number != 0 && word.Arrival == w.Arrival.Number
}

// asRecorded returns the row as of the newest arrival of its scope, if its file is another reading
// of that: the file as it was given first may have had an earlier stamp.
func asRecorded(w *Wanted, k *importer.Known) *Wanted {
	if w.Arrival == nil || w.Arrival.Number != 0 {
		return w
	}
	t := &w.Row.Trips[0]
	newest := k.Newest(w.Row.Key.Broker, t.Date(), t.Pair(), false)
	if newest == nil || !w.Arrival.SameReading(newest) {
		return w
	}
	again := *w
	again.Arrival = newest
	return &again
}

// Version returns the version of the last word that results have for a row: Wanted.Version of a
// retry. It is 0 for a row that is not the last word, so that a retry compares the schedules.
func Version(w *Wanted, k *importer.Known) int64 {
	word := k.Word()
	if word == nil || superseded(w, k) != nil {
		return 0
	}
	return word.Said
}

// gone returns what a newer whole arrival says of a row that it does not have.
func gone(w *Wanted, k *importer.Known) *later {
	if w.Arrival == nil {
		return nil
	}
	for i := range w.Row.Trips {
		t := &w.Row.Trips[i]
		if whole := k.Dropped(w.Arrival, t.Date(), t.Pair(), t.Time()); whole != nil {
			return &later{says: importer.SaysGone, stamp: whole.Stamp}
		}
	}
	return nil
}

// about says in words what the newer arrival says of the trip with the index.
func (l *later) about(i int, zone *time.Location) string {
	schedule := "the schedule of " + Clock(l.stamp, zone)
	off := map[importer.Says]string{importer.SaysCancelled: " has it cancelled", importer.SaysLeftOut: " leaves it out", importer.SaysGone: " does not have it"}
	if l.says != importer.SaysLive {
		return schedule + off[l.says]
	}
	if i < len(l.differs) && len(l.differs[i]) > 0 {
		return fmt.Sprintf("%s has another %s: work with its results", schedule, importer.PropertyNames(l.differs[i]))
	}
	if l.elsewhere {
		return schedule + " has another provider or funding source: work with its results"
	}
	return schedule + " says something else of its row: work with its results"
}

// Clock returns the time of an instant for people: the time of day, with the date in front.
func Clock(at time.Time, zone *time.Location) string {
	return strings.TrimSuffix(importer.SpokenAt(at.In(cmp.Or(zone, time.Local))), " 00:00")
}

// apply decides a row that a newer arrival has superseded. Nothing of it is sent; what stands at
// the service is told as it stands.
func (l *later) apply(w *Wanted, k *importer.Known, m *matching, o *Options) []Decision {
	decisions := make([]Decision, len(w.Row.Trips))
	for i := range decisions {
		d := &decisions[i]
		*d = Decision{Leg: i, Trip: m.own[i], Outcome: importer.Outcome{State: importer.Held}}
		if d.Trip != nil && (d.Trip.State.Taken() || d.Trip.State == importer.TripCancelled) {
			d.Outcome = Recorded(d.Trip, o.Rules.Location)
		}
		switch state := d.Outcome.State; {
		case state == importer.Unknown:
			l.add(i, &d.Outcome, o.Rules.Location)
			continue
		case d.Trip != nil && d.Trip.State == importer.TripCancelled:
			continue
		case state == importer.BookedEarlier && l.wants(w, k, i, d.Trip):
			continue
		case state == importer.BookedEarlier && l.says == importer.SaysLive:
			d.Outcome.State, d.Outcome.Why, d.Outcome.Edited = importer.ChangeByHand, importer.WhyUnsent, w.Workbook
		case state == importer.BookedEarlier:
			listed, unwanted := unwanted(d.Trip, k, o, "")
			if !unwanted {
				continue
			}
			d.Outcome.State, d.Outcome.Why = listed.Outcome.State, listed.Outcome.Why
		}
		d.Outcome.Reason = l.about(i, o.Rules.Location)
		d.Outcome.Superseded = d.Outcome.State == importer.Held // what is held is so because of the newer arrival
		d.Outcome.Unwanted = d.Outcome.Superseded && l.says != importer.SaysLive
	}
	return decisions
}

// wants reports whether the booked trip with the index is wanted as it is: by the newer arrival, or by another row.
func (l *later) wants(w *Wanted, k *importer.Known, i int, s *importer.Standing) bool {
	return l.says == importer.SaysLive && l.same(i) || ofLiveRow(w, k, s)
}

// add adds to the reason of a trip that may be booked what the newer arrival says otherwise.
func (l *later) add(i int, o *importer.Outcome, zone *time.Location) {
	if l.says != importer.SaysLive || !l.same(i) {
		o.Reason = joined(o.Reason, l.about(i, zone))
	}
}
