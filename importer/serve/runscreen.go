package serve

import (
	"net/http"

	"tripimport/importer/app"
)

// A runScreen lists the runs, and opens their workbooks.
type runScreen struct{ *page }

type runView struct {
	Problem *problem
	Runs    []runLine
}

// A runLine is a run that the ledger knows.
type runLine struct {
	app.RunLine

	End   string
	Alarm bool
}

func (s runScreen) get(w http.ResponseWriter, r *http.Request) {
	runs, err := s.jobs.Runs(r.Context())
	v := runView{Problem: s.problemOf(err)}
	for _, run := range runs {
		line := runLine{RunLine: run, End: "control total balances"}
		switch {
		case run.Live:
			line.End = "goes on"
		case run.Ended.IsZero():
			line.End, line.Alarm = "broken off: book the schedule again, nothing is booked twice", true
		case !run.Totals.Balanced():
			line.End, line.Alarm = "the control total does NOT balance", true
		}
		v.Runs = append(v.Runs, line)
	}
	s.show(w, http.StatusOK, "runs", v)
}

// open shows the workbook of a run.
func (s runScreen) openWorkbook(w http.ResponseWriter, r *http.Request) {
	path, err := s.jobs.Results(r.Context(), r.PathValue("id"))
	if err != nil {
		s.fail(w, err, "/runs", "")
		return
	}
	s.open(path)
	goTo(w, r, "/runs")
}
