package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox"
	"tripimport/importer/usps"
)

// An effect does what a next step leaves to people, runs the step, and reports how it
// fails to do what it says.
type effect func(*attempt) error

// effects is the table of the effects by kind of step.
func effects() map[string]effect {
	return map[string]effect{
		"check":        checksAgain,
		"import":       imports,
		"retry":        retries,
		"morning":      resolves,
		"map approve":  approves,
		"places add":   addsPlaces,
		"runs results": writesResults,

		"ledger new":     cures(""),
		"ledger adopt":   cures("", "--yes"),
		"ledger address": cures("", "--yes"),
		"setup token":    cures(scriptToken + "\n"),
		"setup":          setsUp,

		"access":          shows(`County Medicaid Plan`),
		"runs":            shows(`^run +started`),
		"runs show":       shows(`^trip +leg`),
		"templates":       shows(`plain`),
		"help settings":   shows(`base_url`),
		"map":             shows(`^mapping: 1`),
		"nightly mail":    shows(`test mail|the mail was not sent`),
		"nightly install": installs,
		"nightly status":  shows(`^next: `),
	}
}

// cures expects that after the step the command ends without the reason that it gave.
func cures(input string, agreed ...string) effect {
	return func(t *attempt) error {
		printed, status := t.run(input, append(t.step.args, agreed...)...)
		if status != exitDone {
			return fmt.Errorf("it ends with status %d:\n%s", status, printed)
		}
		return t.isCured()
	}
}

// isCured runs the command itself again: it must not give the reason any more.
func (t *attempt) isCured() error {
	if t.step.reason == "" {
		return nil
	}
	if again, _ := t.run("", t.given...); strings.Contains(again, t.step.reason) {
		return fmt.Errorf("the command says the same afterwards:\n%s", again)
	}
	return nil
}

// setsUp expects that the address of the service is asked for.
func setsUp(t *attempt) error {
	printed, _ := t.runWith(typed{strings.NewReader("https://trips.example\n")}, t.step.args...)
	if !strings.Contains(printed, "the service is https://trips.example") {
		return fmt.Errorf("no address is kept:\n%s", printed)
	}
	return nil
}

// installs expects a schedule of the nights, or that none is left.
func installs(t *attempt) error {
	if !slices.Contains(t.step.args, "--remove") {
		return shows(`nightly.* .*run|no block nightly|this computer has no crontab`, "--print")(t)
	}
	if printed, status := t.run("", append(t.step.args, "--yes")...); status != exitDone {
		return fmt.Errorf("status %d:\n%s", status, printed)
	}
	if printed, _ := t.run("", "nightly", "install", "--remove", "--yes"); !strings.Contains(printed, "taken away") {
		return fmt.Errorf("a schedule is left:\n%s", printed)
	}
	return nil
}

// shows expects that the step prints something.
func shows(text string, options ...string) effect {
	return func(t *attempt) error {
		printed, _ := t.run("", append(t.step.args, options...)...)
		if !regexp.MustCompile(`(?m)` + text).MatchString(printed) {
			return fmt.Errorf("it does not show %q:\n%s", text, printed)
		}
		return nil
	}
}

// checksAgain takes the rows out that were to be fixed: afterwards none is.
func checksAgain(t *attempt) error {
	schedule, most := t.step.args[len(t.step.args)-1], 0
	fix := t.takeOut
	switch rows, err := openRows(schedule); {
	case resultsIn(t.printed) == "": // a mapping was proposed: what else is wrong, it says now
		fix, most = t.decide, 99
	case err == nil && len(rows.rows) > 0 && slices.Contains(rows.rows[0].header, "What we found"):
		fix, most = t.decide, counted(t.printed, "rows? needs? fixing") // the results themselves are to be fixed
	}
	if err := fix(schedule); err != nil {
		return err
	}
	printed, status := t.run("", t.step.args...)
	if n := counted(printed, "rows? needs? fixing"); n > most || status == exitUsage {
		return fmt.Errorf("the rows were fixed, and %d are to be fixed:\n%s", n, printed)
	}
	return nil
}

// decide answers what a proposed mapping leaves open, as the questions say.
func (t *attempt) decide(string) error {
	for _, word := range t.step.args {
		if filepath.Ext(word) != ".yaml" {
			continue
		}
		text, err := os.ReadFile(word)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a template, which has no questions
		}
		if err != nil {
			return err
		}
		answered := regexp.MustCompile(`(?m)# ([a-z_]+: .*?)   # open: .*$`).ReplaceAll(text, []byte("$1"))
		return os.WriteFile(word, answered, 0o600)
	}
	return nil
}

