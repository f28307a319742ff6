// Package keyed makes what a ledger stores in place of values: keyed hashes of a trip's
// properties, and encrypted texts that people wrote.
//
// A hash can't be inverted or guessed without the ledger's hash key. Every kind of hash
// has a key of its own, derived from the hash key, so that hashes of two kinds can't be
// compared. Hashes are bound to their use: a property to its trip, an identity to its
// day, a rider to an account. Whoever has a ledger without its key can't see which trips
// share a rider or an address.
//
// The form of a hash is part of every ledger that holds it: a change here makes
// all trips of existing ledgers look changed.
package keyed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"sync"

	"tripimport/importer"
)

const (
	// KeySize is the size of a hash key in bytes.
	KeySize = 32
	// HashSize is the number of bytes that are stored of each hash. With 128 bits, no two
	// values of any office's trips ever have the same hash.
	HashSize = 16
)

// Hashes are the keyed hashes and the encryption of one ledger. They are safe
// for concurrent use.
type Hashes struct {
	key  []byte
	aead cipher.AEAD

	apiKeys, properties, identities, oldIdentities, sheets, riders, rows, decisions, items, tripIDs *hasher
}

// New makes the hashes of a ledger from its hash key.
func New(key []byte) (*Hashes, error) {
	h := &Hashes{key: key}
	// The names are part of every hash that a ledger holds.
	for purpose, target := range map[string]**hasher{
		"api key": &h.apiKeys, "property": &h.properties, "identity": &h.identities,
		"journey": &h.oldIdentities, "sheet": &h.sheets, "rider": &h.riders, "row": &h.rows, "decision": &h.decisions, "item": &h.items,
		"trip id": &h.tripIDs,
	} {
		*target = newHasher(h.derive(purpose))
	}

	block, err := aes.NewCipher(h.derive("seal"))
	if err == nil {
		h.aead, err = cipher.NewGCMWithRandomNonce(block)
	}

	if err != nil {
		return nil, fmt.Errorf("prepare the encryption of texts: %w", err)
	}
	return h, nil
}

// Key returns a key of KeySize bytes for a purpose outside of the ledger. It is always
// the same for the same purpose, and differs from all keys that the ledger itself uses.
func (h *Hashes) Key(purpose string) []byte { return h.derive("for others: " + purpose) }

// Check returns a text by which two programs can find out whether they have the same key.
func (h *Hashes) Check() string { return hex.EncodeToString(h.derive("check")[:HashSize]) }

// derive returns the key for one purpose.
func (h *Hashes) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("tripimport ledger: " + purpose))
	return mac.Sum(nil)
}

// APIKey returns the hash of an account's API key.
func (h *Hashes) APIKey(a importer.Account) []byte { return h.apiKeys.sum(nil, a.Key.Reveal()) }

// Rider returns the hash of a rider's id under an account, which is identified by its
// number in the ledger. Ids are hashed unchanged.
func (h *Hashes) Rider(account int64, riderID string) []byte {
	return h.riders.sum(nil, strconv.FormatInt(account, 10), riderID)
}

// TripID returns the hash of a trip's id as text.
func (h *Hashes) TripID(id string) string { return hex.EncodeToString(h.tripIDs.sum(nil, id)) }

// Alias returns the text that lists show for a trip id, of which hash is the TripID.
func Alias(hash string) string { return "hidden-" + hash[:10] }

// Decision returns the hash of a decision's subject.
func (h *Hashes) Decision(subject []string) []byte { return h.decisions.sum(nil, subject...) }

// Item returns the hash of an urgent item.
func (h *Hashes) Item(item importer.Item) []byte {
	return h.items.sum(nil, item.Kind, strconv.FormatInt(item.Attempt, 10), item.Trip)
}

// Sheet returns the hash of a sheet's name as text. It is empty for a CSV file, which has
// no name.
func (h *Hashes) Sheet(name string) string {
	if name == "" {
		return ""
	}
	return hex.EncodeToString(h.sheets.sum(nil, name))
}

// A hasher makes the hashes of one kind.
type hasher struct{ pool sync.Pool }

// A hashing is the working memory for one hash. It is reused, because a trip has some
// forty hashes.
type hashing struct {
	mac hash.Hash
	msg []byte
	out [sha256.Size]byte
}

func newHasher(key []byte) *hasher {
	return &hasher{sync.Pool{New: func() any { return &hashing{mac: hmac.New(sha256.New, key)} }}}
}

// sum appends the hash of the parts to dst. Each part is hashed with its length, so that
// different lists of parts never give the same bytes.
func (h *hasher) sum(dst []byte, parts ...string) []byte {
	x, _ := h.pool.Get().(*hashing)
	defer h.pool.Put(x)

	x.msg = x.msg[:0]
	for _, p := range parts {
		x.msg = binary.AppendUvarint(x.msg, uint64(len(p)))
		x.msg = append(x.msg, p...)
	}

	x.mac.Reset()
	x.mac.Write(x.msg)
	return append(dst, x.mac.Sum(x.out[:0])[:HashSize]...)
}
