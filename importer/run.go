package importer

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// window is how many rows may be between being read and being reported: results
// come out in input order, and one slow trip must not make the rows behind it
// pile up in memory.
const window = 4096

// A Run is the second pass over the inputs: each row is mapped, placed,
// checked and, trip by trip, sent.
//
// A run without a Service is a check: trips without a fault are Ready, and
// Gate and Ledger are not used.
type Run struct {
	Info    RunInfo
	Inputs  []Input
	Draft   *Draft
	Checker Checker
	// Placer finds missing coordinates; nil where only the rows give them.
	Placer Placer
	// Accounts proves providers and funding sources; nil for a check that knows
	// no access list.
	Accounts *Accounts
	Service  Service
	Gate     Gate
	Ledger   Ledger
	Reporter Reporter
	// Workers is how many rows may be on their way at once.
	Workers int
	// Limit ends the run after that many rows were sent; 0 for no limit. With a
	// limit rows are sent one at a time, so that they are the first ones.
	Limit int
	// Clock gives the wall clock in the rules' zone.
	Clock Clock
}

// Do carries the run out. It starts goroutines and returns when all of them
// have ended. When ctx is cancelled no further trip is sent; those under way
// are finished and recorded.
//
// Every row gets an outcome and is reported, in input order, also when the run
// stops early. The error is for what went wrong with the run itself: an input
// that changed between the passes or can't be read any more, a Reporter that
// failed, a control total that does not balance.
func (r *Run) Do(ctx context.Context, heading Heading) (Ending, error) {
	if err := r.proveTogether(ctx); err != nil {
		return Ending{}, err
	}
	if err := r.Reporter.Start(heading); err != nil {
		return Ending{}, err
	}
	p := &pass{Run: r, denials: newDenials(r.Service), unread: make(chan struct{})}
	totals, err := p.flow(ctx)
	totals.RowsRead, totals.TripsRead = r.Draft.Rows, r.Draft.Trips
	end := Ending{Totals: totals, Stop: p.stopped(), Interrupted: ctx.Err() != nil}
	if err == nil {
		err = p.panicked()
	}
	if err == nil && !totals.Balanced() {
		rows, trips := totals.Sum()
		err = fmt.Errorf("the control total does not balance: %d rows and %d trips were read, %d rows and %d trips have an outcome; do not rely on these results, and report this",
			totals.RowsRead, totals.TripsRead, rows, trips)
	}
	return end, errors.Join(err, r.Reporter.End(end))
}

// A pass is a Run under way.
type pass struct {
	*Run
	denials *denials
	// unread is closed once no further row will be handed to a worker.
	unread chan struct{}

	mu    sync.Mutex
	sent  int   // rows that had a trip sent, for Limit
	panic error // the first panic of a worker
}

// A slot is a row's place in the results.
type slot struct {
	row    int // counted over all inputs
	mapped Mapped
	rules  *Rules
	input  Input
	result RowResult
	// linked are the row's trips whose journey stands on several rows.
	linked []linked
	done   chan struct{}
}

// A linked trip is one leg, by its place in the row, of a journey.
type linked struct {
	*journey
	trip int
}

// flow owns the run's concurrency: this goroutine reads, workers decide and
// send, one reporter hands the rows on in input order.
func (p *pass) flow(ctx context.Context) (Totals, error) {
	var (
		order   = make(chan *slot, window)
		work    = make(chan *slot)
		workers sync.WaitGroup
		totals  Totals
		failed  error
	)
	for range p.workers() {
		workers.Go(func() {
			for s := range work {
				p.serve(ctx, s)
				close(s.done)
			}
		})
	}
	reported := make(chan struct{})
	go func() {
		defer close(reported)
		for s := range order {
			<-s.done
			p.finish(s)
			totals.Add(s.result)
			if failed == nil {
				if failed = p.Reporter.Row(s.result); failed != nil {
					p.stop(&Stop{Code: "results-failed", Reason: "the results can't be written", Fix: "see the message, then run the same command again", Later: true})
				}
			}
		}
	}()
	err := p.read(func(s *slot) { s.hand(order, work) })
	close(p.unread)
	close(work)
	close(order)
	workers.Wait()
	<-reported
	return totals, errors.Join(err, failed)
}

