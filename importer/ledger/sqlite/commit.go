package sqlite

import (
	"context"
	"errors"
	"sync"

	"tripimport/importer/ledger"
)

// A committer writes for all callers, one transaction at a time. What waits
// while one transaction is being committed goes into the next one together, so
// that many callers share a single wait for the disk. It needs no goroutine of
// its own: the first caller that waits becomes the one who commits for all.
//
// Once a commit has failed nothing is written any more, since nobody knows what
// the disk holds: every later call gets the same fault, and so the run stops
// before its next send.
type committer struct {
	path   string
	writer *writer
	turn   chan struct{}     // full while somebody commits
	noted  func(int64) error // told the number of commits after each

	mu     sync.Mutex
	queue  []*job
	failed error

	count int64 // commits in the ledger's life; only who has the turn may touch it
}

// A job is what one caller wants written.
type job struct {
	work func(context.Context, *writer) error
	done chan struct{}
	err  error
}

// A refusal is an answer of the ledger's to one job, and no failure: the other
// jobs of its transaction are not touched. A job that is refused has written
// nothing.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }

// do has work written down and returns when it is on the disk, or is certain
// not to be. It does not return before: a caller that gave up waiting would not
// know whether its trip may be sent.
func (c *committer) do(work func(context.Context, *writer) error) error {
	j := &job{work: work, done: make(chan struct{})}
	c.mu.Lock()
	c.queue = append(c.queue, j)
	c.mu.Unlock()
	for {
		select {
		case <-j.done:
			return j.err
		case c.turn <- struct{}{}:
			c.lead()
		}
	}
}

// lead commits whatever waits and gives the turn back.
func (c *committer) lead() {
	defer func() { <-c.turn }()
	c.mu.Lock()
	group, failed := c.queue, c.failed
	c.queue = nil
	c.mu.Unlock()
	if len(group) == 0 {
		return
	}
	// A panic in the middle leaves every job of the group failed, not waiting.
	err := errors.New("the commit was broken off")
	defer func() { c.answer(group, err) }()
	if failed != nil {
		err = failed
		return
	}
	err = c.commit(group)
}

// commit writes the group in one transaction. Its error is the whole group's.
func (c *committer) commit(group []*job) error {
	ctx := background()
	if err := c.writer.begin(ctx); err != nil {
		return err
	}
	for _, j := range group {
		if err := j.run(ctx, c.writer); err != nil {
			return errors.Join(err, c.writer.rollback(ctx))
		}
	}
	if err := c.writer.commit(ctx, c.count+1); err != nil {
		return errors.Join(err, c.writer.rollback(ctx))
	}
	c.count++
	// The commit is on the disk. A count that lags behind only makes an older
	// copy harder to notice.
	_ = c.noted(c.count)
	return nil
}

// run does the job's work. What it returns is a failure; a refusal is kept for
// the job's own caller.
func (j *job) run(ctx context.Context, w *writer) error {
	err := j.work(ctx, w)
	var r refusal
	if errors.As(err, &r) {
		j.err = r.error
		return nil
	}
	return err
}

// answer tells every caller of the group, and remembers a failure for good.
func (c *committer) answer(group []*job, err error) {
	if err != nil {
		err = writeFault(c.path, err)
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

// close ends the writing. Callers that still wait are finished first.
func (c *committer) close() error {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	if c.failed == nil {
		c.failed = &ledger.Error{Code: "ledger-closed", Reason: "the ledger is closed already", Fix: "run the same command again"}
	}
	c.mu.Unlock()
	return c.writer.close()
}
