package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// canaryWords returns words that are in every field of a schedule and in every answer
// of the service. They may be in the schedule, in results, and on standard output of
// commands that show rows. They must not be on standard error or in any other file.
func canaryWords() []string {
	return []string{
		"RQX88", "555-01", "4145550", "Vantongeren", "Larkspurmoor", "Unit 9QX", "Brambleford", "53204-7919", "oxygenbottle",
		"Juniperwick", "Thistlewend", "Suite 7ZV", "Fernhollow", "53299-4471", "hyssopgate", "43.071234", "87.906543", "43.023187", "87.926614",
		"Quillseat", "Plumworth", "Wisteria", "Zephyrine",
	}
}

// canaryKey is the provider's key. Neither it nor the token, officeToken, may be in any
// output or file, results included.
const canaryKey = "key-1414213562-canary"

// canaryRows returns rows with canary words in each field. In the last rows a word
// makes a fault.
func canaryRows() []plainRow {
	rows := inventedRows(44, func(i int) bool { return i%7 == 3 })
	for i, row := range rows {
		row["Rider ID"] = fmt.Sprintf("RQX88-%d", i)
		row["Pickup Name"], row["Pickup Address"], row["Pickup Address 2"] = "Ottoline Vantongeren", fmt.Sprintf("%d Larkspurmoor Ter", 100+i), "Unit 9QX"
		row["Pickup City"], row["Pickup ZIP"], row["Pickup Phone"] = "Brambleford", "53204-7919", "(414) 555-0142"
		row["Pickup Notes"], row["Dropoff Notes"] = "oxygenbottle by the door", "hyssopgate entrance"
		row["Dropoff Name"], row["Dropoff Address"], row["Dropoff Address 2"] = "Juniperwick Dialysis", "77 Thistlewend Ct", "Suite 7ZV"
		row["Dropoff City"], row["Dropoff ZIP"], row["Dropoff Phone"] = "Fernhollow", "53299-4471", "(414) 555-0177"
		row["Pickup Latitude"], row["Pickup Longitude"], row["Dropoff Latitude"], row["Dropoff Longitude"] = 43.071234, -87.906543, 43.023187, -87.926614
	}

	rows[40]["Space Type"] = "Quillseat"
	rows[41]["Date"] = "the Plumworth day"
	rows[42]["Pickup Time"] = "half past Wisteria"
	rows[43]["Funding Source"] = "Wisteria Payers"
	return rows
}

// TestCanaries runs every command that handles rows or secrets, each as a process of
// its own, and searches its output and all files for the canary words.
func TestCanaries(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"csv", "xlsx"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			h := &hostile{}
			c := &canaries{t: t, office: openOffice(t, nil, canaryRows(), h), service: h, results: "results." + kind}
			if kind == "xlsx" {
				c.must(os.Remove(c.schedule))
				c.schedule = filepath.Join(c.folder, "night.xlsx")
				c.must(os.WriteFile(c.schedule, canaryBook(t), 0o600))
			}

			c.importFromEveryService()
			c.runReadingCommands()
			c.answerAndRetry()
			c.dumpGoroutines()
			c.searchFiles()
		})
	}
}

// canaryBook returns the canary rows as a workbook.
func canaryBook(t *testing.T) []byte {
	book := newPlainBook(t, "Wisteria")
	rows := canaryRows()
	book.columns(len(rows), func(c plainColumn) int { return book.headerStyle(c.need) })
	for i, row := range rows {
		for j, c := range plainLayout() {
			if v := row[c.header]; v != nil {
				book.set(i+2, j+1, v, book.cellStyle(c.kind))
			}
		}
	}
	return book.bytes()
}

// canaries is an office whose schedule and service have canary words.
type canaries struct {
	*office
	t       *testing.T
	service *hostile
	results string
}

