package nightly

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// An outcome says how an import of a file ended. It implements app.Events.
type outcome struct {
	app.Silent

	summary *results.Summary
	// sent counts the trips that this import sent, by their states.
	sent map[importer.State]int
}

func (o *outcome) Row(r importer.RowResult) {
	for i := range r.Trips {
		if out := &r.Trips[i].Outcome; out.Attempts > 0 {
			o.sent[out.State]++
		}
	}
}

func (o *outcome) Summary(s *results.Summary) error {
	o.summary = s
	return nil
}

// hasSent reports whether trips were sent, not counting those before a refused token: with another one the rest may follow.
func (o *outcome) hasSent() bool {
	s := o.summary
	return len(o.sent) > 0 && (s == nil || s.Stopped == nil || s.Stopped.Code != "token-refused")
}

// An intake deals with the files of one broker in one slot.
type intake struct {
	*wake

	jobs *app.App // with the broker's settings
	d    *dueSlot
	b    *Broker
	// busy reports that a file is not complete or waits for another try, failed that the service took no import, and
	// booked that it took one.
	busy, failed, booked bool
}

func (w *wake) newIntake(d *dueSlot, b *Broker) *intake {
	jobs := *w.App
	jobs.Mapping = b.Mapping
	return &intake{wake: w, jobs: &jobs, d: d, b: b}
}

// take deals with the broker's complete files.
func (t *intake) take(ctx context.Context) error {
	if t.isClosed() {
		return nil
	}
	if t.busy = t.paused(); t.busy {
		return nil
	}
	files, busy, err := t.complete(ctx, t.b)
	switch t.busy = busy; {
	case app.StatusOf(err) == app.NotSetUp:
		t.busy = true
		return t.note(ctx, t.alarmOf(t.d, t.b.Name, "inbox", "", err))
	case err != nil:
		return err
	}
	return t.handleAll(ctx, files)
}

// say prints a line about the broker in the slot.
func (t *intake) say(text string) { t.wake.say(t.d.id, t.b.Name, text) }

// isClosed reports whether the broker's last call in the slot is over.
func (t *intake) isClosed() bool { return t.events.lastOf(t.d.id, t.b.Name, kindClosed) != nil }

// lastFailed returns the last failed try of the slot, or nil if the broker's files can be imported.
func (t *intake) lastFailed() *event { return t.events.failed(t.b.Name, t.d.start) }

// paused reports whether a file that failed in the slot is not tried again yet. If the service gave an answer to
// a trip that is none, no slot that has begun sends it more.
func (t *intake) paused() bool {
	e := t.lastFailed()
	return e != nil && (app.Status(e.Status) == app.Blocked && e.Sent || t.now.Sub(e.At) < retryAfter)
}

// handleAll deals with complete files, the oldest first. One that a newer one supersedes is put away
// once that is booked.
func (t *intake) handleAll(ctx context.Context, files []*arrival) error {
	var good []*arrival
	for _, f := range files {
		ok, err := t.inspect(ctx, f)
		if err != nil {
			return err
		}
		if ok {
			good = append(good, f)
		}
	}
	putInOrder(good)
	newest, old := supersede(good)
	for _, f := range newest {
		if err := t.handle(ctx, f); err != nil || t.failed {
			return err
		}
	}
	return t.setAside(ctx, old)
}

// supersede splits files, in the order of their stamps, into those that count and those that newer ones supersede.
func supersede(files []*arrival) (newest, old []*arrival) {
	for i, f := range files {
		if slices.ContainsFunc(files[i+1:], f.supersededBy) {
			old = append(old, f)
		} else {
			newest = append(newest, f)
		}
	}
	return newest, old
}

// putInOrder puts files in the order of their stamps, and finds out which look like half an export.
func putInOrder(files []*arrival) {
	slices.SortStableFunc(files, func(x, y *arrival) int { return x.stamp().Compare(y.stamp()) })
	for i, f := range files {
		for _, older := range files[:i] {
			if f.covers(older) && f.survey.ToBook() < older.survey.ToBook() && !f.survey.Supersedes(older.survey.Plan) {
				f.half = "the schedule lacks most rows of an older one, like half an export"
			}
		}
	}
}

// setAside puts away files that newer ones superseded.
func (t *intake) setAside(ctx context.Context, old []*arrival) error {
	for _, f := range old {
		text := "the schedule of " + f.stamp().In(t.Config.Zone).Format("15:04") + " was set aside: a newer one has come for its days"
		if err := t.finish(ctx, f, event{What: fileSuperseded, Text: text}); err != nil {
			return err
		}
	}
	return nil
}

