package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"hash/maphash"
	"sync"
)

// absentAfter is how many look-ups must find nothing before it pays to read
// what the ledger has: a night's schedule, not a few mended rows.
const absentAfter = 256

// An absence knows what the ledger does not have. Nearly every trip of a night
// is new, and asking SQLite twice for each takes as long as claiming it. The
// process that holds the ledger's lock is the only one that writes, so it can
// keep a short hash of every trip and journey in memory, 16 bytes or so for
// each, and answer "no such trip" by itself. Whatever it may have, SQLite is
// asked for.
type absence struct {
	seed maphash.Seed

	mu     sync.RWMutex
	misses int
	state  absenceState
	has    map[uint64]struct{}
}

type absenceState uint8

const (
	idle    absenceState = iota
	reading              // being read: claims are added, nothing is answered
	ready
)

func newAbsence() *absence { return &absence{seed: maphash.MakeSeed()} }

// tripMark is the hash of a trip, journeyMark that of a journey.
func (a *absence) tripMark(account int64, tripID string) uint64 {
	if a == nil {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(a.seed)
	var number [9]byte
	binary.LittleEndian.PutUint64(number[1:], uint64(account))
	_, _ = h.Write(number[:])
	_, _ = h.WriteString(tripID)
	return h.Sum64()
}

func (a *absence) journeyMark(journey []byte) uint64 {
	if a == nil {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(a.seed)
	_ = h.WriteByte(1)
	_, _ = h.Write(journey)
	return h.Sum64()
}

// lacks reports that the ledger certainly has nothing of that mark. A nil
// absence is certain of nothing.
func (a *absence) lacks(mark uint64) bool {
	if a == nil {
		return false
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.state != ready {
		return false
	}
	_, has := a.has[mark]
	return !has
}

// add takes note of a claim before it is committed: from the moment that
// somebody could see it, it is known.
func (a *absence) add(k *claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == idle {
		return
	}
	a.has[a.tripMark(k.account, k.Trip.ID)] = struct{}{}
	if k.journey != nil {
		a.has[a.journeyMark(k.journey)] = struct{}{}
	}
}

// missed counts a look-up that found nothing, and reads what the ledger has
// once there were enough of them. Where the reading fails, SQLite goes on being
// asked, and says itself what is wrong.
func (a *absence) missed(ctx context.Context, db *sql.DB, commits *committer) {
	if a == nil || !a.enough() {
		return
	}
	// A claim that is being committed just now was not taken note of: it must
	// be in the file before the file is read.
	commits.quiet()
	found := map[uint64]struct{}{}
	err := a.read(ctx, db, found)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.state, a.has, a.misses = idle, nil, 0
		return
	}
	for mark := range a.has { // claimed while it was read
		found[mark] = struct{}{}
	}
	a.state, a.has = ready, found
}

// enough reports to one caller that it is to read what the ledger has. Claims
// are taken note of from here on, so that none falls between.
func (a *absence) enough() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != idle {
		return false
	}
	a.misses++
	if a.misses < absentAfter {
		return false
	}
	a.state, a.has = reading, map[uint64]struct{}{}
	return true
}

func (a *absence) read(ctx context.Context, db *sql.DB, found map[uint64]struct{}) error {
	rows, err := db.QueryContext(ctx, "SELECT account, trip_id, journey FROM trips")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	var account int64
	var tripID, journey sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&account, &tripID, &journey); err != nil {
			return err
		}
		found[a.tripMark(account, string(tripID))] = struct{}{}
		if len(journey) > 0 {
			found[a.journeyMark(journey)] = struct{}{}
		}
	}
	return rows.Err()
}
