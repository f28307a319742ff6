package nightly

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// overdue raises an alarm if a broker's schedule is late. At last call it prints the unsent
// trips for the phone. From then on they are not sent any more, because somebody may have
// phoned them.
func (w *wake) overdue(ctx context.Context, d *dueSlot, b *Broker, busy bool) error {
	if w.now.Before(w.Config.lateAt(d, b)) || w.events.lastOf(d.id, b.Name, kindClosed) != nil {
		return nil
	}
	arrived := w.events.arrived(d, b.Name)
	if lastCall := w.Config.lastCall(d, b); !w.now.Before(lastCall) && (!busy || w.events.failed(b.Name, d.start) != nil || w.now.Sub(lastCall) >= patience) {
		return w.lastCall(ctx, d, b, arrived)
	}
	if !arrived && w.events.failed(b.Name, d.start) == nil {
		text := "no schedule of " + d.spokenDays() + " has come"
		if busy {
			text = "the schedule of " + d.spokenDays() + " is still being written, or open in another program"
		}
		if n := w.Config.strangers(b.Inbox); n > 0 {
			text += "; " + importer.Counted(n, "other file is", "other files are") + " in the inbox, under a name that is no broker's"
		}
		return w.note(ctx, newAlarm(d, b.Name, "late", text, "call the broker; it is imported if it comes by "+b.LastCall.String()))
	}
	return w.missingDays(ctx, d, b)
}

// missingDays raises an alarm for a service day for which the files have no trips, or not the
// usual number.
func (w *wake) missingDays(ctx context.Context, d *dueSlot, b *Broker) error {
	if !w.events.arrived(d, b.Name) {
		return nil
	}
	var events []event
	for _, day := range d.days {
		if slices.Contains(w.Config.Quiet, day) {
			continue
		}
		trips := w.events.trips(d.id, b.Name, day)
		least, _, known := w.events.usual(b, day)
		switch text := w.oddTrips(b, importer.DateCount{Date: day, Trips: trips}, true); {
		case text != "" && !w.events.doubted(d.id, b.Name):
			events = append(events, newAlarm(d, b.Name, "volume "+day.String(), text, "ask the broker whether a file is missing"))
		case trips == 0 && (!known || least > 0) && len(d.days) > 1:
			events = append(events, newAlarm(d, b.Name, "volume "+day.String(), "no schedule has trips for "+day.Spoken(), "ask the broker whether a file is missing"))
		}
	}
	return w.note(ctx, events...)
}

// lastCall closes a slot for a broker, and prints the trips that were not sent.
func (w *wake) lastCall(ctx context.Context, d *dueSlot, b *Broker, arrived bool) error {
	files, err := w.unsent(ctx, d, b)
	if err != nil {
		return err
	}
	closed := newEvent(d, b.Name, kindClosed, "", record{})
	if len(files) == 0 && !arrived {
		none := newAlarm(d, b.Name, "no show", "no schedule of "+d.spokenDays()+" had come by last call; nothing is booked", "call the broker, and import it by hand once it is there")
		none.fails = true
		return w.note(ctx, none, closed)
	}
	if len(files) == 0 {
		return w.note(ctx, closed)
	}

	a, some, err := w.printUnsent(ctx, d, b, files)
	if err != nil {
		return err
	}
	if !some { // every trip is booked, and the next slot sends the changes
		return w.note(ctx, closed)
	}
	events := []event{a}
	for _, f := range files {
		events = append(events, f.became(d, b.Name, record{What: filePhoned}))
	}
	if err := w.note(ctx, append(events, closed)...); err != nil {
		return err
	}
	w.changed[d.id] = true
	w.say(d, b.Name, a.Text)
	for _, f := range files {
		if err := w.Config.putAway(f, false); err != nil {
			return w.note(ctx, newAlarm(d, b.Name, "done", sentence(err), ""))
		}
	}
	return nil
}

// printUnsent writes the pages from which people phone the trips that were not sent. It returns
// the alarm about them, and whether there are such trips.
func (w *wake) printUnsent(ctx context.Context, d *dueSlot, b *Broker, files []*arrival) (alarm event, some bool, err error) {
	const text = "trips were not sent by last call, and will not be sent any more"
	o := w.morningOptions()
	for _, f := range files {
		o.Unsent = append(o.Unsent, app.Unsent{Path: f.path, Mapping: b.Mapping})
	}
	m, _, err := w.app.Morning(ctx, o)
	switch {
	case app.StatusOf(err) == app.Interrupted:
		return alarm, false, err
	case err == nil && len(m.Unsent) == len(files):
		for _, s := range m.Unsent {
			some = some || len(s.Trips)+len(s.Cancelled) > 0
		}
		if !some {
			return alarm, false, os.Remove(m.UnsentFile)
		}
		alarm = newAlarm(d, b.Name, "unsent", text, "phone or fax them from the printed pages of "+filepath.Base(m.UnsentFile)+" in the folder of results")
	default:
		alarm = newAlarm(d, b.Name, "unsent", text+"; the pages to phone them from are not complete", "phone them from the schedule itself, which is in the folder of done files, under \""+notBooked+"\"")
	}
	alarm.fails = true
	return alarm, true, nil
}

