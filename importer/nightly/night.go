package nightly

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly/mail"
)

// A Night does what is due.
type Night struct {
	Config *Config
	// App has the jobs, by the clock of Config.
	App *app.App
	// Mail tells people, and Ping a monitor; nil for nobody.
	Mail Mailer
	Ping func(ctx context.Context, signal string, night uuid.UUID) error
	// Clock tells the time, and Wait waits.
	Clock importer.Clock
	Wait  func(context.Context, time.Duration) error
	// LockWait is how long a wake waits for a run that a person started.
	LockWait time.Duration
	// Spell says how a person starts a job, for advice; nil for advice in words alone.
	Spell importer.Speller
	// Print is called with a line for each thing that was done. The line has no row content
	// and no file names, because the scheduler may mail what is printed.
	Print func(line string)
}

// A Mailer sends a message to the office's people, as mail.Sender does.
type Mailer interface {
	Send(ctx context.Context, m mail.Message) (missed []string, err error)
	Try(ctx context.Context) error
}

// Time limits.
const (
	retryAfter = 15 * time.Minute    // between two tries of a file
	seenAgain  = 4 * time.Minute     // between two looks at a file that can't be read
	patience   = 30 * time.Minute    // before people are told that another run holds the ledger
	remembered = 70 * 24 * time.Hour // how far back slot events are read
	tellWithin = 24 * time.Hour      // after which an unsent message is dropped
)

// A wake is one run of the program by the system's scheduler.
type wake struct {
	*Night

	now    time.Time
	due    []dueSlot
	events journal
	// others are the events of other offices that share the ledger.
	others journal
	// changed has the slots, by id, in which this wake booked or changed something that the
	// morning workbook has to show. failedWith is the status of the last import that failed.
	changed    map[string]bool
	failedWith app.Status
}

// Run does what is due and ends. It returns nil if nothing is due or another Run is at work.
// If the night fails, it returns an *app.Error; rows to fix and lists for people are not a
// failure. The ledger records what was done, so Run may be killed at any moment and be called
// again.
func (n *Night) Run(ctx context.Context) error {
	if tried, err := n.answerTrial(ctx); tried {
		return err
	}
	data := n.App.Folders.Data
	lock := flock.New(filepath.Join(data, "nightly.lock"), flock.SetPermissions(0o600))
	mine, err := lock.TryLock()
	if _, there := os.Stat(lock.Path()); errors.Is(err, fs.ErrPermission) && there == nil {
		return importer.Advise(app.Usage("leave the nights to that account", "another account runs the nights of %s", data), importer.Do("how they went is said by", importer.NightsStatus))
	}
	if err != nil {
		return app.Usage("see that this user may write there", "the folder %s can't be written", data)
	}
	if !mine {
		return nil
	}
	defer func() { _ = lock.Unlock() }() // the end of the process unlocks it in any case

	w := &wake{Night: n, now: n.Clock.Now(), changed: map[string]bool{}}
	err = w.work(ctx)
	if app.StatusOf(err) != app.Interrupted {
		err = w.guardLedger(ctx, err)
	}
	if err == nil && w.failedWith != app.Done {
		return &app.Error{Status: w.failedWith, Reason: "the night has not finished", Fix: n.advice("see why", importer.NightsStatus)}
	}
	return err
}

// work does what is due in each slot, and tells people and the monitor.
func (w *wake) work(ctx context.Context) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	w.due = w.openSlots()
	for i := range w.due {
		if err := w.slot(ctx, &w.due[i]); err != nil {
			return err
		}
	}
	return w.tell(ctx)
}

// openSlots returns the slots that are due and not finished. It leaves out slots that are over and never began, if they
// need no file, or started before the first event in the ledger, because the program was not installed then.
func (w *wake) openSlots() []dueSlot {
	all, _ := w.Config.due(w.now)
	return slices.DeleteFunc(all, func(d dueSlot) bool {
		before := len(w.events) > 0 && w.events[0].At.Before(d.start)
		return w.events.lastOf(d.id, "", kindFinished) != nil || (!before || !d.main()) && !w.now.Before(d.end) && w.events.lastOf(d.id, "", kindBegun) == nil
	})
}

// load reads what was noted about the slots, by this office and by others.
func (w *wake) load(ctx context.Context) error {
	noted, err := w.App.SlotNotes(ctx, w.now.Add(-remembered))
	w.events, w.others = nil, nil
	for _, e := range newJournal(noted) {
		switch {
		case e.At.Sub(w.now) > time.Hour && slices.Contains([]string{kindClosed, kindFinished, kindTried}, e.Kind): // by a clock that was wrong
		case w.App.IsShared() && !w.Config.has(&e):
			w.others = append(w.others, e)
		default:
			w.events = append(w.events, e)
		}
	}
	return err
}

// has reports whether an event is about one of the brokers, or about all of them.
func (c *Config) has(e *event) bool {
	return slices.ContainsFunc(c.Brokers, func(b Broker) bool { return b.Name == e.Broker || slices.Contains(e.Brokers, b.Name) })
}

