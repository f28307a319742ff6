package seal

import (
	"encoding/json"
	"errors"
	"strings"

	"tripimport/importer"
)

// A RowKey is what the key column of a row holds.
type RowKey struct {
	// Source reports that it is a row of the input, and not a line of a list, whose cells are
	// those of LineHeaders.
	Source bool `json:",omitzero"`
	// Row is the row's own number in the input.
	Row int
	// Width is the number of fields of a CSV record; 0 for a sheet.
	Width int `json:",omitzero"`
	// Column is the number of the source column whose cell a line lets a person fix; 0 for
	// none. The line's last cell is that one.
	Column int `json:",omitzero"`
	// Cells are the cells of the input's columns, in order. The last one is for the
	// content to the right of these columns.
	Cells []CellKey `json:"C,omitempty"`
	// Texts are the digests of the texts under TextHeaders, by Sealer.Words.
	Texts []Digest `json:",omitempty"`
	// Trips are the row's trips as they came out.
	Trips []TripKey `json:",omitempty"`
	// Unbooked reports that a trip of the row is to be booked and is not known to be
	// booked.
	Unbooked bool `json:",omitzero"`
	// Version is RowResult.Version.
	Version int64 `json:",omitzero"`
	// Rider is the rider's id as it was shown, if a person may replace it. It is kept so
	// that a question can show the old and the new id.
	Rider string `json:",omitzero"`
}

// A CellKey is the part of a row's key that describes a cell. Each row has many: their names are short.
type CellKey struct {
	Type   importer.CellType `json:"T,omitzero"`
	Digest Digest            `json:"D"`
	Flags  Flags             `json:"F,omitzero"`
	// Original is the cell's text, if no sheet can show it.
	Original string `json:"O,omitzero"`
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
	// Suspect: no fault is at the cell, but it may change, because the service refused
	// the trip, or a fault is of the whole row.
	Suspect Flags = 8
)

// Has reports whether any of the flags is set.
func (f Flags) Has(any Flags) bool { return f&any != 0 }

// A TripKey is the part of a row's key that describes a trip. It connects a person's
// answer with the attempt that the results showed.
type TripKey struct {
	Leg importer.Leg `json:",omitzero"`
	// OffRow is TripResult.OffRow: the row does not make the trip any more.
	OffRow bool `json:",omitzero"`
	// Outcome has what answers and other ledgers need of it. A trip that may be booked has a GUID if the service gave it and the ledger
	// could not record that. Changed are the properties that the run changed, or may have changed.
	importer.Outcome
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

// ErrBadKey reports a key that is damaged, made up, or of another run.
var ErrBadKey = errors.New("not a key of these results")

// Encode writes a key, sealed.
func (s *Sealer) Encode(k *RowKey) string {
	text, _ := json.Marshal(k) // it has nothing that JSON can't hold
	// A GUID or an id may have what a spreadsheet program reads as the escape of a character.
	return s.seal(rowData, strings.ReplaceAll(string(text), "_x", `\u005fx`))
}

// Decode reads a key back. Its error is ErrBadKey.
func (s *Sealer) Decode(text string) (k RowKey, err error) {
	opened, genuine := s.open(rowData, text)
	if !genuine || json.Unmarshal([]byte(opened), &k) != nil {
		return RowKey{}, ErrBadKey
	}
	return k, nil
}
