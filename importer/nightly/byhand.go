package nightly

import (
	"context"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// noteByHand notes the schedules of a slot that somebody imported on its day, while none has come for a night: a
// broker may have mailed them. Without them, people would be told to call the broker.
func (w *wake) noteByHand(ctx context.Context, d *dueSlot, b *Broker) error {
	counts := w.events.counts(d.id, b.Name)
	if !slices.ContainsFunc(d.days, func(day importer.Date) bool { return counts[day].Trips == 0 }) {
		return nil
	}
	begin := d.start.In(w.Config.Zone)
	all, days, err := w.app.Imported(ctx, b.Mapping, d.days, time.Date(begin.Year(), begin.Month(), begin.Day(), 0, 0, 0, 0, w.Config.Zone))
	if err != nil {
		if app.StatusOf(err) == app.Interrupted {
			return err
		}
		return nil // the alarm that none has come is told all the same
	}
	var events []event
	for i := range all {
		a := &all[i]
		if w.events.last(func(e *event) bool { return e.Kind == kindFile && e.Broker == b.Name && e.of(a.Input) }) != nil {
			continue // a night has it, or it is noted
		}
		events = append(events, event{
			Slot: d.id, Broker: b.Name, Kind: kindFile, Input: a.Input,
			What: fileByHand, Days: days, Text: "its schedule was imported by hand at " + a.Read.In(w.Config.Zone).Format("15:04"),
		})
	}
	return w.note(ctx, events...)
}
