package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/places"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
	"tripimport/importer/sandbox"
	"tripimport/mapping"
)

// A job is what check, import, retry and rewriting results have in common: it takes
// rows through mapping, places and checks and, if it has one, to the service.
type job struct {
	*App
	opts    Options
	events  Events
	telling sync.Mutex // events get one call at a time
	command string     // check, import or retry
	started time.Time
	// path is the file that the results are named after.
	path string
	// unplaced is the file with the addresses without coordinates; empty for none.
	unplaced string
	input    run.Input
	mapping  *mapping.Mapping
	// schedule is the open spreadsheet; nil for a retry.
	schedule *schedule
	// bound is the mapping with the columns of the input.
	bound *mapping.Bound
	// described is the input in the form that results need.
	described results.Input
	// service is nil for a check, and sandbox for any job but a rehearsal.
	service importer.Service
	sandbox *sandbox.Sandbox
	// access is the access list that a check compares names with; nil for none.
	access *importer.Access
	// edited are the results that a retry takes its rows from; nil otherwise.
	edited *returned.Results
	// ledger is asked about each trip; nil for a check that has no ledger at hand. address is
	// the address of the service under which the ledger has the trips.
	ledger  ledger.Ledger
	address string
	// closers close what the job has opened.
	closers []func() error
	// rewritten is the run whose results are written again; nil for any other job.
	rewritten *ledger.Run
	// approval is the one of the mapping that the ledger has, or of the most similar one; nil for none.
	approval *Approval
	// layout compares the columns of the schedule with the mapping; nil for a retry.
	layout *layout
	// judging is what the judge is told: what is done about booked trips that differ.
	judging judge.Options
	// knownBroker reports that the ledger knows the broker of the rows.
	knownBroker bool
	// notTaken counts what people wrote that was not taken.
	notTaken int
	// outdated reports that a cell of a list was fixed whose row needs nothing any more.
	outdated bool
	// list is the morning list with which results are retried; empty for none.
	list string
	// toCancel counts the trips that are to be cancelled by hand and that no row and no trip of the ledger tells.
	toCancel int

	// The steps of run set these, in this order.
	clock    importer.Clock
	today    importer.Date
	placer   *places.Places
	checker  *check.Checker
	plan     *run.Plan
	accounts *run.AccountResolver  // nil for a check that knows no access list
	deleted  []results.UnbookedRow // rows that are gone from the edited results
	asked    []string              // the IDs of what a person was asked
	declined string                // the ID of the plan if the schedule is not the newest
	start    importer.RunStart
	reporter *reporter
}

// newBareJob makes a job that has no inputs yet. What its ledger waits for is reported to its
// Events, unless its options name another receiver.
func (a *App) newBareJob(command string, o Options, e Events, path string) *job {
	j := &job{opts: o, events: e, command: command, started: a.env.Clock.Now(), path: path}
	if o.Waiting == nil {
		o.Waiting = e.Notice
	}
	own := *a
	own.env.Notice = func(text string) { j.tell(o.Waiting, text) }
	j.App = &own
	return j
}

// openJob makes a job of the schedule in a file.
func (a *App) openJob(command string, o Options, e Events, path string) (*job, error) {
	s, err := a.openSchedule(path)
	if err != nil {
		return nil, err
	}
	j := a.newJob(command, o, e, s)
	j.noticeOpen(path)
	if j.Mapping == "" {
		j.notice("%s: read with the mapping %s, chosen by its columns", s.file.Name(), j.env.shown(s.mapping.File()))
	}
	return j, nil
}

// newJob makes a job of an open schedule, which it closes.
func (a *App) newJob(command string, o Options, e Events, s *schedule) *job {
	j := a.newBareJob(command, o, e, s.path)
	j.closers = append(j.closers, s.file.Close)
	j.schedule, j.mapping, j.input, j.described, j.bound = s, s.mapping, s.input, s.described, s.bound
	return j
}

