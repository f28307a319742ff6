package keyed

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A Fingerprint has keyed hashes of a trip's properties, or of some of them.
type Fingerprint struct {
	// Keys are the properties' keys, one on each line. A key is followed by "#" and the
	// form of the value (Property.Form), unless the form is 0.
	Keys string
	// Hashes are HashSize bytes for each key, in the same order.
	Hashes []byte
}

// Fingerprint returns the fingerprint of a trip, or only of the properties with the keys
// in only. Each hash is bound to the trip's id.
func (h *Hashes) Fingerprint(trip *importer.Trip, only ...string) Fingerprint {
	return h.fingerprint(trip, (*importer.Property).AppendComparable, only)
}

// EarlierFingerprint returns the fingerprint, in their earlier form, of the properties
// for which importer.Property.AppendEarlier has one.
func (h *Hashes) EarlierFingerprint(trip *importer.Trip) Fingerprint {
	return h.fingerprint(trip, (*importer.Property).AppendEarlier, nil)
}

func (h *Hashes) fingerprint(trip *importer.Trip, appendValue func(*importer.Property, []byte, *importer.Trip) []byte, only []string) Fingerprint {
	properties := importer.TripProperties()
	keys := make([]string, 0, len(properties))
	hashes := make([]byte, 0, HashSize*len(properties))
	var buf [128]byte
	for i := range properties {
		p := &properties[i]
		if p.OfAccount || len(only) > 0 && !slices.Contains(only, p.Key) {
			continue
		}
		if value := appendValue(p, buf[:0], trip); len(value) > 0 {
			keys = append(keys, storedKey(p))
			hashes = h.properties.sum(hashes, trip.ID, p.Key, string(value))
		}
	}
	return Fingerprint{strings.Join(keys, "\n"), hashes}
}

// storedKey returns the key under which a property is stored.
func storedKey(p *importer.Property) string {
	if p.Form == 0 {
		return p.Key
	}
	return p.Key + "#" + strconv.Itoa(p.Form)
}

// Differs returns the keys of the properties that differ between f and g: those of f in
// its order, then those that only g has. Values in different forms can't be compared, so
// they don't count as different.
func (f Fingerprint) Differs(g Fingerprint) []string {
	if f.Keys == g.Keys && string(f.Hashes) == string(g.Hashes) {
		return nil
	}

	var differs []string
	ours, others := f.byKey(), g.byKey()
	for _, key := range append(f.PropertyKeys(), g.PropertyKeys()...) {
		a, has := ours[key]
		b, had := others[key]
		if has != had && !importer.OfBoth(key) || has == had && a.stored == b.stored && a.hash != b.hash {
			differs = append(differs, key)
		}
		delete(ours, key) // a key of both comes again with the keys of g
		delete(others, key)
	}
	return differs
}

// PropertyKeys returns the keys of the properties (Property.Key).
func (f Fingerprint) PropertyKeys() []string {
	keys := f.stored()
	for i := range keys {
		keys[i] = propertyKey(keys[i])
	}
	return keys
}

// Same reports whether f and g have the same values of the properties with the keys, or
// both have none. Values in different forms are not the same.
func (f Fingerprint) Same(g Fingerprint, keys ...string) bool {
	ours, others := f.byKey(), g.byKey()
	return !slices.ContainsFunc(keys, func(key string) bool { return ours[key] != others[key] })
}

// Without returns the part of f for which g has no values.
func (f Fingerprint) Without(g Fingerprint) Fingerprint {
	part, others := f.byKey(), g.byKey()
	maps.DeleteFunc(part, func(key string, _ value) bool { _, has := others[key]; return has })
	return newFingerprint(part)
}

// With returns the values of g, and the values of f for the properties that g does not
// have.
func (f Fingerprint) With(g Fingerprint) Fingerprint {
	all := f.byKey()
	maps.Copy(all, g.byKey())
	return newFingerprint(all)
}

// A value is the stored key of one property, with the form, and its hash.
type value struct{ stored, hash string }

// newFingerprint makes a fingerprint in the order of importer.TripProperties. It leaves
// out properties that this version of the program does not have any more.
func newFingerprint(values map[string]value) Fingerprint {
	var stored []string
	var hashes []byte
	for _, p := range importer.TripProperties() {
		if v, has := values[p.Key]; has {
			stored = append(stored, v.stored)
			hashes = append(hashes, v.hash...)
		}
	}
	return Fingerprint{strings.Join(stored, "\n"), hashes}
}

// stored returns the keys with their forms.
func (f Fingerprint) stored() []string {
	if f.Keys == "" {
		return nil
	}
	return strings.Split(f.Keys, "\n")
}

func propertyKey(stored string) string {
	key, _, _ := strings.Cut(stored, "#")
	return key
}

// hash returns the i-th hash, or "" if there are too few.
func (f Fingerprint) hash(i int) string {
	if len(f.Hashes) < (i+1)*HashSize {
		return ""
	}
	return string(f.Hashes[i*HashSize : (i+1)*HashSize])
}

// byKey returns the values by Property.Key.
func (f Fingerprint) byKey() map[string]value {
	values := map[string]value{}
	for i, stored := range f.stored() {
		values[propertyKey(stored)] = value{stored, f.hash(i)}
	}
	return values
}
