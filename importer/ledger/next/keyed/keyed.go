// Package keyed makes what a ledger stores in place of values: keyed hashes, and encrypted
// texts.
//
// A hash can't be inverted or guessed without the ledger's hash key. Every kind of hash
// has a key of its own, derived from the hash key, so that hashes of two kinds can't be
// compared. Hashes are bound to their use: a property to its row, a place to its rider and
// day. Whoever has a ledger without its key can't see which trips share a rider or an
// address, except by the hashes of a rider and one day.
//
// The form of a hash is part of every ledger that holds it: a change here makes all trips
// of existing ledgers look changed.
package keyed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"

	"tripimport/importer"
)

// Hashes are the keyed hashes and the encryption of one ledger. They are safe for
// concurrent use.
type Hashes struct {
	key  []byte
	aead cipher.AEAD

	apiKeys, rows, riders, keys, subjects *hasher
}

// New makes the hashes of a ledger from its hash key.
func New(key []byte) (*Hashes, error) {
	h := &Hashes{key: key}
	// The names are part of every hash that a ledger holds.
	for purpose, target := range map[string]**hasher{
		"api key": &h.apiKeys, "row": &h.rows, "rider and day": &h.riders, "key": &h.keys, "subject": &h.subjects,
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

// Key returns a key of 32 bytes for a purpose outside of the ledger. It is always the same
// for the same purpose, and differs from all keys that the ledger itself uses.
func (h *Hashes) Key(purpose string) []byte { return h.derive("for others: " + purpose) }

// Check returns a text by which two programs can find out whether they have the same key.
func (h *Hashes) Check() string { return hex.EncodeToString(h.derive("check")[:16]) }

// derive returns the key for one purpose.
func (h *Hashes) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("tripimport ledger: " + purpose))
	return mac.Sum(nil)
}

// APIKey returns the hash of an account's API key.
func (h *Hashes) APIKey(a importer.Account) []byte {
	sum := h.apiKeys.sum(a.Key.Reveal())
	return sum[:16]
}

// Subject returns the hash of what a fact is about.
func (h *Hashes) Subject(kind, subject string) int64 { return number(h.subjects.sum(kind, subject)) }

// Gone returns the digest of a word gone, from that of the version before it. It is never
// 0.
func (h *Hashes) Gone(digest uint64) uint64 {
	sum := h.subjects.sum("gone", strconv.FormatUint(digest, 10))
	return max(1, binary.BigEndian.Uint64(sum[:8]))
}

// Seal encrypts a text. Sealing a text twice gives different bytes. It returns nil for an
// empty text.
func (h *Hashes) Seal(text string) []byte {
	if text == "" {
		return nil
	}
	return h.aead.Seal(nil, nil, []byte(text), nil)
}

// Open is the inverse of Seal.
func (h *Hashes) Open(sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	text, err := h.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", fmt.Errorf("decrypt a text: %w", err)
	}
	return string(text), nil
}

// number returns the first 64 bits of a hash as a number that every database has.
func number(sum [sha256.Size]byte) int64 {
	return int64(binary.BigEndian.Uint64(sum[:8])) //nolint:gosec // the bits stay the same
}

// A hasher makes the hashes of one kind. Of a hash at most half is ever stored, so nobody
// can go on from one without the key.
type hasher struct{ key []byte }

func newHasher(key []byte) *hasher { return &hasher{key} }

// sum returns the hash of the parts. Each part is hashed with its length, so that
// different lists of parts never give the same bytes.
func (h *hasher) sum(parts ...string) [sha256.Size]byte {
	msg := append(make([]byte, 0, 256), h.key...)
	for _, p := range parts {
		msg = binary.AppendUvarint(msg, uint64(len(p)))
		msg = append(msg, p...)
	}
	return sha256.Sum256(msg)
}
