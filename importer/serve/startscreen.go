package serve

import (
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A startScreen takes schedules, and shows those that are open.
type startScreen struct{ *page }

type startView struct {
	Works   []app.Work
	Morning *results.Morning
	// NoMorning is why it is not known what is open.
	NoMorning *problem
	Problem   *problem
}

func (s startScreen) get(w http.ResponseWriter, r *http.Request) {
	var v startView
	works, err := s.jobs.Works(r.Context())
	v.Works, v.Problem = works, s.problemOf(err)
	m, err := s.jobs.Open(r.Context())
	v.Morning, v.NoMorning = m.Morning, s.problemOf(err)
	s.show(w, http.StatusOK, "start", v)
}

// who notes the name of the person at the page.
func (s startScreen) who(w http.ResponseWriter, r *http.Request) {
	const longest = 60
	name := strings.Join(strings.Fields(results.Inert(r.PostFormValue("who"))), " ")
	if name != "" && len(name) <= longest {
		s.gate.name(name)
	}
	goTo(w, r, "/")
}

// arrive takes a schedule. Its parts come in the order of the form: the times first, the file last.
func (s startScreen) arrive(w http.ResponseWriter, r *http.Request) {
	parts, err := r.MultipartReader()
	if err != nil {
		s.fail(w, app.Usage("choose a spreadsheet", "no file came"), "/", "")
		return
	}
	var saved time.Time
	for {
		part, err := parts.NextPart()
		if err != nil {
			s.fail(w, app.Usage("choose a spreadsheet", "no file came"), "/", "")
			return
		}
		if part.FormName() != "file" {
			if at, ok := savedAt(part); ok {
				saved = at
			}
			continue
		}
		work, err := s.jobs.Arrive(r.Context(), part.FileName(), saved, part)
		if err != nil {
			s.fail(w, err, "/", "")
			return
		}
		goTo(w, r, "/w/"+url.PathEscape(work.ID)+"/faults")
		return
	}
}

// savedAt reads when the file was saved: in milliseconds as the browser says it, or as a person does.
func savedAt(part *multipart.Part) (at time.Time, ok bool) {
	const longest = 40
	text, err := io.ReadAll(io.LimitReader(part, longest))
	if err != nil || len(text) == 0 {
		return at, false
	}
	switch part.FormName() {
	case "modified":
		ms, err := strconv.ParseInt(string(text), 10, 64)
		return time.UnixMilli(ms), err == nil && ms > 0
	case "saved":
		at, err = time.ParseInLocation("2006-01-02T15:04", string(text), time.Local)
		return at, err == nil
	}
	return at, false
}

// remove forgets a schedule.
func (s startScreen) remove(w http.ResponseWriter, r *http.Request) {
	if one, going := s.runs.current(); going && one.Work == r.PathValue("id") {
		s.fail(w, app.ErrRunning, "/", "")
		return
	}
	if err := s.jobs.Remove(r.Context(), r.PathValue("id")); err != nil {
		s.fail(w, err, "/", "")
		return
	}
	goTo(w, r, "/")
}
