package tables

import (
	"context"
	"database/sql"
	"hash/maphash"
	"sync"

	"tripimport/importer/ledger/keyed"
)

// tripsPerMiss is the number of trips whose marks can be read in the time of one look-up
// that finds nothing. The negative cache is filled when such look-ups have taken as long
// as filling it will.
const tripsPerMiss = 4

// A negativeCache answers "the ledger has no such trip" from memory. Nearly every trip of
// a night is new, and asking SQLite about it takes half as long as claiming and settling
// it. Only the process that holds the ledger's lock has a cache, because nobody else
// writes. The cache has a mark of 8 bytes for every trip and identity; if there is a
// mark, SQLite is asked. A nil cache never says that something is lacking.
type negativeCache struct {
	seed  maphash.Seed
	trips int64 // the number of trips in the ledger when it was opened

	mu      sync.RWMutex
	misses  int64
	filling bool
	marks   map[uint64]struct{} // nil until it is filled
}

// newNegativeCache returns the cache of a ledger with that many trips.
func newNegativeCache(trips int64) *negativeCache {
	return &negativeCache{seed: maphash.MakeSeed(), trips: trips}
}

// tripMark returns the mark of a trip. tripID is the id as it is stored.
func (c *negativeCache) tripMark(account int64, tripID string) uint64 {
	if c == nil {
		return 0
	}
	return maphash.Comparable(c.seed, struct {
		account int64
		tripID  string
	}{account, tripID})
}

// identityMark returns the mark of an identity's hash.
func (c *negativeCache) identityMark(hash []byte) uint64 {
	if c == nil {
		return 0
	}
	return maphash.Bytes(c.seed, hash)
}

// lacks reports that the ledger certainly has nothing with either mark.
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

// add adds the marks of a claim that is about to be committed.
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

// addTimes adds the marks of identities that are about to be committed.
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

// forget empties the cache. It is filled again after enough misses.
func (c *negativeCache) forget() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marks, c.misses = nil, 0
}

// missed counts a look-up that found nothing, and fills the cache after enough of them.
// It fills the cache on the connection that writes, so that no claim is left out. If that
// fails, SQLite is asked about everything as before.
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

// enough counts a look-up. It reports true to the one caller that has to fill the cache.
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

// read returns the marks of everything in the ledger.
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

// Remembers reports whether the negative cache is filled. That happens after enough
// look-ups that found nothing, if no other process writes.
func (l *Ledger) Remembers() bool {
	if l.cache == nil {
		return false
	}
	l.cache.mu.RLock()
	defer l.cache.mu.RUnlock()
	return l.cache.marks != nil
}
