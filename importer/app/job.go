package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/places"
	"tripimport/importer/results"
	"tripimport/importer/run"
	"tripimport/mapping"
)

// A job is what check, import, retry and rewriting results have in common: rows
// that go through mapping, places and checks and, where there is a target, on
// to the service.
type job struct {
	*App
	opts    Options
	events  Events
	command string // check, import or retry
	started time.Time
	// path is the file that the results are named after.
	path    string
	inputs  []run.Input
	mapping *mapping.Mapping
	// schedules are the open spreadsheets; none for a retry.
	schedules []*schedule
	// described are the inputs as the results have to know them.
	described []results.Input
	// target is nil for a check.
	target *target
	// access is the service's list for a check that knows it; nil for none.
	access *importer.Access
	// replay reports what an earlier run did, instead of sending; nil otherwise.
	replay *replay

	clock  importer.Clock
	today  importer.Date
	placer *places.Places
	plan   *run.Plan
}

// newJob makes a job of open schedules. One job takes files of one layout.
func (a *App) newJob(command string, o Options, e Events, schedules []*schedule) (*job, error) {
	first := schedules[0]
	j := &job{
		App: a, opts: o, events: e, command: command, started: time.Now(), path: first.path,
		inputs: inputs(schedules), mapping: first.mapping, schedules: schedules,
	}
	for _, s := range schedules {
		if s.mapping.Hash() != first.mapping.Hash() {
			return nil, Usage("give each its own command", "%s and %s need different mappings", first.path, s.path)
		}
		in, err := s.describe()
		if err != nil {
			return nil, err
		}
		j.described = append(j.described, in)
	}
	j.noticeMappings()
	return j, nil
}

// run takes the job through both passes. It is the one place that knows the
// order of the safety steps, and no step can be left out:
//
//  1. plan: every file is read to its end;
//  2. accounts: the token, the providers and the funding sources are proved;
//  3. the ledger confirms that each provider still has the key it knows;
//  4. the ledger counts what is booked already;
//  5. places: missing coordinates are looked up, once for all;
//  6. the run begins in the ledger;
//  7. second pass: each trip is claimed, sent and settled;
//  8. the run ends in the ledger, and the results are complete.
func (j *job) run(ctx context.Context) error {
	if err := j.checkOutput(); err != nil {
		return err
	}
	if err := j.setToday(ctx); err != nil {
		return err
	}
	if err := j.openPlaces(); err != nil {
		return err
	}

	checker := check.New(j.today)
	var err error
	if j.plan, err = run.MakePlan(ctx, j.inputs, checker, j.placer); err != nil {
		return err
	}
	if err := j.refuseUnexpected(); err != nil {
		return err
	}

	accounts, err := j.proveAccounts(ctx)
	if err != nil {
		return err
	}
	if j.target != nil && accounts != nil {
		if err := j.target.ledger.CheckAccounts(ctx, accounts.Usable()); err != nil {
			return err
		}
		if err := j.plan.CountEarlier(ctx, j.target.ledger, accounts); err != nil {
			return err
		}
	}
	j.reportStart()

	if err := j.placer.Prepare(ctx); err != nil {
		return err
	}
	j.noticePlaces()

	second := &run.Run{
		Info: j.runInfo(), Inputs: j.inputs, Plan: j.plan, Checker: checker, Placer: j.placer,
		Accounts: accounts, Workers: j.Settings.count("workers"), Limit: j.opts.Limit, Clock: j.clock,
	}
	start := importer.RunStart{Run: second.Info, Rehearsal: j.opts.Rehearsal, Check: j.target == nil, Plan: j.plan.PlanSummary}
	if j.target != nil {
		start.Ledger = j.target.ledger.Identity()
		second.Service, second.Ledger = j.target.service, j.target.ledger
		second.Gate = pace.New(j.pace())
	}
	reporter, err := j.newReporter(start, accounts)
	if err != nil {
		return err
	}
	second.Reporter = reporter
	if j.replay != nil {
		j.replay.next = reporter
		second.Reporter = j.replay
	}

	if j.target != nil {
		if err := j.target.ledger.Begin(ctx, second.Info); err != nil {
			return err
		}
	}
	result, err := second.Do(ctx, start)
	err = inputLost(err, result)
	if j.target != nil {
		err = errors.Join(err, endUnrecorded(j.endRun(second.Info.ID, result, err), result))
	}
	err = errors.Join(err, j.writeUnplaced())
	if summaryErr := j.events.Summary(reporter.writer.Summary()); err == nil {
		err = summaryErr
	}
	if err != nil {
		return err
	}
	if status := statusOfRun(result); status != Done {
		return &Error{Status: status} // the summary has said why
	}
	return nil
}

