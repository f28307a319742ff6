package postgres

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// The variables by which the test binary is the process of a client.
const (
	clientLocation = "TRIPIMPORT_TEST_CLIENT"
	clientFolder   = "TRIPIMPORT_TEST_FOLDER"
	clientRun      = "TRIPIMPORT_TEST_RUN"
)

// TestClient is the process that TestKilledClients kills: it books trips, and prints the
// number of each that it sends and of each that it has recorded.
func TestClient(t *testing.T) {
	location, run := os.Getenv(clientLocation), os.Getenv(clientRun)
	if location == "" {
		t.Skip("it is the process that TestKilledClients starts and kills, and no test by itself")
	}
	m := machine{Store{Folder: os.Getenv(clientFolder), Lease: time.Second}, location}
	l := m.begin(t, run)
	var wait sync.WaitGroup
	for w := range 8 {
		wait.Go(func() {
			for n := w; n < 100_000; n += 8 {
				ticket, err := l.Claim(t.Context(), step(run, n))
				if errors.Is(err, importer.ErrMeanwhile) {
					continue
				}
				must(t, err)
				fmt.Printf("\nsent %d\n", n)
				must(t, l.Settle(t.Context(), ticket, booked(n)))
				fmt.Printf("\nrecorded %d\n", n)
			}
		})
	}
	wait.Wait()
}

// TestKilledClients kills processes at any time. The next one sends nothing that a killed one
// may have sent, and what each recorded is booked. TRIPIMPORT_LONG=1 kills forty.
func TestKilledClients(t *testing.T) {
	t.Parallel()
	m := shared(t)
	kills := 4
	if long() {
		kills = 40
	}
	sent, recorded := map[int]int{}, map[int]bool{}
	for k := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestClient$")
		cmd.Env = append(os.Environ(), clientLocation+"="+m.location, clientFolder+"="+m.store.Folder, fmt.Sprint(clientRun, "=run-", k))
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		seen, said := 0, ""
		for lines.Scan() {
			said += lines.Text() + "\n"
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "sent %d", &n); err == nil {
				sent[n]++
			}
			if _, err := fmt.Sscanf(lines.Text(), "recorded %d", &n); err == nil {
				recorded[n] = true
				if seen++; seen == 20+k*3 {
					must(t, cmd.Process.Kill())
				}
			}
		}
		_ = cmd.Wait() // it was killed
		if seen < 20 {
			t.Fatalf("client %d recorded %d trips: %s", k, seen, said)
		}
	}
	for n, times := range sent {
		if times > 1 {
			t.Errorf("trip %d was sent %d times", n, times)
		}
	}
	time.Sleep(time.Second) // the last lease ends
	last := m.begin(t, "last")
	unclear := 0
	for n := range sent {
		trips := ledgertest.Look(t, last, row(n)).Trips
		switch {
		case len(trips) != 1:
			t.Errorf("trip %d: %+v", n, trips)
		case recorded[n] && trips[0].State != importer.TripBooked:
			t.Errorf("trip %d was recorded, and is %s", n, trips[0].State.Code())
		case trips[0].State == importer.TripUnclear:
			unclear++
		case trips[0].State != importer.TripBooked:
			t.Errorf("trip %d was sent, and is %s", n, trips[0].State.Code())
		}
	}
	t.Logf("%d sent, %d unclear after %d kills", len(sent), unclear, kills)
	checkWhole(t, last)
}