func (f *arrival) stamp() time.Time { return f.survey.Arrival.Stamp }

// inspect reads a file to its end, and reports whether to import it in this slot. A file that
// can't be imported is put away, with an alarm.
func (t *intake) inspect(ctx context.Context, f *arrival) (bool, error) {
	if dealt := t.events.dealtWith(f, t.b.Name, t.d.id); dealt != nil {
		return false, t.putAway(ctx, f, dealt.What)
	}
	err := t.read(ctx, f)
	switch s := f.survey; {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case hashOf(f.path) != f.hash || err == nil && s.Arrival.Input != f.hash: // somebody is writing to it
		t.busy = true
		return false, nil
	case app.StatusOf(err) == app.BadInput:
		return false, t.unreadable(ctx, f, err)
	case err != nil:
		return false, t.fail(ctx, f, err, nil)
	case len(s.Dates) > 0 && !s.Has(t.d.days):
		return false, t.refuseDays(ctx, f)
	}
	return true, nil
}

// read reads a file to its end, and compares it with what is known.
func (t *intake) read(ctx context.Context, f *arrival) error {
	s, err := t.jobs.Survey(ctx, f.path, t.d.days)
	if err != nil {
		return err
	}
	if f.survey = s; f.half == "" && len(s.Half) > 0 {
		f.half = s.Half[0]
	}
	return nil
}

// refuseDays puts away a file of the wrong day: one without trips for this slot that is for no other one.
func (t *intake) refuseDays(ctx context.Context, f *arrival) error {
	if t.ofOtherSlot(f.survey) {
		return nil
	}
	text := "the schedule has no trips for " + t.d.spokenDays() + ", but " + f.survey.SpokenDates() + "; nothing was booked"
	return t.refuse(ctx, f, fileWrongDay, text, "have the broker export the right day; put it back on the evening of its own")
}

// ofOtherSlot reports whether a file without trips for this slot is for another slot: one that
// is due, or, if this slot needs no file, a later one.
func (t *intake) ofOtherSlot(s *app.Survey) bool {
	last := t.d.days[len(t.d.days)-1]
	return !t.d.main() && s.Dates[len(s.Dates)-1].Date.Compare(last) > 0 ||
		slices.ContainsFunc(t.due, func(other dueSlot) bool { return !other.checks() && s.Has(other.days) })
}

// unreadable deals with a file that can't be read, or does not have the broker's layout. The
// file may be half written, so it is refused only at the second look. If it was written to
// since it was looked at, nothing is wrong with it yet.
func (t *intake) unreadable(ctx context.Context, f *arrival, err error) error {
	tried := t.events.last(func(e *event) bool { return e.Kind == kindTried && e.Input == f.hash })
	switch {
	case f.replaced(), tried != nil && t.now.Sub(tried.At) < seenAgain:
		t.busy = true
		return nil
	case tried == nil:
		t.busy = true
		return t.note(ctx, event{Slot: t.d.id, Broker: t.b.Name, Kind: kindTried, Input: f.hash, Status: int(app.BadInput)})
	}
	reason, _ := t.explain(err)
	return t.refuse(ctx, f, fileUnreadable, t.scrub(f, reason)+"; nothing of it was booked", "see what is wrong with it when you check it; have the broker export it again")
}

// scrub removes the file's name from a text that is mailed.
func (t *intake) scrub(f *arrival, text string) string {
	return strings.NewReplacer(f.path, "the file", filepath.Base(f.path), "the file").Replace(text)
}

// alarm returns an alarm about a file.
func (t *intake) alarm(what string, f *arrival, text, fix string) event {
	a := newAlarm(t.d, t.b.Name, what, text, fix)
	a.Input = f.hash
	return a
}

// refuse puts away a file of which nothing is booked, with an alarm.
func (t *intake) refuse(ctx context.Context, f *arrival, what, text, fix string) error {
	a := t.alarm(what, f, text, fix+"; it is in the folder of done files, under \""+notBooked+"\"")
	if what != fileWrongDay && t.d.main() {
		a.Signal = pingFail
	}
	return t.finish(ctx, f, event{What: what}, a)
}

// became completes the event that says what became of a file.
func (t *intake) became(f *arrival, e event) event {
	e.Slot, e.Broker, e.Kind, e.Input, e.Written = t.d.id, t.b.Name, kindFile, f.hash, spokenExactly(f.written)
	return e
}

// finish notes what became of a file, with alarms about it, and moves the file to the done files.
func (t *intake) finish(ctx context.Context, f *arrival, e event, alarms ...event) error {
	if err := t.note(ctx, append(alarms, t.became(f, e))...); err != nil {
		return err
	}
	return t.putAway(ctx, f, e.What)
}