// A slotState says how far a slot has come.
type slotState struct {
	// arrived reports that every broker's schedule has come, waiting that one may still come
	// in time, and over that nothing is left to do in the slot.
	arrived, waiting, over bool
}

func (w *wake) stateOf(d *dueSlot) slotState {
	s := slotState{arrived: true, over: true}
	for i := range w.Config.Brokers {
		b := &w.Config.Brokers[i]
		arrived, closed := w.events.arrived(d, b.Name), w.events.lastOf(d.id, b.Name, kindClosed) != nil
		s.arrived = s.arrived && arrived
		s.waiting = s.waiting || !arrived && !closed && w.now.Before(w.Config.lateAt(d, b))
		s.over = s.over && closed
	}
	if !d.main() {
		s.over = !w.now.Before(d.end) || !w.pending(d)
	}
	return s
}

// unsent returns the broker's files in the inbox that belong to the slot: those that were tried
// in it, and those with trips on its days.
func (w *wake) unsent(ctx context.Context, d *dueSlot, b *Broker) ([]*arrival, error) {
	jobs, err := w.jobs(b)
	if err != nil {
		return nil, err
	}
	files, _ := inbox(b) // another alarm says if it can't be read
	files = slices.DeleteFunc(files, func(f *arrival) bool {
		if f.hash, err = hashOf(f.path); err != nil {
			return true
		}
		if w.events.last(func(e *event) bool { return e.Slot == d.id && e.Kind == kindTried && e.Input == f.hash }) != nil {
			return false
		}
		s, err := jobs.Survey(ctx, f.path, d.days)
		return err != nil || !s.Has(d.days)
	})
	return files, ctx.Err()
}

// settle does what follows once the files of a slot are dealt with: it writes the morning
// workbook, backs up the ledger, notes what people and the monitor are told, and finishes the
// slot if it is over.
func (w *wake) settle(ctx context.Context, d *dueSlot) error {
	s := w.stateOf(d)
	summary := d.main() && !s.waiting && w.needsSummary(d)
	if w.changed[d.id] || summary {
		if err := w.sumUp(ctx, d, summary); err != nil {
			return err
		}
	}

	var events []event
	if done := newEvent(d, "", kindPing, "", record{What: pingSuccess}); d.main() && s.arrived && !w.events.has(&done) {
		events = append(events, done)
	}
	if s.over && d.main() {
		if err := w.backUp(ctx, d); err != nil {
			return err
		}
	}
	if s.over {
		events = append(events, newEvent(d, "", kindFinished, "", record{Days: w.usualDays(d)}))
	}
	return w.note(ctx, events...)
}

// needsSummary reports whether there is something to tell people about the slot: a broker's
// first schedule has come, or its last call is over, and the last summary was before that.
func (w *wake) needsSummary(d *dueSlot) bool {
	last := w.events.lastOf(d.id, "", kindSummary)
	return slices.ContainsFunc(w.Config.Brokers, func(b Broker) bool {
		first := slices.IndexFunc(w.events, func(e event) bool {
			return e.Slot == d.id && e.Broker == b.Name && (e.Kind == kindFile && e.arrived() || e.Kind == kindClosed && w.changed[d.id])
		})
		return first >= 0 && (last == nil || w.events[first].At.After(last.At))
	})
}

// usualDays returns the slot's service days whose number of trips counts as usual.
func (w *wake) usualDays(d *dueSlot) map[string]int {
	days := map[string]int{}
	for _, day := range d.days {
		if d.main() && !slices.Contains(w.Config.Quiet, day) {
			days[day.String()] = 0
		}
	}
	return days
}

// pending reports whether a file that was not dealt with is in an inbox.
func (w *wake) pending(d *dueSlot) bool {
	return slices.ContainsFunc(w.Config.Brokers, func(b Broker) bool {
		files, err := inbox(&b)
		return err == nil && slices.ContainsFunc(files, func(f *arrival) bool {
			f.hash, err = hashOf(f.path)
			return err != nil || w.events.file(f, b.Name, d.id) == nil
		})
	})
}

