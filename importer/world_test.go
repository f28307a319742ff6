package importer_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// A world is what outlasts a run of the program: the service with its own log,
// the ledger's disk, and chance. Chance is drawn from the seed and from what it
// is about, never in sequence, so that one number replays a whole night however
// its goroutines are scheduled.
type world struct {
	seed   uint64
	ledger *memory
	truth  *truth
	// faults is the part of all steps at which something goes wrong; refused
	// are the trips that the service never takes.
	faults  float64
	refused map[string]bool
	// outboundOf gives the leg that must be booked before a trip, untilOf the
	// time after which it must not be sent.
	outboundOf map[string]string
	untilOf    map[string]time.Time
	// token is dead from then on until it is read again.
	tokenDies time.Time
	renewed   *atomic.Bool
}

// draw gives a number from 0 up to 1 that depends on the seed and the parts.
func (w *world) draw(what, id string, n ...int) float64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], w.seed)
	_, _ = h.Write(b[:])
	_, _ = h.Write([]byte(what + "\x00" + id))
	for _, n := range n {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		_, _ = h.Write(b[:])
	}
	// The finaliser of splitmix64: FNV alone leaves near keys near.
	x := h.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11) / (1 << 53)
}

// between draws a time span; to the nanosecond, so that hardly two things ever
// happen at once.
func (w *world) between(least, most time.Duration, what, id string, n ...int) time.Duration {
	return least + time.Duration(w.draw(what, id, n...)*float64(most-least))
}

func (w *world) tokenDead() bool {
	return !w.tokenDies.IsZero() && !w.renewed.Load() && time.Now().After(w.tokenDies)
}

// A truth is the service's own log, and the judge of every run: what it
// received, and what it committed.
type truth struct {
	mu        sync.Mutex
	received  map[string]int
	committed map[string]string // the GUID by trip id
	wrongs    []string
	events    []string
}

func newTruth() *truth {
	return &truth{received: map[string]int{}, committed: map[string]string{}}
}

// receive takes note of a request that arrived, and of what must not be.
func (w *world) receive(id string) {
	tr := w.truth
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.received[id]++
	tr.events = append(tr.events, fmt.Sprintf("%d received %s", time.Now().UnixNano(), id))
	if tr.committed[id] != "" {
		tr.wrongs = append(tr.wrongs, "received again, though booked: "+id)
	}
	if outbound := w.outboundOf[id]; outbound != "" && tr.committed[outbound] == "" {
		tr.wrongs = append(tr.wrongs, "received before its outbound was booked: "+id)
	}
	if until := w.untilOf[id]; !until.IsZero() && time.Now().After(until.Add(time.Minute)) {
		tr.wrongs = append(tr.wrongs, "received after its pickup time: "+id)
	}
}

// commit books a trip.
func (tr *truth) commit(id, guid string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.events = append(tr.events, fmt.Sprintf("%d committed %s", time.Now().UnixNano(), id))
	if tr.committed[id] != "" {
		tr.wrongs = append(tr.wrongs, "booked twice: "+id)
	}
	tr.committed[id] = guid
}

func (tr *truth) guid(id string) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.committed[id]
}

func (tr *truth) wrong(format string, args ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.wrongs = append(tr.wrongs, fmt.Sprintf(format, args...))
}

// A process is one run of the program in its world: the run's Service, Gate and
// Ledger. Each of their steps may be its last. Once it is dead nothing that it
// does has an effect; what was on its way to the service arrives all the same.
type process struct {
	w       *world
	n       int // which run of the night
	crashAt int // the step at which it dies, counted from 1; 0 for never

	mu       sync.Mutex
	steps    int
	dead     bool
	attempts map[string]int
	gate     pacedGate
}

var errCrashed = errors.New("the program is no longer there")

func (w *world) process(n, crashAt int) *process {
	return &process{w: w, n: n, crashAt: crashAt, attempts: map[string]int{}}
}

// step takes its time and reports whether the program is still there.
func (p *process) step(kind, id string) bool {
	p.mu.Lock()
	n := p.attempts[id]
	p.mu.Unlock()
	time.Sleep(p.w.between(time.Microsecond, 20*time.Millisecond, kind, id, p.n, n))
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
	return p.w.draw("fails "+kind, id, p.n, p.attempts[id]) < p.w.faults/50
}

