package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
)

// An import whose ledger goes away in the middle waits for it once, says so once within 15
// seconds, and ends with what is true: what it did not send is not sent. The same command sends
// the rest.
func TestSharedLedgerIsAway(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for half a minute, as a run does: go test without -short runs it")
	}
	t.Parallel()
	rows := inventedRows(300, func(int) bool { return false })
	o := newSharedOffice(t, pgtest.Start(t), rows, sandbox.Config{Delay: 150 * time.Millisecond}) // so that some are under way at any moment
	schedule := filepath.Join(o.folder, "night.csv")
	o.write(schedule, rows)

	var printed strings.Builder
	first := o.process("import", "--today", "2026-12-01", "--set", "workers=8", schedule)
	first.Stdout, first.Stderr = &printed, &printed
	o.must(first.Start())
	for len(o.entries()) < 40 {
		time.Sleep(10 * time.Millisecond)
	}
	o.cluster.Stop(t, pgtest.Immediate)
	began := time.Now()
	_ = first.Wait() // its status says it
	lasted, sent, text := time.Since(began), len(o.booked()), printed.String()
	if first.ProcessState.ExitCode() != exitLater || lasted > 15*time.Second {
		t.Errorf("it ends with %d after %s", first.ProcessState.ExitCode(), lasted)
	}
	if !strings.Contains(text, "Stopped early: the ledger at") || !strings.Contains(text, "the service gave it the GUID") || !strings.Contains(text, "control total: 300 rows") {
		t.Errorf("%d trips were sent:\n%s", sent, text)
	}

	o.cluster.Restart(t)
	s := o.run("import", "--today", "2026-12-01", "--set", "workers=8", schedule)
	// As many as were under way when the ledger went away, at most one a worker, without those to which the
	// results of the first run prove that the service gave a GUID.
	maybe := func(text string) int {
		found := regexp.MustCompile(`\b([1-8]) trips?: may be booked: look first`).FindStringSubmatch(text)
		if found == nil {
			return 0
		}
		n, _ := strconv.Atoi(found[1])
		return n
	}
	proved := strings.Count(text, "the service gave it the GUID")
	if proved == 0 || maybe(s.out) > 8-proved || (s.status == exitPerson) != (maybe(s.out) > 0) {
		t.Errorf("%d trips are proved; the next import ends with %d: %s%s\n%s", proved, s.status, s.out, s.err, text)
	}
	for id, guids := range o.booked() {
		if len(guids) != 1 {
			t.Errorf("%s is booked %d times", id, len(guids))
		}
	}
	// The request of one that was under way may not have left before the ledger was away.
	if n := len(o.booked()); n < 300-8 || sent >= 300 {
		t.Errorf("%d trips are booked, %d of them before", n, sent)
	}
}
