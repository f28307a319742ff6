package serve

import (
	"net/http"
	"net/url"

	"tripimport/importer/app"
)

// A columnScreen asks what the columns of a new layout are, and shows the trips that the answers make.
type columnScreen struct{ *page }

type columnView struct {
	app.Draft

	Problem *problem
	// Why says why there are no trips yet.
	Why *problem
}

func (s columnScreen) get(w http.ResponseWriter, r *http.Request) {
	d, err := s.jobs.Draft(r.Context(), r.PathValue("id"))
	if d.Work.ID == "" {
		s.fail(w, err, "/", "")
		return
	}
	v := columnView{Draft: d, Problem: s.problemOf(err)}
	if len(d.Open) == 0 {
		v.Why = s.problemOf(d.Why)
	}
	s.show(w, http.StatusOK, "columns", v)
}

// decide takes an answer to a question.
func (s columnScreen) decide(w http.ResponseWriter, r *http.Request) {
	id, typed := r.PathValue("id"), r.PostFormValue("typed")
	if choice := r.PostFormValue("choice"); choice != "" {
		typed = choice
	}
	err := s.jobs.Decide(r.Context(), id, app.Answered{Ask: r.PostFormValue("ask"), Typed: typed})
	s.then(w, r, err, typed)
}

// back takes the last answer back.
func (s columnScreen) back(w http.ResponseWriter, r *http.Request) {
	s.then(w, r, s.jobs.TakeBack(r.Context(), r.PathValue("id")), "")
}

// then shows the screen again, or what went wrong.
func (s columnScreen) then(w http.ResponseWriter, r *http.Request, err error, typed string) {
	address := "/w/" + url.PathEscape(r.PathValue("id")) + "/columns"
	if err != nil {
		s.fail(w, err, address, typed)
		return
	}
	goTo(w, r, address)
}

// approve makes the draft one of the office's mappings.
func (s columnScreen) approve(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if err := r.ParseForm(); err != nil {
		s.fail(w, app.Usage("approve it again", "the form can't be read"), "/w/"+url.PathEscape(id)+"/columns", "")
		return
	}
	err := s.jobs.Approve(r.Context(), id, app.Approving{
		Seen: r.PostForm.Get("seen"), By: s.gate.person(),
		Settled: app.Settled{Unused: r.PostForm["unused"], Sure: r.PostForm.Get("sure") != ""},
	})
	if err != nil {
		s.fail(w, err, "/w/"+url.PathEscape(id)+"/columns", "")
		return
	}
	goTo(w, r, "/w/"+url.PathEscape(id)+"/faults")
}
