package serve

import (
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A startScreen takes schedules, and shows those that are open.
type startScreen struct{ *page }

type startView struct {
	Works   []startWork
	Morning *results.Morning
	// NoMorning is why it is not known what is open.
	NoMorning *problem
	Problem   *problem
}

// A startWork is a schedule, with what became of its last run since the page was started.
type startWork struct {
	app.Work

	Last string
}

func (s startScreen) get(w http.ResponseWriter, r *http.Request) {
	var v startView
	works, err := s.jobs.Works(r.Context())
	v.Problem = s.problemOf(err)
	for _, w := range works {
		line := startWork{Work: w}
		if last, ok := s.runs.of(w.ID); ok && last.Summary != nil {
			line.Last = last.Summary.Sentence
		}
		v.Works = append(v.Works, line)
	}
	m, err := s.jobs.Open(r.Context())
	v.Morning, v.NoMorning = m.Morning, s.problemOf(err)
	s.show(w, http.StatusOK, "start", v)
}

// who notes the name of the person at the page.
func (s startScreen) who(r *http.Request) (string, error) {
	const longest = 60
	name := strings.Join(strings.Fields(results.Inert(r.PostFormValue("who"))), " ")
	if name == "" || utf8.RuneCountInString(name) > longest {
		return "/", app.Usage("write it shorter", "this name has nothing in it, or more than %d letters", longest)
	}
	s.gate.name(name)
	return s.gate.screen(), nil
}

// arrive takes a schedule. Its parts come in the order of the form: the times first, the file last.
func (s startScreen) arrive(r *http.Request) (string, error) {
	parts, err := r.MultipartReader()
	var saved time.Time
	for err == nil {
		var part *multipart.Part
		if part, err = parts.NextPart(); err != nil {
			break
		}
		if part.FormName() == "file" {
			work, err := s.jobs.Arrive(r.Context(), part.FileName(), saved, part)
			if err != nil {
				return "/", err
			}
			return "/w/" + url.PathEscape(work.ID) + "/faults", nil
		}
		if at, ok := savedAt(part); ok {
			saved = at
		}
	}
	return "/", app.Usage("choose a spreadsheet", "no file came")
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
func (s startScreen) remove(r *http.Request) (string, error) {
	if one, going := s.runs.current(); going && one.Work == r.PathValue("id") {
		return "/", app.ErrRunning
	}
	return "/", s.jobs.Remove(r.Context(), r.PathValue("id"))
}
