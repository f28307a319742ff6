package sqlite

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
)

// digestSize is what is kept of each keyed hash: 128 bits leave no chance of a
// collision in any office's trips.
const digestSize = 16

// derive gives a key for one purpose alone, so that hashes made for different
// purposes can't be held against each other.
func derive(key []byte, purpose string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("tripimport ledger: " + purpose))
	return h.Sum(nil)
}

// A hasher makes keyed hashes for one purpose. It is safe for concurrent use.
type hasher struct{ pool sync.Pool }

func newHasher(key []byte, purpose string) *hasher {
	derived := derive(key, purpose)
	return &hasher{sync.Pool{New: func() any { return hmac.New(sha256.New, derived) }}}
}

// sum appends the keyed hash of the parts to dst. Each part goes in with its
// length, so that no two lists of parts give the same bytes.
func (h *hasher) sum(dst []byte, parts ...string) []byte {
	mac, _ := h.pool.Get().(hash.Hash)
	mac.Reset()
	var buf [256]byte
	msg := buf[:0]
	for _, p := range parts {
		msg = binary.AppendUvarint(msg, uint64(len(p)))
		msg = append(msg, p...)
	}
	mac.Write(msg)
	var out [sha256.Size]byte
	dst = append(dst, mac.Sum(out[:0])[:digestSize]...)
	h.pool.Put(mac)
	return dst
}

// hashers are the keyed hashes that the ledger makes, one kind each.
type hashers struct {
	apiKey, property, identities, oldIdentities, sheet, riders *hasher
}

func newHashers(key []byte) hashers {
	return hashers{
		apiKey:        newHasher(key, "api key"),
		property:      newHasher(key, "property"),
		identities:    newHasher(key, "identity"),
		oldIdentities: newHasher(key, "journey"), // the name is part of the hashes of old ledgers
		sheet:         newHasher(key, "sheet"),
		riders:        newHasher(key, "rider"),
	}
}

// A fingerprint is what the ledger keeps of a trip's properties: their keys,
// and a keyed hash of each value.
type fingerprint struct {
	layout  string // the keys, one a line
	digests []byte // digestSize bytes for each key
}

// fingerprint binds each hash to the trip's id, so that the file alone does not
// show which trips share a rider or an address.
func (h hashers) fingerprint(trip *importer.Trip) fingerprint {
	properties := trip.Properties()
	keys := make([]string, len(properties))
	digests := make([]byte, 0, digestSize*len(properties))
	for i, p := range properties {
		keys[i] = p.Key
		digests = h.property.sum(digests, trip.ID, p.Key, p.Value)
	}
	return fingerprint{strings.Join(keys, "\n"), digests}
}

// differs names the properties that are not the same in f and g: those of f in
// its order, then those that g alone has.
func (f fingerprint) differs(g fingerprint) []string {
	if f.layout == g.layout && string(f.digests) == string(g.digests) {
		return nil
	}
	theirs := g.byKey()
	var names []string
	for i, key := range f.keys() {
		if theirs[key] != f.digest(i) {
			names = append(names, key)
		}
		delete(theirs, key)
	}
	for _, key := range g.keys() {
		if _, left := theirs[key]; left {
			names = append(names, key)
		}
	}
	return names
}

func (f fingerprint) keys() []string {
	if f.layout == "" {
		return nil
	}
	return strings.Split(f.layout, "\n")
}

// digest gives the i-th hash, empty where the record holds too few.
func (f fingerprint) digest(i int) string {
	if len(f.digests) < (i+1)*digestSize {
		return ""
	}
	return string(f.digests[i*digestSize : (i+1)*digestSize])
}

func (f fingerprint) byKey() map[string]string {
	m := make(map[string]string)
	for i, key := range f.keys() {
		m[key] = f.digest(i)
	}
	return m
}

// apiKeyHash is how an account's API key is kept.
func (h hashers) apiKeyHash(a importer.Account) []byte {
	return h.apiKey.sum(nil, a.Key.Reveal())
}

// rider is how the ledger keeps that an account, by its id, was sent a trip of
// the rider. An id is not a name that may be spelt in two ways: it is taken as
// it stands.
func (h hashers) rider(account int64, riderID string) []byte {
	return h.riders.sum(nil, strconv.FormatInt(account, 10), riderID)
}

// sheetName is how a sheet is named in the ledger; nothing for a CSV file.
func (h hashers) sheetName(sheet string) string {
	if sheet == "" {
		return ""
	}
	return hex.EncodeToString(h.sheet.sum(nil, sheet))
}
