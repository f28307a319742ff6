package nightly

import (
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// A dueSlot is a slot on one day. Its service days depend on its scheduled start, however
// late the slot is worked on.
type dueSlot struct {
	Slot
	id    string // such as 2026-12-01T21:30 import
	on    importer.Date
	start time.Time
	end   time.Time       // from then on nothing more is tried
	days  []importer.Date // the service days
}

// lookBack is how many days back slots are looked for that were not worked on.
const lookBack = 3

// due returns the slots of the last days that have started by now, and those of the next week, the earliest first. A
// check of no service days is not due, and an import of none needs no file.
func (c *Config) due(now time.Time) (started, next []dueSlot) {
	for ahead := -lookBack; ahead <= 7; ahead++ {
		for _, s := range c.Slots {
			if d := c.dueOn(s, importer.DateOf(now.In(c.Zone)).AddDays(ahead)); len(d.days) > 0 {
				next = append(next, d)
			}
		}
	}
	slices.SortStableFunc(next, func(a, b dueSlot) int { return a.start.Compare(b.start) })
	for len(next) > 0 && !next[0].start.After(now) {
		started, next = append(started, next[0]), next[1:]
	}
	return started, next
}

// dueOn returns the slot on one day.
func (c *Config) dueOn(s Slot, on importer.Date) dueSlot {
	at := importer.DateTime{Date: on, TimeOfDay: s.At}
	d := dueSlot{Slot: s, id: strings.Replace(at.String(), " ", "T", 1) + " " + s.Do, on: on, start: c.instant(at), days: c.serviceDays(s, on)}
	if len(d.days) == 0 && !s.checks() { // no file is due, and one that comes all the same is taken
		d.Optional, d.days = true, []importer.Date{on}
		if s.At.Hour >= noon {
			d.days = append(d.days, on.AddDays(1))
		}
	}
	d.end = d.start.Add(time.Hour)
	switch {
	case d.main():
		for i := range c.Brokers {
			if last := c.onOrAfter(&d, c.Brokers[i].LastCall); last.After(d.end) {
				d.end = last
			}
		}
	case !d.checks(): // the next import takes what is left
		d.end = d.start.Add(24 * time.Hour)
		for _, other := range c.Slots {
			if at := c.onOrAfter(&d, other.At); !other.checks() && at.After(d.start) && at.Before(d.end) {
				d.end = at
			}
		}
	}
	return d
}

func (d *dueSlot) spokenDays() string {
	return strings.Join(importer.Each(d.days, importer.Date.Spoken), ", ")
}

func (c *Config) instant(at importer.DateTime) time.Time {
	t, shown := at.In(c.Zone)
	if !shown { // daylight saving skips it
		at.Hour++
		t, _ = at.In(c.Zone)
	}
	return t
}

// onOrAfter returns the first instant, from the slot's start on, at which clocks show the time.
func (c *Config) onOrAfter(d *dueSlot, at importer.TimeOfDay) time.Time {
	on := d.on
	if at.String() < d.At.String() { // 09:30 is before 21:30
		on = on.AddDays(1)
	}
	return c.instant(importer.DateTime{Date: on, TimeOfDay: at})
}

// noon is the hour before which a slot is for the service of its own day.
const noon = 12

// serviceDays returns the service days of a slot on one day: before noon that day, later the days
// for which the evening is responsible, and that day too if the slot needs no file.
func (c *Config) serviceDays(s Slot, on importer.Date) []importer.Date {
	var days []importer.Date
	morning := s.At.Hour < noon
	if morning || s.Optional {
		days = append(days, on)
	}
	if !morning {
		days = append(days, c.daysAfter(on)...)
	}
	slices.SortFunc(days, importer.Date.Compare)
	return slices.Compact(days)
}

// atWork is how long after SeenBy people are still at work, who see a list within soon.
const atWork, soon = 8 * time.Hour, 3 * time.Hour

// seenBy returns when people will have seen what is listed now: at SeenBy of the next working day, or
// soon if they are at work. A working day is one whose evening is not said to be for no day.
func (c *Config) seenBy(now time.Time) time.Time {
	today := importer.DateOf(now.In(c.Zone))
	for ahead := range 15 {
		on := today.AddDays(ahead)
		at := c.instant(importer.DateTime{Date: on, TimeOfDay: c.SeenBy})
		switch {
		case len(c.daysAfter(on)) == 0:
		case at.After(now):
			return at
		case now.Sub(at) < atWork:
			return now.Add(soon)
		}
	}
	return now.Add(24 * time.Hour)
}

// daysAfter returns the service days for which the evening of a day is responsible.
func (c *Config) daysAfter(on importer.Date) []importer.Date {
	listed, known := c.Days[on.String()]
	if !known {
		listed, known = c.Days[short(on.Weekday())]
	}
	if !known {
		return []importer.Date{on.AddDays(1)}
	}
	return importer.Each(listed, func(day string) importer.Date { return on.AddDays(daysUntil(on.Weekday(), day)) })
}
