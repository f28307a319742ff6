package serve

import (
	"cmp"
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
	Works   []app.Work
	Morning *results.Morning
	Refused string // as in app.OpenList
	// First is when the first trip begins that is to be settled before; empty if there is none.
	First string
	// Nights say how the last nights went, and what is due next.
	Nights []string
	// NoMorning is why it is not known what is open.
	NoMorning *problem
	Problem   *problem
}

func (s startScreen) get(w http.ResponseWriter, r *http.Request) {
	var v startView
	works, err := s.jobs.Works(r.Context())
	v.Works, v.Problem = works, s.problemOf(err)
	m, err := s.jobs.Open(r.Context())
	v.Morning, v.Refused, v.NoMorning = m.Morning, m.Refused, s.problemOf(err)
	if m.Morning != nil && len(m.Urgent) > 0 {
		v.First = m.Urgent[0].When()
	}
	if s.config.Nights != nil {
		v.Nights = s.config.Nights(r.Context())
	}
	s.show(w, http.StatusOK, "start", v)
}

// who notes the name of the person at the page; without one that of the system's user.
func (s startScreen) who(r *http.Request) (string, error) {
	const longest = 60
	name := cmp.Or(strings.Join(strings.Fields(results.Inert(r.PostFormValue("who"))), " "), app.UserName())
	if utf8.RuneCountInString(name) > longest {
		return "/", app.Usage("write it shorter", "this name has more than %d letters", longest)
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
