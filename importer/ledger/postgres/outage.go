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

// An outage is a time for which the server can't be reached. All of a process wait for it
// together, also those that begin to ask meanwhile: once it has lasted for as long as the
// patience, nobody waits any more, and everything fails at once.
type outage struct {
	location Location
	patience time.Duration
	silence  time.Duration // for which the server may say nothing
	notice   func(string)  // never nil

	mu    sync.Mutex
	since time.Time // when it was noticed first; zero while the server answers
	told  bool      // a person knows of it
	over  error     // why nobody waits any more; nil while it may go on
}

// tellAfter is how long a person is told of no waiting: most outages are connections that
// were lost, and can be made again at once.
const tellAfter = time.Second

// ended returns why nobody waits for the server any more; nil while they do.
func (o *outage) ended() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// watch has a person told if an answer is long in coming, until stop is called.
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

// answered takes note that the server can be reached.
func (o *outage) answered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told && o.over == nil {
		o.notice(fmt.Sprintf("the ledger at %s can be reached again", o.location))
	}
	o.since, o.told = time.Time{}, false
}

// failed takes note that the server could not be reached by a caller who waits until end;
// zero for one who does not. It reports whether it is to be tried again.
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

// note takes note of what came of asking the server once.
func (o *outage) note(err error) {
	if o.isOutage(err) {
		o.failed(time.Time{}, err)
	} else {
		o.answered()
	}
}

// isOutage reports whether an error says that the server can't be reached for now.
func (o *outage) isOutage(err error) bool {
	var failed *ledger.Error
	return err != nil && errors.As(o.location.errorOf(context.Background(), err), &failed) && failed.Later
}

// await does what asks the server, and does it again as long as the server can't be
// reached and somebody waits for it.
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

// spoken gives a time in words.
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
		ctx = given // ReadError says why
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
