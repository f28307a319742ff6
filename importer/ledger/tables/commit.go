package tables

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"

	"tripimport/importer/ledger"
)

// A committer writes for all callers of a process, one transaction at a time. Jobs that
// arrive while a transaction is being committed go into the next one together, so that
// many callers share one wait for the disk. One of the waiting callers commits for all of
// them; there is no separate goroutine.
//
// After a transaction has failed nothing is written any more, because nobody knows what
// is on the disk. Every later job gets the same error, so that the run stops before its
// next send.
type committer struct {
	engine Engine
	turn   chan struct{} // holds one element while a caller commits

	mu     sync.Mutex
	queue  []*job
	failed error
}

// A job is the writing of one caller. ask adds what the work has to know to the question of the
// transaction; it is nil for a job that reads for itself.
type job struct {
	ask  func(*Question)
	work func(context.Context, *Writer) error
	done chan struct{}
	err  error
}

// do does work in a transaction, and returns when the result is durable or certainly
// undone. The caller can't give up earlier, because it would not know whether its trip
// may be sent. A nil committer belongs to a ledger that was opened only for reading, and
// returns an error.
func (c *committer) do(ask func(*Question), work func(context.Context, *Writer) error) error {
	if c == nil {
		return ledger.NewError("ledger-only-looked-at", "report this: the program tried to write to it", "the ledger was opened only for reading")
	}

	j := &job{ask: ask, work: work, done: make(chan struct{})}
	c.mu.Lock()
	c.queue = append(c.queue, j)
	c.mu.Unlock()

	for {
		select {
		case <-j.done:
			return j.err
		case c.turn <- struct{}{}:
			c.commitQueue()
		}
	}
}

// commitQueue commits the waiting jobs, and gives back the turn.
func (c *committer) commitQueue() {
	defer func() { <-c.turn }()
	// Let the callers of the last transaction queue their next jobs. Otherwise most
	// transactions have one or two jobs, and cost more than the jobs.
	runtime.Gosched()
	group, q, failed := c.take()
	if len(group) == 0 {
		return
	}

	// After a panic, finish fails every job of the group, so that no caller waits for
	// ever.
	err := errors.New("the commit was broken off")
	defer func() { c.finish(group, err) }()
	if failed != nil {
		err = failed
		return
	}

	err = c.engine.Transact(q, func(ctx context.Context, w *Writer) error {
		for _, j := range group {
			if err := j.run(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// take takes the waiting jobs that can share a transaction, with their question: the first one, and
// those behind it that read for themselves, or ask, as it does.
func (c *committer) take() (group []*job, q *Question, failed error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for n < len(c.queue) && (c.queue[n].ask == nil) == (c.queue[0].ask == nil) {
		n++
	}
	group, c.queue = c.queue[:n:n], c.queue[n:]
	if n > 0 && group[0].ask != nil {
		q = &Question{}
		for _, j := range group {
			j.ask(q)
		}
	}
	return group, q, c.failed
}

// run does the job's work. It returns a failure of the transaction, and keeps a refusal
// for the job's own caller.
func (j *job) run(ctx context.Context, w *Writer) error {
	j.err = nil
	err := j.work(ctx, w)
	if r, ok := errors.AsType[refusal](err); ok {
		j.err, err = r.error, nil
	}
	return cmp.Or(w.failed, err)
}

// finish tells every caller of the group, and remembers a failure.
func (c *committer) finish(group []*job, err error) {
	if err != nil {
		err = c.engine.Error(err)
		c.mu.Lock()
		c.failed = err
		c.mu.Unlock()
	}

	for _, j := range group {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// close ends the writing. A transaction in progress is finished first, and jobs that come
// later fail.
func (c *committer) close() {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = ledger.NewError("ledger-closed", "do the same again", "the ledger is closed already")
	}
}
