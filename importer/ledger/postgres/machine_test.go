package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

// A machine uses a ledger: it has its store, and where the ledger is for it.
type machine struct {
	store    Store
	location string
}

// newMachine makes a ledger and returns its first machine.
func newMachine(t testing.TB, location string) machine {
	t.Helper()
	m := machine{Store{Folder: t.TempDir()}, location}
	l, err := m.store.Create(t.Context(), location, m.options("new"))
	must(t, err)
	must(t, l.Close())
	return m
}

// shared returns a machine of a ledger in the shared cluster.
func shared(t testing.TB) machine {
	t.Helper()
	return newMachine(t, pgtest.Shared(t).NewDatabase(t))
}

// at returns the same machine, which reaches the ledger by another location.
func (m machine) at(location string) machine {
	m.location = location
	return m
}

func (m machine) options(who string) ledger.Options {
	return ledger.Options{Who: who, Host: "FRONT-DESK", Command: "import", Machine: "machine-1", Marks: []string{m.store.Folder}}
}

// open opens the ledger as one process of the machine does. It is closed with the test.
func (m machine) open(t testing.TB, who string) *Ledger {
	t.Helper()
	l, err := m.store.Open(t.Context(), m.location, m.options(who))
	must(t, err)
	t.Cleanup(func() { _ = l.Close() }) // a test may have closed it, or its server is gone
	return l.(*Ledger)
}

// begin opens the ledger and begins a run with the name.
func (m machine) begin(t testing.TB, run string) *Ledger {
	t.Helper()
	l := m.open(t, run)
	ledgertest.Begin(t, l, run)
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
}

// row returns the row with the number.
func row(n int) *importer.Mapped { return ledgertest.Row(fmt.Sprint("T", n)) }

// step returns the step that books a row of which nothing is known.
func step(run string, n int) importer.Step {
	return importer.Step{Run: run, Row: row(n), Account: ledgertest.Lakeshore(), Mapping: "bb22", At: ledgertest.Noon()}
}

// booked returns what came of the step of a row.
func booked(n int) importer.Settled {
	return ledgertest.Settled(importer.TripBooked, fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
}

// bookOne claims a row of which nothing is known, and settles it.
func bookOne(l *Ledger, run string, n int) error {
	ticket, err := l.Claim(context.Background(), step(run, n))
	if err != nil {
		return err
	}
	return l.Settle(context.Background(), ticket, booked(n))
}

// wantTrip wants a row's one trip in the state, and returns it.
func wantTrip(t testing.TB, l *Ledger, n int, want importer.TripState) importer.Standing {
	t.Helper()
	trips := ledgertest.Look(t, l, row(n)).Trips
	if len(trips) != 1 || trips[0].State != want {
		t.Fatalf("row %d has the trips %+v, want one that is %s", n, trips, want.Code())
	}
	return trips[0]
}

// value reads one number from the database of a location.
func value(t testing.TB, location, query string) (n int64) {
	t.Helper()
	at, err := ParseLocation(location)
	must(t, err)
	db, err := at.connect(context.Background(), true, silence)
	must(t, err)
	defer db.Close()
	must(t, db.QueryRowContext(context.Background(), query).Scan(&n))
	return n
}

// checkWhole fails unless the ledger is whole.
func checkWhole(t testing.TB, l *Ledger) {
	t.Helper()
	v, err := l.Verify(context.Background())
	must(t, err)
	for _, wrong := range v.Wrong {
		t.Error(wrong)
	}
}

// wantCode fails unless an error is an *ledger.Error with the code.
func wantCode(t testing.TB, err error, code string) *ledger.Error {
	t.Helper()
	var e *ledger.Error
	if !errors.As(err, &e) || e.Code != code || e.Fix == "" {
		t.Fatalf("the error is %v (%v), want %s", err, errors.Unwrap(err), code)
	}
	return e
}

// wantAway fails unless an error says that the ledger can't be reached now.
func wantAway(t testing.TB, err error) {
	t.Helper()
	if e, ok := errors.AsType[*ledger.Error](err); !ok || !e.Later || strings.Contains(e.Reason, "proxy") {
		t.Fatalf("%v does not say that it may work later, or blames a proxy", err)
	}
}

// within fails if something takes longer.
func within(t *testing.T, what string, most time.Duration, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > most {
		t.Errorf("%s took %v, want %v at most", what, took.Round(time.Millisecond), most)
	}
}

// long reports whether tests may take their time.
func long() bool { return os.Getenv("TRIPIMPORT_LONG") != "" }

// expire has the lease of a run end, as if nothing is heard of its process.
func expire(t *testing.T, m machine, run string) {
	t.Helper()
	new(pgtest.Cluster).Exec(t, m.location, "UPDATE tripimport.runs SET leased_until = clock_timestamp() - INTERVAL '1 second' WHERE id = '"+run+"'")
}
