package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/run"
)

// openChanges decides what a job does about booked trips that differ from the schedule. An import
// changes them if the settings say so, or a person at a terminal agrees, and a check lists what
// would be changed. Other jobs only report them.
func (j *job) openChanges(context.Context) error {
	if j.opts.Suspect {
		return nil
	}
	asked := j.command == "import" && (j.sendsChanges() || j.opts.Attended)
	j.judging.SendChanges = asked || j.command == "check" // it lists each change at its cell
	j.judging.Freeze, j.judging.FreezeAt = parseFreeze(j.Settings.Text("freeze"))
	return nil
}

// sendsChanges reports whether the settings say that an import sends changes.
func (a *App) sendsChanges() bool { return a.Settings.Text("changes") == "send" }

// parseFreeze parses the setting freeze: hours before a trip (3h), a time of the evening before
// (18:00), or off.
func parseFreeze(text string) (before time.Duration, at importer.TimeOfDay) {
	if at, err := importer.ParseTimeOfDay(text); err == nil {
		return 0, at
	}
	before, _ = time.ParseDuration(text) // the settings are checked when they are read; off is 0
	return before, importer.TimeOfDay{}
}

// judgeOptions returns what the judge is told.
func (j *job) judgeOptions() *judge.Options {
	o := j.judging
	o.Rules, o.At = j.input.Mapper.Rules(), j.clock.Now()
	o.Now = j.clock.Wall(o.Rules.Location)
	return &o
}

// askNewest asks a person which schedule is the newest: if the file is older than one that was
// imported before, and if it only says again what an earlier one said although it was saved
// later. Where nobody can be asked, the stamps are believed, and a notice says so.
func (j *job) askNewest(ctx context.Context) error {
	if j.edited != nil || j.rewritten != nil {
		return nil
	}
	err := j.askOlder(ctx)
	for _, why := range j.plan.Half {
		j.notice("%s: the others are not listed as gone", why)
	}
	for _, why := range j.plan.Untold {
		j.notice("%s", why)
	}
	return err
}

// askOlder asks about a schedule that is older than another one. If it is the newest all the same,
// the plan is made again, with the stamp of the other one. Otherwise no change of it is sent.
func (j *job) askOlder(ctx context.Context) error {
	newer := j.plan.Newer
	if newer == nil {
		return j.askTakenBack()
	}
	at := judge.Clock(newer.Stamp, j.zone())
	question := fmt.Sprintf("this schedule is of %s, and that of %s was imported since: is this one the newest all the same?", judge.Clock(j.plan.Arrival.Stamp, j.zone()), at)
	if j.service != nil && j.agrees(Ask{Text: question, Look: true, Newest: true}) {
		j.declined = j.planID()
		j.input.Arrival.Stamp, j.described.Stamp = newer.Stamp, newer.Stamp
		return j.planAgain(ctx)
	}
	j.judging.SendChanges = j.judging.SendChanges && !j.opts.Attended
	j.notice("a newer schedule was imported, that of %s: what it says otherwise of a row holds, and rows that it does not have are not sent", at)
	return nil
}

// askTakenBack asks whether a schedule that only says again what earlier ones said is the newest,
// although it was saved later.
func (j *job) askTakenBack() error {
	back := &j.plan.TakenBack
	if !back.All() || !j.schedule.savedAt {
		return nil
	}
	what := fmt.Sprintf("every row in which this schedule differs is as an earlier one had it, although it was made at %s", judge.Clock(j.plan.Arrival.Stamp, j.zone()))
	switch {
	case j.service == nil || !j.opts.Attended:
		j.notice("%s: it counts as the newest", what)
		return nil
	case j.agrees(Ask{Text: what + ": is it the newest?", Look: true, Newest: true}):
		return nil
	}
	return Usage("import the newest export; if this one is the newest, say yes", "the schedule may be an old one that was opened and saved; nothing was sent")
}

// confirmChanges asks a person to agree to the changes, unless the settings say that they are sent.
// Unusual changes are sent only after a person has looked at them: where nobody is at a terminal,
// they are left alone, and that is said.
func (j *job) confirmChanges(context.Context) error {
	if n := j.plan.Changes.ManyBack(); n > 0 {
		j.judging.ManyBack = true
		j.notice("%d trips are in the schedule as they are booked again, after an earlier one had something else of them: if dispatch was told, tell them", n)
	}
	if !j.judging.SendChanges {
		return nil
	}
	plan := &j.plan.Changes
	sent, why := plan.Sent(), plan.Why()
	if j.opts.Attended && slices.ContainsFunc(sent, func(t judge.PlannedChange) bool { return t.OtherMapping }) {
		why = importer.Joined("; ", why, "the mapping has changed since some of them were booked")
	}
	switch {
	case len(sent) == 0, j.service == nil, j.sendsChanges() && why == "":
	case j.opts.Attended:
		ask := j.describePlan(sent, why)
		ask.Look = why != ""
		j.judging.Confirmed = j.agrees(ask)
		j.judging.SendChanges = j.judging.Confirmed
	case why != "":
		j.judging.Guarded = "no change was sent: " + why
		j.notice("no change was sent (%s); import it at a terminal, which asks: %s", why, strings.Join(namesOf(plan.Examples()), "; "))
	}
	return nil
}

// describePlan describes the changes. It names trips if a person is asked, or if something about
// the changes is unusual.
func (j *job) describePlan(sent []judge.PlannedChange, why string) Ask {
	text := importer.Counted(len(sent), "trip", "trips") + " changed: " + judge.Names(sent)
	if why != "" {
		text += "; unusual: " + why
	}
	shown := j.plan.Changes.Examples()
	if len(shown) == 0 {
		shown = sent[:min(5, len(sent))]
	}
	return Ask{Text: text, Items: namesOf(shown), Question: "send what changed?", OfNewest: true}
}

// namesOf names changed trips, each with what changed.
func namesOf(trips []judge.PlannedChange) (names []string) {
	for _, t := range trips {
		name := fmt.Sprintf("%s: trip %s of %s: %s", t.Row, t.TripID, t.Begins.Listed(), importer.PropertyNames(t.Keys))
		if t.Shift != 0 && !slices.Contains(t.Keys, "trip_type") { // the 23:59 of a will call is not a real time
			name += fmt.Sprintf(" (%+d min)", t.Shift)
		}
		names = append(names, name)
	}
	return names
}

// wholeDays returns the days of which the file has all trips, if the mapping says that its
// exports are complete: the days that the options name, or the day with the most trips.
func (j *job) wholeDays(p *run.Plan) (days []importer.Date) {
	if !j.input.Mapper.Rules().Complete || len(p.Dates) == 0 {
		return nil
	}
	named := j.opts.Days
	if day, err := j.parseDay(j.opts.ForDay); j.opts.ForDay != "" && err == nil {
		named = []importer.Date{day}
	}
	if named == nil {
		named = []importer.Date{p.MainDate()}
	}
	for _, d := range p.Dates {
		if slices.Contains(named, d.Date) {
			days = append(days, d.Date)
		}
	}
	return days
}
