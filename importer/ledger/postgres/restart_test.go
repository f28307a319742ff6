package postgres

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

// TestRestart restarts the server, in good order and by a crash, while the workers of two
// machines claim and settle. No run fails, and the ledger has whatever was granted, once.
// TRIPIMPORT_LONG=1 restarts it twenty times.
func TestRestart(t *testing.T) {
	t.Parallel()
	c := pgtest.Start(t, "fsync=on", "listen_addresses='127.0.0.1'")
	m := newMachine(t, c.NewDatabase(t))
	m.store.Patience = time.Minute // a server that was killed may take long to start beside other tests
	restarts := []pgtest.Mode{pgtest.Immediate, pgtest.Fast, pgtest.Immediate}
	if long() {
		for range 17 {
			restarts = append(restarts, pgtest.Immediate)
		}
	}
	var next, granted atomic.Int64
	var tickets sync.Map
	var wait sync.WaitGroup
	stop := make(chan struct{})
	work := func(l *Ledger, run string) error {
		for {
			select {
			case <-stop:
				return nil
			default:
			}
			n := int(next.Add(1))
			ticket, err := l.Claim(t.Context(), step(run, n))
			if err != nil {
				return fmt.Errorf("claim %d: %w", n, err)
			}
			granted.Add(1)
			if _, twice := tickets.LoadOrStore(ticket.Event, n); twice {
				return fmt.Errorf("the event %d was given twice", ticket.Event)
			}
			if err := l.Settle(t.Context(), ticket, booked(n)); err != nil {
				return fmt.Errorf("settle %d: %w", n, err)
			}
		}
	}
	for _, run := range []string{"run-1", "run-2"} {
		l := m.begin(t, run)
		for range 4 {
			wait.Go(func() {
				if err := work(l, run); err != nil {
					t.Errorf("%s: %v (%v)", run, err, errors.Unwrap(errors.Unwrap(err)))
				}
			})
		}
	}
	for _, mode := range restarts {
		before := next.Load()
		for next.Load() < before+40 && !t.Failed() {
			time.Sleep(5 * time.Millisecond)
		}
		c.Stop(t, mode)
		c.Restart(t)
	}
	close(stop)
	wait.Wait()

	n := granted.Load()
	if trips, settled := value(t, m.location, "SELECT COUNT(*) FROM trips"), value(t, m.location, "SELECT COUNT(*) FROM events WHERE kind = 'settled'"); trips != n || settled != n || n < 100 {
		t.Errorf("%d claims were granted, the ledger has %d trips and %d settlements", n, trips, settled)
	}
	checkWhole(t, m.open(t, "last"))

	tcp := fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable", pgtest.Superuser, c.Port)
	if got := connected(t, at(t, "%s", tcp), Store{}, false, "SELECT current_setting('tcp_keepalives_idle') || ' ' || current_setting('tcp_user_timeout')"); got != "5 10000" && got != "5 10s" {
		t.Errorf("the server notices a dead connection after %s", got)
	}
}

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
