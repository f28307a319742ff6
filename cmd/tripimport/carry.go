package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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

// A job is what check, import and retry have in common: rows that go through
// mapping, places and checks, and, where there is a venue, on to the service.
type job struct {
	*app
	opts    runFlags
	command string // check, import or retry
	started time.Time
	// path is the file that results are named after.
	path    string
	inputs  []run.Input
	mapping *mapping.Mapping
	// schedules are the open spreadsheets; none for a retry.
	schedules []*schedule
	// results describes the inputs to the results.
	results []results.Input
	// venue is nil for a check.
	venue *venue
	// access is the service's list for a check that knows it; nil for none.
	access *importer.Access
	// rehearsal takes today to be the day before the first trip.
	rehearsal bool

	// replay tells what came of an earlier run, instead of sending.
	replay *replay

	clock  importer.Clock
	today  importer.Date
	placer *places.Places
	draft  *run.Plan
}

// carryOut takes a job through both passes and tells what became of it.
func (j *job) carryOut(ctx context.Context) error {
	if err := j.refuseOutput(); err != nil {
		return err
	}
	if err := j.setToday(ctx); err != nil {
		return err
	}
	if err := j.openPlaces(); err != nil {
		return err
	}
	checker := check.New(j.today)
	draft, err := run.MakePlan(ctx, j.inputs, checker, j.placer)
	if err != nil {
		return err
	}
	j.draft = draft
	if err := j.expected(); err != nil {
		return err
	}
	accounts, err := j.accounts(ctx)
	if err != nil {
		return err
	}
	j.tellHeading()
	if err := j.placer.Prepare(ctx); err != nil {
		return err
	}
	j.tellPlaces()
	run := &run.Run{
		Info: j.info(), Inputs: j.inputs, Plan: draft, Checker: checker, Placer: j.placer,
		Accounts: accounts, Workers: j.settings.count("workers"), Limit: j.opts.limit, Clock: j.clock,
	}
	return j.report(ctx, run)
}

// report runs both the sending and what is told of it.
func (j *job) report(ctx context.Context, run *run.Run) error {
	heading := importer.RunStart{Run: run.Info, Rehearsal: j.rehearsal, Check: j.venue == nil, Plan: j.draft.PlanSummary}
	if j.venue != nil {
		heading.Ledger = j.venue.ledger.Identity()
		run.Service, run.Ledger = j.venue.service, j.venue.ledger
		run.Gate = pace.New(j.pace())
		if err := run.Ledger.Begin(ctx, run.Info); err != nil {
			return err
		}
	}
	teller, err := j.newTeller(heading, run.Accounts)
	if err != nil {
		return err
	}
	run.Reporter = teller
	if j.replay != nil {
		j.replay.next = teller
		run.Reporter = j.replay
	}
	end, err := run.Do(ctx, heading)
	err = brokenOff(err, end)
	if j.venue != nil {
		err = errors.Join(err, unrecorded(j.endRun(run.Info.ID, end, err), end))
	}
	err = errors.Join(err, j.writeUnplaced())
	if tellErr := teller.tell(end); err == nil {
		err = tellErr
	}
	if err != nil {
		return err
	}
	if status := outcome(end); status != exitDone {
		return &complaint{Status: status} // the summary has said it all
	}
	return nil
}

// pace is how fast trips are sent. A rehearsal asks nobody's patience, so it
// goes as fast as it can unless a rate is set.
func (j *job) pace() pace.Config {
	if j.rehearsal && j.settings["rate"].Origin == "default" {
		return pace.Config{}
	}
	return pace.Config{Rate: j.settings.number("rate"), Burst: j.settings.count("burst")}
}

// endRun closes the run in the ledger, also when the context is done.
func (j *job) endRun(run string, end importer.RunResult, err error) error {
	how := "finished"
	switch {
	case err != nil:
		how = "failed"
	case end.Interrupted:
		how = "interrupted"
	case end.Stop != nil:
		how = "stopped: " + end.Stop.Code
	}
	return j.venue.ledger.End(context.Background(), run, end.Totals, j.clock.Now(), how)
}

// brokenOff is the complaint about an input that could not be read to its end a
// second time. Before anything was sent it is the input's fault; after that it
// is a run that stopped early.
func brokenOff(err error, end importer.RunResult) error {
	var input *importer.InputError
	t := end.Totals.Trips
	if !errors.As(err, &input) || t[importer.Created]+t[importer.Unknown]+t[importer.Refused] == 0 {
		return err
	}
	return &complaint{outcome(end), input.Error(), "close it in other programs, then run the same command again: what was sent is recorded"}
}

// unrecorded is the complaint about a run whose end could not be recorded. A
// ledger's fault has the status of a run that sent nothing, and this one may
// have sent: it is a run that stopped early.
func unrecorded(err error, end importer.RunResult) error {
	var fault *ledger.Error
	if !errors.As(err, &fault) {
		return err
	}
	status := outcome(end)
	if end.Stop == nil && !end.Interrupted {
		status = exitLater
	}
	return &complaint{status, fault.Reason, fault.Fix}
}

