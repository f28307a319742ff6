package tables

import (
	"context"
	"strconv"
	"sync/atomic"

	"tripimport/importer/ledger/mark"
)

// EventsIn reads the number of the last event.
func EventsIn(ctx context.Context, q Querier) (int64, error) {
	text, err := Meta(ctx, q, MetaEvents)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// Progress is how far a ledger has come that this process writes, and the mark that says so to others on
// the machine.
type Progress struct {
	Mark    *mark.Keeper
	lastRun string // the id of the run that began last
	number  atomic.Int64
}

// Number returns the number of the last event that this process knows.
func (p *Progress) Number() int64 { return p.number.Load() }

// Committed takes what a writer has committed.
func (p *Progress) Committed(w *Writer) {
	for _, run := range w.Begun {
		p.lastRun = run.ID
	}
	w.Begun, w.Ended = nil, nil
	p.number.Store(w.LastEvent)
	// The commit is durable even if this fails. If the mark has a smaller number, an older copy
	// is only harder to notice.
	_ = p.writeMark()
}

func (p *Progress) writeMark() error {
	return p.Mark.Write(mark.Point{Number: p.Number(), Run: p.lastRun})
}
