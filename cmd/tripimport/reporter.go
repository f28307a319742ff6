package main

import (
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A reporter shows a job on the terminal: its notices, a progress bar, the findings of a check
// and the summary. It implements app.Events.
type reporter struct {
	environment
	flags    *runFlags
	log      *slog.Logger
	progress *progress

	started app.Start       // what the files hold, as it was shown
	noticed map[string]bool // the notices that were shown

	trips    int // the number of trips that the job decides
	files    int // the number of files that the job reads
	listed   int // the number of findings that were printed
	unlisted int // the number of findings that are only in the results
	// alike counts the findings by their message; only the first of each are printed.
	alike map[string]int
	// advised has the code and the advice of problems whose advice was printed, so that it is
	// printed once.
	advised map[string]bool
}

var _ app.Events = (*reporter)(nil)

// maxListed is how many findings of a check are printed at most, and maxAlike how many with the
// same message. The results have all findings.
const (
	maxListed = 500
	maxAlike  = 3
)

// newReporter makes a reporter for a command with the flags f.
func (s *session) newReporter(f *runFlags) *reporter {
	return &reporter{environment: s.environment, flags: f, log: newLog(s.environment), noticed: map[string]bool{}}
}

// Notice implements app.Events.
func (r *reporter) Notice(text string) {
	if r.noticed[text] {
		return
	}
	r.noticed[text] = true // a plan and the run that follows find the same
	r.progress.clear()
	r.notice(text)
}

// Start implements app.Events. What a plan has shown is not shown again by the run that follows.
func (r *reporter) Start(s app.Start) {
	if reflect.DeepEqual(r.started, s) {
		return
	}
	r.started = s
	r.files = s.Files
	r.trips = s.Trips
	if s.Sends {
		r.trips = s.New // the others take no time, and would make the shown rate wrong
	}
	if r.flags.json {
		return
	}

	counts, toBook := "", s.ToBook()
	if n := s.Trips - toBook; n > 0 {
		counts = fmt.Sprintf("; %d left out", n)
	}
	if s.Sends {
		counts += fmt.Sprintf("; %d new, %d booked earlier", s.New, s.Earlier)
		if s.Unclear > 0 {
			counts += fmt.Sprintf(", %d may be booked", s.Unclear)
		}
	}
	r.line(inertf("%s: %s, %s: %s%s", s.File,
		importer.Counted(s.Rows, "row", "rows"), importer.Counted(toBook, "trip", "trips"), s.SpokenDates(), counts))

	switch {
	case s.Rehearsal:
		r.printf("rehearsal: nothing is booked; today is taken to be %s\n", s.Today.Spoken())
	case !s.Today.IsZero():
		r.printf("today is taken to be %s\n", s.Today.Spoken())
	}
}

// Row implements app.Events. The progress begins with the first row, so that its rate does not
// count the time that a geocoder took.
func (r *reporter) Row(row importer.RowResult) {
	if r.progress == nil {
		r.progress = r.newProgress(r.trips)
	}
	decided := 0
	for i := range row.Trips {
		if row.Trips[i].Outcome.BookedAt.IsZero() {
			decided++
		}
	}
	r.progress.add(decided)
}

// Finding implements app.Events.
func (r *reporter) Finding(row importer.Row, p importer.Problem) {
	if r.flags.json {
		return
	}
	if r.alike == nil {
		r.alike, r.advised = map[string]int{}, map[string]bool{}
	}
	text := p.Message + " [" + p.Code + "]"
	if p.Code == "position-unknown" || p.Code == "position-missing" { // the addresses are in a file of their own
		text = "no coordinates for the address [" + p.Code + "]"
	}
	if n, known := r.alike[text]; known || len(r.alike) < maxListed {
		r.alike[text] = n + 1
	}
	switch {
	case r.alike[text] > maxAlike:
	case r.listed == maxListed:
		r.unlisted++
	default:
		r.listed++
		if r.advised[p.Code+p.Fix] {
			p.Fix = ""
		}
		r.advised[p.Code+p.Fix] = true
		r.progress.clear()
		r.line(describeProblem(row, p, r.files > 1))
	}
}

// Summary implements app.Events.
func (r *reporter) Summary(s *results.Summary) error {
	r.progress.end()
	if r.flags.open && len(s.Files) > 0 {
		defer openFile(s.Files[0])
	}

	if r.flags.json {
		return printJSON(r.Out, s)
	}

	for _, text := range slices.Sorted(maps.Keys(r.alike)) {
		if more := r.alike[text] - maxAlike; more > 0 {
			r.line(results.Inert(fmt.Sprintf("and %d more: %s", more, text)))
		}
	}
	if r.unlisted > 0 {
		r.printf("and %d more: see the results\n", r.unlisted)
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
