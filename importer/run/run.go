package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"tripimport/importer"
)

// window is the largest number of rows that are read and not yet reported. Results come
// out in input order, so the rows behind one slow trip would otherwise pile up in memory.
const window = 4096

// ErrEnough is returned by the Reporter of a check that wants no more rows: Do ends there
// with that error, and does not call Reporter.End. A run with a Service goes on, because
// what it sends has to be recorded.
var ErrEnough = errors.New("no more rows are wanted")

// A Run is the second pass over the inputs: each row is mapped, placed, checked
// and sent, trip by trip.
//
// A run without a Service is a check: trips without a fault are Ready unless the
// Ledger has them, and Gate is not used.
type Run struct {
	Info    importer.RunInfo
	Inputs  []Input
	Plan    *Plan
	Checker importer.Checker
	// Placer finds missing coordinates; nil if they come only from the rows.
	Placer importer.Placer
	// Accounts resolves providers and funding sources to accounts; nil for a check
	// without an access list.
	Accounts *AccountResolver
	Service  importer.Service
	// NewToken says how to get another token.
	NewToken string
	// Address is the canonical address of the service, as the ledger stores it.
	Address string
	Gate    importer.Gate
	// Ledger is read and written for each trip. The caller begins and ends the run in it.
	// A check may have a Ledger, and only reads it.
	Ledger importer.Ledger
	// Changes says what to do about booked trips that differ; nil only reports them.
	Changes *Changes
	// Whole names the days for which the inputs have all trips; nil for none.
	Whole *Whole
	// ByHand records as booked a trip that a person says they entered in the
	// service, and returns its outcome; false if nobody said so. nil for nobody.
	ByHand func(context.Context, importer.Claim) (importer.Outcome, bool, error)
	// HeldBack says why a trip that could be sent is not, for what people answered; empty for
	// one that is sent. nil for no such trip.
	HeldBack func(*importer.Trip) string
	Reporter importer.Reporter
	// Unsent is for a run without a Service that lists what is open, also of past days.
	// If it is set, trips that could be sent are NotSent with this reason, or TooLate. If
	// it is empty, they are Ready.
	Unsent string
	// Workers is how many rows may be processed at once.
	Workers int
	// Limit is the largest number of rows to send: the first ones that can be sent. 0 is
	// no limit.
	Limit int
	// Clock gives the wall clock in the rules' zone.
	Clock importer.Clock
}

// Do carries out the run. It starts goroutines and returns when all of them have ended.
// When ctx is cancelled no further trip is sent; requests that were sent are answered and
// recorded first.
//
// Every row gets an outcome and is reported, in input order, also when the run
// stops early. An error says what went wrong with the run itself: an input that
// changed between the passes or can't be read any more (the rows from there on
// have no outcome), a Reporter that failed, a panic (a *ProgramError), or a
// control total that does not balance.
func (r *Run) Do(ctx context.Context, start importer.RunStart) (importer.RunResult, error) {
	s := &runState{Run: r, auth: newAuth(r.Service, r.NewToken), linked: newLinkedTrips(r.Plan.links), reportedAttempts: map[int64]bool{}, limit: newRowLimit(r.Limit)}
	if err := guarded(func() error { return s.findInvalidLinks(ctx) }); err != nil {
		return importer.RunResult{}, err
	}

	if err := r.Reporter.Start(start); err != nil {
		return importer.RunResult{}, err
	}

	totals, urgent, err := s.processRows(ctx)
	if s.enough.Load() {
		return importer.RunResult{}, err
	}
	totals.RowsRead, totals.TripsRead = r.Plan.Rows, r.Plan.Trips
	gone, partial, goneErr := s.findGone(context.WithoutCancel(ctx))
	for i := range gone {
		totals.AddTrip(&gone[i])
		urgent = append(urgent, s.raise(context.WithoutCancel(ctx), &gone[i])...)
	}
	err = errors.Join(err, goneErr)
	if err == nil && !totals.Balanced() {
		err = unbalanced(totals)
	}

	result := importer.RunResult{Totals: totals, Stop: s.stopped(), Interrupted: ctx.Err() != nil, Urgent: urgent, Gone: gone, Partial: partial}
	if result.Stop == nil {
		result.Stop = s.auth.stop()
	}
	return result, errors.Join(err, r.Reporter.End(result))
}

func unbalanced(t importer.Totals) error {
	rows, trips := t.Sum()
	return fmt.Errorf("the control total does not balance: %d rows and %d trips were read, %d rows and %d trips have an outcome; do not rely on these results, and report this",
		t.RowsRead, t.TripsRead, rows, trips)
}

// A runState is a Run in progress.
type runState struct {
	*Run
	auth   *auth
	linked *linkedTrips
	// reportedAttempts are the attempts of the booked trips that the rows' outcomes are about. The
	// reporter writes them.
	reportedAttempts map[int64]bool
	limit            *rowLimit
	// freeTasks are rowTasks whose memory is reused. A run that sends does not reuse them,
	// because a claim or a request that outlives its row must never see another trip.
	freeTasks sync.Pool

	// enough reports that the Reporter wants no more rows.
	enough atomic.Bool

	panicking sync.Once
	panicked  error // the first panic of a worker
}

