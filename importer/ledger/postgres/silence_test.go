package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// within fails if something takes longer.
func within(t *testing.T, what string, most time.Duration, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > most {
		t.Errorf("%s took %v, want %v at most", what, took.Round(time.Millisecond), most)
	}
}

// If a network loses everything without an error, nothing hangs: queries are repeated,
// and succeed once the network works.
func TestSilence(t *testing.T) {
	t.Parallel()
	m := shared(t)
	told := &notices{}
	m.store.Silence, m.store.Patience, m.store.Notice = 2*time.Second, 20*time.Second, told.notice
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	ledgertest.Book(t, l, claim("run-1", 1), "guid-1")
	told.want(t)

	for name, do := range map[string]func() error{
		"a claim": func() error { _, err := l.Claim(context.Background(), claim("run-1", 2)); return err },
		"a look-up": func() error {
			_, _, err := l.Find(context.Background(), ledgertest.Lakeshore(), ledgertest.Trip("T1"))
			return err
		},
	} {
		p.silence(true)
		back := time.AfterFunc(3*time.Second, func() { p.silence(false) })
		within(t, name, 15*time.Second, func() { must(t, do()) })
		back.Stop()
		told.want(t, "has not answered", "can be reached again")
	}
	if n := value(t, m.location, "SELECT COUNT(*) FROM attempts"); n != 2 {
		t.Errorf("the ledger has %d attempts, want 2", n)
	}
	checkWhole(t, m.open(t, "other"))
}

// A network that stays silent ends the run: nothing is claimed, and an answer is kept.
func TestSilenceForGood(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Silence, m.store.Patience = time.Second, time.Second
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	open, err := l.Claim(t.Context(), claim("run-1", 1))
	must(t, err)

	p.silence(true)
	within(t, "all of it", 30*time.Second, func() {
		_, _, err := l.Find(context.Background(), ledgertest.Lakeshore(), ledgertest.Trip("T1"))
		wantLater(t, err, "ledger-unreachable")
		must(t, l.Settle(context.Background(), open, created(1)))
		_, err = l.Claim(context.Background(), claim("run-1", 2))
		wantLater(t, err, "ledger-unreachable")
		_ = l.Close()
	})

	next := m.begin(t, "run-2")
	if r := ledgertest.Find(t, next, ledgertest.Trip("T1")); r.State != importer.Created || r.GUID != "guid-1" {
		t.Errorf("the answer that was kept: %+v", r)
	}
	if _, err := next.Claim(t.Context(), claim("run-2", 2)); err != nil {
		t.Errorf("what could not be claimed: %v", err)
	}
}

// wantLater wants an error of that code whose cause may go away.
func wantLater(t *testing.T, err error, code string) {
	t.Helper()
	if e := wantCode(t, err, code); !e.Later {
		t.Errorf("%s: it is not said that it may work later", code)
	}
}

// A machine that died in the midst of a transaction holds the others up for seconds.
func TestDeadMachine(t *testing.T) {
	t.Parallel()
	m := shared(t)
	told := &notices{}
	m.store.Silence, m.store.Notice = 8*time.Second, told.notice
	l := m.begin(t, "run-1")
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := at.Connect(t.Context(), ConnectOptions{Silence: m.store.Silence})
	must(t, err)
	defer db.Close()
	dead, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer dead.Rollback()
	_, err = dead.ExecContext(t.Context(), "UPDATE state SET commits = commits + 1")
	must(t, err)

	began := time.Now()
	within(t, "a claim", 6*time.Second, func() { ledgertest.Book(t, l, claim("run-1", 1), "guid-1") })
	if time.Since(began) < time.Second {
		t.Error("the transaction held nobody up: the test shows nothing")
	}
	told.want(t, "has not answered", "can be reached again")
}

// Deadlines that the connection's user sets hold, and are its time-outs.
func TestDeadlines(t *testing.T) {
	ours, theirs := pipe(t)
	conn := &talkingConn{Conn: ours, longest: 100 * time.Millisecond}
	b := make([]byte, 1)

	must(t, conn.SetDeadline(time.Now().Add(10*time.Millisecond)))
	var timed interface{ Timeout() bool }
	if _, err := conn.Read(b); !errors.As(err, &timed) || !timed.Timeout() {
		t.Errorf("its user's deadline gave %v", err)
	}
	must(t, conn.SetDeadline(time.Time{}))
	if _, err := theirs.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(b); n != 1 || err != nil {
		t.Errorf("after its user's deadline: %d, %v", n, err)
	}
	var reading interface{ Timeout() bool }
	if _, err := conn.Read(b); !errors.Is(err, silentError{}) || errors.As(err, &reading) {
		t.Errorf("silence gave %v", err)
	}
	if _, err := conn.Write(b); err == nil {
		t.Error("the connection is open after the silence")
	}
}

// pipe returns the two ends of a connection.
func pipe(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	ours, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	must(t, err)
	theirs, err = listener.Accept()
	must(t, err)
	t.Cleanup(func() {
		ours.Close()
		theirs.Close()
	})
	return ours, theirs
}

// A server that takes its time is waited for. TRIPIMPORT_LONG=1 has it take 2 s for each
// statement.
func TestSlowServer(t *testing.T) {
	t.Parallel()
	m := shared(t)
	delay, trips := 50*time.Millisecond, 8
	if long() {
		delay = 2 * time.Second
	}
	p := newProxy(t, m.location)
	here, there := m.at(p.location).begin(t, "run-1"), m.begin(t, "run-2")
	p.slow(delay)
	var granted sync.Map
	var wait sync.WaitGroup
	for n := range trips {
		for i, l := range []*Ledger{here, there} {
			wait.Go(func() {
				if err := importOne(l, fmt.Sprint("run-", i+1), 1+2*n+i, &granted); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	p.slow(0)
	checkWhole(t, there)
}