func (p *process) Identity() string { return p.w.ledger.Identity() }

func (p *process) Begin(ctx context.Context, run importer.RunInfo) error {
	return p.w.ledger.Begin(ctx, run)
}

func (p *process) End(ctx context.Context, run string, t importer.Totals, ended time.Time, how string) error {
	return p.w.ledger.End(ctx, run, t, ended, how)
}

func (p *process) Find(ctx context.Context, a importer.Account, t *importer.Trip) (importer.Record, bool, error) {
	if !p.step("find", t.ID) {
		return importer.Record{}, false, errCrashed
	}
	if p.fails("find", t.ID) {
		return importer.Record{}, false, errDisk
	}
	return p.w.ledger.Find(ctx, a, t)
}

func (p *process) Similar(ctx context.Context, a importer.Account, t *importer.Trip, within int) ([]importer.Record, error) {
	if !p.step("similar", t.ID) {
		return nil, errCrashed
	}
	return p.w.ledger.Similar(ctx, a, t, within)
}

// Claim dies, or fails, before its commit or after it.
func (p *process) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	id := c.Trip.ID
	p.mu.Lock()
	p.attempts[id]++
	p.mu.Unlock()
	if !p.step("claim", id) {
		return importer.Claimed{}, errCrashed
	}
	if p.fails("claim", id) {
		return importer.Claimed{}, errDisk
	}
	claimed, err := p.w.ledger.Claim(ctx, c)
	switch {
	case err != nil:
		return importer.Claimed{}, err
	case !p.step("claimed", id):
		return importer.Claimed{}, errCrashed
	case p.fails("claimed", id):
		return importer.Claimed{}, errDisk
	}
	return claimed, nil
}