func (p *pass) workers() int {
	if p.Limit > 0 {
		return 1
	}
	return max(1, p.Workers)
}

// read gives each row of each input, mapped and checked, to next.
func (p *pass) read(next func(*slot)) error {
	n := 0
	for _, in := range p.Inputs {
		for row, err := range in.Source.Rows() {
			if err == nil && (n >= len(p.Draft.digests) || p.Draft.digests[n] != digest(p.Draft.seed, row)) {
				err = changed(in, row)
			}
			if err != nil {
				p.stop(&Stop{Code: "input-changed", Reason: "the spreadsheet can't be read as it was at first", Fix: "close it in other programs, then run the same command again", Later: true})
				return err
			}
			s := &slot{row: n, mapped: in.Mapper.Map(row.Clone()), rules: in.Mapper.Rules(), input: in, done: make(chan struct{})}
			p.prove(s)
			next(s)
			n++
		}
	}
	if n != p.Draft.Rows {
		return changed(p.Inputs[len(p.Inputs)-1], Row{})
	}
	return nil
}

func changed(in Input, row Row) error {
	return &InputError{
		File:   in.Source.Name(),
		At:     row.Ref(0),
		Reason: "the file changed while it was being read",
		Fix:    "close it in other programs, then run the same command again: what is booked is not booked twice",
	}
}

// prove holds a row against everything that can be known without sending it.
func (p *pass) prove(s *slot) {
	m := &s.mapped
	if m.LeftOut != "" {
		return
	}
	for i := range m.Trips {
		t := &m.Trips[i]
		if j := p.Draft.journeys.of(t.Link); j != nil {
			s.linked = append(s.linked, linked{j, i})
		}
		if p.Placer != nil {
			p.Placer.Place(t)
		}
	}
	p.Checker.Check(m, s.rules)
}

// hand gives a row to the workers and keeps its place in the results.
func (s *slot) hand(order, work chan<- *slot) {
	for _, j := range s.linked {
		j.hand()
	}
	order <- s
	work <- s
}

// finish completes a row's result with what its journeys on other rows came to.
func (p *pass) finish(s *slot) {
	for _, j := range s.linked {
		// A leg further down than the window has not been handed out yet, and
		// waiting for it would be waiting for ourselves: its own row tells.
		if j.last-s.row < window {
			select {
			case <-j.finished:
			case <-p.unread:
				p.settled(j.journey)
			}
		}
		if j.half() {
			s.result.HalfBooked = true
		}
	}
}

// settled waits for a journey after the last row was handed out, unless the
// reading broke off before all of its legs were.
func (p *pass) settled(j *journey) {
	j.mu.Lock()
	whole := j.handed == j.trips
	j.mu.Unlock()
	if whole {
		<-j.finished
	}
}

// stop ends the sending. A check has no gate and goes on.
func (p *pass) stop(s *Stop) {
	if p.Gate != nil {
		p.Gate.Stop(s)
	}
}

func (p *pass) stopped() *Stop {
	if p.Gate == nil {
		return nil
	}
	return p.Gate.Stopped()
}

func (p *pass) panicked() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.panic
}

// proveTogether finds the journeys that must be sent as a whole and can't be.
func (r *Run) proveTogether(ctx context.Context) error {
	if !r.Draft.together {
		return nil
	}
	p := &pass{Run: r}
	for _, in := range r.Inputs {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s := &slot{mapped: in.Mapper.Map(row), rules: in.Mapper.Rules()}
			p.prove(s)
			if s.mapped.LeftOut != "" || !s.mapped.Faulty() {
				continue
			}
			for _, j := range s.linked {
				j.invalid = true
			}
		}
	}
	return nil
}
