package keyed

import (
	"strings"

	"tripimport/importer"
)

// A Fingerprint is what a ledger keeps of a trip's properties.
type Fingerprint struct {
	// Keys are the properties' keys, one a line.
	Keys string
	// Hashes are HashSize bytes for each key, in the same order.
	Hashes []byte
}

// Fingerprint gives the fingerprint of a trip. Each hash is bound to the trip's
// id.
func (h *Hashes) Fingerprint(trip *importer.Trip) Fingerprint {
	properties := trip.Properties()
	keys := make([]string, len(properties))
	hashes := make([]byte, 0, HashSize*len(properties))
	for i, p := range properties {
		keys[i] = p.Key
		hashes = h.properties.sum(hashes, trip.ID, p.Key, p.Value)
	}
	return Fingerprint{strings.Join(keys, "\n"), hashes}
}

// Differs gives the keys of the properties that are not the same in f and g:
// those of f in its order, then those that g alone has.
func (f Fingerprint) Differs(g Fingerprint) []string {
	if f.Keys == g.Keys && string(f.Hashes) == string(g.Hashes) {
		return nil
	}

	var keys []string
	others := g.byKey()
	for i, key := range f.keys() {
		if others[key] != f.hash(i) {
			keys = append(keys, key)
		}
		delete(others, key)
	}

	for _, key := range g.keys() {
		if _, left := others[key]; left {
			keys = append(keys, key)
		}
	}
	return keys
}

func (f Fingerprint) keys() []string {
	if f.Keys == "" {
		return nil
	}
	return strings.Split(f.Keys, "\n")
}

// hash gives the i-th hash; it is empty where there are too few.
func (f Fingerprint) hash(i int) string {
	if len(f.Hashes) < (i+1)*HashSize {
		return ""
	}
	return string(f.Hashes[i*HashSize : (i+1)*HashSize])
}

func (f Fingerprint) byKey() map[string]string {
	hashes := map[string]string{}
	for i, key := range f.keys() {
		hashes[key] = f.hash(i)
	}
	return hashes
}
