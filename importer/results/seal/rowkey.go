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
	// GUID is the GUID of a booked trip, if it is known. A trip that may be booked has one if the
	// service gave it and the ledger could not record that.
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

// Proved reports that the service, not a person, said that the trip is booked, even if the ledger could not
// record that.
func (t *TripKey) Proved() bool {
	return t.State.Booked() && !t.Answered || t.State == importer.Unknown && t.GUID != ""
}

// keyVersion begins every key. It begins with a letter, so that a spreadsheet program
// takes the key for a text.
const keyVersion = "k5"

// ErrBadKey reports a key that is damaged, made up, or of another run.
var ErrBadKey = errors.New("not a key of these results")

// flagsBase is the base in which one character holds all flags.
const flagsBase = 32

// typeLetters are the letters for the types of cells in keys, in the order of cellTypes.
// Most rows have the same types, so they take almost no space in the compressed workbook.
const typeLetters = "etnbdhDux"

var cellTypes = []importer.CellType{
	importer.Empty, importer.Text, importer.Number, importer.Bool, importer.DateCell,
	importer.TimeCell, importer.DateTimeCell, importer.Duration, importer.ErrorCell,
}

// Encode writes a key, sealed. Its parts are separated by dots, and those of a trip by
// colons. They are in the order in which decodeKey and decodeTrip read them.
func (s *Sealer) Encode(k *RowKey) string {
	types := make([]byte, 0, 2*len(k.Cells))
	digests := make([]byte, 0, digestSize*(len(k.Cells)+len(k.Texts)))
	for _, c := range k.Cells {
		letter := typeLetters[max(0, slices.Index(cellTypes, c.Type))]
		types = strconv.AppendUint(append(types, letter), uint64(c.Flags), flagsBase)
		digests = binary.LittleEndian.AppendUint32(digests, uint32(c.Digest))
	}
	for _, d := range k.Texts {
		digests = binary.LittleEndian.AppendUint32(digests, uint32(d))
	}

	trips := make([]string, len(k.Trips))
	for i, t := range k.Trips {
		trips[i] = t.encode(importer.State.Code)
	}
	return s.seal(rowData, strings.Join([]string{
		keyVersion, strconv.Itoa(k.Input), strconv.Itoa(k.Row), strconv.Itoa(k.Width), strconv.Itoa(k.Column), encodeNumber(k.Version), encodeYes(k.Unbooked),
		string(types), base64.RawURLEncoding.EncodeToString(digests), encodeText(k.Rider), strings.Join(trips, ","),
	}, "."))
}

func (t TripKey) encode(stateCode func(importer.State) string) string {
	return strings.Join([]string{
		t.Leg.Code(), stateCode(t.State), t.Question.Code(), encodeText(t.GUID), encodeYes(t.GUIDMissing), encodeYes(t.OffRow), encodeYes(t.Answered),
		encodeNumber(t.Attempt), encodeNumber(t.Row), encodeNumber(t.Saw),
	}, ":")
}

func encodeText(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// encodeNumber writes most numbers of trips, which are 0, as nothing.
func encodeNumber(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// yes stands for true, and nothing for false.
const yes = "y"

func encodeYes(is bool) string {
	if is {
		return yes
	}
	return ""
}

// Decode reads a key back. Its error is ErrBadKey.
func (s *Sealer) Decode(text string) (RowKey, error) {
	if text, ok := s.open(rowData, text); ok {
		if k, ok := decodeKey(text); ok {
			return k, nil
		}
	}
	return RowKey{}, ErrBadKey
}

func decodeKey(text string) (k RowKey, ok bool) {
	p := parts{rest: strings.Split(text, ".")}
	p.bad = p.next() != keyVersion
	k.Input, k.Row, k.Width, k.Column, k.Version = int(p.number()), int(p.number()), int(p.number()), int(p.number()), p.number()
	k.Unbooked = p.yes()
	p.cells(&k)
	k.Rider = string(p.text())

	for trip := range strings.SplitSeq(p.next(), ",") {
		if trip != "" {
			t, ok := decodeTrip(trip, importer.ParseState)
			k.Trips, p.bad = append(k.Trips, t), p.bad || !ok
		}
	}
	return k, p.isRead()
}

func decodeTrip(text string, parseState func(string) (importer.State, bool)) (t TripKey, ok bool) {
	p := parts{rest: strings.Split(text, ":")}
	t.Leg = decodeCode(&p, importer.ParseLeg)
	t.State = decodeCode(&p, parseState)
	t.Question = decodeCode(&p, importer.ParseQuestion)
	t.GUID = string(p.text())
	t.GUIDMissing, t.OffRow, t.Answered = p.yes(), p.yes(), p.yes()
	t.Attempt, t.Row, t.Saw = p.number(), p.number(), p.number()
	return t, p.isRead()
}

// The parts of a key are taken one after the other. bad reports that one was missing or
// could not be read.
type parts struct {
	rest []string
	bad  bool
}

// isRead reports whether all parts were taken, and could be read.
func (p *parts) isRead() bool { return !p.bad && len(p.rest) == 0 }

func (p *parts) next() string {
	if len(p.rest) == 0 {
		p.bad = true
		return ""
	}
	part := p.rest[0]
	p.rest = p.rest[1:]
	return part
}

func (p *parts) number() int64 {
	part := p.next()
	if part == "" {
		return 0
	}
	n, err := strconv.ParseInt(part, 10, 64)
	p.bad = p.bad || err != nil
	return n
}

func (p *parts) yes() bool { return p.next() == yes }

func (p *parts) text() []byte {
	text, err := base64.RawURLEncoding.DecodeString(p.next())
	p.bad = p.bad || err != nil
	return text
}

func decodeCode[T any](p *parts, parse func(string) (T, bool)) T {
	value, ok := parse(p.next())
	p.bad = p.bad || !ok
	return value
}

// cells reads the cells and the digests of the texts. For each cell there is a letter for
// its type and a digit for its flags. The digests of the cells are before those of the texts.
func (p *parts) cells(k *RowKey) {
	types, digests := p.next(), p.text()
	if len(digests)%digestSize != 0 || len(digests)/digestSize < len(types)/2 {
		p.bad = true
		return
	}
	for ; len(digests) > 0; digests = digests[digestSize:] {
		digest := Digest(binary.LittleEndian.Uint32(digests))
		if len(types) < 2 {
			k.Texts = append(k.Texts, digest)
			continue
		}
		letter := strings.IndexByte(typeLetters, types[0])
		flags, err := strconv.ParseUint(types[1:2], flagsBase, 8)
		if letter < 0 || err != nil || Flags(flags)&^allFlags != 0 {
			p.bad = true
			return
		}
		k.Cells = append(k.Cells, CellKey{cellTypes[letter], digest, Flags(flags)})
		types = types[2:]
	}
}