// takeOut removes the rows of a schedule that the results have as to be fixed.
func (t *attempt) takeOut(schedule string) error {
	rows, err := openRows(resultsIn(t.printed))
	if err != nil {
		return err
	}
	var out []int
	for i := range rows.rows {
		r := &rows.rows[i]
		if r.value("Needs") == "fixing" {
			n, _ := strconv.Atoi(r.value("Row"))
			out = append(out, n)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)

	if filepath.Ext(schedule) == ".xlsx" {
		f, err := excelize.OpenFile(schedule)
		if err != nil {
			return err
		}
		sheet := f.GetSheetName(0)
		if at := regexp.MustCompile(`(?m)^(\w+)![A-Z]+\d+`).FindStringSubmatch(t.printed); at != nil {
			sheet = at[1]
		}
		for _, n := range out {
			err = errors.Join(err, f.RemoveRow(sheet, n))
		}
		return errors.Join(err, f.Save())
	}
	text, err := os.ReadFile(schedule)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, n := range out {
		lines = slices.Delete(lines, n-1, n)
	}
	return os.WriteFile(schedule, bytes.Join(lines, nil), 0o600)
}

// imports books trips, or changes them.
func imports(t *attempt) error {
	if slices.Contains(t.step.args, "--changes") {
		return changes(t)
	}
	return books(t)
}

// books expects that the trips which could be booked are booked.
func books(t *attempt) error {
	ready := counted(t.printed, "trips?: booked", "rows?: ready") + counted(t.printed, "trips?: booked earlier", "rows?: booked earlier") +
		counted(t.printed, "rows? that waits?,")
	printed, status := t.run("", t.step.args...)
	if status == exitUsage && goingLive.MatchString(printed) {
		return nil
	}
	booked := counted(printed, "trips?: booked") + counted(printed, "trips?: booked earlier")
	if !slices.Contains(t.given, "--online") { // a check knows no names
		booked += counted(printed, "rows?, \\S+ .*? has no funding source")
	}
	if booked < ready {
		return fmt.Errorf("%d trips are booked, want %d:\n%s", booked, ready, printed)
	}
	return nil
}

// goingLive is how an import says which step of going live is missing.
var goingLive = regexp.MustCompile("the address of the service is not set|there is no ledger|is in use on another machine")

// retries answers what is asked and closes the rows to be fixed: afterwards none is left,
// and the refused trips were sent again.
func retries(t *attempt) error {
	refused, err := t.answerRows(t.step.args[len(t.step.args)-1])
	if err != nil {
		return err
	}
	printed, status := t.run("", t.step.args...)
	left := counted(printed, "rows? needs? fixing") + counted(printed, "rows? waits? for an answer")
	if slices.Contains(t.step.args, "--sandbox") || filepath.Base(t.step.args[len(t.step.args)-1]) == "morning.xlsx" {
		left = 0 // a rehearsal takes no answers, and a list has those of its rows that somebody fixed
	}
	if left > 0 || status == exitUsage || status == exitInput {
		return fmt.Errorf("the rows were answered, and %d are left:\n%s", left, printed)
	}
	asked := t.asked(sandbox.Insert)
	for _, id := range refused {
		if !slices.ContainsFunc(strings.Split(id, "\n"), func(leg string) bool { return slices.Contains(asked, leg) }) {
			return fmt.Errorf("the refused trip %s was not sent again:\n%s", id, printed)
		}
	}
	return nil
}

// answerRows answers in results, and returns the trips that were refused and stay as they
// are.
func (t *attempt) answerRows(path string) (refused []string, err error) {
	rows, err := openRows(path)
	if err != nil {
		return nil, err
	}
	for i := range rows.rows {
		r := &rows.rows[i]
		needs, status := r.value("Needs"), r.value("Status")
		fitting := regexp.MustCompile("`([^`]+)`").FindStringSubmatch(r.value("How to fix it"))
		switch {
		case strings.Contains(status, "refused by the service"):
			refused = append(refused, r.value("Trip"))
		case needs == "fixing" && slices.Contains(r.header, "What we found"):
			rows.set(r, "What we found", "leave it")
		case strings.HasPrefix(status, "held") && needs == "an answer" && fitting != nil:
			rows.set(r, "What we found", fitting[1])
		}
	}
	return refused, rows.save()
}

// resolves answers for every open trip: afterwards none is open.
func resolves(t *attempt) error {
	set := map[string]string{}
	for i := 2; i < len(t.step.args); i += 2 { // --set name=value
		name, value, _ := strings.Cut(t.step.args[i], "=")
		set[name] = value
	}
	a, err := app.New(t.Environment, set)
	if err != nil {
		return err
	}
	m, _, err := a.Morning(context.Background(), app.MorningOptions{})
	if err != nil {
		return err
	}
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		verdict := importer.There
		switch {
		case item.Outcome.State == importer.ChangeUnknown:
			verdict = importer.DoneByHand
		case item.Outcome.State != importer.Unknown && !item.Outcome.GUIDMissing:
			continue
		}
		note, answerErr := a.AnswerOpen(context.Background(), &item, verdict, "")
		if note != "" {
			answerErr = errors.New(note)
		}
		err = errors.Join(err, answerErr)
	}
	if err != nil {
		return err
	}
	printed, status := t.run("", t.step.args...)
	if strings.Contains(printed, "look first") {
		return fmt.Errorf("every trip was answered, and status %d:\n%s", status, printed)
	}
	return nil
}

