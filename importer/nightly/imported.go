package nightly

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/app"
)

// noteImported notes the schedules of a slot that were imported on its day, while none has come for it: somebody has
// imported them, because the broker mailed them, or an earlier slot has. Without them, people would be told to call
// the broker.
func (t *intake) noteImported(ctx context.Context) error {
	counts := t.events.counts(t.d.id, t.b.Name)
	if !slices.ContainsFunc(t.d.days, func(day importer.Date) bool { return t.d.lacks(counts, day) }) {
		return nil
	}
	all, days, err := t.App.Imported(ctx, t.b.Mapping, t.d.days, t.Config.instant(importer.DateTime{Date: t.d.on}))
	if err != nil {
		return ctx.Err() // the alarm that none has come is told all the same
	}
	var events []event
	for i := range all {
		a := &all[i]
		dealt := func(e *event) bool {
			return e.Kind == kindFile && e.of(a.Input) && (e.Broker == t.b.Name || e.What != fileEarlier)
		}
		taken := cmp.Or(t.events.last(dealt), t.others.last(dealt))
		if taken == nil && t.Config.sentBy(t.b, a) || taken != nil && taken.Broker == t.b.Name && taken.Slot != t.d.id && taken.arrived() {
			text := "its schedule was imported before, at " + a.Read.In(t.Config.Zone).Format("15:04")
			events = append(events, event{Slot: t.d.id, Broker: t.b.Name, Kind: kindFile, Input: a.Input, What: fileEarlier, Days: days, Text: text})
		}
	}
	return t.note(ctx, events...)
}

// sentBy reports whether a schedule that somebody imported is one of the broker's: its name tells, or it has all
// trips of its days and no other broker has the mapping.
func (c *Config) sentBy(b *Broker, a *app.ImportedSchedule) bool {
	alone, fits := true, b.sends(a.Name)
	for i := range c.Brokers {
		if other := &c.Brokers[i]; other.Name != b.Name && other.Mapping == b.Mapping {
			alone, fits = false, fits && !other.sends(a.Name)
		}
	}
	return !a.Part && (fits || alone && a.Whole)
}

// lacks reports whether counts have no trip of a day, or only so few that they are stray ones of a schedule of a
// day before, or of one that is none of the slot's.
func (d *dueSlot) lacks(counts map[importer.Date]app.DayCount, day importer.Date) bool {
	most := 0
	for on, count := range counts {
		if on.Compare(day) < 0 || !slices.Contains(d.days, on) {
			most = max(most, count.Trips)
		}
	}
	return counts[day].Trips == 0 || importer.IsStray(counts[day].Trips, most)
}