// putAway moves a file to the done files.
func (t *intake) putAway(ctx context.Context, f *arrival, became string) error {
	if err := t.Config.putAway(f, became == fileBooked); err != nil {
		return t.note(ctx, t.alarmOf(t.d, t.b.Name, "done", "", err))
	}
	return nil
}

// handle deals with one file.
func (t *intake) handle(ctx context.Context, f *arrival) error {
	if t.booked { // what was booked before it may tell that it is half an export
		if ok, err := t.inspect(ctx, f); err != nil || !ok {
			return err
		}
	}
	if f.survey.Replaced && f.survey.Whole {
		return t.listOlder(ctx, f)
	}
	doubts := t.doubts(f)
	if err := t.note(ctx, doubts...); err != nil {
		return err
	}
	lately := t.events.failed(t.b.Name, t.now.Add(-patience)) // in the slot before this one
	// all brokers have one service
	if cmp.Or(t.lastFailed(), lately) != nil || t.failedWith == app.Later || t.failedWith == app.Blocked {
		if again, err := t.canary(ctx, f); !again || err != nil {
			return err
		}
	}
	return t.book(ctx, f, len(doubts) > 0)
}

// supersededBy reports whether a newer file takes the place of this one. One that lacks most of its
// rows is half an export.
func (f *arrival) supersededBy(newer *arrival) bool {
	return newer.half == "" && newer.covers(f) && newer.survey.Supersedes(f.survey.Plan)
}

// covers reports whether a file should have all trips of another one's days, providers and funding
// sources.
func (f *arrival) covers(other *arrival) bool {
	lacks := func(s importer.Scope) bool {
		_, has := f.survey.Arrival.Scope(s.Day, s.Pair)
		return !has
	}
	return f.survey.Whole && other.survey.Whole && len(other.survey.Dates) > 0 &&
		!slices.ContainsFunc(other.survey.Arrival.Scopes, lacks)
}

// doubts compares a file with those of other nights, and returns an alarm for each way in which it is unlike them. It
// is suspect then: its rows are booked, but no booked trip is changed or counts as gone because of it.
func (t *intake) doubts(f *arrival) (alarms []event) {
	const kept = "; its rows are booked, and no booked trip is changed or listed as gone"
	if f.survey.Newer != nil {
		alarms = append(alarms, t.alarm("old", f, "the schedule is older than the last one"+kept, "ask the broker which one counts"))
	}
	if f.half != "" {
		alarms = append(alarms, t.alarm("half", f, f.half+kept, "ask the broker whether it is complete"))
	}
	if s := f.survey; len(s.Dates) == 0 && s.Untimed > 0 {
		alarms = append(alarms, t.alarm("undated", f, "no trip of the schedule has a date and a time that can be read: none is booked",
			"see in the results what is wrong; have the broker export it again"))
	}
	for _, day := range f.survey.Dates {
		if text := t.oddTrips(day, f.survey.Whole); text != "" && slices.Contains(t.d.days, day.Date) {
			alarms = append(alarms, t.alarm("volume", f, text+kept, "ask the broker whether it is complete"))
			break
		}
	}
	return alarms
}

// oddTrips says what is odd about a day's number of trips, or returns "". Too few trips are not
// odd for a file that need not have all trips of its days.
func (t *intake) oddTrips(day importer.DateCount, whole bool) string {
	least, most, known := t.events.usual(t.b.Name, day.Date)
	if !known || (10*day.Trips >= 7*least || !whole) && 10*day.Trips <= 15*most {
		return ""
	}
	return fmt.Sprintf("the schedule has %s for %s; %d to %d are usual", importer.Counted(day.Trips, "trip", "trips"), day.Date.Spoken(), least, most)
}

// listOlder deals with a file that came after a newer one was imported. It books nothing and
// lists the file's trips that are not booked: the newer file cancelled them, or does not have
// them.
func (t *intake) listOlder(ctx context.Context, f *arrival) error {
	const text = "a schedule came after a newer one, and nothing of it was booked"
	fresh := f.survey.New
	if fresh == 0 {
		return t.finish(ctx, f, event{What: fileListed, Text: text})
	}
	more := fmt.Sprintf("; it has %s more than are booked", importer.Counted(fresh, "trip", "trips"))
	return t.finish(ctx, f, event{What: fileListed}, t.alarm("older", f, text+more, "check it, and import it by hand if it counts: it is in the folder of done files, under \""+notBooked+"\""))
}

