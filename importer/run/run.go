package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"tripimport/importer"
	"tripimport/importer/ahead"
	"tripimport/importer/judge"
)

// window is the largest number of rows that are handed out and not yet reported. Results come out in
// input order, so the rows behind one slow trip would otherwise pile up in memory.
const window = 4096

// A Run goes over its input twice. MakePlan is the first pass. Do is the second one, in which each row is
// mapped, placed, checked, judged and sent.
//
// A run without a Service is a check: trips without a fault are Ready unless the Ledger has them,
// and Pace is not used.
type Run struct {
	Info  importer.RunInfo
	Input Input
	// Plan is what the first pass found. No other changes are sent than it has.
	Plan    *Plan
	Checker importer.Checker
	// Placer finds missing coordinates; nil if they come only from the rows.
	Placer importer.Placer
	// Accounts resolves providers and funding sources to accounts; nil for a check without an
	// access list.
	Accounts *AccountResolver
	Service  importer.Service
	// NewToken says how to get another token.
	NewToken string
	// Address is the canonical address of the service, as the ledger has it.
	Address string
	Pace    importer.Gate
	// Ledger is asked about each row, and written to for each trip that is sent. The caller
	// begins and ends the run in it. It is nil for a check that has none.
	Ledger Ledger
	// Options returns the judge's options.
	Options func() *judge.Options
	// WholeDays returns the days of which a whole file has all trips; nil for all days.
	WholeDays func(*Plan) []importer.Date
	// SeenBy is when people will have seen what the run lists; zero for three hours from now.
	SeenBy time.Time
	// Raised reports whether an earlier run raised an urgent item; nil for none.
	Raised   func(importer.Item) bool
	Reporter importer.Reporter
	// Paused tells people how long the run pauses, because the service asked for it or can't be reached; nil tells
	// nobody.
	Paused func(left time.Duration)
	// Unsent is for a run without a Service that lists what is open, also of past days. If it is
	// set, trips that could be sent are NotSent with this reason, or TooLate.
	Unsent string
	// Phoned reports that such a run is for people who phone the trips: what its file says is recorded, so that
	// whoever sends next meets it.
	Phoned bool
	// Workers is how many rows may be processed at once.
	Workers int
	// Limit is the largest number of rows to send: the first ones that can be sent, one after the
	// other. 0 is no limit.
	Limit int
	// Abandon ends if a person wants the run to stop at once: rows that are under way are not
	// finished then, but what was sent is answered and recorded. nil for never.
	Abandon context.Context //nolint:containedctx // the second of two ways to stop
	// Clock gives the wall clock in the rules' zone.
	Clock importer.Clock
}

// Do carries out the run. It starts goroutines and returns when all of them have ended. When ctx
// is cancelled no further row is begun; rows of which a trip was sent are finished, both legs.
//
// Every row gets an outcome and is reported, in input order, also when the run stops early. An
// error says what went wrong with the run itself: an input that changed between the passes or
// can't be read any more (the rows from there on have no outcome), a Reporter that failed, a panic
// (a *ProgramError), or a control total that does not balance.
func (r *Run) Do(ctx context.Context, start importer.RunStart) (importer.RunResult, error) {
	s := &runState{Run: r, linked: linkedTrips{}, arrival: r.Plan.Arrival, reported: map[int64]bool{}}
	if r.Abandon == nil {
		r.Abandon = context.WithoutCancel(ctx)
	}
	s.gate = &gate{Run: r, judgeAgain: s.judgeAgain}
	s.gate.auth = &auth{service: r.Service, newToken: r.NewToken, end: s.gate.stop, lock: make(chan struct{}, 1), pairs: map[importer.Pair]pairDenials{}}
	if err := s.arrive(ctx); err != nil {
		return importer.RunResult{}, err
	}
	if err := r.Reporter.Start(start); err != nil {
		return importer.RunResult{}, err
	}

	totals, urgent, err := s.processRows(ctx)
	totals.RowsRead, totals.TripsRead = r.Plan.Rows, r.Plan.Trips
	gone := s.findGone(context.WithoutCancel(ctx))
	for i := range gone {
		urgent = append(urgent, s.raise(&gone[i])...)
		totals.AddTrip(&gone[i]) // as urgent as it is in this run
	}
	if rows, trips := totals.Sum(); err == nil && !totals.Balanced() {
		err = fmt.Errorf("the control total does not balance: %d rows and %d trips were read, %d rows and %d trips have an outcome; do not rely on these results, and report this",
			totals.RowsRead, totals.TripsRead, rows, trips)
	}
	result := importer.RunResult{
		Totals: totals, Interrupted: ctx.Err() != nil, Urgent: urgent, Gone: gone,
	}
	if s.Pace != nil {
		result.Stop = s.Pace.Stopped()
	}
	if result.Stop == nil {
		result.Stop = s.gate.auth.stop()
	}
	return result, errors.Join(err, r.Reporter.End(result))
}

