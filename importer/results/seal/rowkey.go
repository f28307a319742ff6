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
	// Input is the number of the input file in the run, from 1. It is 0 for a line of a list,
	// whose cells are those of LineHeaders.
	Input int
	// Row is the row's own number in the input.
	Row int
	// Width is the number of fields of a CSV record; 0 for a sheet.
	Width int
	// Column is the number of the source column whose cell a line lets a person fix; 0 for
	// none. The line's last cell is that one.
	Column int
	// Cells are the cells of the input's columns, in order. The last one is for the
	// content to the right of these columns.
	Cells []CellKey
	// Texts are the digests of the texts under TextHeaders, by Sealer.Words.
	Texts []Digest
	// Trips are the row's trips as they came out.
	Trips []TripKey
	// Unbooked reports that a trip of the row is to be booked and is not known to be
	// booked.
	Unbooked bool
	// Version is RowResult.Version.
	Version int64
	// Rider is the rider's id as it was shown, if a person may replace it. It is kept so
	// that a question can show the old and the new id.
	Rider string
}

// A CellKey is the part of a row's key that describes a cell.
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
	// HasOriginal: the hidden sheet has the cell's text, because no sheet can show it.
	HasOriginal Flags = 8
	// Suspect: no fault is at the cell, but it may change, because the service refused
	// the trip, or a fault is of the whole row.
	Suspect Flags = 16

	allFlags = MayChange | TripID | RiderID | HasOriginal | Suspect
)

// Has reports whether any of the flags is set.
func (f Flags) Has(any Flags) bool { return f&any != 0 }

// A TripKey is the part of a row's key that describes a trip. It connects a person's
// answer with the attempt that the results showed.
type TripKey struct {
	Leg         importer.Leg
	State       importer.State
	GUIDMissing bool
	// GUID is the GUID of a booked trip, if it is known.
	GUID string
	// OffRow is TripResult.OffRow: the row does not make the trip any more.
	OffRow bool
	// Answered, Question and Attempt are as in the trip's outcome.
	Answered bool
	Question importer.Question
	Attempt  int64
	// Row and Saw are RowNumber and Saw of the trip's outcome.
	Row, Saw int64
}

// Outcome returns an outcome with the fields that the key has.
func (t *TripKey) Outcome() importer.Outcome {
	return importer.Outcome{State: t.State, GUIDMissing: t.GUIDMissing, Answered: t.Answered, Question: t.Question, Attempt: t.Attempt, RowNumber: t.Row, Saw: t.Saw, GUID: t.GUID}
}

// Left reports that a person answered to leave the trip, which is not booked.
func (t *TripKey) Left() bool {
	o := t.Outcome()
	return o.Left()
}

// Cancelled reports that the trip was booked, and a person cancelled it in the service.
func (t *TripKey) Cancelled() bool {
	return t.State == importer.LeftOut && t.Answered && t.Attempt != 0
}

// Proved reports that the service, not a person, said that the trip is booked.
func (t *TripKey) Proved() bool { return t.State.Booked() && !t.Answered }

// keyVersion begins every key. It begins with a letter, so that a spreadsheet program
// takes the key for a text.
const keyVersion = "k4"

// ErrBadKey reports a key that is damaged, made up, or of another run.
var ErrBadKey = errors.New("not a key of these results")

// Encode writes a key, sealed. Its parts are separated by dots: the version, the
// numbers of input and row, the width, the column, the cells' types and flags, their
// digests, the trips, whether something is unbooked, the rider's id, the version of the
// row's word, the digests of its texts, and the HMAC of all that.
func (s *Sealer) Encode(k *RowKey) string {
	types := make([]byte, 0, 2*len(k.Cells))
	digests := make([]byte, 0, digestSize*len(k.Cells))
	for _, c := range k.Cells {
		letter := typeLetters[max(0, slices.Index(cellTypes, c.Type))]
		types = strconv.AppendUint(append(types, letter), uint64(c.Flags), flagsBase)
		digests = binary.LittleEndian.AppendUint32(digests, uint32(c.Digest))
	}

	trips := make([]string, len(k.Trips))
	for i, t := range k.Trips {
		trips[i] = t.encode(importer.State.Code)
	}

	texts := make([]byte, 0, digestSize*len(k.Texts))
	for _, d := range k.Texts {
		texts = binary.LittleEndian.AppendUint32(texts, uint32(d))
	}
	open := ""
	if k.Unbooked {
		open = unbooked
	}
	return s.seal(rowData, strings.Join([]string{
		keyVersion, strconv.Itoa(k.Input), strconv.Itoa(k.Row), strconv.Itoa(k.Width), strconv.Itoa(k.Column),
		string(types), base64.RawURLEncoding.EncodeToString(digests), strings.Join(trips, ","),
		open, base64.RawURLEncoding.EncodeToString([]byte(k.Rider)), strconv.FormatInt(k.Version, 10), base64.RawURLEncoding.EncodeToString(texts),
	}, "."))
}

// flagsBase is the base in which one character holds all flags. unbooked stands for
// RowKey.Unbooked.
const (
	flagsBase = 32
	unbooked  = "u"
)

// Decode reads a key back. Its error is ErrBadKey.
func (s *Sealer) Decode(text string) (RowKey, error) {
	if text, ok := s.open(rowData, text); ok {
		if k, ok := decodeKey(text); ok {
			return k, nil
		}
	}
	return RowKey{}, ErrBadKey
}

