package nightly

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
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
func (t *intake) overdue(ctx context.Context) error {
	if t.now.Before(t.Config.onOrAfter(t.d, t.b.Due)) || t.isClosed() {
		return nil
	}
	if err := t.noteImported(ctx); err != nil {
		return err
	}
	arrived, failed := t.events.arrived(t.d.id, t.b.Name), t.lastFailed() != nil
	if lastCall := t.Config.onOrAfter(t.d, t.b.LastCall); !t.now.Before(lastCall) && (!t.busy || failed || t.now.Sub(lastCall) >= patience) {
		return t.lastCall(ctx, arrived)
	}

	text := "no schedule of " + t.d.spokenDays() + " has come"
	switch {
	case arrived:
		return t.missingDays(ctx)
	case failed && t.busy: // it is tried again
		return nil
	case failed || t.busy:
		text = "the schedule of " + t.d.spokenDays() + " can't be read: it is still being written or open in another program, or it is not in the inbox any more"
	}
	return t.note(ctx, newAlarm(t.d, t.b.Name, "late", text, "call the broker; it is imported if it comes by "+t.b.LastCall.String()))
}

// missingDays raises an alarm for a service day for which the files have no trips, or not the
// usual number.
func (t *intake) missingDays(ctx context.Context) error {
	var events []event
	counts := t.events.counts(t.d.id, t.b.Name)
	told, several := t.events.became(t.d.id, t.b.Name, "volume", "half"), len(t.d.days) > 1 && !t.events.became(t.d.id, t.b.Name, fileListed)
	for _, day := range t.d.days {
		trips := counts[day].Trips
		_, _, known := t.events.usual(t.b.Name, day)
		text := t.oddTrips(importer.DateCount{Date: day, Trips: trips}, true)
		if !known && t.d.lacks(counts, day) && (trips > 0 || several) {
			text = "no schedule has come for " + day.Spoken() + ", or only a few trips"
		}
		if text != "" && (!told || !known || trips == 0 && several) {
			events = append(events, newAlarm(t.d, t.b.Name, "volume "+day.String(), text, "ask the broker whether a file is missing"))
		}
	}
	return t.note(ctx, events...)
}

// lastCall prints the trips of a broker that were not sent, and closes the slot for it: another one takes what comes
// later.
func (t *intake) lastCall(ctx context.Context, arrived bool) error {
	files, err := t.unsent(ctx)
	if err != nil {
		return err
	}
	events := []event{{Slot: t.d.id, Broker: t.b.Name, Kind: kindClosed}}
	if len(files) == 0 && !arrived {
		none := newAlarm(t.d, t.b.Name, "no show", "no schedule of "+t.d.spokenDays()+" had come by last call; nothing is booked", "call the broker, and import it by hand once it is there")
		none.Signal = pingFail
		events = append(events, none)
	}
	if len(files) > 0 {
		unsent, err := t.printUnsent(ctx, files)
		if err != nil {
			return err
		}
		events, t.changed[t.d.id] = append(events, *unsent), true
	}
	for _, f := range files {
		events = append(events, t.became(f, event{What: filePhoned}))
	}
	if err := t.note(ctx, events...); err != nil {
		return err
	}
	for _, f := range files {
		if err := t.putAway(ctx, f, filePhoned); err != nil {
			return err
		}
	}
	return nil
}