// A runState is a Run in progress.
type runState struct {
	*Run
	gate *gate
	// linked is the reporter's.
	linked linkedTrips
	// arrival is that of the input, as the ledger has it once it is recorded.
	arrival importer.Arrival
	// reported are the numbers of the booked trips that the rows' outcomes are about. The
	// reporter writes them.
	reported map[int64]bool
	// sent is the number of rows that were sent, if that is limited. One that is not sent after all does not count.
	sent int
	// tasks are those of the last batch of rows. A check uses their memory again for the next one, once no row is
	// unreported. A run that sends has up to a window of rows under way, each with memory of its own.
	tasks      []rowTask
	unreported sync.WaitGroup

	panicking sync.Once
	panicked  error // the first panic of a worker
}

// arrive records in the ledger what the file says of its rows, so that whoever sends next, from
// whatever file, meets it. A check records nothing, and neither do rows of a workbook.
func (s *runState) arrive(ctx context.Context) error {
	if s.Service == nil && !s.Phoned || s.Ledger == nil || !s.Input.isArrival() {
		return nil
	}
	rows := eachOf(s.unchanged(false))
	if s.Input.Original != nil {
		rows = eachOf(s.Input.Original.batches(false, func(importer.Row) error { return nil }))
	}
	recorded, err := s.Ledger.Arrive(ctx, s.Info.ID, importer.Reading{Arrival: s.arrival, Rows: rows})
	if err != nil {
		return err
	}
	s.arrival = recorded
	return s.Input.findVersions(ctx, s.Ledger, s.Address)
}

// unchanged maps the rows of the input again. At a row that differs from the first pass it yields
// an *importer.InputError and ends. A batch is valid until the next one, and so are its rows if reuse is set.
func (s *runState) unchanged(reuse bool) iter.Seq2[[]*importer.Mapped, error] {
	return func(yield func([]*importer.Mapped, error) bool) {
		in, digests, n := &s.Input, s.Plan.digests, 0
		rows := digester{seed: s.Plan.seed}
		asPlanned := func(row importer.Row) error {
			if n == len(digests) || digests[n] != rows.digest(row) {
				return changed(in, row.Ref(0))
			}
			n++
			return nil
		}
		for mapped, err := range in.batches(reuse, asPlanned) {
			if !yield(mapped, err) || err != nil {
				return
			}
		}
		if n < len(digests) {
			yield(nil, changed(in, importer.Ref{}))
		}
	}
}

func changed(in *Input, at importer.Ref) error {
	return &importer.InputError{
		File:   in.Source.Name(),
		At:     at,
		Reason: "the file changed while it was being read",
		Fix:    "close it in other programs, then do the same again: what is booked is not booked twice",
	}
}