// changes agrees to the plan: afterwards the trips that had changed are changed, or are
// listed for a person.
func changes(t *attempt) error {
	printed, _ := t.runWith(typed{strings.NewReader("yes\nyes\n")}, t.step.args...)
	sent := len(t.asked(sandbox.Change))
	if n := counted(t.printed, "trips?: change by hand"); sent == 0 && counted(printed, "trips?: change by hand") < n || strings.Contains(printed, "unless somebody asks") {
		return fmt.Errorf("%d trips had changed, %d changes were sent:\n%s", n, sent, printed)
	}
	return nil
}

// approves agrees to the trips: afterwards the mapping is approved, or the questions that only people can
// answer are named.
func approves(t *attempt) error {
	if err := t.decide(""); err != nil {
		return err
	}
	printed, status := t.run("", append(t.step.args, "--yes")...)
	if strings.Contains(printed, "there is no ledger at") {
		t.run("", "ledger", "new")
		printed, status = t.run("", append(t.step.args, "--yes")...)
	}
	if status == exitUsage && strings.Contains(printed, "not approved: ") && strings.Contains(printed, " looks like ") {
		return nil
	}
	if again, _ := t.run("", append(t.step.args, "--yes")...); status != exitDone || !strings.Contains(again, " is approved, and so are ") {
		return fmt.Errorf("status %d, and the mapping is not approved:\n%s", status, printed)
	}
	return nil
}

// addsPlaces fills in the list: afterwards the office's list has its lines, and the command
// asks for none of them.
func addsPlaces(t *attempt) error {
	list := t.step.args[len(t.step.args)-1]
	rows, err := openRows(list)
	if err != nil {
		return err
	}
	for i := range rows.rows {
		r := &rows.rows[i]
		if r.value("latitude") == "" {
			state, _ := usps.StateOf(r.value("state"))
			rows.set(r, "latitude", fmt.Sprint((state.South+state.North)/2+0.0021))
			rows.set(r, "longitude", fmt.Sprint((state.West+state.East)/2+float64(i)/100))
		}
	}
	if err := rows.save(); err != nil {
		return err
	}
	if printed, status := t.run("", t.step.args...); status != exitDone {
		return fmt.Errorf("status %d:\n%s", status, printed)
	}
	if again, _ := t.run("", t.given...); counted(again, "address(es)? without coordinates") > 0 {
		return fmt.Errorf("the command asks for them still:\n%s", again)
	}
	return nil
}

// writesResults expects that a results file is written.
func writesResults(t *attempt) error {
	printed, status := t.run("", t.step.args...)
	if _, err := os.Stat(resultsIn(printed)); err != nil || status != exitDone {
		return fmt.Errorf("status %d:\n%s", status, printed)
	}
	return nil
}

// resultsIn returns the results that a command says it wrote.
func resultsIn(printed string) string {
	m := regexp.MustCompile(`(?m)^results: (.*)`).FindStringSubmatch(printed)
	if m == nil {
		return ""
	}
	return m[1]
}

// tableRows are the rows of results, or of a list in CSV, that a person fills in.
type tableRows struct {
	path string
	book *excelize.File // nil for CSV
	rows []tableLine
}

// A tableLine is a row with the header above it.
type tableLine struct {
	sheet         string
	num           int
	header, cells []string
}

func openRows(path string) (*tableRows, error) {
	t := &tableRows{path: path}
	if filepath.Ext(path) != ".xlsx" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		table := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
		table.FieldsPerRecord = -1 // the header has one more, with the record of the run
		records, err := table.ReadAll()
		t.add("", records, 0)
		return t, err
	}

	var err error
	if t.book, err = excelize.OpenFile(path); err != nil {
		return nil, err
	}
	for _, sheet := range t.book.GetSheetList() {
		records, err := t.book.GetRows(sheet)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(sheet, "Results") {
			t.add(sheet, records, slices.IndexFunc(records, func(r []string) bool { return slices.Contains(r, "What we found") }))
		}
	}
	return t, nil
}

func (t *tableRows) add(sheet string, records [][]string, header int) {
	for i := header + 1; header >= 0 && i < len(records); i++ {
		t.rows = append(t.rows, tableLine{sheet, i + 1, records[header], records[i]})
	}
}

// value returns the cell of a column; empty where the table has no such column.
func (l *tableLine) value(column string) string {
	c := slices.Index(l.header, column)
	if c < 0 || c >= len(l.cells) {
		return ""
	}
	return l.cells[c]
}

func (t *tableRows) set(l *tableLine, column, value string) {
	c := slices.Index(l.header, column)
	if t.book == nil {
		l.cells[c] = value
		return
	}
	cell, _ := excelize.CoordinatesToCellName(c+1, l.num)
	_ = t.book.SetCellStr(l.sheet, cell, value) // it is in the sheet
}

func (t *tableRows) save() error {
	if t.book != nil {
		return errors.Join(t.book.Save(), t.book.Close())
	}
	if len(t.rows) == 0 {
		return nil
	}
	records := [][]string{t.rows[0].header}
	for _, l := range t.rows {
		records = append(records, l.cells)
	}
	var text bytes.Buffer
	return errors.Join(csv.NewWriter(&text).WriteAll(records), os.WriteFile(t.path, text.Bytes(), 0o600))
}