// note records events in the ledger and the journal, without repeated alarms, and prints what they say.
func (w *wake) note(ctx context.Context, events ...event) error {
	var notes []app.SlotNote
	for i := range events {
		e := &events[i]
		if e.Broker == "" {
			e.Brokers = importer.Each(w.Config.Brokers, func(b Broker) string { return b.Name })
		}
		if e.Kind != kindAlarm || !w.events.has(e) {
			text, err := json.Marshal(e)
			if err != nil {
				return err
			}
			notes = append(notes, app.SlotNote{At: w.Clock.Now(), Text: string(text)})
		}
	}
	if len(notes) == 0 {
		return nil
	}
	if err := w.App.NoteSlots(ctx, w.LockWait, notes...); err != nil {
		return err
	}
	for _, e := range newJournal(notes) {
		if w.events = append(w.events, e); e.Text != "" {
			w.say(e.Slot, e.Broker, e.Text)
		}
	}
	return nil
}

// slot does what is due in one slot.
func (w *wake) slot(ctx context.Context, d *dueSlot) error {
	if w.events.lastOf(d.id, "", kindBegun) == nil {
		if missed, err := w.begin(ctx, d); missed || err != nil {
			return err
		}
	}
	if d.checks() {
		return w.checkSlot(ctx, d)
	}
	for i := range w.Config.Brokers {
		t := w.newIntake(d, &w.Config.Brokers[i])
		err := t.take(ctx)
		if err == nil && d.main() {
			err = t.overdue(ctx)
		}
		if err != nil {
			return err
		}
	}
	return w.settle(ctx, d)
}

// begin begins a slot: it tells the monitor, and takes the answers in the morning workbook. It reports true for missed if the slot's service days are past. Such a slot is finished.
func (w *wake) begin(ctx context.Context, d *dueSlot) (missed bool, err error) {
	if today := importer.DateOf(w.now.In(w.Config.Zone)); d.days[len(d.days)-1].Compare(today) < 0 {
		off := newAlarm(d, "", "missed", "the night of "+d.on.Spoken()+" did not run, and its trips are past", "see that this computer is on then; "+w.advice("all nights", importer.NightsStatus))
		off.Signal = pingFail
		return true, w.note(ctx, event{Slot: d.id, Kind: kindFinished}, off)
	}

	begun := event{Slot: d.id, Kind: kindBegun}
	if d.main() {
		begun.Signal = pingStart
	}
	if err := w.note(ctx, begun); err != nil {
		return false, err
	}
	if err := w.pings(ctx); err != nil {
		return false, err
	}
	taken, err := w.App.TakeMorning(ctx, w.Config.Results)
	w.changed[d.id] = d.main() || err != nil || taken.Answers > 0 // something may have become urgent since the last list
	if err != nil {                                               // the import takes them, or the list, or says why not
		return false, ctx.Err()
	}
	return false, w.noteTaken(ctx, d, taken)
}

// noteTaken raises an alarm about what people wrote in workbooks and no run takes.
func (w *wake) noteTaken(ctx context.Context, d *dueSlot, taken app.Taken) error {
	var alarms []event
	if len(taken.Refused) > 0 {
		text := "no answer in " + strings.Join(taken.Refused, ", ") + " can be taken"
		alarms = append(alarms, newAlarm(d, "", "answers", text, "retry it: that says what is wrong; or write its answers into the newest list, and move it out of its folder"))
	}
	for _, list := range taken.Fixed {
		name := filepath.Base(list)
		alarms = append(alarms, newAlarm(d, "", "fixed "+name, "what was fixed in "+name+" is not sent yet", importer.Do("retry it", importer.RetryResults, list).Say(w.Spell)))
	}
	return w.note(ctx, alarms...)
}

// finished reports whether an import with that status reached its end.
func finished(s app.Status) bool {
	return slices.Contains([]app.Status{app.Done, app.FixRows, app.NeedsPerson, app.Listed}, s)
}

// say prints a line about a slot, or about a broker in the slot.
func (w *wake) say(slot, broker, text string) { w.Print(slot[11:16] + " " + headed(broker, text)) }

// headed begins a text with the broker whom it is about; empty for none.
func headed(broker, text string) string { return importer.Joined(": ", broker, text) }

// Clock returns a clock that shows the office's time if no zone is named, because this machine
// may be in another zone. machine is nil for the system's clock.
func (c *Config) Clock(machine importer.Clock) importer.Clock {
	return officeClock{cmp.Or[importer.Clock](machine, importer.SystemClock{}), c.Zone}
}

type officeClock struct {
	importer.Clock

	zone *time.Location
}

// Wall implements importer.Clock.
func (c officeClock) Wall(loc *time.Location) importer.DateTime {
	return c.Clock.Wall(cmp.Or(loc, c.zone))
}

// advice says what to do, and how the job is started that does it.
func (n *Night) advice(text string, do importer.Action) string {
	return importer.Do(text, do).Say(n.Spell)
}

// explain returns the reason of an error and the advice what to do, in words that may be
// mailed. It leaves out what is wrong with a file, because such an error names columns: in a
// file without a header, these are the values of its first row.
func (n *Night) explain(err error) (reason, fix string) {
	var input *importer.InputError
	var known importer.Advised
	switch {
	case errors.As(err, &input):
		return "a file can't be read, or is not in the layout of its mapping", "check it at the terminal, which says what is wrong with it"
	case errors.As(err, &known):
		return known.Error(), importer.SayAll(known.Advice(), n.Spell)
	case app.StatusOf(err) == app.NotSetUp:
		return "the mapping can't be used", "lint it at the terminal, which says what is wrong with it"
	}
	return "an unexpected failure", "run the same import by hand to see it"
}

// nightID returns the id by which the monitor groups the signals of one night.
func nightID(slot string) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("tripimport "+slot))
}
