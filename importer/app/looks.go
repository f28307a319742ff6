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
// the ledger only about those that it was not asked about as they are, as long as nothing happens in it and the
// mapping says the same.
type looks struct {
	mu   sync.Mutex
	of   string // the ledger with its number, and the mapping
	seed maphash.Seed
	rows map[lookedRow]importer.Known
}

// mostLooks is how many rows are remembered.
const mostLooks = 20_000

// A lookedRow is all of a row that the ledger's answer depends on.
type lookedRow struct {
	key     importer.RowKey
	version int64
	cells   uint64
}

// over returns the job's ledger as one that is asked about the other rows alone.
func (l *looks) over(j *job) run.Ledger {
	if l == nil {
		return j.ledger
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	of := fmt.Sprintln(j.ledger.Identity(), j.ledger.Number(), j.address, j.mapping.Meaning())
	if of != l.of {
		l.of, l.seed, l.rows = of, maphash.MakeSeed(), map[lookedRow]importer.Known{}
	}
	return lookedLedger{j.ledger, l, of}
}

// A lookedLedger is a ledger of which some looks are remembered.
type lookedLedger struct {
	run.Ledger

	looks *looks
	of    string
}

// Look implements run.Ledger.
func (l lookedLedger) Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	known, keys := make([]importer.Known, len(rows)), make([]lookedRow, len(rows))
	var asked []*importer.Mapped
	var at []int
	l.looks.mu.Lock()
	remembers := l.of == l.looks.of // no other check has found something else
	for i, m := range rows {
		keys[i] = l.looks.keyOf(m)
		k, found := l.looks.rows[keys[i]]
		if !found || !remembers {
			asked, at = append(asked, m), append(at, i)
		}
		k.Words = slices.Clone(k.Words) // whoever judges the row changes them
		known[i] = k
	}
	l.looks.mu.Unlock()
	if len(asked) == 0 {
		return known, nil
	}
	answers, err := l.Ledger.Look(ctx, service, asked)
	if err != nil {
		return nil, err
	}
	l.looks.mu.Lock()
	defer l.looks.mu.Unlock()
	for n, k := range answers {
		known[at[n]] = k
		if l.of == l.looks.of && len(l.looks.rows) < mostLooks {
			k.Words = slices.Clone(k.Words)
			l.looks.rows[keys[at[n]]] = k
		}
	}
	return known, nil
}

func (l *looks) keyOf(m *importer.Mapped) lookedRow {
	var cells maphash.Hash
	cells.SetSeed(l.seed)
	for i := range m.Row.Cells {
		_, _ = cells.WriteString(m.Row.Cells[i].Text) // never fails
		_ = cells.WriteByte(byte(m.Row.Cells[i].Type))
	}
	return lookedRow{m.Key, m.Row.Version, cells.Sum64()}
}