// printUnsent writes the pages from which people phone the trips that were not sent. It returns
// the alarm about them.
func (t *intake) printUnsent(ctx context.Context, files []*arrival) (*event, error) {
	const text = "trips were not sent by last call, and will not be sent any more"
	o := t.morningOptions()
	o.Unsent = importer.Each(files, func(f *arrival) app.Unsent {
		return app.Unsent{Path: f.path, Mapping: t.b.Mapping, Days: t.d.days, Suspect: f.survey != nil && len(t.doubts(f)) > 0}
	})
	m, _, err := t.App.Morning(ctx, o)
	if status := app.StatusOf(err); status == app.Interrupted || status == app.Locked { // a run may be sending them
		return nil, err
	}

	alarm := newAlarm(t.d, t.b.Name, "unsent", text+"; the pages to phone them from are not complete", "phone them from the schedule itself, which is in the folder of done files, under \""+notBooked+"\"")
	alarm.Unsent = 1
	switch {
	case m == nil || len(m.UnsentSchedules) < len(files) || err != nil && len(m.Unsent) > 0:
	case m.UnsentFile == "":
		alarm = newAlarm(t.d, t.b.Name, "unsent", "changes of a schedule were not sent by last call", "make them by hand: they are in the list")
		return &alarm, nil
	default:
		alarm = newAlarm(t.d, t.b.Name, "unsent", text, "phone or fax them from the printed pages of "+filepath.Base(m.UnsentFile)+" in the folder of results")
		for i := range m.Unsent {
			if item := &m.Unsent[i]; item.Outcome.State.Missing() && item.Outcome.Due == importer.ActNow {
				alarm.Unsent++
				alarm.Before = earlier(alarm.Before, item.DueIn(t.Config.Zone).String())
			}
		}
	}
	if alarm.Signal = pingFail; alarm.Unsent > 0 {
		alarm.Acts = []string{t.b.Name + ": " + text + ": " + alarm.Fix}
	}
	return &alarm, nil
}

// stateOf says how far a slot has come: arrived reports that every broker's schedule has come, waiting that one may
// still come in time, and over that nothing is left to do in the slot.
func (w *wake) stateOf(d *dueSlot) (arrived, waiting, over bool) {
	arrived, over = true, true
	for i := range w.Config.Brokers {
		b := &w.Config.Brokers[i]
		has, closed := w.events.arrived(d.id, b.Name), w.events.lastOf(d.id, b.Name, kindClosed) != nil
		arrived, over = arrived && has, over && closed
		waiting = waiting || !has && !closed && w.now.Before(w.Config.onOrAfter(d, b.Due))
	}
	if !d.main() {
		over = !w.now.Before(d.end) || !slices.ContainsFunc(w.Config.Brokers, func(b Broker) bool { return len(w.newFiles(d, &b)) > 0 })
	}
	return arrived, waiting, over
}

// unsent returns the broker's new files in the inbox that belong to the slot: those that were tried
// in it, and those with trips on its days. It puts away those that newer ones supersede.
func (t *intake) unsent(ctx context.Context) (files []*arrival, err error) {
	var read []*arrival
	for _, f := range t.newFiles(t.d, t.b) {
		err := t.read(ctx, f)
		tried := t.events.last(func(e *event) bool { return e.Slot == t.d.id && e.Kind == kindTried && e.of(f.hash) }) != nil
		switch {
		case err == nil && (tried || f.survey.Has(t.d.days)):
			read = append(read, f)
		case err != nil && tried:
			files = append(files, f)
		}
	}
	putInOrder(read)
	newest, old := supersede(read)
	return append(files, newest...), t.setAside(ctx, old)
}

// newFiles returns the broker's files in the inbox that were not dealt with.
func (w *wake) newFiles(d *dueSlot, b *Broker) []*arrival {
	files, _ := inbox(b) // another alarm says if it can't be read
	return slices.DeleteFunc(files, func(f *arrival) bool { return w.events.dealtWith(f, b.Name, d.id) != nil })
}

