package tables

import (
	"context"
	"database/sql"
	"hash/maphash"
	"sync"

	"tripimport/importer/ledger/keyed"
)

// tripsPerMiss is how many trips of the ledger a look-up that finds nothing outweighs:
// it takes about as long as reading the marks of so many. The negative cache is filled
// once such look-ups have taken as long as filling it will.
const tripsPerMiss = 4

// A negativeCache answers "the ledger has no such trip" from memory. Nearly
// every trip of a night is new, and asking SQLite about each of them takes half
// as long again as claiming and settling it. Only the process that holds the
// ledger's lock has one, since nobody else writes. It holds a mark of 8 bytes
// for every trip and identity; SQLite is asked about whatever has a mark. A nil
// cache knows nothing.
type negativeCache struct {
	seed  maphash.Seed
	trips int64 // in the ledger when it was opened

	mu      sync.RWMutex
	misses  int64
	filling bool
	marks   map[uint64]struct{} // nil until it is filled
}

// newNegativeCache returns the cache of a ledger with so many trips.
func newNegativeCache(trips int64) *negativeCache {
	return &negativeCache{seed: maphash.MakeSeed(), trips: trips}
}

// tripMark gives the mark of a trip, whose id is as it is stored.
func (c *negativeCache) tripMark(account int64, tripID string) uint64 {
	if c == nil {
		return 0
	}
	return maphash.Comparable(c.seed, struct {
		account int64
		tripID  string
	}{account, tripID})
}

// identityMark gives the mark of an identity's hash.
func (c *negativeCache) identityMark(hash []byte) uint64 {
	if c == nil {
		return 0
	}
	return maphash.Bytes(c.seed, hash)
}

// lacks reports that the ledger certainly has nothing of two marks.
func (c *negativeCache) lacks(marks [2]uint64) bool {
	if c == nil {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, has := c.marks[marks[0]]
	_, other := c.marks[marks[1]]
	return c.marks != nil && !has && !other
}

// add marks a claim that is about to be committed.
func (c *negativeCache) add(k *claim) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.marks != nil {
		c.marks[c.tripMark(k.account, k.id)] = struct{}{}
		c.marks[c.identityMark(k.rowKey)] = struct{}{}
	}
	c.addIdentities(k.identities)
}

// addTimes marks identities that are about to be committed.
func (c *negativeCache) addTimes(rows []keyed.IdentityRow) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addIdentities(rows)
}

// addIdentities is addTimes for callers that hold the lock.
func (c *negativeCache) addIdentities(rows []keyed.IdentityRow) {
	for _, r := range rows {
		if c.marks != nil {
			c.marks[c.identityMark(r.Hash)] = struct{}{}
		}
	}
}

// forget empties the cache. It is filled again as at first.
func (c *negativeCache) forget() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marks, c.misses = nil, 0
}

// missed counts a look-up that found nothing, and fills the cache once there
// were enough of them. The cache is filled on the connection that writes, so that
// no claim is left out. If that fails, SQLite is asked about everything as
// before.
func (c *negativeCache) missed(commits *committer) {
	if c == nil || !c.enough() {
		return
	}

	_ = commits.do(func(ctx context.Context, w *Writer) error {
		marks, err := c.read(ctx, w)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.misses, c.filling = 0, false
		if err == nil {
			c.marks = marks
		}
		return nil
	})
}

// enough counts a look-up, and reports to one caller that the cache is to be filled.
func (c *negativeCache) enough() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.marks != nil || c.filling {
		return false
	}
	c.misses++
	c.filling = c.misses*tripsPerMiss >= c.trips
	return c.filling
}

// read gives the marks of all that the ledger has.
func (c *negativeCache) read(ctx context.Context, q Querier) (map[uint64]struct{}, error) {
	marks := map[uint64]struct{}{}
	err := eachRow(ctx, q, func(row Scanner) error {
		var account sql.NullInt64
		var tripID, identity sql.RawBytes
		err := row.Scan(&account, &tripID, &identity)
		if account.Valid {
			marks[c.tripMark(account.Int64, string(tripID))] = struct{}{}
		}
		if identity != nil {
			marks[c.identityMark(identity)] = struct{}{}
		}
		return err
	}, `SELECT account, trip_id, old_identity FROM trips
		UNION ALL SELECT NULL, NULL, row_key FROM trips WHERE row_key IS NOT NULL
		UNION ALL SELECT NULL, NULL, identity FROM identities`)
	return marks, err
}

// Remembers reports whether the cache is filled: it is after enough look-ups that found
// nothing, where the ledger is this process's alone.
func (l *Ledger) Remembers() bool {
	if l.cache == nil {
		return false
	}
	l.cache.mu.RLock()
	defer l.cache.mu.RUnlock()
	return l.cache.marks != nil
}
