package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/sqlite"
)

const (
	writerPath = "LEDGER_WRITER"
	writerRun  = "LEDGER_WRITER_RUN"
)

// TestWriter is not a test: it is the process that TestKilled kills. It sends trips and changes of
// them, and prints what the ledger said is done.
func TestWriter(t *testing.T) {
	path, run := os.Getenv(writerPath), os.Getenv(writerRun)
	if path == "" {
		t.Skip("it is the process that TestKilled starts and kills, and no test by itself")
	}
	ctx := context.Background()
	l, err := sqlite.Store{}.Open(ctx, path, ledger.Options{Who: "dana", Command: "import", LockWait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ledgertest.Begin(t, l, run)
	done := make(chan string)
	for w := range 8 {
		go func() {
			for n := w; ; n += 8 {
				if err := sendAndChange(ctx, t, l, run, fmt.Sprintf("%sx%d", run, n), done); err != nil {
					done <- "failed " + err.Error()
					return
				}
			}
		}()
	}
	for line := range done {
		fmt.Println("\n" + line)
	}
}

// sendAndChange books a trip and changes it.
func sendAndChange(ctx context.Context, t *testing.T, l ledger.Ledger, run, id string, done chan<- string) error {
	row := ledgertest.Row(id)
	ticket, err := l.Claim(ctx, ledgertest.Step(t, l, run, row, 0))
	if err != nil {
		return err
	}
	done <- "claimed " + id
	if err := l.Settle(ctx, ticket, ledgertest.Settled(importer.TripBooked, "g-"+id)); err != nil {
		return err
	}
	done <- "booked " + id
	ticket, err = l.Claim(ctx, ledgertest.Change(t, l, run, row, "space_type"))
	if err != nil {
		return err
	}
	done <- "changing " + id
	if err := l.Settle(ctx, ticket, ledgertest.Settled(importer.TripBooked, "")); err != nil {
		return err
	}
	done <- "changed " + id
	return nil
}

// TestKilled kills a process that writes, again and again, and looks in the ledger for everything
// that the process printed. TRIPIMPORT_LONG=1 makes it 200 kills.
func TestKilled(t *testing.T) {
	kills := 5
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		kills = 200
	}
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := sqlite.Store{}.Create(t.Context(), path, ledger.Options{Who: "sam"})
	if err != nil {
		t.Fatal(err)
	}
	total, unclear := 0, 0
	for n := range kills {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		said := killOnce(t, path, fmt.Sprint("kill-", n), 30+n*37%200)
		if l, err = (sqlite.Store{}).Open(t.Context(), path, ledger.Options{Who: "sam"}); err != nil {
			t.Fatal(err)
		}
		for id, last := range said {
			trips := ledgertest.Look(t, l, ledgertest.Row(id)).Trips
			if problem := isLost(last, id, trips); problem != "" {
				t.Errorf("kill %d: %s was %s and is %s", n, id, last, problem)
			}
			if len(trips) == 1 && (trips[0].State == importer.TripUnclear || trips[0].Change != nil) {
				unclear++
			}
		}
		total += len(said)
		if v, err := l.Verify(t.Context()); err != nil || len(v.Wrong) > 0 || v.Open > 8*(n+1) {
			t.Fatalf("kill %d: %+v, %v", n, v, err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if total == 0 {
		t.Error("nothing was written")
	}
	t.Logf("%d kills, %d trips, %d of them in doubt, none lost", kills, total, unclear)
}

// isLost says what is wrong with the trips of a row of which the process last said that; empty if
// nothing is. What came after it may be recorded as well.
func isLost(last, id string, trips []importer.Standing) string {
	if len(trips) != 1 {
		return fmt.Sprintf("%d trips", len(trips))
	}
	s := &trips[0]
	booked := s.State == importer.TripBooked && s.GUID == "g-"+id
	doubt := s.Change != nil && s.Change.State == importer.ChangeUnclear
	ok := booked
	switch last {
	case "claimed":
		ok = booked || s.State == importer.TripUnclear
	case "changed":
		ok = booked && s.Change == nil
	}
	if !ok || s.Change != nil && !doubt {
		return fmt.Sprintf("%s, change %+v", s.State.Code(), s.Change)
	}
	return ""
}

// killOnce runs the writer until it has printed so many lines, and kills it. It returns what it last
// said of each row.
func killOnce(t *testing.T, path, run string, lines int) map[string]string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriter$", "-test.v")
	cmd.Env = append(os.Environ(), writerPath+"="+path, writerRun+"="+run)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said, heard := map[string]string{}, 0
	for s := bufio.NewScanner(out); s.Scan(); {
		word, id, _ := strings.Cut(s.Text(), " ")
		switch word {
		case "failed":
			t.Error(s.Text())
		case "claimed", "booked", "changing", "changed":
			said[id] = word
			if heard++; heard == lines {
				_ = cmd.Process.Kill()
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if heard < lines {
		t.Errorf("the process ended by itself after %d lines", heard)
	}
	return said
}