// processRows owns the run's concurrency: rows come mapped from a goroutine of their own, this one asks the ledger,
// workers decide and send, and one reporter hands the rows on in input order. The rows of one rider and day are
// processed one after the other, so that none is held by what another one writes.
func (s *runState) processRows(ctx context.Context) (totals importer.Totals, urgent []importer.Item, err error) {
	order := make(chan *rowTask, window)
	work := make(chan *rowTask)
	var workers, reporter sync.WaitGroup
	several := max(1, s.Workers)
	if s.Limit > 0 {
		several = 1 // the limit is for the first rows
	}
	for range several {
		workers.Go(func() {
			for row := range work {
				if row.after != nil {
					<-row.after
				}
				s.processRow(ctx, row)
				close(row.done)
			}
		})
	}

	var reportErr error
	reporter.Go(func() { totals, urgent, reportErr = s.report(order) })

	err = guarded(func() error { return s.handOut(context.WithoutCancel(ctx), order, work) })
	if err != nil { // a file that differs from the plan must not be sent any further
		s.gate.stop(&importer.Stop{
			Code: "input-changed", Reason: "the spreadsheet can't be read as it was at first",
			Fix: "close it in other programs, then do the same again", Later: true,
		})
	}

	close(work)
	close(order)
	workers.Wait()
	reporter.Wait()
	return totals, urgent, errors.Join(err, reportErr, s.panicked)
}

// handOut asks the ledger about the rows, a batch at once, and hands each to the reporter and to a worker. In a check
// it waits until a batch is reported.
func (s *runState) handOut(ctx context.Context, order, work chan<- *rowTask) error {
	riders, isCheck := &riderDays{seed: s.Plan.seed}, s.Service == nil
	for mapped, err := range s.unchanged(isCheck) {
		if err != nil {
			return err
		}
		if !isCheck {
			s.tasks = nil
		}
		s.fillTasks(ctx, mapped)
		s.unreported.Add(len(s.tasks))
		for i := range s.tasks {
			row := &s.tasks[i]
			if !isCheck { // a check writes nothing for which a row would have to wait
				riders.follow(row)
			}
			order <- row
			work <- row
		}
		if isCheck {
			s.unreported.Wait()
		}
	}
	return nil
}

// riderDays has, for each rider and day, the channel done of the last row that was handed out. It does not keep the row
// itself in memory. A few riders share a place: the rows of one wait for those of the other, too.
type riderDays struct {
	seed maphash.Seed
	last [window]<-chan struct{}
}

// follow makes the row wait for the row before it of the same rider and day.
func (r *riderDays) follow(row *rowTask) {
	if len(row.trips) == 0 {
		return
	}
	rider := importer.RiderText(row.trips[0].trip.RiderID)
	if rider == "" {
		return
	}
	at := maphash.String(r.seed, rider+row.mapped.Key.Date.String()) % window
	row.after, r.last[at] = r.last[at], row.done
}

// fillTasks makes the tasks of rows, with what the ledger has of them.
func (s *runState) fillTasks(ctx context.Context, mapped []*importer.Mapped) {
	s.tasks = slices.Grow(s.tasks[:0], len(mapped))[:len(mapped)]
	for i, m := range mapped {
		s.beginTask(&s.tasks[i], m)
	}
	if s.Ledger == nil {
		return
	}
	known, err := s.Ledger.Look(ctx, s.Address, mapped)
	if err != nil {
		s.gate.ledgerFailed(err)
	}
	for i := range s.tasks {
		row := &s.tasks[i]
		row.notAsked = err
		if err == nil {
			row.known = known[i]
		}
	}
}

