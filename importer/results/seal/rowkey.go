package seal

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A RowKey is what the key column of a row holds.
type RowKey struct {
	// Input is the number of the input file in the run, from 1.
	Input int
	// Row is the row's own number in the input.
	Row int
	// Width is the number of fields of a CSV record; 0 for a sheet.
	Width int
	// Cells are those of the input's columns, in their order, and last the one
	// for what is to the right of them.
	Cells []CellKey
	// Trips are the row's trips as they came out.
	Trips []TripKey
}

// A CellKey is what a row's key says of a cell.
type CellKey struct {
	Type   importer.CellType
	Digest Digest
	Flags  Flags
}

// Flags say what may happen to a cell. Their bits are part of the format.
type Flags uint8

const (
	// MayChange: the cell is marked, or another reason lets a person change it.
	MayChange Flags = 1
	// TripID: the trip's id is made from the cell.
	TripID Flags = 2
	// RiderID: the rider's id is made from the cell.
	RiderID Flags = 4
	// HasOriginal: the hidden sheet has the cell's text, since no sheet can
	// show it.
	HasOriginal Flags = 8

	allFlags = MayChange | TripID | RiderID | HasOriginal
)

// Has reports whether any of the flags is set.
func (f Flags) Has(any Flags) bool { return f&any != 0 }

// A TripKey is what a row's key says of one of its trips.
type TripKey struct {
	Leg         importer.Leg
	State       importer.State
	GUIDMissing bool
}

// keyVersion begins every key. It is no digit, so that a spreadsheet program
// takes the key for a text.
const keyVersion = "k2"

// ErrBadKey reports a key that is damaged, made up, or of another run.
var ErrBadKey = errors.New("not a key of these results")

// Encode writes a key, sealed. Its parts are separated by dots: the version, the
// numbers of input and row, the width, the cells' types and flags, their
// digests, the trips, and the HMAC of all that.
func (s *Sealer) Encode(k *RowKey) string {
	types := make([]byte, 0, 2*len(k.Cells))
	digests := make([]byte, 0, digestSize*len(k.Cells))
	for _, c := range k.Cells {
		letter := typeLetters[max(0, slices.Index(cellTypes, c.Type))]
		types = strconv.AppendUint(append(types, letter), uint64(c.Flags), 16)
		digests = binary.LittleEndian.AppendUint32(digests, uint32(c.Digest))
	}

	trips := make([]string, len(k.Trips))
	for i, t := range k.Trips {
		trips[i] = t.encode(importer.State.Code)
	}

	key := strings.Join([]string{
		keyVersion, strconv.Itoa(k.Input), strconv.Itoa(k.Row), strconv.Itoa(k.Width),
		string(types), base64.RawURLEncoding.EncodeToString(digests), strings.Join(trips, ","),
	}, ".")
	return key + "." + s.rowSum(key)
}

// Decode reads a key back. Its error is ErrBadKey.
func (s *Sealer) Decode(text string) (RowKey, error) {
	cut := strings.LastIndexByte(text, '.')
	if cut < 0 || text[cut+1:] != s.rowSum(text[:cut]) {
		return RowKey{}, ErrBadKey
	}
	k, ok := decodeKey(text[:cut])
	if !ok {
		return RowKey{}, ErrBadKey
	}
	return k, nil
}

func decodeKey(text string) (RowKey, bool) {
	var k RowKey
	parts := strings.Split(text, ".")
	if len(parts) != 7 || parts[0] != keyVersion {
		return k, false
	}

	for i, n := range []*int{&k.Input, &k.Row, &k.Width} {
		v, err := strconv.Atoi(parts[1+i])
		if err != nil {
			return k, false
		}
		*n = v
	}

	types := parts[4]
	digests, err := base64.RawURLEncoding.DecodeString(parts[5])
	if err != nil || len(digests)/digestSize != len(types)/2 {
		return k, false
	}

	for i := 0; i+1 < len(types); i += 2 {
		letter := strings.IndexByte(typeLetters, types[i])
		flags, err := strconv.ParseUint(types[i+1:i+2], 16, 8)
		if letter < 0 || err != nil || Flags(flags)&^allFlags != 0 {
			return k, false
		}
		digest := Digest(binary.LittleEndian.Uint32(digests[digestSize*i/2:]))
		k.Cells = append(k.Cells, CellKey{cellTypes[letter], digest, Flags(flags)})
	}

	for trip := range strings.SplitSeq(parts[6], ",") {
		if trip == "" {
			continue
		}
		t, ok := decodeTrip(trip, importer.ParseState)
		if !ok {
			return k, false
		}
		k.Trips = append(k.Trips, t)
	}

	return k, true
}

// typeLetters are the letters by which keys know the types of cells, in the order
// of cellTypes. A row's types repeat those of other rows, so they shrink to
// nothing in the workbook.
const typeLetters = "etnbdhDux"

var cellTypes = []importer.CellType{
	importer.Empty, importer.Text, importer.Number, importer.Bool, importer.DateCell,
	importer.TimeCell, importer.DateTimeCell, importer.Duration, importer.ErrorCell,
}

const noGUID = "no_guid"

// encode writes a trip: return:unknown, or only:created:no_guid.
func (t TripKey) encode(code func(importer.State) string) string {
	text := t.Leg.Code() + ":" + code(t.State)
	if t.GUIDMissing {
		text += ":" + noGUID
	}
	return text
}

func decodeTrip(text string, parse func(string) (importer.State, bool)) (TripKey, bool) {
	parts := strings.Split(text, ":")
	missing := len(parts) == 3 && parts[2] == noGUID
	if len(parts) != 2 && !missing {
		return TripKey{}, false
	}
	leg, legKnown := importer.ParseLeg(parts[0])
	state, stateKnown := parse(parts[1])
	return TripKey{leg, state, missing}, legKnown && stateKnown
}
