package seal

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A RowKey is what the hidden column of a row holds. Its digests tell which
// cell has changed: two bytes for each, since a row has many, and eight more
// over all cells that must not change, so that none does unseen.
type RowKey struct {
	// Input counts the run's input files from 1; Row is the row's own number.
	Input, Row int
	// Width is the number of fields of a CSV record; 0 for a sheet.
	Width int
	// Types are the cells' types, by column of the input.
	Types []importer.CellType
	// Digests are the low 16 bits of each cell's digest.
	Digests []uint16
	// Marked are the cells that may change, Guarded those that make the trip's
	// id and its rider, Rider those that make the rider alone.
	Marked, Guarded, Rider ColumnSet
	// Exact tells that the hidden sheet holds the cell as it was: a sheet can't.
	Exact ColumnSet
	// Legs are the row's trips as they came out.
	Legs []LegState
	// Sum is over the digests of all cells that are not marked.
	Sum uint64
}

// A LegState is what became of a leg.
type LegState struct {
	Leg         importer.Leg
	State       importer.State
	GUIDMissing bool
}

// keyVersion begins every key. It is no digit, so that a spreadsheet takes the
// key for a text.
const keyVersion = "k1"

const keyParts = 13

// ErrBadKey reports a key that is damaged, made up, or of another run.
var ErrBadKey = errors.New("not a key of these results")

// Encode writes a key, sealed.
func (s *Sealer) Encode(k *RowKey) string {
	digests := make([]byte, 0, 2*len(k.Digests))
	for _, d := range k.Digests {
		digests = binary.LittleEndian.AppendUint16(digests, d)
	}
	text := strings.Join([]string{
		keyVersion,
		strconv.Itoa(k.Input),
		strconv.Itoa(k.Row),
		strconv.Itoa(k.Width),
		encodeTypes(k.Types),
		base64.RawURLEncoding.EncodeToString(digests),
		k.Marked.encode(),
		k.Guarded.encode(),
		k.Rider.encode(),
		k.Exact.encode(),
		encodeLegs(k.Legs),
		encodeSum(k.Sum),
	}, ".")
	return text + "." + encodeSum(s.key.sum([]byte(text)))
}

// Decode reads a key back; it reports ErrBadKey for one that is damaged, made
// up, or of another run.
func (s *Sealer) Decode(text string) (RowKey, error) {
	var k RowKey
	cut := strings.LastIndexByte(text, '.')
	if cut < 0 || text[cut+1:] != encodeSum(s.key.sum([]byte(text[:cut]))) {
		return k, ErrBadKey
	}
	parts := strings.Split(text, ".")
	if len(parts) != keyParts || parts[0] != keyVersion {
		return k, ErrBadKey
	}
	for i, n := range []*int{&k.Input, &k.Row, &k.Width} {
		v, err := strconv.Atoi(parts[1+i])
		if err != nil {
			return k, ErrBadKey
		}
		*n = v
	}
	ok := true
	k.Types = decodeTypes(parts[4])
	k.Digests, ok = decodeDigests(parts[5], ok)
	k.Marked, ok = decodeColumns(parts[6], ok)
	k.Guarded, ok = decodeColumns(parts[7], ok)
	k.Rider, ok = decodeColumns(parts[8], ok)
	k.Exact, ok = decodeColumns(parts[9], ok)
	k.Legs, ok = decodeLegs(parts[10], ok)
	k.Sum, ok = decodeSum(parts[11], ok)
	if !ok || len(k.Types) != len(k.Digests) {
		return k, ErrBadKey
	}
	return k, nil
}

// Types are written one letter each; a file's rows are mostly alike, so they
// shrink to nothing in the workbook.
const typeLetters = "etnbdhDux"

func encodeTypes(types []importer.CellType) string {
	b := make([]byte, len(types))
	for i, t := range types {
		b[i] = 't'
		if int(t) < len(typeLetters) {
			b[i] = typeLetters[t]
		}
	}
	return string(b)
}

func decodeTypes(s string) []importer.CellType {
	types := make([]importer.CellType, len(s))
	for i := range s {
		types[i] = importer.CellType(max(0, strings.IndexByte(typeLetters, s[i])))
	}
	return types
}

func decodeDigests(s string, ok bool) ([]uint16, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b)%2 != 0 {
		return nil, false
	}
	digests := make([]uint16, len(b)/2)
	for i := range digests {
		digests[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return digests, ok
}

func encodeLegs(legs []LegState) string {
	var b strings.Builder
	for _, l := range legs {
		b.WriteByte('0' + byte(l.Leg))
		b.WriteByte('a' + byte(l.State))
		if l.GUIDMissing {
			b.WriteByte('*')
		}
	}
	return b.String()
}

func decodeLegs(s string, ok bool) ([]LegState, bool) {
	var legs []LegState
	for len(s) >= 2 {
		legs = append(legs, LegState{Leg: importer.Leg(s[0] - '0'), State: importer.State(s[1] - 'a')})
		s = s[2:]
		if strings.HasPrefix(s, "*") {
			legs[len(legs)-1].GUIDMissing = true
			s = s[1:]
		}
	}
	return legs, ok && s == ""
}

func encodeSum(sum uint64) string {
	return base64.RawURLEncoding.EncodeToString(binary.LittleEndian.AppendUint64(nil, sum))
}

func decodeSum(s string, ok bool) (uint64, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b), ok
}

// A ColumnSet is a set of columns of the input, by their place in its list.
type ColumnSet []byte

// Has reports whether i is in the set.
func (s ColumnSet) Has(i int) bool { return i/8 < len(s) && s[i/8]&(1<<(i%8)) != 0 }

// With gives the set with i in it. It may share memory with s.
func (s ColumnSet) With(i int) ColumnSet {
	for i/8 >= len(s) {
		s = append(s, 0)
	}
	s[i/8] |= 1 << (i % 8)
	return s
}

func (s ColumnSet) encode() string { return base64.RawURLEncoding.EncodeToString(s) }

func decodeColumns(s string, ok bool) (ColumnSet, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return b, ok && err == nil
}

// Union gives a set with the members of both, of its own memory.
func (s ColumnSet) Union(t ColumnSet) ColumnSet {
	both := append(ColumnSet(nil), s...)
	for i := range 8 * len(t) {
		if t.Has(i) {
			both = both.With(i)
		}
	}
	return both
}
