package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// An outage is a time in which the server can't be reached. All callers in a process
// share it, also those that come later: once it has lasted as long as the patience,
// nobody waits any more, and every call fails at once.
type outage struct {
	location Location
	patience time.Duration
	silence  time.Duration // ConnectOptions.Silence
	notice   func(string)  // never nil

	mu    sync.Mutex
	since time.Time // when the outage was noticed; zero while the server answers
	told  bool      // a person was told
	over  error     // the reason for which nobody waits any more; nil while callers may wait
}

// tellAfter is how long an outage lasts before a person is told, because most outages are
// lost connections that can be made again at once.
const tellAfter = time.Second

// ended returns the reason for which nobody waits for the server any more, or nil while
// callers may wait.
func (o *outage) ended() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// watch tells a person if an answer takes long, until stop is called.
func (o *outage) watch() (stop func() bool) {
	long := o.silence / 6
	return time.AfterFunc(long, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if !o.told && o.over == nil {
			o.told = true
			o.notice(fmt.Sprintf("the ledger at %s has not answered for %s: waiting for it, for %s at most", o.location, spoken(long), spoken(o.silence+o.patience)))
		}
	}).Stop
}

// answered records that the server can be reached.
func (o *outage) answered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told && o.over == nil {
		o.notice(fmt.Sprintf("the ledger at %s can be reached again", o.location))
	}
	o.since, o.told = time.Time{}, false
}

// failed records that a caller could not reach the server. end is how long the caller
// waits, or zero for no limit of its own. It reports whether to try again.
func (o *outage) failed(end time.Time, err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = time.Now()
	}
	why := o.location.errorOf(context.Background(), err)
	switch lasts := time.Since(o.since); {
	case o.over != nil:
		return false
	case lasts >= o.patience || !end.IsZero() && time.Now().After(end):
		o.over = why
		return false
	case lasts >= tellAfter && !o.told:
		o.told = true
		o.notice(fmt.Sprintf("%s; waiting for it, for %s at most", why, spoken(o.patience)))
	}
	return true
}

// note records the result of one query, which is not repeated.
func (o *outage) note(err error) {
	if o.isOutage(err) {
		o.failed(time.Time{}, err)
	} else {
		o.answered()
	}
}

// isOutage reports whether an error says that the server can't be reached now.
func (o *outage) isOutage(err error) bool {
	var failed *ledger.Error
	return err != nil && errors.As(o.location.errorOf(context.Background(), err), &failed) && failed.Later
}

// await calls ask, and calls it again as long as the server can't be reached and callers
// may wait.
func (o *outage) await(ctx context.Context, ask func() error) error {
	defer o.watch()()
	for end := (time.Time{}); ; {
		err := ask()
		if !o.isOutage(err) {
			o.answered()
			return err
		}
		if end.IsZero() {
			end = time.Now().Add(o.patience)
		}
		if !o.failed(end, err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pauseBetween):
		}
	}
}

// spoken returns a duration in words.
func spoken(d time.Duration) string {
	if minutes := int(d.Minutes()); d%time.Minute == 0 {
		return importer.Counted(minutes, "minute", "minutes")
	}
	return importer.Counted(int(d.Seconds()), "second", "seconds")
}

// Read implements tables.Engine.
func (e *engine) Read(ctx context.Context, ask func(context.Context) error) error {
	if e.outage.ended() != nil {
		given, cancel := context.WithCancel(ctx)
		cancel()
		ctx = given // ReadError then returns the reason
	}
	return e.outage.await(ctx, func() error { return ask(ctx) })
}

// ReadError implements tables.Engine.
func (e *engine) ReadError(err error) error {
	if over := e.outage.ended(); over != nil {
		return over
	}
	return e.location.errorOf(context.Background(), err)
}
