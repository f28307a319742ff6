package serve

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

//go:embed templates static
var files embed.FS

// A Config says how the page is served.
type Config struct {
	// Folder is a folder of this user alone, which need not exist yet.
	Folder string
	// Open shows a file in its usual program: the browser, or the spreadsheet program. A failure is
	// the person's to see.
	Open func(path string)
	// ShowLink says the address and the ticket, where browsers may not open files; nothing is opened to enter the page.
	ShowLink bool
	// Nights says how the last nights went and what is due next; nil for no nights.
	Nights func(ctx context.Context) []string
	// Say tells whoever started the program something, in a sentence.
	Say func(text string)
	// Lock is after how long without a person the page is locked, and End after how long it ends; 0
	// for 10 and 30 minutes.
	Lock, End time.Duration
}

// A page is what all screens have in common.
type page struct {
	config  Config
	jobs    *app.Jobs
	gate    *gate
	runs    *runner
	screens map[string]*template.Template
}

// screenNames are the templates of the screens. Each is shown inside layout.html.
var screenNames = []string{"start", "who", "problem", "faults", "rows", "columns", "book", "morning", "sure", "runs"}

// parse reads the templates.
func (p *page) parse() error {
	layout, err := template.New("layout.html").Funcs(template.FuncMap{"when": when, "now": time.Now, "counted": importer.Counted, "short": short, "lines": lines}).ParseFS(files, "templates/layout.html")
	p.screens = map[string]*template.Template{}
	for _, name := range screenNames {
		if err != nil {
			return err
		}
		if p.screens[name], err = layout.Clone(); err == nil {
			_, err = p.screens[name].ParseFS(files, "templates/"+name+".html")
		}
	}
	return err
}

// when says a time as people do.
func when(at time.Time) string { return importer.SpokenAt(at.Local()) }

// untold are the folders of a path, whose last name is enough for whoever reads it, and the commands that nights tell.
var untold = regexp.MustCompile(`(?:[:;] )?\x60tripimport [^\x60]*\x60|(^|[\s"(])(?:[A-Za-z]:\\(?:[^\\/:"]*[^\\/:"\s]\\)*|\\\\(?:[^\\/:"]*[^\\/:"\s]\\)+|/(?:[^\s/"]+/)+)`)

// inPlace says where the page takes the answers that people write into the workbook.
var inPlace = strings.NewReplacer("write `meant` under What we found", "choose `meant` under Open trips after the booking",
	"write `book` or `leave out` under What we found", "choose `book` or `leave out` under Open trips after the booking",
	"Write it under What we found in one row of each word", "Choose it under Open trips after the booking, once for each word")

// short says a text as the page does, without the folders and commands in it.
func short(text string) string { return untold.ReplaceAllString(inPlace.Replace(text), "$1") }

// lines reports whether a text has several lines, which a browser would join in an input.
func lines(text string) bool { return strings.ContainsAny(text, "\r\n") }

// A view is what the layout shows: the screen, and what stands on every screen.
type view struct {
	Who  string
	Run  *oneRun // that goes on; nil for none
	Data any
}

func (p *page) view(data any) view {
	v := view{Who: p.gate.person(), Data: data}
	if one, going := p.runs.current(); going {
		v.Run = &one
	}
	return v
}