// setToday decides what day it is: the real one; the one that is asked for; in
// a rehearsal the day before the first trip, so that samples never go stale.
func (j *job) setToday(ctx context.Context) error {
	j.clock = importer.SystemClock{}
	j.today = j.clock.Wall(j.location()).Date
	switch {
	case j.opts.today != "":
		day, err := importer.ParseDate(j.opts.today)
		if err != nil {
			return usage("", "--today takes a date like 2026-12-01")
		}
		j.today = day
	case j.rehearsal:
		draft, err := run.MakePlan(ctx, j.inputs, unchecked{}, nil)
		if err != nil {
			return err
		}
		first := draft.FirstDate()
		if first.IsZero() {
			return nil
		}
		if first.Compare(j.today) < 0 {
			j.notice("the first trips are of %s, which is past: a real import would refuse them", spoken(first))
		}
		j.today = first.AddDays(-1)
	default:
		return nil
	}
	j.clock = importer.SetClock{Today: j.today}
	return nil
}

// unchecked is a Checker for a pass that only counts.
type unchecked struct{}

func (unchecked) Note(*importer.Mapped, *importer.Rules)  {}
func (unchecked) Check(*importer.Mapped, *importer.Rules) {}

// location is the zone of the mapping's wall clock; nil for the machine's own.
func (j *job) location() *time.Location { return j.inputs[0].Mapper.Rules().Location }

// expected holds the file against what the caller expects of it.
func (j *job) expected() error {
	name := filepath.Base(j.path)
	if j.draft.Rows == 0 {
		return &importer.InputError{File: name, Reason: "it has a header and no rows", Fix: "export it again, with the day's trips"}
	}
	if j.opts.forDay == "" {
		return nil
	}
	day, err := j.parseDay(j.opts.forDay)
	if err != nil {
		return err
	}
	for _, d := range j.draft.Dates {
		if d.Date == day {
			return nil
		}
	}
	return &importer.InputError{
		File:   name,
		Reason: fmt.Sprintf("it has no trips on %s; it has %s", spoken(day), spokenDates(j.draft.PlanSummary)),
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
		return day, usage("", "--for takes a date like 2026-12-02, or today, or tomorrow")
	}
	return day, nil
}

// accounts proves the token and the names in the rows, before anything is
// sent.
func (j *job) accounts(ctx context.Context) (*run.AccountResolver, error) {
	switch {
	case j.venue == nil && j.access == nil:
		return nil, nil
	case j.venue == nil:
		return run.NewAccountResolver("", *j.access, j.draft.Pairs), nil
	}
	if j.rehearsal && len(j.draft.Pairs) == 0 {
		// No row names a provider, and their own faults say so: there is nothing
		// to ask the imitation for.
		return run.NewAccountResolver(j.venue.address, importer.Access{}, nil), nil
	}
	j.venue.allow(j.draft.Pairs)
	access, err := askAccess(ctx, j.venue.service)
	if err != nil {
		return nil, err
	}
	if !j.rehearsal {
		j.keepAccess(access)
	}
	accounts := run.NewAccountResolver(j.venue.address, access, j.draft.Pairs)
	if err := j.refuseUnknown(accounts); err != nil {
		return nil, err
	}
	if err := j.venue.ledger.CheckAccounts(ctx, accounts.Usable()); err != nil {
		return nil, err
	}
	return accounts, j.draft.CountEarlier(ctx, j.venue.ledger, accounts)
}

// refuseUnknown stops a run whose provider or funding source the service does
// not know, where the mapping names it for all rows or no row has a known one.
// A wrong name in a single row is that row's fault.
func (j *job) refuseUnknown(accounts *run.AccountResolver) error {
	unknown := accounts.Unknown(j.draft.Pairs)
	provider, source := j.mapping.Constants()
	for _, p := range unknown {
		whole := p.Provider == provider && (p.FundingSource == source || !accounts.HasProvider(p.Provider))
		if whole || len(unknown) == len(j.draft.Pairs) {
			reason, fix := accounts.Explain(p)
			return usage(fix, "%s", reason)
		}
	}
	return nil
}

// info describes the run for the ledger and the results.
func (j *job) info() importer.RunInfo {
	who, host := whoami()
	var in []importer.InputInfo
	for _, i := range j.inputs {
		in = append(in, importer.InputInfo{Name: i.Source.Name(), Hash: i.Source.Hash()})
	}
	return importer.RunInfo{
		ID: newRunID(j.started), Started: j.started, Command: j.command, Inputs: in,
		Mapping: j.mapping.Name(), MappingHash: j.mapping.Hash(),
		Who: who, Host: host, Version: version(),
	}
}

// notice says something on standard error that is not about a row.
func (j *job) notice(format string, args ...any) {
	if !j.opts.quiet {
		_, _ = fmt.Fprintf(j.Err, "notice: "+format+"\n", args...)
	}
}

// spoken gives a date as people say it: Wed Dec 2, 2026.
func spoken(d importer.Date) string {
	return fmt.Sprintf("%s %s %d, %d", d.Weekday().String()[:3], d.Month.String()[:3], d.Day, d.Year)
}

// spokenDates lists the days of a plan: at most three, then how many more.
func spokenDates(p importer.PlanSummary) string {
	const shown = 3
	var parts []string
	for i, d := range p.Dates {
		if i == shown {
			parts = append(parts, fmt.Sprintf("%d more days", len(p.Dates)-shown))
			break
		}
		parts = append(parts, fmt.Sprintf("%d on %s", d.Trips, spoken(d.Date)))
	}
	if p.Undated > 0 {
		parts = append(parts, fmt.Sprintf("%d without a readable date", p.Undated))
	}
	if len(parts) == 0 {
		return "none to book"
	}
	return strings.Join(parts, ", ")
}
