package serve

import (
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"sync"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A bookScreen plans runs, starts and stops them, and shows what became of them.
type bookScreen struct {
	*page

	plans sync.Map // the last plan of each schedule, by the schedule's id
}

// A planned is a plan that a person looks at.
type planned struct {
	*app.Plan

	Rehearse bool
	Notices  []string
	// Waiting counts the new trips that are not sent until they are fixed or answered.
	Waiting int
}

type bookView struct {
	Work    app.Work
	Plan    *planned
	Problem *problem
	Last    *oneRun
	Lines   []results.Line
	Files   bool
	// Locked reports that another run holds the ledger, and Waits that a person waits for that: the page plans the booking
	// once it has ended.
	Locked, Waits bool
}

// Button says what the run does.
func (p *planned) Button() string {
	ready := p.Start.New - p.Waiting
	if ready == 0 {
		return "Go on"
	}
	text := map[bool]string{false: "Book ", true: "Rehearse "}[p.Rehearse] + importer.Counted(ready, "trip", "trips")
	if len(p.Start.Dates) == 1 {
		text += " for " + p.Start.Dates[0].Date.Spoken()
	}
	if p.Waiting > 0 && len(p.Asks) > 0 { // a yes may be to the trips that wait
		text += ", and what has your yes"
	}
	return text
}

func (s *bookScreen) get(w http.ResponseWriter, r *http.Request) {
	s.answer(w, r, http.StatusOK, nil)
}

// answer shows the screen, with what is wrong if anything is.
func (s *bookScreen) answer(w http.ResponseWriter, r *http.Request, status int, wrong error) {
	id := r.PathValue("id")
	work, err := s.jobs.Work(id)
	if err != nil {
		s.fail(w, err, "/", "")
		return
	}
	v := bookView{Work: work, Problem: s.problemOf(wrong), Locked: app.StatusOf(wrong) == app.Locked, Waits: r.PostFormValue("wait") != ""}
	if p, ok := s.plans.Load(id); ok {
		v.Plan, _ = p.(*planned)
	}
	if last, ok := s.runs.of(id); ok && v.Plan == nil {
		v.Last = &last
		if wrong == nil && !last.Going {
			v.Problem, v.Locked = s.problemOf(last.Err), app.StatusOf(last.Err) == app.Locked
		}
		if last.Summary != nil {
			v.Lines = slices.DeleteFunc(last.Summary.Lines(0), func(l results.Line) bool { return l.Kind == results.TerminalLine })
			v.Files = len(last.Summary.Files) > 0
		}
	}
	s.show(w, status, "book", v)
}

// plan says what a run would do.
func (s *bookScreen) plan(w http.ResponseWriter, r *http.Request) {
	id, rehearse := r.PathValue("id"), r.PostFormValue("kind") == "rehearse"
	if err := s.makePlan(r, rehearse); err != nil {
		if !byItself(r) { // which leaves a plan in another window
			s.plans.Delete(id)
		}
		s.answer(w, r, statusOf(err), err)
		return
	}
	address := screenOf(r, "book")
	if byItself(r) {
		address += "?auto=1"
	}
	goTo(w, r, address)
}

// makePlan makes a plan and keeps it.
func (s *bookScreen) makePlan(r *http.Request, rehearse bool) error {
	id := r.PathValue("id")
	p, notices, err := s.jobs.Plan(r.Context(), id, rehearse, s.gate.person())
	if err != nil {
		return err
	}
	next := &planned{p, rehearse, notices, 0}
	if c, err := s.jobs.Check(r.Context(), id, func(importer.RowResult) {}); err == nil && !rehearse { // which has another today, and knows no bookings
		next.Waiting = max(0, p.Start.New-c.Ready)
	}
	s.plans.Store(id, next)
	return nil
}

// run starts what the plan says. Each of its questions must have an answer, and nothing else may.
func (s *bookScreen) run(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if byEnter(r) {
		goTo(w, r, screenOf(r, "book"))
		return
	}
	work, err := s.jobs.Work(id)
	if err != nil {
		s.fail(w, err, "/", "")
		return
	}
	if one, going := s.runs.current(); going && one.Work == id {
		s.fail(w, app.ErrRunning, screenOf(r, "book"), "")
		return
	}
	last, _ := s.plans.LoadAndDelete(id) // each is used once
	p, ok := last.(*planned)
	if err := r.ParseForm(); err != nil || !ok || r.PostForm.Get("plan") != p.ID {
		s.answer(w, r, http.StatusConflict, app.ErrStale)
		return
	}
	agreed, complete := agreedOf(p.Asks, r.PostForm)
	if !complete {
		s.plans.Store(id, p)
		s.answer(w, r, http.StatusUnprocessableEntity, app.Usage("answer each question", "a question has no answer; nothing was sent"))
		return
	}
	if err := s.runs.begin(work, s.gate.person(), app.Options{Rehearsal: p.Rehearse, Plan: p.ID, Agreed: agreed}); err != nil {
		s.fail(w, err, screenOf(r, "book"), "")
		return
	}
	goTo(w, r, screenOf(r, "book"))
}

// agreedOf returns the asks that were answered with yes. It reports false if one has no answer, or if
// something is answered that was not asked.
func agreedOf(asks []app.Ask, form url.Values) (agreed []string, complete bool) {
	answers := len(form)
	if form.Has("plan") {
		answers--
	}
	for _, a := range asks {
		if given := form["ask-"+a.ID]; len(given) != 1 || given[0] != "yes" && given[0] != "no" {
			return nil, false
		}
	}
	return app.AgreedTo(asks, func(a *app.Ask) bool { return form.Get("ask-"+a.ID) == "yes" }), answers == len(asks)
}

// stop stops the run that goes on. Each of its two buttons says how: a double click on one is none on the other.
func (s *bookScreen) stop(r *http.Request) (string, error) {
	one, going := s.runs.current()
	s.runs.stop(r.PostFormValue("how") == "at once")
	if !going {
		return "/", nil
	}
	return "/w/" + url.PathEscape(one.Work) + "/book", nil
}

// results shows the workbook of the last run of a schedule.
func (s *bookScreen) results(r *http.Request) (string, error) {
	if last, ok := s.runs.of(r.PathValue("id")); ok && last.Summary != nil && len(last.Summary.Files) > 0 {
		if path, err := filepath.Abs(last.Summary.Files[0]); err == nil {
			s.config.Open(path)
		}
	}
	return screenOf(r, "book"), nil
}
