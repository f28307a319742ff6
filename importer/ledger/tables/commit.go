package tables

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"tripimport/importer/ledger"
)

// A committer writes for all callers of a process, one transaction at a time. Jobs that
// come while a transaction is being committed go into the next one together, so that
// many callers share one wait for the disk. The first caller that waits commits
// for all; there is no goroutine for it.
//
// Once a transaction has failed nothing is written any more, since nobody knows what
// is on the disk: every later job gets the same error, and so the run stops
// before its next send.
type committer struct {
	engine Engine
	turn   chan struct{} // holds one element while a caller commits

	mu     sync.Mutex
	queue  []*job
	failed error
}

// A job is what one caller wants written.
type job struct {
	// ask gives what work will ask the ledger before it writes. Work whose ask is nil may
	// add anything; other work tells the writer what it adds.
	ask  func(*Writer) []question
	work func(context.Context, *Writer) error
	done chan struct{}
	err  error
}

// A refusal is the ledger's answer to one job and no failure: the other jobs of
// its transaction are written. A job that is refused has written nothing.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }

func newCommitter(e Engine) *committer { return &committer{engine: e, turn: make(chan struct{}, 1)} }

// do writes what work writes, and returns when that is durable or certain not to
// be. It can't be given up before: the caller would not know whether its trip
// may be sent. A nil committer, of a ledger that was opened for reading only,
// refuses.
func (c *committer) do(work func(context.Context, *Writer) error) error {
	return c.doAsking(nil, work)
}

// doAsking is do for work that says before its turn what it will ask.
func (c *committer) doAsking(ask func(*Writer) []question, work func(context.Context, *Writer) error) error {
	if c == nil {
		return ledger.ReadOnlyError()
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

// commitQueue commits whatever waits, and gives the turn back.
func (c *committer) commitQueue() {
	defer func() { <-c.turn }()
	// Callers whose jobs the last transaction had are about to come with their next ones:
	// without this most transactions have one or two jobs, and cost more than the jobs.
	runtime.Gosched()
	c.mu.Lock()
	group, failed := c.queue, c.failed
	c.queue = nil
	c.mu.Unlock()
	if len(group) == 0 {
		return
	}

	// A panic leaves every job of the group failed, not waiting.
	err := errors.New("the commit was broken off")
	defer func() { c.finish(group, err) }()
	if failed != nil {
		err = failed
		return
	}

	err = c.engine.Transact(
		func(w *Writer) { w.askAhead(group) },
		func(ctx context.Context, w *Writer) error {
			for _, j := range group {
				if err := j.run(ctx, w); err != nil {
					return err
				}
			}
			return nil
		})
}

// run does the job's work. It returns a failure; a refusal is for the job's own
// caller.
func (j *job) run(ctx context.Context, w *Writer) error {
	j.err = nil
	err := j.work(ctx, w)
	if j.ask == nil {
		clear(w.absent)
	}
	var r refusal
	if errors.As(err, &r) {
		j.err = r.error
		return nil
	}
	return err
}

// finish tells every caller of the group, and remembers a failure.
func (c *committer) finish(group []*job, err error) {
	if err != nil {
		err = c.engine.WriteError(err)
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

// close ends the writing. Jobs that wait are finished first.
func (c *committer) close() {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = ledger.ClosedError()
	}
}
