package serve

import (
	"net/http"

	"tripimport/importer/app"
)

// A runScreen lists the runs, and opens their workbooks.
type runScreen struct{ *page }

type runView struct {
	Problem *problem
	Runs    []app.RunLine
}

func (s runScreen) get(w http.ResponseWriter, r *http.Request) {
	runs, err := s.jobs.Runs(r.Context())
	s.show(w, http.StatusOK, "runs", runView{s.problemOf(err), runs})
}

// openWorkbook shows the workbook of a run.
func (s runScreen) openWorkbook(r *http.Request) (string, error) {
	path, err := s.jobs.Results(r.Context(), r.PathValue("id"))
	if err == nil {
		s.config.Open(path)
	}
	return "/runs", err
}
