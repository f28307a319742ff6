package run_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
)

// An environment is what remains between runs of the program: the service with its
// log, the ledger, and the random numbers. Each random number depends on the seed
// and on what it is for, not on the sequence of calls, so that one seed repeats a
// whole history however its goroutines are scheduled.
type environment struct {
	seed   uint64
	ledger *memory
	truth  *truth
	// faults is the part of all steps at which something goes wrong; refused
	// are the trips that the service never takes.
	faults  float64
	refused map[string]bool
	// outboundOf returns the leg that must be booked before a trip, untilOf the
	// time after which it must not be sent.
	outboundOf map[string]string
	untilOf    map[string]time.Time
	// rideOf names the ride of a trip where one id may be sent several times: trips
	// are then judged by their rides, not by their ids.
	rideOf func(*importer.Trip) string
	// judgeChange judges a change when it is sent; nil where none is to be sent.
	judgeChange func(n int, c *importer.TripChange)
	// token is dead from then on until it is read again.
	tokenDies time.Time
	renewed   *atomic.Bool
}

// draw returns a number from 0 up to 1 that depends on the seed and the parts.
func (env *environment) draw(what, id string, n ...int) float64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], env.seed)
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
func (env *environment) between(least, most time.Duration, what, id string, n ...int) time.Duration {
	return least + time.Duration(env.draw(what, id, n...)*float64(most-least))
}

func (env *environment) tokenDead() bool {
	return !env.tokenDies.IsZero() && !env.renewed.Load() && time.Now().After(env.tokenDies)
}

// A truth is the service's log: what it received, what it committed, and what went
// wrong.
type truth struct {
	mu        sync.Mutex
	received  map[string]int
	committed map[string]string // the GUID by trip id
	bookings  []*booking        // where trips are judged by their rides
	wrongs    []string
	events    []string
}

// A booking is a trip in the service.
type booking struct {
	ride, id, provider, guid string
	cancelled                bool
	values                   map[string]string // by Property.Key
	edited                   map[string]bool   // what a dispatcher changed last
}

// change changes values of a booking, by itself or for a dispatcher. The answer is false
// if there is none with the GUID.
func (tr *truth) change(guid string, values map[string]string, dispatcher bool) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, b := range tr.bookings {
		if b.guid == guid {
			maps.Copy(b.values, values)
			for key := range values {
				b.edited[key] = dispatcher
			}
			return true
		}
	}
	return false
}

// valuesOf returns a booking's values, and those that a dispatcher changed.
func (tr *truth) valuesOf(b *booking) (values map[string]string, edited map[string]bool) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return maps.Clone(b.values), maps.Clone(b.edited)
}

func newTruth() *truth {
	return &truth{received: map[string]int{}, committed: map[string]string{}}
}

