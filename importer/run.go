package importer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
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
	Plan    *Plan
	Checker Checker
	// Placer finds missing coordinates; nil where only the rows give them.
	Placer Placer
	// Accounts proves providers and funding sources; nil for a check that knows
	// no access list.
	Accounts *AccountResolver
	Service  Service
	Gate     Gate
	// Ledger is asked and written for each trip. Beginning and ending the run
	// in it is the caller's part.
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
// that changed between the passes or can't be read any more (the rows from
// there on have no outcome), a Reporter that failed, a fault of the program, a
// control total that does not balance.
func (r *Run) Do(ctx context.Context, heading RunStart) (RunResult, error) {
	p := &pass{Run: r, denials: newDenials(r.Service), journeys: newJourneys(r.Plan.links)}
	if err := guarded(func() error { return p.proveTogether(ctx) }); err != nil {
		return RunResult{}, err
	}
	if err := r.Reporter.Start(heading); err != nil {
		return RunResult{}, err
	}
	totals, err := p.flow(ctx)
	totals.RowsRead, totals.TripsRead = r.Plan.Rows, r.Plan.Trips
	if err == nil && !totals.Balanced() {
		err = unbalanced(totals)
	}
	end := RunResult{Totals: totals, Stop: p.stopped(), Interrupted: ctx.Err() != nil}
	return end, errors.Join(err, r.Reporter.End(end))
}

func unbalanced(t Totals) error {
	rows, trips := t.Sum()
	return fmt.Errorf("the control total does not balance: %d rows and %d trips were read, %d rows and %d trips have an outcome; do not rely on these results, and report this",
		t.RowsRead, t.TripsRead, rows, trips)
}

// A pass is a Run under way.
type pass struct {
	*Run
	denials  *denials
	journeys *journeys
	// sent counts the rows that were sent. Only a run with a limit counts them,
	// and that has one worker.
	sent int
	// used is when a connection to the service was last in use, as UnixNano.
	used atomic.Int64

	mu    sync.Mutex
	fault error // the first panic of a worker
}

// A slot is a row's place in the run and in its results.
type slot struct {
	row      int // counted over all inputs
	mapped   Mapped
	rules    *Rules
	input    Input
	bookings []booking // one for each trip
	sent     bool      // for Limit
	result   RowResult
	done     chan struct{} // closed once result is there
}

// A booking is one trip on its way through the run.
type booking struct {
	trip *Trip
	// journey is what ties the trip to trips on other rows; nil for most.
	journey *journey
	account Account
	// open reports that nothing but a fault keeps the trip from being sent:
	// the ledger does not have it.
	open    bool
	outcome Outcome
}

// flow owns the run's concurrency: this goroutine reads, workers decide and
// send, one reporter hands the rows on in input order.
func (p *pass) flow(ctx context.Context) (totals Totals, err error) {
	order := make(chan *slot, window)
	work := make(chan *slot)

	var workers, reporter sync.WaitGroup
	for range p.workers() {
		workers.Go(func() {
			for s := range work {
				p.serve(ctx, s)
				close(s.done)
			}
		})
	}
	var failed error
	reporter.Go(func() { totals, failed = p.report(order) })

	err = guarded(func() error {
		for s, err := range p.slots() {
			if err != nil {
				return err
			}
			order <- s
			work <- s
		}
		return nil
	})
	if err != nil { // a file that is not what was planned must not be sent further
		p.stop(&Stop{
			Code: "input-changed", Reason: "the spreadsheet can't be read as it was at first",
			Fix: "close it in other programs, then run the same command again", Later: true,
		})
	}
	close(work)
	close(order)
	workers.Wait()
	p.journeys.end()
	reporter.Wait()
	return totals, errors.Join(err, failed, p.fault)
}

func (p *pass) workers() int {
	if p.Limit > 0 {
		return 1
	}
	return max(1, p.Workers)
}

// report hands each row on once it is decided, and counts it. A Reporter that
// has failed is left alone; the rows are counted all the same.
func (p *pass) report(order <-chan *slot) (totals Totals, failed error) {
	for s := range order {
		<-s.done
		for i := range s.bookings {
			if j := s.bookings[i].journey; j != nil && p.journeys.half(j, s.row) {
				s.result.HalfBooked = true
			}
		}
		totals.Add(s.result)
		if failed != nil {
			continue
		}
		failed = guarded(func() error { return p.Reporter.Row(s.result) })
		if failed != nil {
			p.stop(&Stop{
				Code: "results-failed", Reason: "the results can't be written",
				Fix: "see the message, then run the same command again", Later: true,
			})
		}
	}
	return totals, failed
}

// slots reads the inputs again and gives each row, mapped. A row that is not
// what the first pass read ends it with an *InputError.
func (p *pass) slots() iter.Seq2[*slot, error] {
	return func(yield func(*slot, error) bool) {
		total := 0
		for i, in := range p.Inputs {
			digests := p.Plan.digests[i]
			n := 0
			for row, err := range in.Source.Rows() {
				if err == nil && (n == len(digests) || digests[n] != digest(p.Plan.seed, row)) {
					err = changed(in, row.Ref(0))
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(p.slot(total, in, row), nil) {
					return
				}
				n++
				total++
			}
			if n < len(digests) {
				yield(nil, changed(in, Ref{}))
				return
			}
		}
	}
}

func changed(in Input, at Ref) error {
	return &InputError{
		File:   in.Source.Name(),
		At:     at,
		Reason: "the file changed while it was being read",
		Fix:    "close it in other programs, then run the same command again: what is booked is not booked twice",
	}
}

func (p *pass) slot(row int, in Input, r Row) *slot {
	s := &slot{row: row, mapped: in.Mapper.Map(r.Clone()), rules: in.Mapper.Rules(), input: in, done: make(chan struct{})}
	s.bookings = make([]booking, len(s.mapped.Trips))
	for i := range s.bookings {
		b := &s.bookings[i]
		b.trip = &s.mapped.Trips[i]
		b.outcome = p.undecided()
		if s.mapped.LeftOut == "" {
			b.journey = p.journeys.of(b.trip.Link)
		}
	}
	return s
}

// undecided is the outcome of a trip until it has one: what is told of it if the
// program fails first. That nothing was sent now does not say that it was not
// booked before.
func (p *pass) undecided() Outcome {
	if p.Service == nil {
		return Outcome{State: NotSent, Reason: "the program failed at this row"}
	}
	return Outcome{State: Unknown, Reason: "the program failed before the ledger was asked whether it is booked"}
}

// proveTogether finds the journeys that must be sent as a whole and can't be:
// one reading more, for mappings that ask for it.
func (p *pass) proveTogether(ctx context.Context) error {
	if !p.Plan.together {
		return nil
	}
	for s, err := range p.slots() {
		if err != nil {
			return err
		}
		if !s.linked() {
			continue
		}
		p.prove(context.WithoutCancel(ctx), s)
		if s.mapped.LeftOut == "" && s.faulty() {
			s.invalidate()
		}
	}
	p.journeys.keepInvalid()
	return nil
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

// guarded gives a panic of do as an error. The panic's own text may hold row
// content, so only where it happened is kept.
func guarded(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &ProgramError{Stack: fmt.Sprintf("%T\n%s", v, debug.Stack())}
		}
	}()
	return do()
}

// A ProgramError is a panic: a fault of the program itself. What was sent is
// recorded. It holds no row content.
type ProgramError struct {
	// Stack says where, for whoever mends the program.
	Stack string
}

func (*ProgramError) Error() string { return "a fault of the program itself" }