// close closes what the job has opened, the last first.
func (j *job) close() (err error) {
	for _, c := range slices.Backward(j.closers) {
		err = errors.Join(err, c())
	}
	return err
}

// noticeOpen says that somebody has a file open, who may not have saved it yet.
func (j *job) noticeOpen(path string) {
	if isOpen(path, j.env.Clock.Now()) {
		j.notice("%s is open in another program: what is not saved there is not read", filepath.Base(path))
	}
}

// run takes the job through both passes. It alone decides the order of the safety steps; a
// caller can neither leave one out nor change their order.
func (j *job) run(ctx context.Context) error {
	err := j.through(
		ctx,
		j.refuseUnapproved, // nobody sends with a mapping that nobody approved
		j.confirmEdited,    // cells of results that were changed, and were not to be fixed
		j.checkOutput,      // the results can be written
		j.fix,              // cells that a person fixed take the place of the schedule's
		j.takeIssued,       // the ledger has every run whose results are at hand, and what people wrote in workbooks
		j.setToday,         // the day from which dates are judged
		j.openPlaces,       // the office's places and the geocoder
		j.watchWords,       // rows with new words wait for an answer
		j.refuseMoved,      // columns that are known by their place alone are where they were
		j.openLayout,       // which columns the mapping does not use, and nobody has approved that
		j.openChanges,      // whether booked trips are changed
		j.checkRowIDs,      // the ledger identifies the broker's rows by the same columns
		j.makePlan,         // the file is read to its end, and the ledger is asked about it
		j.noticeDoubts,     // what is strange about all rows together
		j.confirmTyped,     // a person agrees to ids of riders that were typed and that other rows have
		j.refuseUnexpected, // no rows, or none of the expected day
		j.refuseOtherRows,  // a broker with a new name, or trip ids that repeat on other days
		j.proveAccounts,    // the token, the providers and the funding sources; the ledger has each provider with the same key
		j.askNewest,        // a person says which schedule is the newest
		j.confirmChanges,   // a person agrees to the changes
		j.findDeleted,      // rows that are gone from edited results and not booked
		j.reportStart,      // what the file holds; nothing is sent so far
		j.preparePlaces,    // missing coordinates are looked up, for all trips at once
		j.keepToPlan,       // the run does what a person agreed to
		j.prepareResults,   // the results have a name and a key
		j.begin,            // the run is recorded in the ledger, and how the broker's rows are identified
	)
	if err != nil || j.isPlanned() {
		return err
	}
	return j.sendAndEnd(ctx)
}

// through takes the job through some steps, as far as the plan if it is only to be planned.
func (j *job) through(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil || j.isPlanned() {
			return err
		}
	}
	return nil
}

// makePlan is the first pass: it reads the file to its end and plans its trips.
func (j *job) makePlan(ctx context.Context) error {
	j.arrive()
	return j.planAgain(ctx)
}

// planAgain makes the plan from the input as it is.
func (j *job) planAgain(ctx context.Context) (err error) {
	j.checker = check.New(j.today)
	pass := j.pass()
	pass.Checker = noter{j.checker, j.layout}
	err = pass.MakePlan(ctx)
	j.plan, j.input = pass.Plan, pass.Input // with what the ledger has of it
	if err == nil {
		j.plan.LeaveOut(j.checker.Copies())
	}
	return err
}

// pass returns the run of the job, as far as its steps have come. It sends nothing yet.
func (j *job) pass() *run.Run {
	r := &run.Run{
		Info: j.start.Run, Input: j.input, Plan: j.plan, Checker: j.checker, Clock: j.clock, Address: j.address,
		Options: j.judgeOptions, WholeDays: j.wholeDays, SeenBy: j.opts.SeenBy, Paused: j.tellPause,
	}
	if j.ledger != nil {
		r.Ledger = j.opts.looks.over(j)
	}
	if j.placer != nil {
		r.Placer = j.placer
	}
	return r
}

