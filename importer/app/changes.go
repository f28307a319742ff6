package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// openChanges decides what the job does about booked trips that differ from the schedule. An
// update changes them, and an import changes them if the options or settings say so. Other
// jobs only report them.
func (j *job) openChanges(context.Context) error {
	if j.command != "update" && j.command != "import" {
		return nil
	}
	if err := j.Settings.trusted("changes"); err != nil {
		return err
	}
	if j.command == "import" && (j.opts.Suspect || !j.opts.Update && j.Settings.Text("changes") != "send") {
		return nil
	}
	if err := j.Settings.trusted("freeze"); err != nil {
		return err
	}
	freeze, frozen := parseFreeze(j.Settings.Text("freeze"))
	j.changes = &run.Changes{Only: j.command == "update", Freeze: freeze, NoFreeze: !frozen}
	return nil
}

// parseFreeze parses the setting freeze: a time of day, or off. It returns false for off.
func parseFreeze(text string) (importer.TimeOfDay, bool) {
	at, err := time.Parse("15:04", text)
	return importer.TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}, err == nil
}

// findOlder sets j.older if a later schedule than one of the files was imported for the same
// provider, funding source and day.
func (j *job) findOlder(ctx context.Context) error {
	if j.edited != nil && j.target != nil && !j.fromRehearsal(j.edited) && j.plan.New > 0 {
		return j.noticeLater(ctx)
	}
	if j.isReplayed() || j.ledger == nil {
		return nil
	}
	info := j.runInfo()
	for i := range info.Schedules {
		s := &info.Schedules[i]
		latest, err := j.ledger.LatestStamp(ctx, info, s)
		if err != nil {
			return err
		}
		j.older = j.older || latest.After(s.Stamp)
	}
	if j.older && j.plan.Differs() {
		j.notice("a later schedule of the same provider and day was imported, and this one differs from it: use the newest one")
	}
	return nil
}

// noticeLater warns if a later schedule of a day was imported than the one of the edited
// results, and sets j.superseded. The later schedule may have cancelled or changed trips that
// would be sent as the results have them.
func (j *job) noticeLater(ctx context.Context) error {
	info := j.runInfo()
	all := info
	all.Inputs = nil
	for i := range info.Schedules {
		s := &info.Schedules[i]
		other, err := j.ledger.LatestStamp(ctx, info, s)
		if err != nil {
			return err
		}
		newest, err := j.ledger.LatestStamp(ctx, all, s)
		if err != nil {
			return err
		}
		if !other.IsZero() && !newest.After(other) {
			j.superseded = true
			j.notice("a later schedule of the same provider and day was imported than that of these results: " +
				"if it replaces that one, fix the rows in its results instead, because these results send what it cancelled or changed as it was before")
			return nil
		}
	}
	return nil
}

