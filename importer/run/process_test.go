package run_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"tripimport/importer"
)

// A process is one run of the program in its environment: the run's Service, Gate
// and Ledger. It can die at any step. Once it is dead, nothing that it does has an
// effect, but requests that it sent still arrive.
type process struct {
	env     *environment
	n       int // which run of the history
	crashAt int // the step at which it dies, counted from 1; 0 for never

	mu       sync.Mutex
	steps    int
	dead     bool
	attempts map[string]int
	gate     pacedGate
}

var errCrashed = errors.New("the program has died")

func (env *environment) process(n, crashAt int) *process {
	return &process{env: env, n: n, crashAt: crashAt, attempts: map[string]int{}}
}

// step takes some time and reports whether the process is still alive.
func (p *process) step(kind, id string) bool {
	p.mu.Lock()
	n := p.attempts[id]
	p.mu.Unlock()
	time.Sleep(p.env.between(time.Microsecond, 20*time.Millisecond, kind, id, p.n, n))
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dead {
		p.steps++
		p.dead = p.steps == p.crashAt
	}
	return !p.dead
}

func (p *process) crashed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// fails draws whether a step goes wrong by itself.
func (p *process) fails(kind, id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.env.draw("fails "+kind, id, p.n, p.attempts[id]) < p.env.faults/50
}

func (p *process) Identity() string { return p.env.ledger.Identity() }

func (p *process) Begin(ctx context.Context, run importer.RunInfo) error {
	return p.env.ledger.Begin(ctx, run)
}

func (p *process) End(ctx context.Context, run string, t importer.Totals, ended time.Time, how string, raised ...importer.Item) error {
	return p.env.ledger.End(ctx, run, t, ended, how, raised...)
}

func (p *process) Raised(ctx context.Context, item importer.Item) (bool, error) {
	return p.env.ledger.Raised(ctx, item)
}

func (p *process) Find(ctx context.Context, a importer.Account, t *importer.Trip) (importer.Record, bool, error) {
	if !p.step("find", t.ID) {
		return importer.Record{}, false, errCrashed
	}
	if p.fails("find", t.ID) {
		return importer.Record{}, false, errDisk
	}
	return p.env.ledger.Find(ctx, a, t)
}

func (p *process) Similar(ctx context.Context, a importer.Account, t *importer.Trip, within int) ([]importer.Record, error) {
	if !p.step("similar", t.ID) {
		return nil, errCrashed
	}
	return p.env.ledger.Similar(ctx, a, t, within)
}

func (p *process) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, error) {
	if !p.step("decided", "") {
		return importer.NoVerdict, errCrashed
	}
	return p.env.ledger.Decided(ctx, d)
}

func (p *process) DecidedBefore(d importer.Decision) importer.Verdict {
	return p.env.ledger.DecidedBefore(d)
}

func (p *process) RowTrips(ctx context.Context, service string, m *importer.Mapped) (importer.RowTrips, error) {
	id := m.Key.ID
	switch {
	case !p.step("row", id):
		return importer.RowTrips{}, errCrashed
	case p.fails("row", id):
		return importer.RowTrips{}, errDisk
	}
	return p.env.ledger.RowTrips(ctx, service, m)
}

func (p *process) Lacks(ctx context.Context, m *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	id := m.Key.ID
	switch {
	case !p.step("lacks", id):
		return false, errCrashed
	case p.fails("lacks", id):
		return false, errDisk
	}
	return p.env.ledger.Lacks(ctx, m, accounts, within)
}

func (p *process) CheckRowIDs(ctx context.Context, ids importer.RowIDs, from importer.Date) (bool, error) {
	return p.env.ledger.CheckRowIDs(ctx, ids, from)
}

func (p *process) TripsOfID(ctx context.Context, service, id string) ([]importer.Record, error) {
	return p.env.ledger.TripsOfID(ctx, service, id)
}

func (p *process) TripsOfRider(ctx context.Context, service string, t *importer.Trip) ([]importer.Record, error) {
	return p.env.ledger.TripsOfRider(ctx, service, t)
}

func (p *process) Respelt(ctx context.Context, service string, key importer.RowKey, t *importer.Trip) ([]importer.Record, error) {
	return p.env.ledger.Respelt(ctx, service, key, t)
}

func (p *process) SameDay(ctx context.Context, a importer.Account, t *importer.Trip) ([]importer.Record, error) {
	return p.env.ledger.SameDay(ctx, a, t)
}

func (p *process) RowMarks(key importer.RowKey) []string { return p.env.ledger.RowMarks(key) }