// receive logs a request, and what is wrong with it.
func (env *environment) receive(id, ride string) {
	tr := env.truth
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.received[id]++
	tr.events = append(tr.events, fmt.Sprintf("%d received %s", time.Now().UnixNano(), id))
	if b := tr.live(ride); b != nil {
		tr.wrongs = append(tr.wrongs, fmt.Sprintf("received as %s, though booked as %s: %s", id, b.id, ride))
	}
	if tr.committed[id] != "" {
		tr.wrongs = append(tr.wrongs, "received again, though booked: "+id)
	}
	if outbound := env.outboundOf[id]; outbound != "" && tr.committed[outbound] == "" {
		tr.wrongs = append(tr.wrongs, "received before its outbound was booked: "+id)
	}
	if until := env.untilOf[id]; !until.IsZero() && time.Now().After(until.Add(time.Minute)) {
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

// book books a trip of a ride.
func (tr *truth) book(ride, id, provider string, values map[string]string) (guid string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if b := tr.live(ride); b != nil {
		tr.wrongs = append(tr.wrongs, fmt.Sprintf("booked twice, as %s and as %s: %s", b.id, id, ride))
	}
	guid = fmt.Sprintf("guid %d of %s", len(tr.bookings), id)
	tr.bookings = append(tr.bookings, &booking{ride: ride, id: id, provider: provider, guid: guid, values: values, edited: map[string]bool{}})
	return guid
}

// all returns the bookings so far.
func (tr *truth) all() []*booking {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return slices.Clone(tr.bookings)
}

// liveNow is live for a caller that does not hold the lock.
func (tr *truth) liveNow(ride string) *booking {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.live(ride)
}

// live returns the booking of a ride that is not cancelled; nil for none. The
// caller holds the lock.
func (tr *truth) live(ride string) *booking {
	for _, b := range tr.bookings {
		if ride != "" && b.ride == ride && !b.cancelled {
			return b
		}
	}
	return nil
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

// report fails the test for whatever went wrong, and returns how many trips are booked
// twice.
func (tr *truth) report(t *testing.T, seed uint64) (twice int) {
	for _, wrong := range tr.wrongs {
		if strings.Contains(wrong, "twice") {
			twice++
		}
		t.Errorf("seed %d: %s", seed, wrong)
	}
	return twice
}

// A failure is what goes wrong in one attempt.
type failure int

const (
	noFailure failure = iota
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
	failureCount
)

// serve handles a request in the service, even if the process that sent it dies.
func (env *environment) serve(id, ride, provider string, values map[string]string, n int, failure failure, answered chan<- importer.Reply) {
	env.receive(id, ride)
	time.Sleep(env.between(time.Millisecond, 300*time.Millisecond, "work", id, n))
	if env.tokenDead() {
		answered <- importer.Reply{Kind: importer.ReplyDenied, Status: 401}
		return
	}
	guid := "guid of " + id
	if kind, status := refusal(failure, env.refused[id]); status != 0 {
		answered <- importer.Reply{Kind: kind, Status: status}
		return
	}
	if failure == tooSlow {
		time.Sleep(env.between(50*time.Second, 10*time.Minute, "slow", id, n))
	}
	if ride == "" {
		env.truth.commit(id, guid)
	} else {
		guid = env.truth.book(ride, id, provider, values)
	}
	time.Sleep(env.between(time.Millisecond, 50*time.Millisecond, "reply", id, n))
	switch failure {
	case noGUID:
		answered <- importer.Reply{Kind: importer.ReplyCreatedNoGUID, Status: 200}
	case otherGUID:
		answered <- importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: env.anyGUID(guid)}
	default:
		answered <- answerAfter(failure, importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: guid})
	}
}

// serveChange handles a change in the service, even if the process that sent it dies.
func (env *environment) serveChange(guid, id string, values map[string]string, n int, failure failure, answered chan<- importer.Reply) {
	time.Sleep(env.between(time.Millisecond, 300*time.Millisecond, "work", id, n))
	if kind, status := refusal(failure, false); status != 0 {
		answered <- importer.Reply{Kind: kind, Status: status}
		return
	}
	if failure == tooSlow {
		time.Sleep(env.between(50*time.Second, 10*time.Minute, "slow", id, n))
	}
	if !env.truth.change(guid, values, false) {
		env.truth.wrong("a change of a trip that is not booked: %s", id)
	}
	time.Sleep(env.between(time.Millisecond, 50*time.Millisecond, "reply", id, n))
	if failure == otherGUID {
		answered <- importer.Reply{Kind: importer.ReplyForeign, Status: 200}
		return
	}
	answered <- answerAfter(failure, importer.Reply{Kind: importer.ReplyChanged, Status: 200})
}

// answerAfter is the answer to a request that was carried out, whose answer would be
// good.
func answerAfter(failure failure, good importer.Reply) importer.Reply {
	switch failure {
	case errorAfter:
		return importer.Reply{Status: 500}
	case lostAnswer:
		return importer.Reply{}
	case page:
		return importer.Reply{Kind: importer.ReplyPage, Status: 200}
	}
	return good
}

// refusal is the answer to a request that is not carried out; status 0 for one
// that is.
func refusal(failure failure, refused bool) (importer.ReplyKind, int) {
	switch {
	case failure == throttled:
		return importer.ReplyThrottled, 429
	case failure == errorBefore:
		return importer.ReplyUnclear, 500
	case failure == redirected:
		return importer.ReplyRedirected, 302
	case failure == misdirected:
		return importer.ReplyMisdirected, 404
	case failure == pairClosed:
		return importer.ReplyDenied, 403
	case failure == badData || refused:
		return importer.ReplyRefused, 400
	}
	return importer.ReplyUnclear, 0
}

// anyGUID returns the GUID of another trip that the ledger knows.
func (env *environment) anyGUID(own string) string {
	env.ledger.mu.Lock()
	defer env.ledger.mu.Unlock()
	known := []string{}
	for guid := range env.ledger.guids {
		known = append(known, guid)
	}
	if len(known) == 0 {
		return own
	}
	return slices.Max(known)
}