// sumUp writes the morning workbook anew. If summary is set, or there is more to act on than
// people were told, it notes a summary; before a summary that is due it backs up the ledger.
func (w *wake) sumUp(ctx context.Context, d *dueSlot, summary bool) error {
	m, _, err := w.app.Morning(ctx, w.morningOptions())
	switch status := app.StatusOf(err); {
	case status == app.Interrupted, status == app.Locked:
		return err
	case err != nil:
		if err := w.note(ctx, newAlarm(d, "", "morning", "the morning workbook could not be written", w.advice("see why", importer.ListOpen))); err != nil {
			return err
		}
		m = &results.Morning{}
	}
	if summary {
		if err := w.backUp(ctx, d); err != nil {
			return err
		}
	}
	if !summary && len(m.Urgent) == 0 {
		return nil
	}
	r := record{What: w.now.UTC().Format(time.RFC3339), Act: len(m.Urgent) + len(m.Lost), List: len(m.Listed), Booked: w.booked(d)}
	if m.Written != "" {
		r.Workbook = filepath.Base(m.Written)
	}
	for i := range m.Urgent {
		if at := m.Urgent[i].Begins(); !at.IsZero() {
			r.Before = at.TimeOfDay.String()
			break
		}
	}
	if !summary && w.wasTold(r.Act) {
		return nil
	}
	return w.note(ctx, newEvent(d, "", kindSummary, "", r))
}

// wasTold reports whether the last summary told people of at least as many things to act on.
func (w *wake) wasTold(act int) bool {
	last := w.events.last(func(e *event) bool { return e.Kind == kindSummary })
	return last != nil && last.Act >= act
}

// booked counts the booked trips of the slot's files.
func (w *wake) booked(d *dueSlot) (n int) {
	for i := range w.Config.Brokers {
		n += w.events.booked(d.id, w.Config.Brokers[i].Name)
	}
	return n
}

// backUp copies the ledger and its key to another machine, once in a slot. A shared ledger is
// backed up by its server's administrator.
func (w *wake) backUp(ctx context.Context, d *dueSlot) error {
	if w.Config.Backup == "" || w.app.IsShared() || w.events.lastOf(d.id, "", kindBackup) != nil {
		return nil
	}
	path := filepath.Join(w.Config.Backup, "ledger."+w.now.UTC().Format("20060102T150405Z")+".db")
	err := w.app.BackupLedger(ctx, path)
	switch status := app.StatusOf(err); {
	case status == app.Interrupted:
		return err
	case err != nil:
		return w.note(ctx, newAlarm(d, "", "backup", "the backup of the ledger failed: "+sentence(err), ""))
	}
	w.dropOldBackups()
	return w.note(ctx, newEvent(d, "", kindBackup, "", record{}))
}

// dropOldBackups removes all but the newest backups. A failure is ignored, because it costs
// only disk space.
func (w *wake) dropOldBackups() {
	const kept = 14
	old, _ := filepath.Glob(filepath.Join(w.Config.Backup, "ledger.????????T??????Z.db"))
	slices.Sort(old)
	for _, path := range old[:max(0, len(old)-kept)] {
		_ = os.Remove(path)
		_ = os.Remove(path + ".key")
	}
}

func (w *wake) morningOptions() app.MorningOptions {
	return app.MorningOptions{Folder: w.Config.Results}
}

// checkSlot checks the files in the inboxes, and whether the night would succeed, at a time when
// somebody is there to fix it.
func (w *wake) checkSlot(ctx context.Context, d *dueSlot) error {
	var events []event
	for _, l := range w.Preflight(ctx, w.app) {
		if l.Wrong {
			events = append(events, newAlarm(d, "", "preflight "+l.What, l.What+": "+l.Text, l.Fix))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range w.Config.Brokers {
		b := &w.Config.Brokers[i]
		found, err := w.checkFiles(ctx, d, b)
		if err != nil {
			return err
		}
		events = append(events, found...)
	}
	return w.note(ctx, append(events, newEvent(d, "", kindFinished, "", record{}))...)
}

// checkFiles checks a broker's files, and leaves them in the inbox.
func (w *wake) checkFiles(ctx context.Context, d *dueSlot, b *Broker) ([]event, error) {
	files, _, err := w.complete(ctx, b)
	if err != nil || len(files) == 0 {
		return nil, ctx.Err() // the preflight says what is wrong with the inbox
	}
	jobs, err := w.jobs(b)
	if err != nil {
		return nil, err
	}
	t := &intake{wake: w, jobs: jobs, d: d, b: b}
	var events []event
	for _, f := range files {
		if w.events.file(f, b.Name, d.id) != nil {
			continue
		}
		o := &outcome{}
		err := jobs.Check(ctx, app.Options{OutputFolder: w.Config.Results}, o, f.path)
		switch status := app.StatusOf(err); {
		case status == app.Interrupted:
			return nil, err
		case status == app.FixRows && o.summary != nil:
			events = append(events, t.alarm("check", f, fmt.Sprintf("%s to fix before the night", importer.Counted(o.summary.FixRows, "row", "rows")), "the check in the folder of results names each cell"))
		case !finished(status):
			reason, fix := explain(err)
			events = append(events, t.alarm("check", f, t.scrub(f, reason), t.scrub(f, fix)))
		}
	}
	return events, nil
}