// Claim dies, or fails, before its commit or after it.
func (p *process) Claim(ctx context.Context, c importer.Claim) (claimed importer.Claimed, err error) {
	err = p.claim(c.Trip.ID, func() (err error) { claimed, err = p.env.ledger.Claim(ctx, c); return err })
	return claimed, err
}

// claim dies, or fails, before do or after it.
func (p *process) claim(id string, do func() error) error {
	p.mu.Lock()
	p.attempts[id]++
	p.mu.Unlock()
	if !p.step("claim", id) {
		return errCrashed
	}
	if p.fails("claim", id) {
		return errDisk
	}
	err := do()
	switch {
	case err != nil:
		return err
	case !p.step("claimed", id):
		return errCrashed
	case p.fails("claimed", id):
		return errDisk
	}
	return nil
}

// Settle dies, or fails, before its commit or after it.
func (p *process) Settle(ctx context.Context, c importer.Claimed, s importer.Settlement) error {
	id := p.env.ledger.idOf(c)
	if !p.step("settle", id) {
		return errCrashed
	}
	if p.fails("settle", id) {
		return errDisk
	}
	err := p.env.ledger.Settle(ctx, c, s)
	switch {
	case err != nil:
		return err
	case !p.step("settled", id):
		return errCrashed
	case p.fails("settled", id):
		return errDisk
	}
	return nil
}

// drawFailure draws what goes wrong in an attempt. Failures that stop a run are
// rarer than those of one trip.
func (p *process) drawFailure(id string) failure {
	p.mu.Lock()
	n := p.attempts[id]
	p.mu.Unlock()
	if p.env.draw("failure", id, p.n, n) >= p.env.faults {
		return noFailure
	}
	kind := failure(1 + p.env.draw("which", id, p.n, n)*float64(failureCount-1))
	if kind >= page && p.env.draw("really", id, p.n, n) > 0.3 {
		return tooSlow
	}
	return kind
}

// Insert sends a request to the service, which answers within the time-out of a
// minute, or too late.
func (p *process) Insert(_ context.Context, key importer.Secret, t *importer.Trip) importer.Reply {
	id := t.ID
	if key.Empty() {
		p.env.truth.wrong("sent without a key: %s", id)
	}
	if !p.step("send", id) {
		return importer.Reply{}
	}
	failure := p.drawFailure(id)
	switch failure {
	case noConnection:
		return importer.Reply{Kind: importer.ReplyNotSent}
	case badCertificate:
		return importer.Reply{Kind: importer.ReplyBadCertificate}
	case lostOnTheWay:
		return importer.Reply{Kind: importer.ReplyUnclear}
	}
	answered := make(chan importer.Reply, 1)
	ride := ""
	if p.env.rideOf != nil {
		ride = p.env.rideOf(t)
	}
	go p.env.serve(id, ride, strings.ToLower(t.Provider), valueMap(t.Properties()), p.n, failure, answered)
	var answer importer.Reply
	select {
	case answer = <-answered:
	case <-time.After(time.Minute):
	}
	if !p.step("answered", id) {
		return importer.Reply{}
	}
	return answer
}

func (p *process) Access(context.Context) (importer.Access, error) {
	if !p.step("access", "") {
		return importer.Access{}, errCrashed
	}
	if p.env.tokenDead() {
		return importer.Access{}, &importer.AccessError{Status: 401}
	}
	if p.fails("access", "") {
		return importer.Access{}, &importer.AccessError{Status: 500}
	}
	return lakeshore(), nil
}

func (p *process) Renew(context.Context) (bool, error) {
	if p.step("renew", "") && p.env.draw("renew", "", p.n) < 0.7 {
		p.env.renewed.Store(true)
		return true, nil
	}
	return false, nil
}

func (p *process) CloseIdle() {}

// Wait, Report, Stop and Stopped are a plain gate: twenty attempts a second, a
// pause where the service asks for one, and a stop after five bad answers in a
// row or one that no further attempt can correct.
func (p *process) Wait(ctx context.Context) error {
	return p.gate.wait(ctx)
}

func (p *process) Report(a importer.Reply) { p.gate.report(a) }
func (p *process) Stop(s *importer.Stop)   { p.gate.stop(s) }
func (p *process) Stopped() *importer.Stop { return p.gate.stopped() }
func (p *process) Unused()                 {}

type pacedGate struct {
	mu     sync.Mutex
	next   time.Time
	badly  int
	reason *importer.Stop
}