func decodeKey(text string) (RowKey, bool) {
	var k RowKey
	parts := strings.Split(text, ".")
	if len(parts) != 12 || parts[0] != keyVersion {
		return k, false
	}
	rider, err := base64.RawURLEncoding.DecodeString(parts[9])
	version, versionErr := strconv.ParseInt(parts[10], 10, 64)
	texts, textsErr := base64.RawURLEncoding.DecodeString(parts[11])
	if err != nil || versionErr != nil || textsErr != nil || len(texts)%digestSize != 0 {
		return k, false
	}
	for ; len(texts) > 0; texts = texts[digestSize:] {
		k.Texts = append(k.Texts, Digest(binary.LittleEndian.Uint32(texts)))
	}
	k.Unbooked, k.Rider, k.Version = parts[8] == unbooked, string(rider), version

	for i, n := range []*int{&k.Input, &k.Row, &k.Width, &k.Column} {
		v, err := strconv.Atoi(parts[1+i])
		if err != nil {
			return k, false
		}
		*n = v
	}

	var ok bool
	if k.Cells, ok = decodeCells(parts[5], parts[6]); !ok {
		return k, false
	}

	for trip := range strings.SplitSeq(parts[7], ",") {
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

// decodeCells reads the cells. types has, for each cell, a letter for its type and a
// digit for its flags; encoded has the digests.
func decodeCells(types, encoded string) (cells []CellKey, ok bool) {
	digests, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(digests)/digestSize != len(types)/2 {
		return nil, false
	}

	for i := 0; i+1 < len(types); i += 2 {
		letter := strings.IndexByte(typeLetters, types[i])
		flags, err := strconv.ParseUint(types[i+1:i+2], flagsBase, 8)
		if letter < 0 || err != nil || Flags(flags)&^allFlags != 0 {
			return nil, false
		}
		digest := Digest(binary.LittleEndian.Uint32(digests[digestSize*i/2:]))
		cells = append(cells, CellKey{cellTypes[letter], digest, Flags(flags)})
	}
	return cells, true
}

// typeLetters are the letters for the types of cells in keys, in the order of cellTypes.
// Most rows have the same types, so they take almost no space in the compressed workbook.
const typeLetters = "etnbdhDux"

var cellTypes = []importer.CellType{
	importer.Empty, importer.Text, importer.Number, importer.Bool, importer.DateCell,
	importer.TimeCell, importer.DateTimeCell, importer.Duration, importer.ErrorCell,
}

// The parts that may follow a trip's state.
const (
	noGUID     = "no_guid"
	offRow     = "off_row"
	guidIs     = "=" // before the GUID in base64
	answered   = "answered"
	questionIs = "ask="
	attemptIs  = "attempt="
	rowIs      = "row="
	sawIs      = "saw="
)

// encode writes a trip: return:unknown:attempt=12, or only:created:no_guid.
func (t TripKey) encode(code func(importer.State) string) string {
	text := t.Leg.Code() + ":" + code(t.State)
	if t.GUIDMissing {
		text += ":" + noGUID
	}
	if t.GUID != "" {
		text += ":" + guidIs + base64.RawURLEncoding.EncodeToString([]byte(t.GUID))
	}
	if t.OffRow {
		text += ":" + offRow
	}
	if t.Answered {
		text += ":" + answered
	}
	if t.Question != importer.NoQuestion {
		text += ":" + questionIs + t.Question.Code()
	}
	if t.Attempt != 0 {
		text += ":" + attemptIs + strconv.FormatInt(t.Attempt, 10)
	}
	if t.Row != 0 {
		text += ":" + rowIs + strconv.FormatInt(t.Row, 10)
	}
	if t.Saw != 0 {
		text += ":" + sawIs + strconv.FormatInt(t.Saw, 10)
	}
	return text
}

func decodeTrip(text string, parse func(string) (importer.State, bool)) (t TripKey, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 {
		return TripKey{}, false
	}
	t.Leg, ok = importer.ParseLeg(parts[0])
	state, stateKnown := parse(parts[1])
	t.State, ok = state, ok && stateKnown
	for _, part := range parts[2:] {
		question, asks := strings.CutPrefix(part, questionIs)
		guid, isGUID := strings.CutPrefix(part, guidIs)
		switch {
		case part == noGUID:
			t.GUIDMissing = true
		case isGUID:
			decoded, err := base64.RawURLEncoding.DecodeString(guid)
			t.GUID, ok = string(decoded), ok && err == nil
		case part == offRow:
			t.OffRow = true
		case part == answered:
			t.Answered = true
		case asks:
			var known bool
			t.Question, known = importer.ParseQuestion(question)
			ok = ok && known
		default:
			ok = ok && t.decodeNumber(part)
		}
	}
	return t, ok
}

// decodeNumber reads a part with a number, and reports false for any other.
func (t *TripKey) decodeNumber(part string) bool {
	for prefix, to := range map[string]*int64{attemptIs: &t.Attempt, rowIs: &t.Row, sawIs: &t.Saw} {
		if text, ok := strings.CutPrefix(part, prefix); ok {
			n, err := strconv.ParseInt(text, 10, 64)
			*to = n
			return err == nil
		}
	}
	return false
}
