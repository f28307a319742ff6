package main

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A reporter shows a job on the terminal: its notices, a progress bar, the findings of a check
// and the summary. It implements app.Events.
type reporter struct {
	environment
	flags *runFlags
	bar   *progressbar.ProgressBar // nil before the first row, and where no terminal is wide enough
	done  int                      // the trips that have got their outcome
	told  time.Time                // when progress was told last, where there is no bar

	started app.Start       // what the files hold, as it was shown
	noticed map[string]bool // the notices that were shown

	listed   int // the number of findings that were printed
	unlisted int // the number of findings that are only in the summary and the results
	// printed counts the findings that were printed by their message, and by their code and advice.
	printed map[string]int
}

var _ app.Events = (*reporter)(nil)

// maxListed is how many findings of a check are printed at most, and maxAlike how many with the
// same message. The summary counts all of them, and the results have all.
const (
	maxListed = 500
	maxAlike  = 3
)

// newReporter makes a reporter for a command with the flags f.
func (s *session) newReporter(f *runFlags) *reporter {
	return &reporter{environment: s.environment, flags: f, noticed: map[string]bool{}, printed: map[string]int{}}
}

// Notice implements app.Events.
func (r *reporter) Notice(text string) {
	if r.noticed[text] {
		return
	}
	r.noticed[text] = true // a plan and the run that follows find the same
	r.clearBar()
	r.notice(text)
}

// Start implements app.Events. What a plan has shown is not shown again by the run that follows.
func (r *reporter) Start(s app.Start) {
	if reflect.DeepEqual(r.started, s) {
		return
	}
	r.started = s
	if r.flags.json {
		return
	}

	counts := ""
	if n := s.LeftOut(); n > 0 {
		counts = fmt.Sprintf("; %d left out", n)
	}
	if s.Sends {
		counts += fmt.Sprintf("; %d new, %d booked earlier", s.New, s.Earlier)
		if s.Unclear > 0 {
			counts += fmt.Sprintf(", %d may be booked", s.Unclear)
		}
	}
	r.line(inertf("%s: %s, %s: %s%s", s.File,
		importer.Counted(s.Rows, "row", "rows"), importer.Counted(s.ToBook(), "trip", "trips"), s.SpokenDates(), counts))

	switch {
	case s.Rehearsal:
		r.printf("rehearsal: nothing is booked; today is taken to be %s\n", s.Today.Spoken())
	case !s.Today.IsZero():
		r.printf("today is taken to be %s\n", s.Today.Spoken())
	}
}

// Row implements app.Events. The bar begins with the first row, so that its rate does not
// count the time that a geocoder took. Where there is none, a line a minute tells the progress.
func (r *reporter) Row(row importer.RowResult) {
	if r.bar == nil && widthOf(r.Err) >= barWidth {
		r.bar = newBar(below(r.Err), r.started.Trips)
	}
	r.done += len(row.Trips)
	switch now := time.Now(); {
	case r.bar != nil:
		_ = r.bar.Set(min(r.done, r.started.Trips)) // a closed terminal is no reason to stop
	case r.told.IsZero():
		r.told = now
	case now.Sub(r.told) >= time.Minute:
		r.told = now
		r.print(r.Err, fmt.Sprintf("%d of %d trips\n", r.done, r.started.Trips))
	}
	if r.started.Sends || r.flags.json {
		return
	}
	for _, p := range row.Problems {
		p.Message, p.Fix = row.Listed(p.Message), row.Listed(p.Fix)
		r.list(row.Row, p)
	}
}

// list lists a problem that a check finds in a row.
func (r *reporter) list(row importer.Row, p importer.Problem) {
	text, advice := p.Message, p.Code+" "+p.Fix
	if p.Code == "position-unknown" || p.Code == "position-missing" { // the addresses are in a file of their own
		text = p.Code
	}
	if r.listed == maxListed || r.printed[text] == maxAlike {
		r.unlisted++
		return
	}
	if r.printed[advice] > 0 { // it is printed once
		p.Fix = ""
	}
	r.listed++
	r.printed[text]++
	r.printed[advice]++
	r.clearBar()
	r.line(describeProblem(row, p))
}

// Summary implements app.Events.
func (r *reporter) Summary(s *results.Summary) error {
	r.clearBar()
	if r.flags.json {
		return printJSON(r.Out, s)
	}

	if r.unlisted > 0 {
		r.printf("and %d more, which are counted below\n", r.unlisted)
	}
	if r.listed > 0 {
		r.printf("\n")
	}

	shown := *s
	if r.listed > 0 && r.unlisted == 0 {
		shown.Problems = nil // all were listed above
	}

	for _, l := range shown.Lines(widthOf(r.Out)) {
		if _, err := fmt.Fprintln(r.Out, l.Text); err != nil {
			return err
		}
	}
	return nil
}

// agreed plans a job, has a person agree to what the plan asks, and runs it. Where nobody is at
// the terminal and no yes was given, the job runs by itself: every question is answered with no.
func (r *reporter) agreed(job func(app.Options) error) error {
	o := r.flags.Options
	o.Attended, o.Abandon = isTerminal(r.In), r.Abandon
	for o.Attended || r.flags.yes {
		planned := o
		planned.Planning = &app.Plan{}
		if err := job(planned); err != nil {
			return err
		}
		agreed := o
		agreed.Plan, agreed.Agreed = planned.Planning.ID, r.agree(planned.Planning.Asks)
		if err := job(agreed); !errors.Is(err, app.ErrStale) {
			return err
		}
		r.Notice("something has changed since the plan was made: this is the new one")
	}
	return job(o)
}

// agree puts the questions of a plan, and returns the IDs of those that were answered with yes. A
// yes on the command line answers all but those that somebody has to look at.
func (r *reporter) agree(asks []app.Ask) (agreed []string) {
	return app.AgreedTo(asks, func(a *app.Ask) bool {
		text := strings.Join(append([]string{a.Text}, a.Items...), "\n    ")
		if a.Question != "" {
			text += "\n    " + a.Question
		}
		return r.flags.yes && !a.Look || r.ask(text)
	})
}

// describeProblem returns a line with a problem and its cell. For a fault, a second line says
// how to fix it, unless Fix is empty.
func describeProblem(row importer.Row, p importer.Problem) string {
	text := p.At(&row).String() + ": "
	if p.Severity == importer.Notice {
		text += "notice: "
	}
	if p.Leg == importer.ReturnLeg {
		text += p.Leg.String() + ": "
	}
	text = results.Inert(text + p.Message + " [" + p.Code + "]")
	if p.Fix != "" && p.Severity == importer.Fault {
		text += "\n    " + results.Inert(p.Fix)
	}
	return text
}

// barWidth is how wide a terminal must be to show the bar, because a bar that wraps to a second
// line can't be cleared. With a million trips and hours to go the bar has 79 characters.
const barWidth = 80

// newBar returns the bar of a run with total trips.
func newBar(out io.Writer, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription("trips"),
		progressbar.OptionSetWidth(14),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("trips"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(200*time.Millisecond),
	)
}

// clearBar removes the bar until its next update, so that a text can be printed.
func (r *reporter) clearBar() {
	if r.bar != nil {
		_ = r.bar.Clear()
		// On Windows the bar's package leaves the bar there, and only moves the cursor to the beginning of the line.
		_, _ = fmt.Fprintf(below(r.Err), "\r%s\r", strings.Repeat(" ", barWidth-1))
	}
}