// pace is how fast trips are sent. A rehearsal burdens no service, so it goes as
// fast as it can unless a rate is set.
func (j *job) pace() pace.Config {
	if j.opts.Rehearsal && j.Settings["rate"].Origin == "default" {
		return pace.Config{}
	}
	return pace.Config{Rate: j.Settings.number("rate"), Burst: j.Settings.count("burst")}
}

// endRun closes the run in the ledger, also when the context is done.
func (j *job) endRun(id string, result importer.RunResult, err error) error {
	how := "finished"
	switch {
	case err != nil:
		how = "failed"
	case result.Interrupted:
		how = "interrupted"
	case result.Stop != nil:
		how = "stopped: " + result.Stop.Code
	}
	return j.target.ledger.End(context.Background(), id, result.Totals, j.clock.Now(), how)
}

// inputLost gives an input that could not be read to its end a second time the
// status of a run that stopped early, if anything was sent before that.
func inputLost(err error, result importer.RunResult) error {
	var input *importer.InputError
	t := result.Totals.Trips
	if !errors.As(err, &input) || t[importer.Created]+t[importer.Unknown]+t[importer.Refused] == 0 {
		return err
	}
	return &Error{statusOfRun(result), input.Error(), "close it in other programs, then run the same command again: what was sent is recorded"}
}

// endUnrecorded gives a run whose end could not be recorded the status of a run
// that stopped early: a ledger's error has the status of a run that sent
// nothing, and this one may have sent.
func endUnrecorded(err error, result importer.RunResult) error {
	var wrong *ledger.Error
	if !errors.As(err, &wrong) {
		return err
	}
	status := statusOfRun(result)
	if result.Stop == nil && !result.Interrupted {
		status = Later
	}
	return &Error{status, wrong.Reason, wrong.Fix}
}

// setToday decides what day it is: the real one; the one that the options name;
// in a rehearsal the day before the first trip, so that samples never go stale.
func (j *job) setToday(ctx context.Context) error {
	j.clock = importer.SystemClock{}
	j.today = j.clock.Wall(j.location()).Date
	switch {
	case j.opts.Today != "":
		day, err := importer.ParseDate(j.opts.Today)
		if err != nil {
			return Usage("", "--today takes a date like 2026-12-01")
		}
		j.today = day
	case j.opts.Rehearsal:
		first, err := j.firstDate(ctx)
		if err != nil || first.IsZero() {
			return err
		}
		if first.Compare(j.today) < 0 {
			j.notice("the first trips are of %s, which is past: a real import would refuse them", first.Spoken())
		}
		j.today = first.AddDays(-1)
	default:
		return nil
	}
	j.clock = importer.SetClock{Today: j.today}
	return nil
}

// firstDate reads the files for the day of their first trip.
func (j *job) firstDate(ctx context.Context) (importer.Date, error) {
	plan, err := run.MakePlan(ctx, j.inputs, noChecks{}, nil)
	if err != nil {
		return importer.Date{}, err
	}
	return plan.FirstDate(), nil
}

// noChecks is a Checker for a pass that only counts.
type noChecks struct{}

func (noChecks) Note(*importer.Mapped, *importer.Rules)  {}
func (noChecks) Check(*importer.Mapped, *importer.Rules) {}

// location is the zone of the mapping's wall clock; nil for the machine's own.
func (j *job) location() *time.Location { return j.inputs[0].Mapper.Rules().Location }

// zone is the zone in which results show instants.
func (j *job) zone() *time.Location {
	if loc := j.location(); loc != nil {
		return loc
	}
	return time.Local
}