// arrive says when the schedule was read, and whether it has all trips of its days.
func (j *job) arrive() {
	whole := j.input.Mapper.Rules().Complete && !j.opts.Suspect && j.rewritten == nil
	if whole && len(j.opts.Parts) > 0 {
		whole = false
		j.notice("files of one command may be parts of one schedule: trips that %s does not have are not listed as gone; to have them listed, give it a command of its own", filepath.Base(j.path))
	}
	a := &j.input.Arrival
	a.Read, a.Whole = j.env.Clock.Now(), whole && (!j.input.Edited || j.input.Original != nil)
	if a.Settle() {
		j.notice("%s is of a later time than now: it counts as of now", filepath.Base(j.path))
	}
	j.described.Stamp = a.Stamp // the results tell as of when the schedule counts
}

// prepareResults describes the run and prepares its results. Nothing is written
// before the run starts.
func (j *job) prepareResults(context.Context) error {
	j.start = importer.RunStart{Run: j.runInfo(), Rehearsal: j.opts.Rehearsal, Check: j.isCheck(), Plan: j.plan.PlanSummary}
	if j.rewritten != nil {
		j.start.Run = j.rewritten.RunInfo
	}
	if !j.isCheck() {
		j.start.Ledger = j.ledger.Identity()
	}
	j.reporter = j.newReporter()
	return nil
}

// begin records the start of the run in the ledger.
func (j *job) begin(ctx context.Context) error {
	if j.service == nil {
		return nil
	}
	err := j.ledger.Begin(ctx, j.start.Run)
	if err == nil {
		err = j.recordRowIDs(ctx)
	}
	if err == nil && !j.opts.Rehearsal {
		j.reporter.open, err = j.newOpenRecorder(ctx)
	}
	return err
}

// setToday decides which day is today: the day that the options name; in a rehearsal the day
// before the first one of most trips, so that samples never go stale; otherwise the real day.
func (j *job) setToday(ctx context.Context) error {
	j.clock = j.env.Clock
	j.today = j.clock.Wall(j.location()).Date
	switch {
	case j.opts.Today != "":
		day, err := importer.ParseDate(j.opts.Today)
		if err != nil {
			return Usage("", "--today takes a date like 2026-12-01")
		}
		if real := j.service != nil && !j.opts.Rehearsal; real && day.Compare(j.today) < 0 {
			return Usage("leave --today out, or only check the file",
				"--today %s is past: only a check or a rehearsal takes it", day.Spoken())
		} else if real && day == j.today {
			return nil // the real clock also knows which times of today have passed
		}
		j.today = day
	case j.opts.Rehearsal:
		pass := run.Run{Input: j.input}
		if err := pass.MakePlan(ctx); err != nil || pass.Plan.MainDate().IsZero() {
			return err
		}
		j.today = pass.Plan.MainDate().AddDays(-1)
	default:
		return nil
	}

	j.clock = importer.SetClock{Today: j.today}
	return nil
}

// location returns the time zone that the mapping names; nil for the machine's zone.
func (j *job) location() *time.Location { return j.input.Mapper.Rules().Location }

// zone returns the time zone in which results show when trips were sent.
func (j *job) zone() *time.Location {
	if loc := j.location(); loc != nil {
		return loc
	}
	return time.Local
}

// refuseUnexpected refuses a schedule without rows, and a file without trips on the day that
// the options name. Edited results may be without rows.
func (j *job) refuseUnexpected(context.Context) error {
	name := filepath.Base(j.path)
	if j.plan.Rows == 0 && j.edited == nil {
		return &importer.InputError{File: name, Reason: "it has a header and no rows", Fix: "export it again, with the day's trips"}
	}
	if j.opts.ForDay == "" {
		return nil
	}

	day, err := j.parseDay(j.opts.ForDay)
	if err != nil {
		return err
	}

	if j.plan.HasDay(day) {
		return nil
	}
	return &importer.InputError{
		File:   name,
		Reason: fmt.Sprintf("it has no trips on %s; it has %s; nothing was sent", day.Spoken(), j.plan.SpokenDates()),
		Fix:    "export the schedule of that day",
	}
}