// noteSuperseded records in the ledger that the values of superseded results come from their
// schedule. Otherwise a trip that they book would count as fixed by a person, and the values
// of the later schedule would not count as a change. Rows that a person edited are left out,
// and so are the results of a retry, because they may have earlier edits.
func (j *job) noteSuperseded(ctx context.Context) error {
	if !j.superseded {
		return nil
	}
	from, err := FindRun(ctx, j.target.ledger, j.edited.Run())
	if err != nil || from.Edited() {
		return err
	}
	for _, in := range j.inputs {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return err
			}
			if row.Edited {
				continue
			}
			if err := j.noteRow(ctx, in.Mapper, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// isReplayed reports whether the rows come from results or an earlier run, and not from
// schedules as they are now.
func (j *job) isReplayed() bool { return j.replay != nil || j.edited != nil }

// whole returns the days of which the files have all trips. It returns nil if the mapping
// does not say that its exports are complete, or if the job must not conclude from missing
// trips that they are gone.
func (j *job) whole() *run.Whole {
	days := j.wholeDays()
	if j.isReplayed() || j.opts.Suspect || j.ledger == nil || len(days) == 0 {
		return nil
	}
	w := &run.Whole{Days: days, Older: j.older}
	for _, d := range j.plan.Dates {
		if !slices.Contains(days, d.Date) {
			w.Others = append(w.Others, d.Date)
		}
	}
	return w
}

// wholeDays returns the days of which the files have all trips, if the mapping says that its
// exports are complete: the days that the options name, or the day with the most trips.
func (j *job) wholeDays() (days []importer.Date) {
	if !j.inputs[0].Mapper.Rules().Complete || len(j.plan.Dates) == 0 {
		return nil
	}
	named := j.opts.Days
	if day, err := j.parseDay(j.opts.ForDay); j.opts.ForDay != "" && err == nil {
		named = []importer.Date{day}
	}
	if named == nil {
		most := slices.MaxFunc(j.plan.Dates, func(a, b importer.DateCount) int { return a.Trips - b.Trips })
		named = []importer.Date{most.Date}
	}
	for _, d := range j.plan.Dates {
		if slices.Contains(named, d.Date) {
			days = append(days, d.Date)
		}
	}
	return days
}

// confirmChanges asks a person to agree to the changes. Unusual changes are sent only after
// a person has looked at them: an import leaves them alone and says so, and an update does
// not accept Options.Yes for them.
func (j *job) confirmChanges(ctx context.Context) error {
	if j.changes == nil || j.earlier == nil {
		return nil
	}
	plan := &j.earlier.Planned
	j.askFrozen(plan)
	j.changes.Plan = plan
	sent := plan.Sent(j.changes)
	why := plan.Suspicious()
	advice := "`tripimport update` shows them and asks"
	if j.older && why == "" {
		why, advice = "a later schedule of the same day was imported", "import the newest one"
	}

	switch {
	case len(sent) == 0:
		return nil
	case j.target == nil: // nothing is sent
		j.notice("%s", j.describePlan(sent, why))
		return nil
	case j.command == "update":
		return j.confirmPlan(plan, sent, why)
	case why != "":
		j.changes.Withheld = "no change was sent: " + why
		j.notice("no change was sent (%s); %s", why, advice)
	}
	return nil
}

// askFrozen asks about each trip that is too near to be changed without a phone call.
func (j *job) askFrozen(plan *run.ChangePlan) {
	j.changes.Allowed = map[int64]bool{}
	if !j.opts.Frozen {
		return
	}
	for _, t := range plan.Trips {
		question := fmt.Sprintf("trip %s begins on %s: change its %s all the same?", t.TripID, t.Begins, importer.PropertyNames(t.Keys))
		if t.Frozen && j.events.Ask(question) {
			j.changes.Allowed[t.Attempt] = true
		}
	}
}

// planNumber returns the ledger's number, which is part of a plan's id: anything that is
// written to the ledger makes the plan void. It returns 0 for a shared ledger, because other
// offices write to it all the time. There a plan becomes void only when its changes become
// different ones, as they do once they are sent.
func (j *job) planNumber() int64 {
	if j.IsShared() {
		return 0
	}
	return j.target.ledger.Number()
}

// confirmPlan asks a person whether to send the changes of the plan. The answer holds for
// the plan with this id alone.
func (j *job) confirmPlan(plan *run.ChangePlan, sent []run.PlannedChange, why string) error {
	id := plan.ID(j.files(), j.planNumber())
	question := j.describePlan(sent, why)
	again := j.commandLine("update", " --plan "+id+j.repeatedFlags(), j.inputPaths()...)
	moved := slices.ContainsFunc(sent, func(t run.PlannedChange) bool { return t.MappingChanged })
	counts, trips, _ := strings.Cut(question, "\n")
	switch {
	case j.opts.Plan != "" && j.opts.Plan != id:
		return Usage("look at what would be changed now, and run `"+again+"`", "the plan %s does not fit these files and this ledger any more; nothing was sent: %s", j.opts.Plan, question)
	case j.opts.Plan == "" && j.opts.Yes && why == "" && !moved:
	case j.opts.Plan == "" && !j.events.Ask(question+"\n    send what changed?"):
		fix := "look at them with --dry-run, then run `" + again + "`"
		if j.older {
			fix = "use the newest schedule instead; if this one holds all the same, " + fix
		}
		return Usage(fix, "%s; nothing was sent\n%s", counts, trips)
	}
	j.changes.Confirmed = true
	return nil
}

// describePlan describes the changes. It names trips if a person is asked, or if something
// about the changes is unusual.
func (j *job) describePlan(sent []run.PlannedChange, why string) string {
	text := importer.Counted(len(sent), "trip", "trips") + " changed: " + run.Counts(sent)
	moved := 0
	for _, t := range sent {
		if t.MappingChanged {
			moved++
		}
	}
	if moved > 0 {
		text += fmt.Sprintf("; the mapping has changed since %s booked", importer.Counted(moved, "of them was", "of them were"))
	}
	switch {
	case why != "":
		text += "; unusual: " + why
	case j.target == nil: // a check lists each change at its cell
		return text
	}
	const shown = 5
	for i, t := range sent {
		if i == shown {
			text += fmt.Sprintf("\n    and %s", importer.Counted(len(sent)-shown, "more trip", "more trips"))
			break
		}
		text += fmt.Sprintf("\n    %s: trip %s of %s: %s", t.Row, t.TripID, t.Begins, importer.PropertyNames(t.Keys))
		if t.Shift != 0 && !slices.Contains(t.Keys, "trip_type") { // the 23:59 of a will call is not a real time
			text += fmt.Sprintf(" (%+d min)", t.Shift)
		}
	}
	return text
}
