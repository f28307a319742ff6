package run

import "sync"

// A rowLimit lets the first rows of a run be sent, and no others, whatever the number of
// workers: rows are let through in their order. A row that was let through and was not
// sent after all leaves its place to the next one.
type rowLimit struct {
	most int // 0 for no limit

	mu      sync.Mutex
	changed sync.Cond
	// next is the row whose turn it is: all before it have been let through or passed over.
	// Those behind it that have been are in passed.
	next   int
	passed map[int]bool
	// open are the rows that were let through and have no outcome yet, sent those that were
	// sent.
	open, sent int
}

func newRowLimit(most int) *rowLimit {
	l := &rowLimit{most: most, passed: map[int]bool{}}
	l.changed.L = &l.mu
	return l
}

// admits reports whether trips of the row may be sent. It waits until that is known of the
// rows before it.
func (l *rowLimit) admits(row *rowTask) bool {
	if l.most <= 0 || row.admitted {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.next < row.index || l.next == row.index && l.open > 0 && l.open+l.sent >= l.most {
		l.changed.Wait()
	}
	if l.next == row.index { // it was not passed over before
		row.admitted = l.sent < l.most
		if row.admitted {
			l.open++
		}
		l.pass(row)
	}
	return row.admitted
}

// leave takes note that the row has its outcome, and whether it was sent.
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

// pass has the next row have its turn. The caller holds the lock.
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
