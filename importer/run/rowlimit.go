package run

import "slices"

// A rowLimit allows only the first rows of a run to be sent. A row that is not sent after all does not
// count. A row that is linked to one of them is sent beyond the limit: nobody is taken somewhere and not
// back. A limited run has one worker, so that the rows come in their order.
type rowLimit struct {
	most  int // 0 for no limit
	sent  int
	links map[*link]bool // of the rows that may be sent
}

// admits reports whether trips of the row may be sent.
func (l *rowLimit) admits(row *rowTask) bool {
	if l.most <= 0 {
		return true
	}
	linked := func(t tripTask) bool { return t.link != nil && l.links[t.link] }
	if l.sent >= l.most && !slices.ContainsFunc(row.trips, linked) {
		return false
	}
	for i := range row.trips {
		l.links[row.trips[i].link] = true
	}
	return true
}

// leave counts the row, which has its outcome, if it was sent.
func (l *rowLimit) leave(row *rowTask) {
	if l.most > 0 && row.underWay {
		l.sent++
	}
}
