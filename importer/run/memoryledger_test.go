package run_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"tripimport/importer"
)

// A memory is a ledger without a disk. What a call wrote without an error stays,
// even if the run dies.
type memory struct {
	mu       sync.Mutex
	entries  map[entryKey]*entry
	attempts []*entry // by Claimed.Attempt
	legs     map[legKey]*entry
	guids    map[string]*entry
	riders   map[string][]*entry
	rows     map[[2]string][]*entry
	spelt    map[string][]*entry // by the forms of the row's id
	live     map[string]bool     // the runs that have not ended
	retries  map[string]bool
	decided  map[string]importer.Verdict // by Decision.Subject
	raised   map[importer.Item]bool
	changes  []*memoryChange // by ClaimedChange.Number, from 1
	schedule map[scheduleKey][]importer.PropertyValue
}

type entryKey struct{ service, key, id string }

type legKey struct {
	input string
	row   int
	leg   importer.Leg
}

type entry struct {
	importer.Record
	props   []importer.PropertyValue
	claimed []importer.PropertyValue // as it was booked
	fixed   bool                     // booked by a retry
	trip    importer.Trip
	key     importer.RowKey
	forms   []string // of the row's id
	pending bool     // claimed and not settled
	free    bool     // a person cancelled it for another trip, which may be sent
}

// taken reports whether nothing more may be sent for the entry.
func (e *entry) taken() bool {
	return e != nil && !e.free && (e.State == importer.Created || e.State == importer.Unknown)
}

func newMemory() *memory {
	return &memory{
		attempts: make([]*entry, 1), // no attempt has the number 0
		entries:  map[entryKey]*entry{}, legs: map[legKey]*entry{}, guids: map[string]*entry{},
		riders: map[string][]*entry{}, rows: map[[2]string][]*entry{}, spelt: map[string][]*entry{}, live: map[string]bool{}, retries: map[string]bool{}, decided: map[string]importer.Verdict{}, raised: map[importer.Item]bool{},
		schedule: map[scheduleKey][]importer.PropertyValue{},
	}
}

func keyOf(a importer.Account, id string) entryKey {
	return entryKey{a.Service, a.Key.Reveal(), id}
}

func (*memory) Identity() string { return "memory" }

func (m *memory) Begin(_ context.Context, run importer.RunInfo) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live[run.ID] = true
	m.retries[run.ID] = run.Command == "retry"
	return nil
}

func (m *memory) End(_ context.Context, run string, _ importer.Totals, _ time.Time, _ string, raised ...importer.Item) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, run)
	for _, item := range raised {
		m.raised[item] = true
	}
	return nil
}

func (m *memory) Raised(_ context.Context, item importer.Item) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.raised[item], nil
}

