package app

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"tripimport/importer"
	"tripimport/importer/run"
)

// A looks remembers what a ledger had of rows that were checked. Each check maps and judges all rows, but asks
// the ledger only about the batches of which a row is not as it was, as long as nothing happens in the ledger and
// the mapping says the same.
type looks struct {
	mu      sync.Mutex
	seed    maphash.Seed
	batches map[uint64][]importer.Known // by a hash of all that the ledger's answer depends on
}

// mostLooks is how many batches are remembered.
const mostLooks = 100

// over returns the job's ledger as one that is asked about the other batches alone.
func (l *looks) over(j *job) run.Ledger {
	if l == nil {
		return j.ledger
	}
	return lookedLedger{j.ledger, l, fmt.Sprintln(j.ledger.Identity(), j.ledger.Number(), j.address, j.mapping.Meaning())}
}

// A lookedLedger is a ledger of which some looks are remembered.
type lookedLedger struct {
	run.Ledger
	*looks
	of string // the ledger with its number, and the mapping
}

// Look implements run.Ledger.
func (l lookedLedger) Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := l.keyOf(rows)
	known, found := l.batches[key]
	if !found {
		var err error
		if known, err = l.Ledger.Look(ctx, service, rows); err != nil {
			return nil, err
		}
		if len(l.batches) == mostLooks {
			clear(l.batches)
		}
		l.batches[key] = known
	}
	known = slices.Clone(known)
	for i := range known {
		known[i].Words = slices.Clone(known[i].Words) // whoever judges the row changes them
	}
	return known, nil
}

func (l lookedLedger) keyOf(rows []*importer.Mapped) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	_, _ = h.WriteString(l.of) // never fails
	for _, m := range rows {
		maphash.WriteComparable(&h, m.Key)
		maphash.WriteComparable(&h, m.Row.Version)
		for i := range m.Row.Cells {
			_, _ = h.WriteString(m.Row.Cells[i].Text)
			_ = h.WriteByte(byte(m.Row.Cells[i].Type))
		}
	}
	return h.Sum64()
}