// processRows owns the run's concurrency: this goroutine reads, workers decide
// and send, and one reporter hands the rows on in input order.
func (s *runState) processRows(ctx context.Context) (totals importer.Totals, urgent []importer.Item, err error) {
	order := make(chan *rowTask, window)
	work := make(chan *rowTask)

	var workers, reporter sync.WaitGroup
	for range max(1, s.Workers) {
		workers.Go(func() {
			for row := range work {
				s.processRow(ctx, row)
				close(row.done)
			}
		})
	}

	var reportErr error
	reporter.Go(func() { totals, urgent, reportErr = s.report(context.WithoutCancel(ctx), order) })

	err = guarded(func() error {
		for row, err := range s.rowTasks() {
			if err != nil || s.enough.Load() {
				return err
			}
			order <- row
			work <- row
		}
		return nil
	})
	if err != nil { // a file that differs from the plan must not be sent any further
		s.stop(&importer.Stop{
			Code: "input-changed", Reason: "the spreadsheet can't be read as it was at first",
			Fix: "close it in other programs, then run the same command again", Later: true,
		})
	}

	close(work)
	close(order)
	workers.Wait()
	s.linked.end()
	reporter.Wait()
	return totals, urgent, errors.Join(err, reportErr, s.panicked)
}

// report hands each row to the Reporter once it is decided, and counts it. A
// Reporter that failed is not called again; the rows are counted all the same.
func (s *runState) report(ctx context.Context, order <-chan *rowTask) (totals importer.Totals, urgent []importer.Item, failed error) {
	for row := range order {
		<-row.done
		for i := range row.trips {
			if link := row.trips[i].link; link != nil && s.linked.halfBooked(link, row.index) {
				row.result.HalfBooked = true
			}
		}
		urgent = append(urgent, s.collectUrgent(ctx, row)...)
		totals.Add(&row.result)
		for i := range row.result.Trips {
			s.reportedAttempts[row.result.Trips[i].Outcome.Attempt] = true
		}
		result := row.result
		if s.Service == nil {
			s.freeTasks.Put(row)
		}
		if failed != nil {
			continue
		}

		failed = guarded(func() error { return s.Reporter.Row(result) })
		if s.Service == nil && errors.Is(failed, ErrEnough) {
			s.enough.Store(true)
		} else if failed != nil {
			s.stop(&importer.Stop{
				Code: "results-failed", Reason: "the results can't be written",
				Fix: "see the message, then run the same command again", Later: true,
			})
		}
	}
	return totals, urgent, failed
}

// rowTasks reads the inputs again and yields each row, mapped. At a row that differs from
// the first pass it yields an *importer.InputError and ends.
func (s *runState) rowTasks() iter.Seq2[*rowTask, error] {
	return func(yield func(*rowTask, error) bool) {
		index, rows := 0, digester{seed: s.Plan.seed}
		for i, in := range s.Inputs {
			digests := s.Plan.digests[i]
			n := 0
			for row, err := range in.Source.Rows() {
				if err == nil && (n == len(digests) || digests[n] != rows.digest(row)) {
					err = changed(in, row.Ref(0))
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(s.newRowTask(index, in, row), nil) {
					return
				}
				n++
				index++
			}
			if n < len(digests) {
				yield(nil, changed(in, importer.Ref{}))
				return
			}
		}
	}
}

func changed(in Input, at importer.Ref) error {
	return &importer.InputError{
		File:   in.Source.Name(),
		At:     at,
		Reason: "the file changed while it was being read",
		Fix:    "close it in other programs, then run the same command again: what is booked is not booked twice",
	}
}

// findInvalidLinks finds the linked trips that must be sent together and can't be. It reads
// the inputs once more, only for mappings that tie trips together.
func (s *runState) findInvalidLinks(ctx context.Context) error {
	if !s.Plan.together {
		return nil
	}
	for row, err := range s.rowTasks() {
		if err != nil {
			return err
		}
		if !row.isLinked() {
			continue
		}
		s.examine(context.WithoutCancel(ctx), row)
		waits := slices.ContainsFunc(row.trips, func(t tripTask) bool { return t.waits() })
		if row.mapped.LeftOut == "" && (waits || row.faulty()) {
			row.invalidateLinks()
		}
	}

	s.linked.keepInvalid()
	return nil
}

// stop ends the sending. A check has no gate and goes on.
func (s *runState) stop(reason *importer.Stop) {
	if s.Gate != nil {
		s.Gate.Stop(reason)
	}
}

func (s *runState) stopped() *importer.Stop {
	if s.Gate == nil {
		return nil
	}
	return s.Gate.Stopped()
}

// abort ends the sending after a panic.
func (s *runState) abort(err error) {
	s.panicking.Do(func() { s.panicked = err })
	s.stop(&importer.Stop{
		Code: "internal", Reason: "an error in the program itself",
		Fix: "report it; what was sent is recorded", Later: true,
	})
}

// guarded returns a panic of do as an error. The panic's text may hold row
// content, so only its type and where it happened are kept.
func guarded(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &ProgramError{Stack: fmt.Sprintf("%T\n%s", v, debug.Stack())}
		}
	}()
	return do()
}

// A ProgramError is a panic: an error in the program itself. What was sent is
// recorded. It holds no row content.
type ProgramError struct {
	// Stack says where the panic happened, for whoever fixes the program.
	Stack string
}

// Error does not say what the panic was.
func (*ProgramError) Error() string { return "an error in the program itself" }