// parseDay parses the day that Options.ForDay names.
func (j *job) parseDay(text string) (importer.Date, error) {
	switch text {
	case "today":
		return j.today, nil
	case "tomorrow":
		return j.today.AddDays(1), nil
	}

	day, err := importer.ParseDate(text)
	if err != nil {
		return day, Usage("", "--for takes a date like 2026-12-02, or today, or tomorrow")
	}
	return day, nil
}

// proveAccounts asks the service to confirm the token and the names in the rows, and the ledger to confirm that each provider
// still has the key that it knows, and that no address or provider may be a known one under another name. A check compares
// the names with its access list instead, if it has one.
func (j *job) proveAccounts(ctx context.Context) error {
	switch {
	case j.access != nil:
		j.accounts = &run.AccountResolver{Access: *j.access}
		return nil
	case j.service == nil:
		return nil
	case j.opts.Rehearsal: // its access lists the providers of its file
		for _, p := range j.plan.Pairs {
			j.sandbox.Allow(p.Provider, p.FundingSource)
		}
		access, err := j.service.Access(ctx)
		j.accounts = &run.AccountResolver{Service: j.address, Access: access}
		return err
	}

	access, err := j.askAccess(ctx, j.service)
	if err != nil {
		return err
	}
	j.accounts = &run.AccountResolver{Service: j.address, Access: access}
	j.saveAccess(access)
	if err := j.refuseUnknown(); err != nil {
		return err
	}
	return j.ledger.CheckAccounts(ctx, j.accounts.Usable(j.plan.Pairs), j.today)
}

// refuseUnknown stops a run if the service does not know a provider or funding source that
// the mapping names for all rows, or if it knows none of those in the rows. A wrong name in
// a single row is a fault of that row.
func (j *job) refuseUnknown() error {
	unknown := j.accounts.Unknown(j.plan.Pairs)
	provider, source := j.mapping.Constants()
	for _, p := range unknown {
		_, listed := j.accounts.Access.Provider(p.Provider)
		forAllRows := p.Provider == provider && (p.FundingSource == source || !listed)
		if forAllRows || len(unknown) == len(j.plan.Pairs) {
			reason, fix := j.accounts.Explain(p)
			return Usage(fix, "%s", reason)
		}
	}
	return nil
}

// reportStart reports what the file holds. Nothing has been sent at that point.
func (j *job) reportStart(context.Context) error {
	var notices []importer.Problem
	if j.schedule != nil {
		notices = j.schedule.file.Notices()
	} else {
		notices = j.edited.Struck()
	}
	for _, p := range notices {
		j.notice("%s: %s", filepath.Base(j.path), importer.Joined("; ", p.Message, p.Fix))
	}
	j.noticeWords()

	j.telling.Lock()
	defer j.telling.Unlock()
	j.events.Start(j.describeStart())
	return nil
}

// describeStart says what the file holds.
func (j *job) describeStart() Start {
	start := Start{
		File: filepath.Base(j.path), PlanSummary: j.plan.PlanSummary,
		Sends: !j.isCheck(), Rehearsal: j.opts.Rehearsal, Input: j.described,
	}
	if j.opts.Rehearsal || j.opts.Today != "" {
		start.Today = j.today
	}
	return start
}

// notice reports something that is not about one row, from any goroutine.
func (j *job) notice(format string, args ...any) {
	j.tell(j.events.Notice, fmt.Sprintf(format, args...))
}

// tell tells a receiver one text at a time.
func (j *job) tell(receiver func(string), text string) {
	j.telling.Lock()
	defer j.telling.Unlock()
	receiver(text)
}
