package postgres

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// TestCut cuts the connection that writes at every point of a claim and of a settlement:
// before each message of the program, and between the server's answer and the program,
// that to the commit among them. The ledger has each trip once in the end, and each
// attempt is another. TRIPIMPORT_LONG=1 cuts before each message, not before each question.
func TestCut(t *testing.T) {
	t.Parallel()
	m := shared(t)
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	other := m.begin(t, "run-2") // takes numbers as well
	attempts := map[int64]bool{}
	n := 0

	for mode, f := range map[string]fate{"before a message": cut, "after an answer": cutAnswer} {
		for point := 1; ; point++ {
			n++
			fired := p.cutAt(f, point)
			c := claim("run-1", n)
			c.Account.Provider = fmt.Sprint("Provider ", n) // the ledger has to add it
			c.Account.Key = importer.NewSecret(c.Account.Provider)
			claimed, err := l.Claim(t.Context(), c)
			firedAtClaim := fired.Load()
			if err != nil {
				t.Fatalf("claim, cut %s %d: %v (%v)", mode, point, err, errors.Unwrap(err))
			}
			if r := findFor(t, other, c); r.Attempt != claimed.Attempt || !r.InFlight || attempts[claimed.Attempt] {
				t.Errorf("claim, cut %s %d: attempt %d, the ledger has %+v", mode, point, claimed.Attempt, r)
			}
			attempts[claimed.Attempt] = true
			if _, err := other.Claim(t.Context(), c); !errors.Is(err, importer.ErrClaimed) {
				t.Errorf("claim, cut %s %d: claimed a second time: %v", mode, point, err)
			}
			between := n + 10_000
			ledgertest.Book(t, other, claim("run-2", between), fmt.Sprint("guid-", between))

			fired = p.cutAt(f, point)
			must(t, l.Settle(t.Context(), claimed, created(n)))
			if r := findFor(t, other, c); r.State != importer.Created || r.InFlight || r.Attempts != 1 {
				t.Errorf("settlement, cut %s %d: %+v", mode, point, r)
			}
			if err := l.Settle(t.Context(), claimed, created(n)); err == nil {
				t.Errorf("settlement, cut %s %d: settled twice", mode, point)
			}
			if !firedAtClaim && !fired.Load() {
				if point < 6 {
					t.Errorf("cut %s: a claim has %d points", mode, point)
				}
				t.Logf("cut %s: %d points", mode, point-1)
				break
			}
		}
	}
	p.set(nil)

	if got := value(t, m.location, "SELECT COUNT(*) FROM trips"); got != int64(2*n) {
		t.Errorf("the ledger has %d trips, %d were claimed", got, 2*n)
	}
	checkWhole(t, other)
}

// findFor returns the record of a claimed trip.
func findFor(t *testing.T, l *Ledger, c importer.Claim) importer.Record {
	t.Helper()
	r, known, err := l.Ledger.Find(t.Context(), c.Account, c.Trip) // it waits for nothing
	must(t, err)
	if !known {
		t.Fatalf("the ledger does not know trip %s", c.Trip.ID)
	}
	return r
}

// cutAt cuts the connection that writes once, at a message of that number from now on, and
// tells whether it did. An answer has the number of the question.
func (p *proxy) cutAt(f fate, point int) *atomic.Bool {
	var fired atomic.Bool
	var seen atomic.Int64
	p.set(func(l *link, m message) fate {
		if !l.writes || (f == cutAnswer || !long()) && !m.asks() || m.kind == 'X' {
			return pass
		}
		if seen.Add(1) != int64(point) || fired.Swap(true) {
			return pass
		}
		return f
	})
	return &fired
}
