// Package keyed makes the keyed hashes and the encryption of one ledger. Without the key, a
// ledger shows neither who rides nor where to.
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
	"slices"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
)

// KeySize is the size of a ledger's hash key in bytes, and HashSize that of a hash, which is
// written in hex.
const (
	KeySize  = 32
	HashSize = 16
)

// Hashes are the keyed hashes and the encryption of one ledger. They are safe for concurrent
// use.
type Hashes struct {
	key  []byte
	aead cipher.AEAD

	keys, values, identities, apiKeys, facts *hasher
}

// New makes the hashes of a ledger from its hash key, which has KeySize bytes.
func New(key []byte) *Hashes {
	h := &Hashes{key: key}
	// The names are part of every hash that a ledger holds.
	for purpose, target := range map[string]**hasher{
		"key": &h.keys, "value": &h.values, "identity": &h.identities, "api key": &h.apiKeys, "fact": &h.facts,
	} {
		key := h.derive(purpose)
		*target = &hasher{sync.Pool{New: func() any { return &hashing{mac: hmac.New(sha256.New, key)} }}}
	}

	block, err := aes.NewCipher(h.derive("seal"))
	if err == nil {
		h.aead, err = cipher.NewGCMWithRandomNonce(block)
	}
	if err != nil {
		panic(err) // a derived key always has the size of an AES key
	}
	return h
}

// Key returns a key of KeySize bytes for a purpose outside of the ledger. It is always the same
// for the same purpose, and differs from all keys that the ledger itself uses.
func (h *Hashes) Key(purpose string) []byte { return h.derive("for others: " + purpose) }

// Check returns a text by which two programs can find out whether they have the same key.
func (h *Hashes) Check() string { return hex.EncodeToString(h.derive("check")[:HashSize]) }

func (h *Hashes) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte("tripimport ledger: " + purpose))
	return mac.Sum(nil)
}

// WithoutID ends the hashes of rows without an id.
const WithoutID = "-"

// Row returns the hash of a row's key without its day.
func (h *Hashes) Row(key *importer.RowKey) string {
	hash := h.keys.sum(key.Text()...)
	if importer.IDText(key.ID) == "" {
		hash += WithoutID
	}
	return hash
}

// Number returns the first 64 bits of a hash, by which trips are found.
func Number(hash string) int64 {
	n, _ := strconv.ParseUint(hash[:min(16, len(hash))], 16, 64) // empty for no hash
	return int64(n)                                              //nolint:gosec // the bits are kept
}

// TripID returns the hash of a broker's trip id, in any spelling.
func (h *Hashes) TripID(broker, id string) string {
	return h.keys.sum("trip id", importer.BrokerText(broker), importer.IDText(id))
}

// Rider returns the hash of a rider of a service on a day. It is empty if the rider or the day is
// not known.
func (h *Hashes) Rider(service string, trip *importer.Trip) string {
	rider, day := importer.RiderText(trip.RiderID), trip.Date()
	if rider == "" || day.IsZero() {
		return ""
	}
	return h.keys.sum("rider", service, rider, day.String())
}

// Own returns the hashes of a trip of a row. rowID is the hash of the row's key. The values are
// added by Values.
func (h *Hashes) Own(service, rowID string, trip *importer.Trip) importer.Own {
	id, _ := trip.Identity()
	own := importer.Own{Pickup: h.bound(rowID, id.Pickup.At), Dropoff: h.bound(rowID, id.Dropoff.At)}
	rider := h.Rider(service, trip)
	own.Identity = importer.Identity{Rider: rider, Times: id.Times}
	if rider != "" {
		own.Identity.Pickup = h.location(rider, id.Pickup, trip.Pickup.Town())
		own.Identity.Dropoff = h.location(rider, id.Dropoff, trip.Dropoff.Town())
	}
	return own
}

// location returns the hashes of a location of a rider.
func (h *Hashes) location(rider string, l importer.Location, town string) importer.Location {
	return importer.Location{
		At: h.bound(rider, l.At), Town: h.bound(rider, town),
		Unit: importer.Unit{Door: h.bound(rider+"door", l.Unit.Door), Within: h.bound(rider+"within", l.Unit.Within)},
	}
}

// bound returns the hash of a text that is bound to another one, so that equal texts have equal
// hashes only there. It is empty for an empty text.
func (h *Hashes) bound(to, text string) string {
	if text == "" {
		return ""
	}
	return h.identities.sum(to, text)
}

