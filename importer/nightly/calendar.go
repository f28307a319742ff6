package nightly

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// A dueSlot is a slot on one day. Its days of service are those of its scheduled start,
// however late it is worked on.
type dueSlot struct {
	Slot
	id    string // 2026-12-01T21:30 import
	on    importer.Date
	start time.Time
	end   time.Time // when nothing more is tried
	days  []importer.Date
}

// lookBack is for how many days a slot that nobody worked on is remembered.
const lookBack = 3

// started returns the slots that have started by now, the earliest first. A slot without
// a day of service is not due.
func (c *Config) started(now time.Time) []dueSlot {
	var all []dueSlot
	today := importer.DateOf(now.In(c.Zone))
	for back := lookBack; back >= 0; back-- {
		for _, s := range c.Slots {
			if d := c.dueOn(s, today.AddDays(-back)); len(d.days) > 0 && !d.start.After(now) {
				all = append(all, d)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b dueSlot) int { return a.start.Compare(b.start) })
	return all
}

// next returns when the next slot starts after now; zero if none does within a week.
func (c *Config) next(now time.Time) (first dueSlot) {
	today := importer.DateOf(now.In(c.Zone))
	for ahead := range 8 {
		for _, s := range c.Slots {
			d := c.dueOn(s, today.AddDays(ahead))
			if len(d.days) > 0 && d.start.After(now) && (first.id == "" || d.start.Before(first.start)) {
				first = d
			}
		}
	}
	return first
}

// dueOn returns the slot on one day.
func (c *Config) dueOn(s Slot, on importer.Date) dueSlot {
	at := importer.DateTime{Date: on, TimeOfDay: s.At}
	d := dueSlot{Slot: s, id: strings.Replace(at.String(), " ", "T", 1) + " " + s.do(), on: on, start: c.instant(at), days: c.serviceDays(s, on)}
	d.end = d.start.Add(time.Hour)
	switch {
	case s.main():
		for i := range c.Brokers {
			d.end = later(d.end, c.lastCall(&d, &c.Brokers[i]))
		}
	case !s.Check: // the next one takes what is left
		d.end = c.nextImport(d.start)
	}
	return d
}

// do says what the slot does, as the settings have it.
func (s Slot) do() string {
	if s.Check {
		return "check"
	}
	return "import"
}

func (d *dueSlot) spokenDays() string {
	var days []string
	for _, day := range d.days {
		days = append(days, day.Spoken())
	}
	return strings.Join(days, ", ")
}

// nextImport returns when the next import starts after an instant.
func (c *Config) nextImport(after time.Time) time.Time {
	next := after.Add(24 * time.Hour)
	on := importer.DateOf(after.In(c.Zone))
	for _, s := range c.Slots {
		for day := range 2 {
			at := c.instant(importer.DateTime{Date: on.AddDays(day), TimeOfDay: s.At})
			if !s.Check && at.After(after) && at.Before(next) {
				next = at
			}
		}
	}
	return next
}

func (c *Config) instant(at importer.DateTime) time.Time {
	t, _ := at.In(c.Zone) // an hour off where daylight saving skips it
	return t
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// onOrAfter returns when a clock shows the time first from the slot's start on.
func (c *Config) onOrAfter(d *dueSlot, at importer.TimeOfDay) time.Time {
	on := d.on
	if minuteOf(at) < minuteOf(d.At) {
		on = on.AddDays(1)
	}
	return c.instant(importer.DateTime{Date: on, TimeOfDay: at})
}

func minuteOf(t importer.TimeOfDay) int { return 60*t.Hour + t.Minute }

// lateAt returns when a broker's schedule is late in a slot, and lastCall when the trips
// that are not sent by then are printed.
func (c *Config) lateAt(d *dueSlot, b *Broker) time.Time   { return c.onOrAfter(d, b.Due) }
func (c *Config) lastCall(d *dueSlot, b *Broker) time.Time { return c.onOrAfter(d, b.LastCall) }

// serviceDays returns the days of service that a slot of one day is for.
func (c *Config) serviceDays(s Slot, on importer.Date) []importer.Date {
	var days []importer.Date
	if s.Today {
		days = append(days, on)
	}
	if s.Next {
		days = append(days, c.daysAfter(on)...)
	}
	days = slices.DeleteFunc(days, func(d importer.Date) bool { return slices.Contains(c.Closed, d) })
	slices.SortFunc(days, importer.Date.Compare)
	return slices.Compact(days)
}

// daysAfter returns the days of service that the evening of a day is for.
func (c *Config) daysAfter(on importer.Date) (days []importer.Date) {
	listed, known := c.Days[on.String()]
	if !known {
		listed, known = c.Days[short(on.Weekday())]
	}
	if !known {
		return []importer.Date{on.AddDays(1)}
	}
	for _, day := range listed {
		ahead := cmp.Or((int(day)-int(on.Weekday())+7)%7, 7)
		days = append(days, on.AddDays(ahead))
	}
	return days
}