// refuseUnexpected refuses a file without rows, and one without trips on the day
// that the options name.
func (j *job) refuseUnexpected() error {
	name := filepath.Base(j.path)
	if j.plan.Rows == 0 {
		return &importer.InputError{File: name, Reason: "it has a header and no rows", Fix: "export it again, with the day's trips"}
	}
	if j.opts.ForDay == "" {
		return nil
	}
	day, err := j.parseDay(j.opts.ForDay)
	if err != nil {
		return err
	}
	for _, d := range j.plan.Dates {
		if d.Date == day {
			return nil
		}
	}
	return &importer.InputError{
		File:   name,
		Reason: fmt.Sprintf("it has no trips on %s; it has %s", day.Spoken(), j.plan.SpokenDates()),
		Fix:    "export the schedule of that day; nothing was sent",
	}
}

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

// proveAccounts proves the token and the names in the rows. It returns nil for a
// check that knows no access list.
func (j *job) proveAccounts(ctx context.Context) (*run.AccountResolver, error) {
	switch {
	case j.target == nil && j.access == nil:
		return nil, nil
	case j.target == nil:
		return run.NewAccountResolver("", *j.access, j.plan.Pairs), nil
	}
	if j.opts.Rehearsal && len(j.plan.Pairs) == 0 {
		// No row names a provider, and their own faults say so: there is nothing
		// to ask the sandbox for.
		return run.NewAccountResolver(j.target.address, importer.Access{}, nil), nil
	}

	j.target.allow(j.plan.Pairs)
	access, err := askAccess(ctx, j.target.service)
	if err != nil {
		return nil, err
	}
	if !j.opts.Rehearsal {
		j.saveAccess(access)
	}
	accounts := run.NewAccountResolver(j.target.address, access, j.plan.Pairs)
	return accounts, j.refuseUnknown(accounts)
}

// refuseUnknown stops a run whose provider or funding source the service does
// not know, where the mapping names it for all rows or no row has a known one.
// A wrong name in a single row is that row's fault.
func (j *job) refuseUnknown(accounts *run.AccountResolver) error {
	unknown := accounts.Unknown(j.plan.Pairs)
	provider, source := j.mapping.Constants()
	for _, p := range unknown {
		forAllRows := p.Provider == provider && (p.FundingSource == source || !accounts.HasProvider(p.Provider))
		if forAllRows || len(unknown) == len(j.plan.Pairs) {
			reason, fix := accounts.Explain(p)
			return Usage(fix, "%s", reason)
		}
	}
	return nil
}

// runInfo describes the run for the ledger and the results.
func (j *job) runInfo() importer.RunInfo {
	who, host := whoAmI()
	var in []importer.InputInfo
	for _, i := range j.inputs {
		in = append(in, importer.InputInfo{Name: i.Source.Name(), Hash: i.Source.Hash()})
	}
	return importer.RunInfo{
		ID: newRunID(j.started), Started: j.started, Command: j.command, Inputs: in,
		Mapping: j.mapping.Name(), MappingHash: j.mapping.Hash(),
		Who: who, Host: host, Version: Version(),
	}
}

// reportStart says what is in the files. Nothing has been sent at that point.
func (j *job) reportStart() {
	for _, s := range j.schedules {
		for _, p := range s.file.Notices() {
			j.notice("%s: %s", s.file.Name(), p.Message)
		}
	}
	start := Start{
		File: filepath.Base(j.path), Files: len(j.inputs), PlanSummary: j.plan.PlanSummary,
		Sends: j.target != nil, Rehearsal: j.opts.Rehearsal,
	}
	if j.opts.Rehearsal || j.opts.Today != "" {
		start.Today = j.today
	}
	j.events.Start(start)
}

// noticeMappings says how each file was read, where nobody named the mapping.
func (j *job) noticeMappings() {
	for _, s := range j.schedules {
		if s.chosen != "" {
			j.notice("%s: read with the mapping %s, %s", s.file.Name(), s.mapping.File(), s.chosen)
		}
		for _, c := range s.bound.NewColumns() {
			j.notice("%s: the column %q (%s) is new: the mapping does not know it", s.file.Name(), c.Header, importer.ColumnName(c.Num))
		}
	}
}

func (j *job) notice(format string, args ...any) { j.events.Notice(fmt.Sprintf(format, args...)) }

// ask puts a question to a person, unless the options answer it.
func (j *job) ask(question string) bool { return j.opts.Yes || j.events.Ask(question) }
