package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
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

// newMachine makes a ledger and gives its first machine.
func newMachine(t testing.TB, location string) machine {
	t.Helper()
	m := machine{Store{Folder: t.TempDir(), Patience: 20 * time.Second}, location}
	l, err := m.store.Create(t.Context(), location, m.options("new"))
	must(t, err)
	must(t, l.Close())
	return m
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

// begin opens the ledger and begins a run of that name.
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

// claim returns the claim of a trip of that number, with the key of its row.
func claim(run string, n int) importer.Claim {
	trip := ledgertest.Trip(fmt.Sprint("T", n))
	c := ledgertest.Claim(run, trip, n)
	c.Key = importer.RowKey{Broker: "Lakeshore", ID: trip.ID, TripID: trip.ID, Date: trip.Date()}
	c.Within = 15
	return c
}

// created is the settlement of the trip of that number.
func created(n int) importer.Settlement {
	return ledgertest.Settlement(importer.Created, fmt.Sprint("guid-", n))
}

// value reads one number from the database of a location.
func value(t testing.TB, location, query string) (n int64) {
	t.Helper()
	at, err := ParseLocation(location)
	must(t, err)
	db, err := at.Connect(context.Background(), ConnectOptions{ReadOnly: true})
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

// wantCode fails unless an error has that code.
func wantCode(t testing.TB, err error, code string) *ledger.Error {
	t.Helper()
	return ledgertest.AsError(t, err, code)
}

// long reports whether tests may take their time.
func long() bool { return os.Getenv("TRIPIMPORT_LONG") != "" }

// shared returns a machine of a ledger in the shared cluster.
func shared(t testing.TB) machine {
	t.Helper()
	return newMachine(t, pgtest.Shared(t).NewDatabase(t))
}

// expire has the lease of a run run out, as where nothing is heard of its process.
func expire(t *testing.T, m machine, run string) {
	t.Helper()
	new(pgtest.Cluster).Exec(t, m.location, "UPDATE tripimport.runs SET leased_until = clock_timestamp() - INTERVAL '1 second' WHERE id = '"+run+"'")
}
