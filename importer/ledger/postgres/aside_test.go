package postgres

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// Answers that one process keeps aside while others open the ledger are all recorded, once,
// and a person's answer stays.
func TestAnswersKeptAside(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	const trips = 30
	var claims []importer.Claimed
	for n := range trips {
		claimed, err := l.Claim(t.Context(), claim("run-1", n+1))
		must(t, err)
		claims = append(claims, claimed)
	}
	must(t, l.Ledger.Settle(t.Context(), claims[0], ledgertest.Settlement(importer.Created, "guid-known"))) // before its answer is entered

	var wait sync.WaitGroup
	wait.Go(func() {
		for n, claimed := range claims {
			if err := l.aside.add(keptAnswer{Attempt: claimed.Attempt, Settlement: created(n + 1)}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 {
		wait.Go(func() {
			for range 4 {
				o, err := m.store.Open(t.Context(), m.location, m.options("other"))
				if err != nil {
					t.Error(err)
					return
				}
				_ = o.Close()
			}
		})
	}
	wait.Wait()

	must(t, l.aside.add(keptAnswer{Attempt: claims[1].Attempt, Settlement: created(2)}))
	for _, path := range asideFiles(t, m) {
		text, err := os.ReadFile(path)
		must(t, err)
		info, err := os.Stat(path)
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || strings.Contains(string(text), "T2") || strings.Contains(string(text), "Elm") {
			t.Errorf("%s %s: %s", info.Mode(), path, text)
		}
	}
	if len(asideFiles(t, m)) == 0 {
		t.Error("no answer was kept")
	}
	last := m.open(t, "last")
	if files := asideFiles(t, m); len(files) > 0 {
		t.Errorf("%d answers are still kept", len(files))
	}
	for n := range trips {
		want := created(n + 1).GUID
		if n == 0 {
			want = "guid-known"
		}
		if r := findFor(t, last, claim("run-1", n+1)); r.State != importer.Created || r.GUID != want {
			t.Errorf("trip %d is %s %s, want %s", n+1, r.State.Code(), r.GUID, want)
		}
	}
	checkWhole(t, last)
}

// asideFiles returns the files of answers on a machine.
func asideFiles(t *testing.T, m machine) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.store.Folder, "*.answer-*"))
	must(t, err)
	return files
}