// Values returns the hashes of a trip's properties, bound to its row. A property that can't be
// read has the hash of the cells from which it is made: what can't be read is no news while the
// cells stay as they are. It can't be read if it has no value although one of its cells has a
// text of which no other property is made either: an address without a second line is read, and so is a day without an
// appointment.
func (h *Hashes) Values(rowID string, row *importer.Row, trip *importer.Trip) importer.Values {
	properties := importer.TripProperties()
	values := make(importer.Values, 0, len(properties))
	var buf [128]byte
	var blank []*importer.Property
	var columns [16]int
	read := columns[:0]
	for i := range properties {
		p := &properties[i]
		if p.OfAccount {
			continue
		}
		text := p.AppendComparable(buf[:0], trip)
		if len(text) == 0 {
			blank = append(blank, p)
			continue
		}
		values = append(values, importer.KeyedValue{Property: p.Number, Hash: h.values.sum8(rowID, p.Number, text)})
		if trip.Origin != nil {
			for _, column := range trip.Origin.Columns(p.Field) {
				read = append(read, column.Num)
			}
		}
	}
	for _, p := range blank {
		if p.OfBoth {
			continue
		}
		if text := appendUnread(buf[:0], row, trip, p.Field, read); len(text) > 0 {
			values = append(values, importer.KeyedValue{Property: p.Number, Hash: h.values.sum8(rowID, p.Number, text)})
		}
	}
	importer.SortValues(values)
	return values
}

// appendUnread appends the texts of the cells from which a field is made, with a mark that no
// value begins with. It appends nothing if all of them are blank or in columns that were read.
func appendUnread(dst []byte, row *importer.Row, trip *importer.Trip, field importer.Field, read []int) []byte {
	if trip.Origin == nil {
		return dst
	}
	unread := false
	start := len(dst)
	dst = append(dst, "\x00cells"...)
	columns, days := trip.Origin.Columns(field), trip.Origin.Columns(importer.FieldDate)
	for _, column := range columns {
		text := strings.TrimSpace(row.Cell(column.Num).Text)
		ofDay := field == importer.DropoffAppt && len(columns) > 1 && slices.Contains(days, column) // the pickup tells of it
		unread = unread || text != "" && !ofDay && !slices.Contains(read, column.Num)
		dst = append(append(dst, 0), text...)
	}
	if !unread {
		return dst[:start]
	}
	return dst
}

// Digest returns a digest of what a row says: of a live one its provider, its funding source and the values
// of its trips, of any other that it is not live.
func (h *Hashes) Digest(rowID string, says importer.Says, of importer.Pair, legs []importer.LegWord) uint64 {
	text := []byte(says.Code())
	if says == importer.SaysLive {
		text = append(append(append(append(text, 0), of.Provider...), 0), of.FundingSource...)
		for i := range legs {
			text = legs[i].Values.Append(append(append(text, 0), legs[i].Leg.Code()...))
		}
	}
	return max(1, h.values.sum8(rowID, 0, text))
}

// Meant returns the hash of a rider with two places, on any day.
func (h *Hashes) Meant(trip *importer.Trip) string {
	id, ok := trip.Places()
	if !ok {
		return ""
	}
	return h.facts.sum("meant", id.Rider, id.Pickup.At, id.Pickup.Unit.Door, id.Pickup.Unit.Within, id.Dropoff.At, id.Dropoff.Unit.Door, id.Dropoff.Unit.Within)
}

// Fact returns the hash of a fact's subject.
func (h *Hashes) Fact(kind, subject string) string { return h.facts.sum("fact", kind, subject) }

// APIKey returns the hash of an account's API key.
func (h *Hashes) APIKey(a importer.Account) string { return h.apiKeys.sum(a.Key.Reveal()) }

// Alias returns the text that lists show for a trip id.
func (h *Hashes) Alias(id string) string {
	return "hidden-" + h.keys.sum("alias", id)[:10]
}

// Encrypt encrypts a text. An empty text stays empty. Equal texts have different results.
func (h *Hashes) Encrypt(text string) []byte {
	if text == "" {
		return nil
	}
	return h.aead.Seal(nil, nil, []byte(text), nil)
}

// Decrypt is the inverse of Encrypt.
func (h *Hashes) Decrypt(sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	text, err := h.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", fmt.Errorf("a text of the ledger can't be decrypted: %w", err)
	}
	return string(text), nil
}

// A hasher makes the hashes of one kind.
type hasher struct{ pool sync.Pool }

// A hashing is the working memory for one hash. It is reused, because a row has some forty
// hashes.
type hashing struct {
	mac hash.Hash
	msg []byte
	out [sha256.Size]byte
}

// sum returns the hash of the parts, in hex. Each part is hashed with its length, so
// that different lists of parts never have the same message.
func (h *hasher) sum(parts ...string) string {
	x, _ := h.pool.Get().(*hashing)
	defer h.pool.Put(x)
	x.msg = x.msg[:0]
	for _, p := range parts {
		x.msg = binary.AppendUvarint(x.msg, uint64(len(p)))
		x.msg = append(x.msg, p...)
	}
	return hex.EncodeToString(x.done()[:HashSize])
}

// sum8 returns a hash of eight bytes that is not zero.
func (h *hasher) sum8(to string, number uint8, text []byte) uint64 {
	x, _ := h.pool.Get().(*hashing)
	defer h.pool.Put(x)
	x.msg = append(binary.AppendUvarint(x.msg[:0], uint64(len(to))), to...)
	x.msg = append(strconv.AppendUint(x.msg, uint64(number), 10), ' ')
	x.msg = append(x.msg, text...)
	return max(1, binary.BigEndian.Uint64(x.done()))
}

func (x *hashing) done() []byte {
	x.mac.Reset()
	x.mac.Write(x.msg)
	return x.mac.Sum(x.out[:0])
}