func (m *memory) Find(ctx context.Context, a importer.Account, t *importer.Trip) (importer.Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return importer.Record{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[keyOf(a, t.ID)]
	if e == nil {
		return importer.Record{}, false, nil
	}
	return m.record(e, t), true, nil
}

// differs returns the keys whose values differ between the two sides.
func differs(was, is []importer.PropertyValue) []string {
	values := map[string]string{}
	for _, p := range was {
		values[p.Key] = p.Value
	}
	var keys []string
	for _, p := range is {
		value, has := values[p.Key]
		if value != p.Value && (has || !importer.OfBoth(p.Key)) {
			keys = append(keys, p.Key)
		}
		delete(values, p.Key)
	}
	for key := range values {
		if !importer.OfBoth(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (m *memory) Decided(_ context.Context, d importer.Decision) (importer.Verdict, error) {
	return m.DecidedBefore(d), nil
}

func (m *memory) DecidedBefore(d importer.Decision) importer.Verdict {
	m.mu.Lock()
	defer m.mu.Unlock()
	subject, _ := d.Subject()
	return m.decided[strings.Join(subject, "\x00")]
}

func (m *memory) Similar(ctx context.Context, a importer.Account, t *importer.Trip, within int) ([]importer.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []importer.Record
	own := m.entries[keyOf(a, t.ID)]
	id, ok := t.Identity()
	for _, e := range m.riders[t.RiderID] {
		other, known := e.trip.Identity()
		if e != own && e.taken() && ok && known && id.MayBe(other, within) {
			found = append(found, e.Record)
		}
	}
	return found, nil
}

func (m *memory) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	if err := ctx.Err(); err != nil {
		return importer.Claimed{}, err
	}
	outdated := m.outdated(ctx, c)
	m.mu.Lock()
	defer m.mu.Unlock()
	key := keyOf(c.Account, c.Trip.ID)
	leg := legKey{c.Input, c.Row, c.Trip.Leg}
	e := m.entries[key]
	if e.taken() || m.legs[leg].taken() || m.collides(c) {
		return importer.Claimed{}, importer.ErrClaimed
	}
	if outdated {
		return importer.Claimed{}, importer.ErrOutdated
	}
	if e == nil {
		e = &entry{}
		m.entries[key] = e
	}
	m.legs[leg] = e
	account := c.Account
	account.Key = importer.Secret{}
	e.Record = importer.Record{
		TripID: c.Trip.ID, Account: account, Date: c.Trip.Date(), Time: c.Trip.Time(), Leg: c.Trip.Leg, State: importer.Unknown,
		Run: c.Run, Attempts: e.Attempts + 1, ClaimedAt: c.At, MappingHash: c.MappingHash, Attempt: int64(len(m.attempts)),
	}
	if marks := m.RowMarks(c.Key); marks != nil {
		e.RowMark = marks[0]
	}
	e.claimed, e.fixed = c.Trip.Properties(), m.retries[c.Run]
	e.props, e.trip, e.key, e.pending, e.free = c.Trip.Properties(), *c.Trip, c.Key, true, false
	e.forms = importer.IDSpellings(c.Key.ID)
	for _, form := range e.forms {
		if !slices.Contains(m.spelt[form], e) {
			m.spelt[form] = append(m.spelt[form], e)
		}
	}
	if riders := m.riders[e.trip.RiderID]; !slices.Contains(riders, e) {
		m.riders[e.trip.RiderID] = append(riders, e)
	}
	if row := rowOf(c.Key); !slices.Contains(m.rows[row], e) {
		m.rows[row] = append(m.rows[row], e)
	}
	m.attempts = append(m.attempts, e)
	return importer.Claimed{Attempt: int64(len(m.attempts) - 1)}, nil
}

func (m *memory) Settle(ctx context.Context, c importer.Claimed, s importer.Settlement) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.attempts[c.Attempt]
	if !e.pending {
		panic("settled twice: " + e.TripID)
	}
	if guid := strings.ToLower(s.GUID); guid != "" {
		if other := m.guids[guid]; other != nil && other != e {
			return importer.ErrGUIDTaken
		}
		m.guids[guid] = e
	}
	e.pending = false
	e.State, e.GUID, e.GUIDMissing, e.HTTPStatus, e.Code, e.SettledAt = s.State, s.GUID, s.GUIDMissing, s.HTTPStatus, s.Code, s.At
	return nil
}

// pending counts the claims that were never settled.
func (m *memory) pending() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, e := range m.entries {
		if e.pending {
			n++
		}
	}
	return n
}

// has returns the ledger's state of a trip.
func (m *memory) has(id string) (importer.State, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.entries {
		if key.id == id {
			return e.State, true
		}
	}
	return importer.Unknown, false
}

// resolve is a person's answer about a trip that may be booked.
func (m *memory) resolve(id string, s importer.State, guid string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.entries {
		if key.id == id && e.State == importer.Unknown {
			e.State, e.GUID, e.pending = s, guid, false
			e.GUIDMissing = s == importer.Created && guid == ""
		}
	}
}

// pendingOf counts a run's claims that were never settled.
func (m *memory) pendingOf(run string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, e := range m.entries {
		if e.pending && e.Run == run {
			n++
		}
	}
	return n
}

// unknown returns the trips that may be booked, in order.
func (m *memory) unknown() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []string
	for key, e := range m.entries {
		if e.State == importer.Unknown {
			all = append(all, key.id)
		}
	}
	slices.Sort(all)
	return all
}

func (m *memory) idOf(c importer.Claimed) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.attempts[c.Attempt].TripID
}