func (g *pacedGate) wait(ctx context.Context) error {
	g.mu.Lock()
	g.next = later(g.next, time.Now()).Add(50 * time.Millisecond)
	pause := time.Until(g.next)
	g.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
	}
	if s := g.stopped(); s != nil {
		return s
	}
	return nil
}

func (g *pacedGate) report(a importer.Reply) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch a.Kind {
	case importer.ReplyThrottled:
		g.next = later(g.next, time.Now().Add(5*time.Second))
	case importer.ReplyUnclear, importer.ReplyNotSent:
		g.badly++
	case importer.ReplyPage, importer.ReplyRedirected, importer.ReplyMisdirected, importer.ReplyBadCertificate:
		g.badly = math.MaxInt
	default:
		g.badly = 0
	}
	if g.badly >= 5 && g.reason == nil {
		g.reason = &importer.Stop{Code: "service-down", Reason: "the service answers badly", Later: true}
	}
}

func (g *pacedGate) stop(s *importer.Stop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reason == nil {
		g.reason = s
	}
}

func (g *pacedGate) stopped() *importer.Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reason
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ClaimChange dies, or fails, before its commit or after it.
func (p *process) ClaimChange(ctx context.Context, c importer.ChangeClaim) (claimed importer.ClaimedChange, err error) {
	err = p.claim("change "+c.Trip.ID, func() (err error) { claimed, err = p.env.ledger.ClaimChange(ctx, c); return err })
	return claimed, err
}

// SettleChange dies, or fails, before its commit or after it.
func (p *process) SettleChange(ctx context.Context, c importer.ClaimedChange, s importer.Settlement) error {
	if !p.step("settle", "change") {
		return errCrashed
	}
	if p.fails("settle", "change") {
		return errDisk
	}
	if err := p.env.ledger.SettleChange(ctx, c, s); err != nil {
		return err
	}
	if !p.step("settled", "change") {
		return errCrashed
	}
	return nil
}

func (p *process) NoteSchedule(ctx context.Context, key importer.RowKey, t *importer.Trip) error {
	if !p.step("note", t.ID) {
		return errCrashed
	}
	return p.env.ledger.NoteSchedule(ctx, key, t)
}

func (p *process) NoteChange(ctx context.Context, key importer.RowKey, t *importer.Trip) error {
	if !p.step("note a change", t.ID) {
		return errCrashed
	}
	return p.env.ledger.NoteChange(ctx, key, t)
}

func (p *process) ForgetLeft(ctx context.Context, attempt int64) error {
	if !p.step("forget left", strconv.FormatInt(attempt, 10)) {
		return errCrashed
	}
	return p.env.ledger.ForgetLeft(ctx, attempt)
}

func (p *process) TripsOfDay(ctx context.Context, service, broker string, day importer.Date, pairs []importer.Pair) ([]importer.Record, error) {
	if !p.step("day", broker) {
		return nil, errCrashed
	}
	return p.env.ledger.TripsOfDay(ctx, service, broker, day, pairs)
}

// Change sends a change to the service, as Insert sends a trip.
func (p *process) Change(_ context.Context, key importer.Secret, c importer.TripChange) importer.Reply {
	if p.env.judgeChange == nil || key.Empty() {
		p.env.truth.wrong("a change was sent, or without a key: %s", c.Trip.ID)
		return importer.Reply{}
	}
	id := "change " + c.Trip.ID
	if !p.step("send", id) {
		return importer.Reply{}
	}
	failure := p.drawFailure(id)
	switch failure {
	case noConnection:
		return importer.Reply{Kind: importer.ReplyNotSent}
	case badCertificate:
		return importer.Reply{Kind: importer.ReplyBadCertificate}
	}
	p.env.judgeChange(p.n, &c)
	if failure == lostOnTheWay {
		return importer.Reply{Kind: importer.ReplyUnclear}
	}
	answered := make(chan importer.Reply, 1)
	go p.env.serveChange(c.GUID, id, changedValues(&c), p.n, failure, answered)
	var answer importer.Reply
	select {
	case answer = <-answered:
	case <-time.After(time.Minute):
	}
	if !p.step("answered", id) {
		return importer.Reply{}
	}
	return answer
}

// changedValues are the values that are sent in a change. Places have them from anywhere.
func changedValues(c *importer.TripChange) map[string]string {
	placed := *c.Trip
	placed.Pickup.Position.Source, placed.Dropoff.Position.Source = "", ""
	return valueMap(valuesOf(&placed, c.Keys))
}

func valueMap(values []importer.PropertyValue) map[string]string {
	all := map[string]string{}
	for _, v := range values {
		all[v.Key] = v.Value
	}
	return all
}
