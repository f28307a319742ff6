package places_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/places"
)

func TestCache(t *testing.T) {
	s := start(t)
	path := filepath.Join(t.TempDir(), "new", "places.cache")
	known, unknown := line("12 Alder Way, Dearborn, MI 48124"), line("3 Nowhere Ln, Dearborn, MI 48124")
	day := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	run := func(now time.Time) *places.Places {
		t.Helper()
		cache, err := places.OpenCache(path)
		if err != nil {
			t.Fatal(err)
		}
		p := asking(geocoders(t, s)["census"], places.WithCache(cache), places.WithClock(func() time.Time { return now }))
		prepare(t, p, known, unknown)
		return p
	}
	first, _ := placed(run(day), known)
	p := run(day.AddDate(0, 0, 1))
	if got, _ := placed(p, known); got != first || !got.IsSet() {
		t.Errorf("%v, then %v", first, got)
	}
	cache, err := places.OpenCache(path)
	if err != nil {
		t.Fatal(err)
	}
	never := asking(geocoders(t, s)["census"], places.WithCache(cache), places.WithClock(func() time.Time { return day }))
	if got, _ := placed(never, known); got != first {
		t.Errorf("an address that was never wanted is at %v", got)
	}
	if n := p.Counts(); n.Requests != 0 || n.Cached != 2 {
		t.Errorf("second run: %+v", n)
	}
	if n := run(day.AddDate(0, 0, 40)).Counts(); n.Asked != 1 || n.Cached != 1 {
		t.Errorf("what was not known is not asked for again: %+v", n)
	}
	for _, file := range []string{path, path + ".key"} {
		info, err := os.Stat(file)
		if err != nil || !places.Private(info) {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, clear := range []string{"alder", "nowhere", "dearborn", "48124"} {
		if strings.Contains(strings.ToLower(string(text)), clear) {
			t.Errorf("%q stands in the cache:\n%s", clear, text)
		}
	}
}

func TestForgetAndPrune(t *testing.T) {
	s := start(t)
	path := filepath.Join(t.TempDir(), "places.cache")
	cache, err := places.OpenCache(path)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	p := asking(geocoders(t, s)["census"], places.WithCache(cache), places.WithClock(func() time.Time { return now }))
	prepare(t, p, line("12 Alder Way, Dearborn, MI 48124"), line("14 Alder Way, Dearborn, MI 48124"))
	if n, err := cache.Forget("12 alder way apt 7, Dearborn, MI 48124"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := cache.Forget("99 Alder Way, Dearborn, MI 48124"); n != 0 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := cache.Prune(importer.Date{Year: 2026, Month: 12, Day: 1}); n != 0 || err != nil {
		t.Errorf("pruned %d, %v", n, err)
	}
	again, err := places.OpenCache(path)
	if err != nil || again.Len() != 1 || !again.Consented("census") {
		t.Errorf("%d left, consent %v, %v", again.Len(), again.Consented("census"), err)
	}
	if n, err := again.Prune(importer.Date{Year: 2026, Month: 12, Day: 2}); n != 1 || err != nil {
		t.Errorf("pruned %d, %v", n, err)
	}
}

// TestCacheOfSeveralRuns holds that removing answers keeps those that another run
// has added meanwhile, and brings none back that it has removed.
func TestCacheOfSeveralRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "places.cache")
	day := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	run := func(number string) *places.Cache {
		t.Helper()
		cache, err := places.OpenCache(path)
		if err != nil {
			t.Fatal(err)
		}
		p := asking(places.NewRehearsal("census"), places.WithCache(cache), places.WithClock(func() time.Time { return day }))
		prepare(t, p, line(number+" Alder Way, Dearborn, MI 48124"))
		return cache
	}
	first := run("12")
	second := run("14")
	run("16")

	if n, err := second.Forget("12 Alder Way, Dearborn, MI 48124"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := first.Forget("16 Alder Way, Dearborn, MI 48124"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	again, err := places.OpenCache(path)
	if err != nil || again.Len() != 1 || !again.Consented("census") {
		t.Errorf("%d left, consent %v, %v", again.Len(), again.Consented("census"), err)
	}
	if n, err := again.Forget("14 Alder Way, Dearborn, MI 48124"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
}

func TestDamagedCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "places.cache")
	if _, err := places.OpenCache(path); err != nil {
		t.Fatal(err)
	}
	wantInputError := func(what string) {
		t.Helper()
		var input *importer.InputError
		if _, err := places.OpenCache(path); !errors.As(err, &input) || input.Fix == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	key, err := os.ReadFile(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(path+".key", []byte("zz"))
	wantInputError("damaged key")
	if err := os.Remove(path + ".key"); err != nil {
		t.Fatal(err)
	}
	wantInputError("no key")
	put(path+".key", key)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(path, append(bytes.Clone(text), "0123,42.1,-83"...)) // a crash
	if c, err := places.OpenCache(path); err != nil || c.Len() != 0 {
		t.Errorf("a line cut short: %v", err)
	}
	put(path, []byte("something else\n"))
	wantInputError("not a cache")
}
