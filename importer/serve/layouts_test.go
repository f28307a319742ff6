package serve_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestUnseenLayouts takes each of twelve brokers' layouts under headers that no template has, from the drop
// to the end of a rehearsal: it counts clicks and typed texts, and tells how long the answers took.
func TestUnseenLayouts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "layouts", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return slices.Contains([]string{"places.csv", "riders.csv"}, filepath.Base(path))
	})
	if len(paths) != 12 {
		t.Fatalf("%d layouts", len(paths))
	}
	if testing.Short() { // each takes seconds under the race detector
		paths = paths[:3]
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			o := newOffice(t)
			riders, err := os.ReadFile(filepath.Join(filepath.Dir(path), "riders.csv"))
			o.must(err)
			o.must(os.WriteFile(filepath.Join(o.home, "riders.csv"), riders, 0o600)) // the office's own list
			o.start()
			v := o.enter(1)
			began := time.Now()
			id := v.arrive("their export.csv", underOtherHeaders(t, path))
			clicks, typed := 2, 0 // the file, and "say what its columns are"
			v.mustSay(v.get("/w/"+id+"/faults"), 200, "Say what its columns are")
			clicks, typed = v.answerAll(id, map[bool]string{true: "OR", false: "MI"}[strings.Contains(path, "ride-to-care")], clicks, typed)
			screen := v.get("/w/" + id + "/columns")
			if !strings.Contains(screen.text, "exactly as in the file") {
				t.Fatalf("no trips: %s", plainText(screen.text))
			}
			approval := url.Values{"seen": {regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(screen.text)[1]}}
			for _, found := range regexp.MustCompile(`name="unused" value="([^"]*)"`).FindAllStringSubmatch(screen.text, -1) {
				approval.Add("unused", unescaped(found[1]))
				clicks++
			}
			if r := v.post("/w/"+id+"/approve", approval); r.status != http.StatusSeeOther {
				t.Fatalf("approving: %d %s: %s", r.status, plainText(r.text), plainText(screen.text))
			}
			v.get("/w/" + id + "/faults")
			v.post("/w/"+id+"/run", v.plan(id, "rehearse"))
			v.untilEnded()
			clicks += 4 // approve, go on, plan, rehearse
			took := time.Since(began)
			end := v.get("/w/" + id + "/book").text
			if !strings.Contains(end, "ehears") || !strings.Contains(end, "control total") {
				t.Errorf("the rehearsal: %s", plainText(end))
			}
			t.Logf("%d clicks, %d texts, %v", clicks, typed, took.Round(time.Millisecond))
			if clicks > 25 || typed > 2 {
				t.Errorf("%d clicks and %d texts, 25 and 2 at most", clicks, typed)
			}
		})
	}
}

// answerAll answers all questions about a layout: the names that are the same in all rows by typing, and
// the others by their first choice.
func (v *visitor) answerAll(id, state string, clicks, typed int) (int, int) {
	v.Helper()
	question := regexp.MustCompile(`(?s)<form class="question".*?</form>`)
	ask := regexp.MustCompile(`name="ask" value="([^"]*)"`)
	choice := regexp.MustCompile(`name="choice" value="([^"]*)"`)
	for range 20 {
		form := question.FindString(v.get("/w/" + id + "/columns").text)
		if form == "" {
			break
		}
		answer := url.Values{"ask": {unescaped(ask.FindStringSubmatch(form)[1])}}
		choices := choice.FindAllStringSubmatch(form, -1)
		switch {
		case len(choices) > 0:
			best := 0 // of a layout without trip ids, a made one
			if strings.Contains(answer.Get("ask"), "identifies a trip") {
				best = len(choices) - 1
			}
			answer.Set("choice", unescaped(choices[best][1]))
		case strings.Contains(answer.Get("ask"), "provider"):
			typed++
			answer.Set("typed", "Lakeshore Transit")
		case strings.Contains(answer.Get("ask"), "state"):
			typed++
			answer.Set("typed", state)
		default:
			typed++
			answer.Set("typed", "Harborview Health")
		}
		clicks++
		if r := v.post("/w/"+id+"/columns", answer); r.status != http.StatusSeeOther {
			v.Fatalf("%v: %d %s", answer, r.status, plainText(r.text))
		}
	}
	return clicks, typed
}

// underOtherHeaders returns an export whose headers begin with another word each.
func underOtherHeaders(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := slices.IndexFunc(rows, func(row []string) bool {
		return len(row) > 7 && !slices.Contains(row[:8], "")
	})
	for c, h := range rows[head] {
		if h != "" {
			rows[head][c] = "The " + h
		}
	}
	var out strings.Builder
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// plainText returns what a screen says.
func plainText(screen string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(fmt.Sprint(screen), " ")), " ")
}
