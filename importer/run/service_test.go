package run_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
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