// show answers with a screen. Its title names no file and no person: browsers keep titles.
func (p *page) show(w http.ResponseWriter, status int, screen string, data any) {
	var text bytes.Buffer
	if err := p.screens[screen].ExecuteTemplate(&text, "layout.html", p.view(data)); err != nil {
		refuse(w, http.StatusInternalServerError, "an error in the program itself: this screen can't be shown")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the client may be gone
}

// state shows the run that goes on, for the page itself.
func (p *page) state(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := p.screens["problem"].ExecuteTemplate(w, "run", p.view(nil)); err != nil {
		refuse(w, http.StatusInternalServerError, "an error in the program itself")
	}
}

// static answers with the style or the script.
func (p *page) static(w http.ResponseWriter, r *http.Request) {
	types := map[string]string{"style.css": "text/css; charset=utf-8", "script.js": "text/javascript; charset=utf-8"}
	name := r.PathValue("name")
	text, err := files.ReadFile("static/" + name)
	if err != nil {
		refuse(w, http.StatusNotFound, "there is no such page")
		return
	}
	w.Header().Set("Content-Type", types[name])
	_, _ = w.Write(text) // the client may be gone
}

// A problem is why something can't be done, for the person at the page.
type problem struct {
	Reason, Do string
	Lines      []string
	// Map reports that the file needs a mapping first, and Approve that the one it has must be approved.
	Map, Approve bool
	// Back is the address of the screen that the person came from, and Typed is what they typed.
	Back, Typed string
}

// problemOf says what an error means; nil for no error.
func (p *page) problemOf(err error) *problem {
	var known importer.Advised
	switch lines := app.MappingFaults(err); {
	case err == nil:
		return nil
	case lines != nil:
		return &problem{Reason: "the mapping can't be used; nothing was sent", Do: "have it corrected by whoever looks after the program, then do the same again", Lines: lines}
	case errors.As(err, &known):
		said := &problem{Reason: known.Error()}
		steps := slices.DeleteFunc(slices.Clone(known.Advice()), func(a importer.Advice) bool {
			said.Map, said.Approve = said.Map || a.Do == importer.ProposeMapping, said.Approve || a.Do == importer.ApproveMapping
			return a.Do == importer.ProposeMapping
		})
		said.Do = importer.SayAll(steps, nil)
		return said
	case errors.Is(err, context.Canceled): // a run that was stopped while it read the schedule
		return &problem{Reason: "it was stopped; what was sent is recorded", Do: "plan it again"}
	}
	return &problem{Reason: "an error in the program itself; what was sent is recorded", Do: "do it once more; if it says so again, tell whoever looks after the program"}
}

// statusOf is the HTTP status of an answer that says an error.
func statusOf(err error) int {
	for _, meanwhile := range []error{app.ErrChanged, app.ErrStale, app.ErrAnswered, app.ErrRunning} {
		if errors.Is(err, meanwhile) {
			return http.StatusConflict
		}
	}
	return http.StatusUnprocessableEntity
}

// fail answers with what an error means, and a way back.
func (p *page) fail(w http.ResponseWriter, err error, back, typed string) {
	said := p.problemOf(err)
	said.Back, said.Typed = back, typed
	p.show(w, statusOf(err), "problem", said)
}

// A sureView asks a person whether a trip is really not there. It is the error of an answer that is not recorded before.
type sureView struct{ Trip, Item, Saw, Answer string }

// Error implements error.
func (v *sureView) Error() string { return "whoever answers is asked again" }

// An act does what a form asks for. It returns where the page goes on or, with an error, the way back.
type act func(r *http.Request) (address string, err error)

// does handles a form. If the act fails, the page says why, and what the person had typed: the first of
// these fields that has something.
func (p *page) does(act act, typed ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		address, err := act(r)
		var sure *sureView
		switch {
		case err == nil:
			goTo(w, r, address)
			return
		case errors.As(err, &sure):
			p.show(w, http.StatusOK, "sure", sure)
			return
		}
		text := ""
		for _, field := range typed {
			text = cmp.Or(text, r.PostFormValue(field))
		}
		p.fail(w, err, address, text)
	}
}

// screenOf is the address of a screen of the schedule that a request is about.
func screenOf(r *http.Request, screen string) string {
	return "/w/" + url.PathEscape(r.PathValue("id")) + "/" + screen
}

// byEnter reports whether a form was sent by Enter in one of its fields, and by none of its buttons: then
// nothing is done.
func byEnter(r *http.Request) bool { return r.PostFormValue("enter") != "" }

// goTo has the browser show a screen after something was done.
func goTo(w http.ResponseWriter, r *http.Request, address string) {
	http.Redirect(w, r, address, http.StatusSeeOther)
}