// settle does what follows once the files of a slot are dealt with: it writes the morning
// workbook, backs up the ledger, notes what people and the monitor are told, and finishes the
// slot if it is over.
func (w *wake) settle(ctx context.Context, d *dueSlot) error {
	arrived, waiting, over := w.stateOf(d)
	summary := d.main() && !waiting && w.needsSummary(d)
	if w.changed[d.id] || summary {
		if err := w.sumUp(ctx, d, summary); err != nil {
			return err
		}
	}

	var events []event
	if d.main() && arrived && w.events.lastOf(d.id, "", kindArrived) == nil {
		events = append(events, event{Slot: d.id, Kind: kindArrived, Signal: pingSuccess})
	}
	if d.main() && (summary || over) {
		if err := w.backUp(ctx, d); err != nil {
			return err
		}
	}
	if over {
		events = append(events, event{Slot: d.id, Kind: kindFinished})
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

// sumUp writes the morning workbook anew. If summary is set, or something has become urgent, it
// notes a summary.
func (w *wake) sumUp(ctx context.Context, d *dueSlot, summary bool) error {
	m, taken, err := w.App.Morning(ctx, w.morningOptions())
	switch status := app.StatusOf(err); {
	case status == app.Interrupted, status == app.Locked:
		return err
	case err != nil:
		if err := w.note(ctx, newAlarm(d, "", "morning", "the morning workbook could not be written", w.advice("see why", importer.ListOpen))); err != nil {
			return err
		}
		m = &results.Morning{}
	}
	if err := w.noteTaken(ctx, d, taken); err != nil {
		return err
	}
	lost := importer.Each(m.Lost, func(l results.LostRun) event {
		return newAlarm(d, "", "lost "+l.Run, "what a run left open is not known: "+l.Reason, l.Fix)
	})
	if err := w.note(ctx, lost...); err != nil {
		return err
	}
	r := event{Slot: d.id, Kind: kindSummary, What: w.now.UTC().Format(time.RFC3339), Booked: w.booked(d)}
	for i := range m.Listed {
		r.List += importer.One(!w.toldOtherwise(d, &m.Listed[i]))
	}
	told := w.addActs(&r, d, m)
	if !summary && len(r.Acts) == 0 {
		return nil
	}
	w.addAlso(&r, d, m, told, len(taken.Notes))
	return w.note(ctx, r)
}

// addActs adds what people have to act on at once and were not told of, but not what is told otherwise. Trips
// that wait for the same answer have one sentence. It returns how many items were told before.
func (w *wake) addActs(r *event, d *dueSlot, m *results.Morning) (before int) {
	told, workbook := w.events.keys(kindSummary), filepath.Base(m.Written)
	var all []act
	for i := range m.Urgent {
		item := &m.Urgent[i]
		switch {
		case w.toldOtherwise(d, item):
			continue
		case item.Told || told[item.Key]:
			r.List++
			before++
			continue
		}
		all, r.Keys = addAct(all, item), append(r.Keys, item.Key)
	}
	for i := range all {
		due := all[i].first.DueIn(w.Config.Zone)
		r.Before, r.Acts = earlier(r.Before, due.String()), append(r.Acts, all[i].sentence(due, workbook))
	}
	return before
}

// earlier returns the earlier one of two times, of which either may be empty.
func earlier(a, b string) string {
	return min(cmp.Or(a, b), cmp.Or(b, a))
}

// toldOtherwise reports whether an item is of a file that is tried again until last call, was printed for the phone, or is
// another office's.
func (w *wake) toldOtherwise(d *dueSlot, item *results.OpenItem) bool {
	about := func(e *event) bool { return (e.Kind == kindFile || e.Kind == kindTried) && e.of(item.Input) }
	last := w.events.last(about)
	if last == nil {
		return w.others.last(about) != nil
	}
	o := &item.Outcome
	unsent := o.State == importer.NotSent || o.State == importer.Held && o.Question == importer.NoQuestion // it waits for its other leg
	return unsent && last.Kind == kindTried && d.main() || o.Question == importer.AskAgain && last.What == filePhoned
}

// addAlso adds what is good to know. So many items were told before, and so many answers are not taken.
func (w *wake) addAlso(r *event, d *dueSlot, m *results.Morning, told, untaken int) {
	if told > 0 {
		r.Also = append(r.Also, importer.Counted(told, "thing to act on, told before, is still open", "things to act on, told before, are still open"))
	}
	if untaken > 0 {
		r.Also = append(r.Also, importer.Counted(untaken, "answer can't be taken: the list says why", "answers can't be taken: the list says why"))
	}
	for _, e := range w.events {
		if e.Slot == d.id && (e.What == fileSuperseded || e.What == fileEarlier) {
			r.Also = append(r.Also, headed(e.Broker, e.Text))
		}
	}
	if m.Written != "" {
		r.Also = append(r.Also, "what is open is in "+filepath.Base(m.Written)+" in the folder of results")
	}
}

// booked counts the booked trips of the slot's files.
func (w *wake) booked(d *dueSlot) (n int) {
	for i := range w.Config.Brokers {
		for _, count := range w.events.counts(d.id, w.Config.Brokers[i].Name) {
			n += count.Booked
		}
	}
	return n
}

// backUp copies the ledger and its key to another machine, unless nothing was booked since the last
// copy of the slot. A shared ledger is backed up by its server's administrator.
func (w *wake) backUp(ctx context.Context, d *dueSlot) error {
	last := w.events.last(func(e *event) bool { return e.Kind == kindBackup || e.Kind == kindFile && e.arrived() })
	if w.Config.Backup == "" || w.App.IsShared() || last != nil && last.Kind == kindBackup && last.Slot == d.id {
		return nil
	}
	id, err := w.App.LedgerID(ctx)
	if err != nil {
		return err
	}
	name := "ledger." + id
	err = w.App.BackupLedger(ctx, filepath.Join(w.Config.Backup, name+w.Clock.Now().UTC().Format(".20060102T150405Z")+".db"))
	switch status := app.StatusOf(err); {
	case status == app.Interrupted:
		return err
	case err != nil:
		return w.note(ctx, w.alarmOf(d, "", "backup", "the backup of the ledger failed: ", err))
	}
	// All but the newest backups of this ledger go: another office may use the same folder. A failure costs only disk space.
	const kept = 14
	old, _ := fs.Glob(os.DirFS(w.Config.Backup), name+".????????T??????Z.db")
	for _, file := range old[:max(0, len(old)-kept)] {
		path := filepath.Join(w.Config.Backup, file)
		_ = os.Remove(path)
		_ = os.Remove(path + ".key")
	}
	return w.note(ctx, event{Slot: d.id, Kind: kindBackup})
}

func (w *wake) morningOptions() app.MorningOptions {
	return app.MorningOptions{Folder: w.Config.Results, SeenBy: w.Config.seenBy(w.now)}
}

// checkSlot checks the files in the inboxes, and whether the night would succeed, at a time when
// somebody is there to fix it.
func (w *wake) checkSlot(ctx context.Context, d *dueSlot) error {
	var events []event
	for _, l := range w.Preflight(ctx) {
		if l.Wrong {
			events = append(events, newAlarm(d, "", "preflight "+l.What, l.What+": "+l.Text, l.Fix))
		}
	}
	for i := range w.Config.Brokers {
		found, err := w.newIntake(d, &w.Config.Brokers[i]).checkFiles(ctx)
		if events = append(events, found...); err != nil {
			return err
		}
	}
	return w.note(ctx, append(events, event{Slot: d.id, Kind: kindFinished})...)
}

// checkFiles checks a broker's files, and leaves them in the inbox.
func (t *intake) checkFiles(ctx context.Context) ([]event, error) {
	files, _, err := t.complete(ctx, t.b)
	if err != nil || len(files) == 0 {
		return nil, ctx.Err() // the preflight says what is wrong with the inbox
	}
	var events []event
	for _, f := range files {
		o := &outcome{}
		err := t.jobs.Check(ctx, app.Options{OutputFolder: t.Config.Results}, o, f.path)
		switch status := app.StatusOf(err); {
		case status == app.Interrupted:
			return nil, err
		case status == app.FixRows && o.summary != nil:
			events = append(events, t.alarm("check", f, fmt.Sprintf("%s to fix before the night", importer.Counted(o.summary.FixRows, "row", "rows")), "the check in the folder of results names each cell"))
		case !finished(status):
			reason, fix := t.explain(err)
			events = append(events, t.alarm("check", f, t.scrub(f, reason), t.scrub(f, fix)))
		}
		events = append(events, t.wrongDay(ctx, f)...)
	}
	return events, nil
}

// wrongDay returns an alarm about a file of which the next night would book nothing, and no slot that is due.
func (t *intake) wrongDay(ctx context.Context, f *arrival) []event {
	_, next := t.Config.due(t.now)
	i := slices.IndexFunc(next, func(d dueSlot) bool { return d.main() })
	if i < 0 {
		return nil
	}
	night := t.newIntake(&next[i], t.b)
	if night.read(ctx, f) != nil || len(f.survey.Dates) == 0 || f.survey.Has(night.d.days) || night.ofOtherSlot(f.survey) {
		return nil
	}
	text := "the schedule has no trips for " + night.d.spokenDays() + ", but " + f.survey.SpokenDates() + "; the night would book nothing of it"
	return []event{t.alarm("check day", f, text, "have the broker export the right day")}
}
