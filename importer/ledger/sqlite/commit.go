package sqlite

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"tripimport/importer/ledger"
)

// A committer writes for all callers, one transaction at a time. Jobs that come
// while a transaction is being committed go into the next one together, so that
// many callers share one wait for the disk. The first caller that waits commits
// for all; there is no goroutine for it.
//
// Once a commit has failed nothing is written any more, since nobody knows what
// is on the disk: every later job gets the same error, and so the run stops
// before its next send.
type committer struct {
	path     string
	writer   *writer
	turn     chan struct{}     // holds one element while a caller commits
	onCommit func(int64) error // called with the number of commits after each

	mu     sync.Mutex
	queue  []*job
	failed error

	commits atomic.Int64 // in the ledger's life; only the caller whose turn it is changes it
}

// A job is what one caller wants written.
type job struct {
	work func(context.Context, *writer) error
	done chan struct{}
	err  error
}

// A refusal is the ledger's answer to one job and no failure: the other jobs of
// its transaction are written. A job that is refused has written nothing.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }

// do writes what work writes, and returns when that is durable or certain not to
// be. It can't be given up before: the caller would not know whether its trip
// may be sent. A nil committer, of a ledger that was opened for reading only,
// refuses.
func (c *committer) do(work func(context.Context, *writer) error) error {
	if c == nil {
		return ledger.ReadOnlyError()
	}

	j := &job{work: work, done: make(chan struct{})}
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

	err = c.commit(group)
}

// commit writes the group in one transaction. Its error is that of every job.
func (c *committer) commit(group []*job) error {
	ctx := context.Background() // a commit that was cut off is one that nobody knows of
	if _, err := c.writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}

	for _, j := range group {
		if err := j.run(ctx, c.writer); err != nil {
			c.writer.rollback(ctx)
			return err
		}
	}

	if err := c.writer.commit(ctx, c.commits.Load()+1); err != nil {
		c.writer.rollback(ctx)
		return err
	}

	// The commit is durable, whatever this returns. If the mark names fewer
	// commits than there are, an older copy is only harder to notice.
	_ = c.onCommit(c.commits.Add(1))
	return nil
}

// run does the job's work. It returns a failure; a refusal is for the job's own
// caller.
func (j *job) run(ctx context.Context, w *writer) error {
	err := j.work(ctx, w)
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
		err = writeError(c.path, err)
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
func (c *committer) close() error {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	if c.failed == nil {
		c.failed = ledger.ClosedError()
	}
	c.mu.Unlock()
	return c.writer.close()
}