// book imports a file. A suspect file changes no booked trip.
func (t *intake) book(ctx context.Context, f *arrival, suspect bool) error {
	if _, ok, err := t.send(ctx, f, app.Options{Suspect: suspect}); !ok {
		return err
	}
	t.changed[t.d.id], t.booked = true, true
	of := slices.Concat(t.d.days, importer.Each(f.survey.Dates, func(day importer.DateCount) importer.Date { return day.Date }))
	days, err := t.jobs.CountTrips(ctx, f.survey.Arrival.Broker, of)
	if err != nil {
		return err
	}
	all, booked := 0, 0
	for _, count := range days {
		all, booked = all+count.Trips, booked+count.Booked
	}
	text := fmt.Sprintf("%d of %s booked", booked, importer.Counted(all, "trip", "trips"))
	return t.finish(ctx, f, event{What: fileBooked, Days: days, Text: text})
}

// send imports a file, as options say. It reports false if that failed, which it has dealt with then.
func (t *intake) send(ctx context.Context, f *arrival, options app.Options) (o *outcome, ok bool, err error) {
	o = &outcome{sent: map[importer.State]int{}}
	options.OutputFolder, options.Days, options.SeenBy = t.Config.Results, t.d.days, t.Config.seenBy(t.now)
	options.LockWait, options.Waiting = t.LockWait, t.say
	err = t.jobs.Import(ctx, options, o, f.path)
	switch status, s := app.StatusOf(err), o.summary; {
	case finished(status):
		return o, true, nil
	case status == app.Unexpected && s != nil && s.Balanced && s.Stopped == nil && !s.Interrupted: // nothing is left to send
		reason, _ := t.explain(err)
		err = t.note(ctx, t.alarm("results", f, t.scrub(f, reason), "see that there is room and that this user may write there; everything was sent, and what is open is in the list"))
		return o, err == nil, err
	case status == app.BadInput:
		return o, false, t.unreadable(ctx, f, err)
	}
	return o, false, t.fail(ctx, f, err, o)
}

// canary sends one row after another until a trip is booked, and reports whether the others may
// follow. It is used after a failed try, of any broker in this wake. One unclear answer ends it.
func (t *intake) canary(ctx context.Context, f *arrival) (bool, error) {
	const most = 5 // a service that refused so many trips does answer
	for limit := 1; limit <= most; limit++ {
		o, ok, err := t.send(ctx, f, app.Options{Limit: limit, Suspect: true})
		switch {
		case !ok:
			return false, err
		case o.sent[importer.Unknown] > 0:
			return false, t.fail(ctx, f, &app.Error{Status: app.Later, Reason: "the service gave no clear answer to a single trip", Fix: "it is tried again"}, o)
		case o.sent[importer.Booked] > 0, len(o.sent) == 0:
			return true, nil
		}
	}
	return true, nil
}

// fail records that a file could not be imported, and raises an alarm. If a later try may
// succeed, the alarm waits for the second failure or until the schedule is late. o is nil for a file
// that was only read: the broker's others are imported all the same.
func (t *intake) fail(ctx context.Context, f *arrival, err error, o *outcome) error {
	status := app.StatusOf(err)
	if status == app.Interrupted || status == app.Locked {
		return err
	}
	t.busy, t.failed, t.failedWith = true, o != nil, status
	reason, fix := t.explain(err)
	tried := event{Slot: t.d.id, Broker: t.b.Name, Kind: kindTried, Input: f.hash, Status: int(status)}
	if o != nil {
		tried.Sent = o.hasSent()
		if reason == "" && o.summary != nil && o.summary.Stopped != nil {
			reason, fix = o.summary.Stopped.Reason, o.summary.Stopped.Fix
		}
	}
	if status == app.Blocked && tried.Sent {
		fix += "; then import it by hand, or another slot tries again"
	}
	again := t.lastFailed() != nil
	if err := t.note(ctx, tried); err != nil {
		return err
	}
	if status == app.Later && !again && t.now.Before(t.Config.onOrAfter(t.d, t.b.Due)) {
		t.say(t.scrub(f, reason))
		return nil
	}
	if !t.d.main() {
		fix += "; if its trips of today can't wait, take it out of the inbox, where it is sent once that works, and phone them from it"
	}
	t.changed[t.d.id] = true // a trip that was sent before it failed may be booked
	a := newAlarm(t.d, t.b.Name, fmt.Sprintf("status %d", status), t.scrub(f, reason), t.scrub(f, fix))
	if t.d.main() {
		a.Signal = pingFail
	}
	return t.note(ctx, a)
}
