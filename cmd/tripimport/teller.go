package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/run"
)

// A teller tells what becomes of a run: to the results, to the progress bar
// and, of a check, fault by fault to the terminal. It is the run's Reporter.
type teller struct {
	*job
	writer   *results.Writer
	progress *progress
	// run is the run's id, riders whom it tried; nil where nothing is sent.
	run      string
	riders   *riderList
	listed   int
	unlisted int
	// worth reports that the results of a check have something to say.
	worth bool
}

// maxListed is how many faults a check lists on the terminal; the results have
// them all.
const maxListed = 500

// newTeller prepares the results. Nothing is written before the run starts.
func (j *job) newTeller(h importer.RunStart, accounts *run.AccountResolver) (*teller, error) {
	format, err := j.format()
	if err != nil {
		return nil, err
	}
	path := j.opts.output
	if path == "" {
		path = results.Name(j.path, j.started, j.kind(), format)
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	switch {
	case j.venue != nil:
		key = j.venue.ledger.Key("results")
	case j.replay != nil:
		key = j.replay.ledger.Key("results")
	}
	w, err := results.New(results.Options{
		Path: path, Format: format, Key: key, Inputs: j.results,
		Mapping:  results.MappingInfo{Name: j.mapping.Name(), Path: mappingPath(j.mapping), Hash: j.mapping.Hash()},
		Commands: j.commands(h.Run.ID), Version: version(), Location: j.zone(), Now: j.clock.Now,
		Legs: j.legs(), FailedOnly: j.opts.failedOnly, Redact: j.opts.redact,
	})
	if err != nil {
		return nil, usage("", "%s", err)
	}
	t := &teller{job: j, writer: w, progress: j.newProgress(h.Plan.Trips), run: h.Run.ID}
	if j.venue != nil {
		t.riders = newRiderList(accounts.Usable())
	}
	return t, nil
}

// format is how the results are written: as --results ends, or as is set.
func (j *job) format() (results.Format, error) {
	if filepath.Ext(j.opts.output) == ".csv" {
		return results.CSV, nil
	}
	format, err := results.ParseFormat(j.settings.text("results_format"))
	if err != nil {
		return format, usage("", "%s", err)
	}
	return format, nil
}

// refuseOutput refuses a place where results can't be written, before anything
// is sent.
func (j *job) refuseOutput() error {
	format, err := j.format()
	switch path := j.opts.output; {
	case err != nil:
		return err
	case j.opts.report != "" && j.opts.report != "html":
		return usage("", "--report takes html")
	case path == "":
		return nil
	}
	path := j.opts.output
	if ext := filepath.Ext(path); ext != "."+format.Ext() {
		return usage("", "--results %s must end in .%s", path, format.Ext())
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return usage("name a folder that is there; nothing was sent", "the folder of --results %s is not there", path)
	}
	return nil
}

// zone is the zone in which results show instants.
func (j *job) zone() *time.Location {
	if loc := j.location(); loc != nil {
		return loc
	}
	return time.Local
}

// checks reports that the job is a check: nothing is sent, and nothing was.
func (j *job) checks() bool { return j.venue == nil && j.replay == nil }

// kind says what the results are of.
func (j *job) kind() results.Kind {
	switch {
	case j.checks():
		return results.OfCheck
	case j.rehearsal:
		return results.OfRehearsal
	}
	return results.OfImport
}

// commands are the lines that the results tell people to type next.
func (j *job) commands(run string) results.Commands {
	sandbox := ""
	if j.rehearsal {
		sandbox = " --sandbox"
	}
	options := j.repeated()
	file := quoted(j.path)
	source := file // the schedule behind a results workbook
	if j.command == "retry" {
		source = quoted(j.results[0].Path)
	}
	if j.checks() {
		return results.Commands{Again: "tripimport check" + options + " " + file, Import: "tripimport import" + options + " " + file}
	}
	c := results.Commands{
		Retry: func(results string) string { return "tripimport retry" + sandbox + options + " " + quoted(results) },
		Again: "tripimport " + j.command + sandbox + options + " " + file,
		Fresh: "tripimport results " + run + sandbox + options + " --input " + source,
	}
	if j.replay != nil {
		c.Again = "tripimport import" + options + " " + file
	}
	if !j.rehearsal {
		c.Resolve = "tripimport resolve"
	} else {
		c.Import = "tripimport import" + options + " " + source
	}
	return c
}

// repeated are the options of this command that the next one needs as well: the
// mapping and the places, where they were named on the command line.
func (j *job) repeated() string {
	var b strings.Builder
	for _, key := range []string{"mapping", "places"} {
		if v := j.settings[key]; v.Origin == "--"+flagName(key) {
			name := "--" + flagName(key)
			if key == "mapping" {
				name = "-m"
			}
			b.WriteString(" " + name + " " + quoted(v.Value))
		}
	}
	return b.String()
}

// quoted puts a path in quotes where a shell would break it, or read something
// else in it.
func quoted(path string) string {
	switch {
	case strings.ContainsAny(path, "$`\"\\*?!") && runtime.GOOS != "windows" && !strings.Contains(path, "'"):
		return "'" + path + "'"
	case strings.ContainsAny(path, " ()'&;"):
		return `"` + path + `"`
	case strings.HasPrefix(path, "-"):
		return "./" + path
	}
	return path
}

// Start implements importer.Reporter.
func (t *teller) Start(h importer.RunStart) error { return t.writer.Start(h) }

// Row implements importer.Reporter.
func (t *teller) Row(r importer.RowResult) error {
	t.progress.add(r)
	t.riders.add(r)
	if t.checks() {
		t.list(r)
	}
	return t.writer.Row(r)
}

// End implements importer.Reporter.
func (t *teller) End(e importer.RunResult) error {
	t.progress.end()
	t.tellNewRiders()
	if err := t.writer.End(e); err != nil {
		return t.resultsFailed(err)
	}
	if t.checks() && !t.worth && t.opts.output == "" {
		for _, path := range t.writer.WrittenTo() {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		t.writer.Summary().Files = nil
		return nil
	}
	return t.writePage()
}

// writePage writes the page beside the results, where one is asked for.
func (t *teller) writePage() error {
	written := t.writer.WrittenTo()
	if t.opts.report == "" || len(written) == 0 {
		return nil
	}
	s := t.writer.Summary()
	path, err := s.WritePage(results.PageName(written[0]))
	if err != nil {
		return t.resultsFailed(err)
	}
	s.Files = append(s.Files, path)
	return nil
}

// resultsFailed says how to get results that could not be written: what was
// sent is recorded in the ledger all the same.
func (t *teller) resultsFailed(err error) error {
	fix := "make room, then run the same command again"
	if t.venue != nil {
		fix = "make room; what was sent is recorded, and `" + t.commands(t.writer.Summary().Run).Fresh + "` writes the results again"
	}
	return &complaint{exitUnexpected, fmt.Sprintf("the results could not be written: %s", plain(err)), fix}
}

// plain gives the last link of a chain of errors: what the system said.
func plain(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// list prints a row's problems, each at its cell.
func (t *teller) list(r importer.RowResult) {
	for _, p := range r.Problems {
		t.worth = true
		if t.opts.json || t.opts.quiet {
			continue
		}
		if t.listed == maxListed {
			t.unlisted++
			continue
		}
		t.listed++
		t.line(describeProblem(r.Row, p, len(t.inputs) > 1))
	}
}

// describeProblem gives a problem on a line, and what to do about it on the
// next.
func describeProblem(row importer.Row, p importer.Problem, named bool) string {
	at := row.Ref(0)
	if len(p.Cells) > 0 {
		at = p.Cells[0]
	}
	var b strings.Builder
	if named {
		b.WriteString(row.File + ", ")
	}
	b.WriteString(at.String() + ": ")
	if p.Severity == importer.Notice {
		b.WriteString("notice: ")
	}
	if p.Leg == importer.ReturnLeg || p.Leg == importer.ThirdLeg {
		b.WriteString(p.Leg.String() + ": ")
	}
	b.WriteString(p.Message + " [" + p.Code + "]")
	line := results.Inert(b.String())
	if p.Fix != "" && p.Severity == importer.Fault {
		line += "\n    " + results.Inert(p.Fix)
	}
	return line
}

// tell prints the summary.
func (t *teller) tell(importer.RunResult) error {
	s := t.writer.Summary()
	switch {
	case t.opts.json:
		return printJSON(t.Out, s)
	case t.opts.quiet:
		return nil
	}
	if t.unlisted > 0 {
		_, _ = fmt.Fprintf(t.Out, "and %d more: see the results\n", t.unlisted)
	}
	if t.listed > 0 {
		_, _ = fmt.Fprintln(t.Out)
	}
	shown := *s
	if t.listed > 0 && t.unlisted == 0 {
		shown.Problems = nil // each has just been listed
	}
	colour := t.colour()
	for _, l := range shown.Lines(t.width()) {
		if _, err := fmt.Fprintln(t.Out, painted(l, colour)); err != nil {
			return err
		}
	}
	return nil
}

// painted colours a line for a terminal. Its text alone says the same.
func painted(l results.Line, colour bool) string {
	const reset = "\x1b[0m"
	if !colour {
		return l.Text
	}
	switch l.Kind {
	case results.Headline, results.CommandLine:
		return "\x1b[1m" + l.Text + reset
	case results.AlarmLine, results.UrgentLine:
		return "\x1b[1;31m" + l.Text + reset
	case results.ProblemLine:
		return "\x1b[33m" + l.Text + reset
	case results.GoodLine:
		return "\x1b[32m" + l.Text + reset
	case results.PlainLine, results.FileLine, results.StepLine:
	}
	return l.Text
}