// report hands each row to the Reporter once it is decided, and counts it. A Reporter that failed
// is told of the other rows all the same: what is open of them is listed.
func (s *runState) report(order <-chan *rowTask) (totals importer.Totals, urgent []importer.Item, failed error) {
	for row := range order {
		<-row.done
		for i := range row.trips {
			if t := &row.trips[i]; row.mapped.LeftOut == "" && s.linked.halfBooked(s.Plan.seed, t.trip.Link, t.outcome.State) {
				row.result.HalfBooked = true
			}
		}
		urgent = append(urgent, s.collectUrgent(row)...)
		totals.Add(&row.result)
		for i := range row.result.Trips {
			s.reported[row.result.Trips[i].Outcome.Attempt] = true
		}
		result := row.result
		err := guarded(func() error { return s.Reporter.Row(result) })
		failed = cmp.Or(failed, err)
		if err != nil {
			s.gate.stop(&importer.Stop{
				Code: "results-failed", Reason: "the results can't be written",
				Fix: "see the message, then do the same again", Later: true,
			})
		}
		s.unreported.Done()
	}
	return totals, urgent, failed
}

// findGone returns the booked trips that the schedule does not have any more.
func (s *runState) findGone(ctx context.Context) (gone []importer.TripResult) {
	if s.Pace != nil {
		if stop := s.Pace.Stopped(); stop != nil && stop.Code == codeLedgerFailed {
			return nil // a ledger that is away would be waited for once more
		}
	}
	a := &s.arrival
	if s.Ledger == nil || !s.Input.isArrival() || !a.Whole {
		return nil
	}
	rows, err := s.Ledger.Schedule(ctx, s.Address, a.Broker, a.Days())
	if err != nil {
		s.gate.ledgerFailed(err)
		return nil // the run is stopped, and says why
	}
	for n := range rows {
		if s.Service == nil {
			judge.Propose(&rows[n], a, s.Plan.present.Of)
		}
		for _, d := range judge.Gone(&rows[n], s.Options()) {
			if s.reported[d.Trip.Number] {
				continue
			}
			s.reported[d.Trip.Number] = true
			t := OffRow(d.Trip, d.Outcome, importer.Ref{})
			gone = append(gone, t)
			s.due(s.Input.Mapper.Rules(), gone[len(gone)-1:], t.Outcome.Begins.Date)
		}
	}
	return gone
}

// abort ends the sending after a panic.
func (s *runState) abort(err error) {
	s.panicking.Do(func() { s.panicked = err })
	s.gate.stop(&importer.Stop{
		Code: "internal", Reason: "an error in the program itself",
		Fix: "report it; what was sent is recorded", Later: true,
	})
}

// guarded returns a panic of do as an error. The panic's text may hold row content, so only its
// type and where it happened are kept.
func guarded(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			stack := debug.Stack()
			if p, ok := v.(*ahead.Panic); ok {
				v, stack = p.Value, p.Stack
			}
			err = &ProgramError{Stack: fmt.Sprintf("%T\n%s", v, stack)}
		}
	}()
	return do()
}

// A ProgramError is a panic: an error in the program itself. What was sent is recorded. It holds no
// row content.
type ProgramError struct {
	// Stack says where the panic happened, for whoever fixes the program.
	Stack string
}

// Error does not say what the panic was.
func (*ProgramError) Error() string { return "an error in the program itself" }

// A Ledger is what a run needs of a ledger. Its methods promise what those of the ledger of an
// office promise. A check only reads it.
type Ledger interface {
	// Look returns what the ledger has that shares a key with each of the rows.
	Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error)
	// Schedule returns the last words of the broker's rows on the days, with their trips.
	Schedule(ctx context.Context, service, broker string, days []importer.Date) ([]importer.Known, error)
	// Arrivals returns the arrivals of the broker from the day on.
	Arrivals(ctx context.Context, broker string, from importer.Date) ([]importer.Arrival, error)
	// Arrive records the arrival of a file with what it says of its rows.
	Arrive(ctx context.Context, run string, of importer.Reading) (importer.Arrival, error)
	// Claim records that a step is about to be sent, and Settle what came of it.
	Claim(context.Context, importer.Step) (importer.Ticket, error)
	Settle(context.Context, importer.Ticket, importer.Settled) error
	// Trip returns the trip with the number, and Record records the effects of answers.
	Trip(ctx context.Context, number int64) (importer.Known, bool, error)
	Record(context.Context, ...importer.Effect) error
}
