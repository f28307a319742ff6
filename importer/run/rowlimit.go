package run

import (
	"slices"
	"sync"
)

// A rowLimit allows only the first rows of a run to be sent. It admits rows in their
// order, whatever the number of workers. If an admitted row is not sent after all, the
// next row takes its place. A row that is linked to an admitted one is admitted beyond the limit: nobody
// is taken somewhere and not back.
type rowLimit struct {
	most int // 0 for no limit

	mu      sync.Mutex
	changed sync.Cond
	// next is the index of the first row that has not passed: that was neither admitted
	// nor turned away, and has no outcome. The rows behind next that have passed are in
	// passed.
	next   int
	passed map[int]bool
	// open is the number of admitted rows without an outcome, and sent the number of rows
	// that were sent.
	open, sent int
	links      map[*link]bool // of the admitted rows
}

func newRowLimit(most int) *rowLimit {
	l := &rowLimit{most: most, passed: map[int]bool{}, links: map[*link]bool{}}
	l.changed.L = &l.mu
	return l
}

// admits reports whether trips of the row may be sent. It waits until all rows before it
// have passed.
func (l *rowLimit) admits(row *rowTask) bool {
	if l.most <= 0 || row.admitted {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	linked := func(t tripTask) bool { return t.link != nil && l.links[t.link] }
	for l.next < row.index || l.next == row.index && l.open > 0 && l.open+l.sent >= l.most && !slices.ContainsFunc(row.trips, linked) {
		l.changed.Wait()
	}
	if l.next == row.index { // otherwise the row has passed, and was not admitted
		row.admitted = l.sent < l.most || slices.ContainsFunc(row.trips, linked)
		if row.admitted {
			l.open++
			for i := range row.trips {
				l.links[row.trips[i].link] = true
			}
		}
		l.pass(row)
	}
	return row.admitted
}

// leave records that the row has its outcome, and whether it was sent.
func (l *rowLimit) leave(row *rowTask) {
	if l.most <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if row.admitted {
		l.open--
	}
	if row.sent {
		l.sent++
	}
	l.pass(row)
}

// pass records that the row has passed, and wakes the rows that wait. The caller holds
// the lock.
func (l *rowLimit) pass(row *rowTask) {
	if row.index >= l.next {
		l.passed[row.index] = true
	}
	for l.passed[l.next] {
		delete(l.passed, l.next)
		l.next++
	}
	l.changed.Broadcast()
}
