package results_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

func pageOf(t *testing.T, s results.Summary) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	s := summarize(resultstest.RunStart(), resultstest.Night(60), importer.RunResult{})
	html := pageOf(t, s)
	for _, want := range []string{
		s.Sentence, "half booked: refused by the service", "70008-B", "Trips!F3 (Mobility)", "tripimport retry lakeshore.results.xlsx",
		"Trips by funding source", "control total", "3 of them earlier",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if i, j := strings.Index(html, "half booked:"), strings.Index(html, "may be booked: look first"); i > j {
		t.Error("half booked journeys do not come first")
	}
	// Nothing is loaded from anywhere.
	if m := regexp.MustCompile(`(?i)(src|href|action|srcset)\s*=|url\(|@import|https?://`).FindString(html); m != "" {
		t.Errorf("the page refers to something outside: %s", m)
	}
	if strings.Contains(html, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
}

func TestPageIsInert(t *testing.T) {
	r := resultstest.Result(5, importer.Unknown)
	r.Trips[0].Trip.ID = `"><script>alert(1)</script>`
	r.Trips[0].Outcome.Message = `<img src=x onerror=alert(1)>`
	h := resultstest.RunStart()
	h.Run.Mapping = "</style><b>"
	html := pageOf(t, summarize(h, []importer.RowResult{r}, importer.RunResult{}))
	if strings.Contains(html, "<script>alert") || strings.Contains(html, "<img") || strings.Contains(html, "<b>") {
		t.Error("a cell's content became part of the page")
	}
	if n := strings.Count(html, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
}

func TestPageOfARehearsalAndAnAlarm(t *testing.T) {
	h := resultstest.RunStart()
	h.Rehearsal = true
	html := pageOf(t, summarize(h, all(3, importer.Created), importer.RunResult{Totals: importer.Totals{RowsRead: 1}}))
	if !strings.Contains(html, "REHEARSAL: nothing was booked") || !strings.Contains(html, "DOES NOT BALANCE") {
		t.Error("the page does not say what must not be overlooked")
	}
}

// Redacted results have only ids and codes.
func TestRedacted(t *testing.T) {
	o := resultstest.Options(t, results.XLSX)
	o.Redact = true
	rows := resultstest.Night(40)
	name, s := resultstest.Write(t, o, resultstest.RunStart(), rows)
	var said strings.Builder
	f := resultstest.OpenWorkbook(t, name)
	for _, sheet := range f.GetSheetList() {
		for _, row := range cells(t, f, sheet) {
			said.WriteString(strings.Join(row, "\n") + "\n")
		}
	}
	said.WriteString(pageOf(t, *s))
	said.WriteString(s.Text(100))
	text := said.String()
	if !strings.Contains(text, "space-type-unknown") || !strings.Contains(text, "70005") {
		t.Error("codes or ids are missing")
	}
	for _, secret := range []string{"Rider Number", "Elm St", "313-555", "Wheel chair XL", "0000041", "no answer within", "not eligible", "48201", "42.33", " 12:05"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q was not redacted", secret)
		}
	}
}

// browser finds a Chromium to look at the page with.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed (package chromium): the page's search was not tried")
	return ""
}

// The search hides the rows that don't fit, in a real browser.
func TestPageSearch(t *testing.T) {
	chromium := browser(t)
	s := summarize(resultstest.RunStart(), resultstest.Night(60), importer.RunResult{})
	dir := t.TempDir()
	name, err := s.WritePage(filepath.Join(dir, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=2000", "--dump-dom", "file://"+name+"#q=changed%2070013")
	cmd.Env = append(os.Environ(), "HOME="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dom := string(out)
	if !strings.Contains(dom, "1 of 9 rows") || strings.Count(dom, `<tr hidden="">`) != 8 {
		t.Errorf("%d rows are hidden, want 8 of 9", strings.Count(dom, `<tr hidden="">`))
	}
}