// command runs the real program and searches its output. showsRows allows canary
// words on standard output.
func (c *canaries) command(showsRows bool, args ...string) string {
	c.Helper()
	cmd := c.process(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // its status is checked below
	if status := cmd.ProcessState.ExitCode(); status < 0 || status == exitUnexpected {
		c.Errorf("%s ended with status %d: %s", args, status, errs.String())
	}
	c.requireClean(fmt.Sprintf("standard error of %s", args), errs.Bytes(), true)
	c.requireClean(fmt.Sprintf("standard output of %s", args), out.Bytes(), !showsRows)
	return out.String()
}

// requireClean fails the test if a text has a secret, or where noRows is set, a canary
// word.
func (c *canaries) requireClean(what string, text []byte, noRows bool) {
	c.Helper()
	words := []string{officeToken, canaryKey}
	if noRows {
		words = append(words, canaryWords()...)
	}

	lower := bytes.ToLower(text)
	for _, word := range words {
		word = strings.ToLower(word)
		var wide []byte
		for _, unit := range utf16.Encode([]rune(word)) {
			wide = append(wide, byte(unit), byte(unit>>8))
		}
		if i := max(bytes.Index(lower, []byte(word)), bytes.Index(lower, wide)); i >= 0 {
			c.Errorf("%s has %q: …%q…", what, word, text[max(0, i-80):min(len(text), i+80)])
		}
	}
}

// importFromEveryService imports the schedule while the service fails in each way.
func (c *canaries) importFromEveryService() {
	night := []string{"import", "--today", "2026-12-01", "--set", "workers=1", "--results", c.results, c.schedule}
	for _, mode := range []string{"access-500", "access-401", "access-garbled", "access-json", "", "redirect", "page", "401", "403", "404", "400"} {
		c.service.mode.Store(mode)
		c.command(true, night...)
	}
	c.service.mode.Store("")
	c.command(true, append(slices.Clone(night), "--json")...)
	c.command(true, append(slices.Clone(night), "--redact")...)
}

// runReadingCommands runs the commands that send nothing.
func (c *canaries) runReadingCommands() {
	c.command(true, "check", "--today", "2026-12-01", c.schedule)
	c.command(true, "check", "--online", "--json", "--today", "2026-12-01", c.schedule)
	c.command(true, "inspect", c.schedule)
	c.command(true, "map", c.schedule)
	for _, run := range runsIn(c.command(false, "runs")) {
		c.command(false, "runs", "show", run)
		c.command(true, "runs", "results", run, "--input", c.schedule, "-o", "results-again.csv")
	}

	c.command(false, "access")
	c.command(false, "config")
	c.command(false, "ledger")
	c.command(false, "ledger", "backup", "copy.db")
	c.service.mode.Store("access-garbled")
	c.command(false, "access")
	c.service.mode.Store("")
}

// answerAndRetry answers for trips that may be booked, and retries edited results.
func (c *canaries) answerAndRetry() {
	c.command(true, "morning")
	if filepath.Ext(c.results) == ".xlsx" {
		c.edit(filepath.Join(c.folder, c.results))
	}
	c.command(true, "retry", "--today", "2026-12-01", c.results)
	c.command(true, "retry", "--today", "2026-12-01", "--yes", c.results)
	c.env["TRIPIMPORT_TOKEN"] = officeToken + " Zephyrine"
	c.command(true, "import", c.schedule)
	c.env["TRIPIMPORT_TOKEN"] = officeToken
}

// edit writes canary words into a results workbook: as an answer, and into a cell that
// is not marked.
func (c *canaries) edit(path string) {
	f, err := excelize.OpenFile(path)
	c.must(err)
	rows, err := f.GetRows("Results")
	c.must(err)
	header := slices.IndexFunc(rows, func(r []string) bool { return slices.Contains(r, "What we found") })
	for i, row := range rows[header+1:] {
		if !strings.HasPrefix(row[0], "may be booked") {
			continue
		}
		for column, text := range map[string]string{"What we found": "ask Vantongeren", "Pickup Name": "Vantongeren, O."} {
			cell, err := excelize.CoordinatesToCellName(slices.Index(rows[header], column)+1, header+i+2)
			c.must(err)
			c.must(f.SetCellStr("Results", cell, text))
		}
	}
	c.must(f.Save())
	c.must(f.Close())
}

// dumpGoroutines has the Go runtime print all goroutines while requests are under way,
// as it does after a panic that is not recovered.
func (c *canaries) dumpGoroutines() {
	if runtime.GOOS == "windows" {
		return
	}
	c.service.mode.Store("slow")
	before := c.service.arrived.Load()
	// The trips have new ids, so that they are sent.
	rows := canaryRows()[:9]
	for i := range rows {
		rows[i]["Trip ID"], rows[i]["Rider ID"] = fmt.Sprintf("Q-%d", i), fmt.Sprintf("RQX88-Q%d", i)
	}

	second := filepath.Join(c.folder, "results-quit.csv")
	c.write(second, rows)
	cmd := c.process("import", "--today", "2026-12-01", second)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	c.must(cmd.Start())
	for range 1000 {
		if c.service.arrived.Load() > before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}

	c.must(cmd.Process.Signal(syscall.SIGQUIT))
	_ = cmd.Wait()
	if !strings.Contains(errs.String(), "goroutine") {
		c.Errorf("no dump came: %s", errs.String())
	}
	c.requireClean("the runtime's dump", errs.Bytes(), true)
}

// searchFiles searches every file that was left.
func (c *canaries) searchFiles() {
	c.must(filepath.WalkDir(c.folder, func(path string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() || path == c.schedule {
			return err
		}

		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}

		name := file.Name()
		ofResults := filepath.Dir(path) == c.folder && strings.HasPrefix(name, "results")
		if filepath.Ext(name) == ".xlsx" && ofResults {
			for part, text := range partsOf(c.t, text) {
				c.requireClean(name+" "+part, []byte(text), false)
			}
		}
		c.requireClean(name, text, !ofResults)
		return nil
	}))
}
