package serve

import (
	"cmp"
	"net/http"

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
		if v.Why = s.problemOf(d.Why); v.Why != nil && d.Given == "" {
			v.Why.Do = "take the last answer back, or say of another column what it is"
		}
	}
	s.show(w, http.StatusOK, "columns", v)
}

// decide takes an answer to a question.
func (s columnScreen) decide(r *http.Request) (string, error) {
	given := app.Answered{Ask: r.PostFormValue("ask"), Typed: cmp.Or(r.PostFormValue("choice"), r.PostFormValue("typed"))}
	return screenOf(r, "columns"), s.jobs.Decide(r.Context(), r.PathValue("id"), given)
}

// back takes the last answer back.
func (s columnScreen) back(r *http.Request) (string, error) {
	return screenOf(r, "columns"), s.jobs.TakeBack(r.Context(), r.PathValue("id"), numberOf(r.PostFormValue("answers")))
}

// approve makes the draft one of the office's mappings.
func (s columnScreen) approve(r *http.Request) (string, error) {
	if err := r.ParseForm(); err != nil {
		return screenOf(r, "columns"), app.Usage("approve it again", "the form can't be read")
	}
	err := s.jobs.Approve(r.Context(), r.PathValue("id"), app.Approving{
		Seen: r.PostForm.Get("seen"), By: s.gate.person(),
		Settled: app.Settled{Unused: r.PostForm["unused"], Sure: r.PostForm.Get("sure") != ""},
	})
	if err != nil {
		return screenOf(r, "columns"), err
	}
	return screenOf(r, "faults"), nil
}