// Settle dies, or fails, before its commit or after it.
func (p *process) Settle(ctx context.Context, c importer.Claimed, s importer.Settlement) error {
	id := p.w.ledger.idOf(c)
	if !p.step("settle", id) {
		return errCrashed
	}
	if p.fails("settle", id) {
		return errDisk
	}
	err := p.w.ledger.Settle(ctx, c, s)
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

// An ill is what the world has in store for one attempt.
type ill int

const (
	noIll ill = iota
	noConnection
	lostOnTheWay // reset before the service has read anything
	throttled
	badData
	errorBefore // 500 before the commit
	errorAfter  // 500 after it
	lostAnswer  // reset after the commit
	tooSlow     // time-out; the commit comes later
	noGUID
	otherGUID
	page
	redirected
	misdirected
	badCertificate
	pairClosed
	illCount
)

// ill draws what becomes of an attempt. What stops a run is rarer than what
// costs one trip.
func (p *process) ill(id string) ill {
	p.mu.Lock()
	n := p.attempts[id]
	p.mu.Unlock()
	if p.w.draw("ill", id, p.n, n) >= p.w.faults {
		return noIll
	}
	kind := ill(1 + p.w.draw("which", id, p.n, n)*float64(illCount-1))
	if kind >= page && p.w.draw("really", id, p.n, n) > 0.3 {
		return tooSlow
	}
	return kind
}

// Insert sends a request into the world. The service answers within the
// time-out of a minute, or too late.
func (p *process) Insert(_ context.Context, key importer.Secret, t *importer.Trip) importer.Answer {
	id := t.ID
	if key.Empty() {
		p.w.truth.wrong("sent without a key: %s", id)
	}
	if !p.step("send", id) {
		return importer.Answer{}
	}
	ill := p.ill(id)
	switch ill {
	case noConnection:
		return importer.Answer{Kind: importer.AnswerNotSent}
	case badCertificate:
		return importer.Answer{Kind: importer.AnswerBadCertificate}
	case lostOnTheWay:
		return importer.Answer{Kind: importer.AnswerUnclear}
	}
	answered := make(chan importer.Answer, 1)
	go p.w.serve(id, p.n, ill, answered)
	var answer importer.Answer
	select {
	case answer = <-answered:
	case <-time.After(time.Minute):
	}
	if !p.step("answered", id) {
		return importer.Answer{}
	}
	return answer
}

// serve is the service at work on a request, whatever becomes of who sent it.
func (w *world) serve(id string, n int, ill ill, answered chan<- importer.Answer) {
	w.receive(id)
	time.Sleep(w.between(time.Millisecond, 300*time.Millisecond, "work", id, n))
	if w.tokenDead() {
		answered <- importer.Answer{Kind: importer.AnswerDenied, Status: 401}
		return
	}
	guid := "guid of " + id
	if kind, status := refusal(ill, w.refused[id]); status != 0 {
		answered <- importer.Answer{Kind: kind, Status: status}
		return
	}
	if ill == tooSlow {
		time.Sleep(w.between(50*time.Second, 10*time.Minute, "slow", id, n))
	}
	w.truth.commit(id, guid)
	time.Sleep(w.between(time.Millisecond, 50*time.Millisecond, "reply", id, n))
	switch ill {
	case errorAfter:
		answered <- importer.Answer{Status: 500}
	case lostAnswer:
		answered <- importer.Answer{}
	case noGUID:
		answered <- importer.Answer{Kind: importer.AnswerCreatedNoGUID, Status: 200}
	case otherGUID:
		answered <- importer.Answer{Kind: importer.AnswerCreated, Status: 200, GUID: w.anyGUID(guid)}
	case page:
		answered <- importer.Answer{Kind: importer.AnswerPage, Status: 200}
	default:
		answered <- importer.Answer{Kind: importer.AnswerCreated, Status: 200, GUID: guid}
	}
}

// refusal is the answer to a request that is not carried out; status 0 for one
// that is.
func refusal(ill ill, refused bool) (importer.AnswerKind, int) {
	switch {
	case ill == throttled:
		return importer.AnswerThrottled, 429
	case ill == errorBefore:
		return importer.AnswerUnclear, 500
	case ill == redirected:
		return importer.AnswerRedirected, 302
	case ill == misdirected:
		return importer.AnswerMisdirected, 404
	case ill == pairClosed:
		return importer.AnswerDenied, 403
	case ill == badData || refused:
		return importer.AnswerRefused, 400
	}
	return importer.AnswerUnclear, 0
}

// anyGUID gives the GUID of another trip that the ledger knows.
func (w *world) anyGUID(own string) string {
	w.ledger.mu.Lock()
	defer w.ledger.mu.Unlock()
	known := []string{}
	for guid := range w.ledger.guids {
		known = append(known, guid)
	}
	if len(known) == 0 {
		return own
	}
	return slices.Max(known)
}

func (p *process) Access(context.Context) (importer.Access, error) {
	if !p.step("access", "") {
		return importer.Access{}, errCrashed
	}
	if p.w.tokenDead() {
		return importer.Access{}, &importer.AccessError{Status: 401}
	}
	if p.fails("access", "") {
		return importer.Access{}, &importer.AccessError{Status: 500}
	}
	return lakeshore(), nil
}

func (p *process) Renew(context.Context) (bool, error) {
	if p.step("renew", "") && p.w.draw("renew", "", p.n) < 0.7 {
		p.w.renewed.Store(true)
		return true, nil
	}
	return false, nil
}

func (p *process) CloseIdle() {}

// Wait, Report, Stop and Stopped are a plain gate: twenty attempts a second, a
// pause where the service asks for one, and a stop after five bad answers in a
// row or one that no further attempt can mend.
func (p *process) Wait(ctx context.Context) error {
	return p.gate.wait(ctx)
}

func (p *process) Report(a importer.Answer) { p.gate.report(a) }
func (p *process) Stop(s *importer.Stop)    { p.gate.stop(s) }
func (p *process) Stopped() *importer.Stop  { return p.gate.stopped() }

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

func (g *pacedGate) report(a importer.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch a.Kind {
	case importer.AnswerThrottled:
		g.next = later(g.next, time.Now().Add(5*time.Second))
	case importer.AnswerUnclear, importer.AnswerNotSent:
		g.badly++
	case importer.AnswerPage, importer.AnswerRedirected, importer.AnswerMisdirected, importer.AnswerBadCertificate:
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
