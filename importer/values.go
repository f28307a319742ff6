package importer

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
)

// Values are keyed hashes of the properties of one trip, one for each property that has a
// value, in the order of their numbers. Two Values of trips of the same row can be
// compared; those of different rows never have a hash in common, because each hash is
// bound to its row.
type Values []KeyedValue

// A KeyedValue is the keyed hash of one property of a trip.
type KeyedValue struct {
	// Property is Property.Number.
	Property uint8
	// Hash is bound to the row of the trip. Of a property that can't be read it is the
	// hash of the cells from which it is made. It is 0 for a property of which nobody
	// knows what the service has: it differs from every value.
	Hash uint64
}

// Differs returns the keys of the properties in which v and w differ, in the order of
// TripProperties. A property that is OfBoth differs only if both have it.
func (v Values) Differs(w Values) []string {
	var keys []string
	for i := range tripProperties {
		p := &tripProperties[i]
		if same, ofBoth := v.same(w, p.Number); !same && (ofBoth || !p.OfBoth) {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// same reports whether v and w have the same value of a property, or both have none, and whether both have one.
func (v Values) same(w Values, number uint8) (same, ofBoth bool) {
	a, hasA := v.of(number)
	b, hasB := w.of(number)
	return hasA == hasB && a == b && (!hasA || a != 0), hasA && hasB
}

// Equal reports whether v and w differ in no property.
func (v Values) Equal(w Values) bool { return len(v.Differs(w)) == 0 }

// Same reports whether v and w have the same value of the property with the key, or both
// have none.
func (v Values) Same(w Values, key string) bool {
	same, _ := v.same(w, propertyOf(key).Number)
	return same
}

// Has reports whether v has a known value of the property with the key.
func (v Values) Has(key string) bool {
	hash, has := v.of(propertyOf(key).Number)
	return has && hash != 0
}

func (v Values) of(number uint8) (hash uint64, has bool) {
	i, has := slices.BinarySearchFunc(v, number, func(x KeyedValue, n uint8) int { return int(x.Property) - int(n) })
	if !has {
		return 0, false
	}
	return v[i].Hash, true
}

// With returns v with the values that w has of the properties with the keys, and without
// those of these properties that w lacks.
func (v Values) With(w Values, keys []string) Values {
	is := func(x KeyedValue) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return propertyOf(key).Number == x.Property })
	}
	all := slices.DeleteFunc(slices.Clone(v), is)
	for _, x := range w {
		if is(x) {
			all = append(all, x)
		}
	}
	SortValues(all)
	return all
}

// Forget returns v without knowledge of the properties with the keys: they differ from
// whatever they are compared with.
func (v Values) Forget(keys []string) Values {
	return v.With(Each(keys, func(key string) KeyedValue { return KeyedValue{Property: propertyOf(key).Number} }), keys)
}

// Append appends the stored form of v to dst: nine bytes for each value.
func (v Values) Append(dst []byte) []byte {
	for _, x := range v {
		dst = binary.BigEndian.AppendUint64(append(dst, x.Property), x.Hash)
	}
	return dst
}

// MarshalText returns the form of Append in base64, and UnmarshalText reads it.
func (v Values) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, v.Append(nil)), nil
}

// UnmarshalText is the inverse of MarshalText.
func (v *Values) UnmarshalText(text []byte) error {
	const size = 9
	stored, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil || len(stored)%size != 0 {
		return fmt.Errorf("%q are not the hashes of a trip", text)
	}
	*v = make(Values, 0, len(stored)/size)
	for ; len(stored) > 0; stored = stored[size:] {
		*v = append(*v, KeyedValue{Property: stored[0], Hash: binary.BigEndian.Uint64(stored[1:size])})
	}
	return nil
}

// SortValues sorts values by the numbers of their properties.
func SortValues(v Values) {
	slices.SortFunc(v, func(a, b KeyedValue) int { return int(a.Property) - int(b.Property) })
}
