package seal

import (
	"encoding/json"
	"time"

	"tripimport/importer"
)

// IdentityVersion is that of the hidden sheet and of the rows' keys.
const IdentityVersion = 1

// An Identity is what results know of themselves: enough to feed them back.
type Identity struct {
	Version    int
	Run        string
	Ledger     string
	Command    string
	Started    time.Time
	Rehearsal  bool `json:",omitempty"`
	Check      bool `json:",omitempty"`
	Redacted   bool `json:",omitempty"`
	FailedOnly bool `json:",omitempty"`
	Mapping    MappingInfo
	Program    string
	Fresh      string `json:",omitempty"` // the command that writes the file anew
	Inputs     []ShownInput
	// OwnKey keys the digests where there is no ledger that has a key.
	OwnKey []byte `json:",omitempty"`
	// Rows is how many rows were written; 0 where it was not known in time.
	Rows int `json:",omitempty"`
}

// A MappingInfo names the mapping of a run.
type MappingInfo struct{ Name, Path, Hash string }

// An Input is one input file as results have to know it: enough to give its
// rows back to the mapping that read them.
type Input struct {
	importer.InputInfo
	// Path is where the file was.
	Path string
	// Sheet is the sheet's name; empty for CSV.
	Sheet string
	// Head are the rows of the header with their cells at their own
	// positions; none for a file without.
	Head []importer.Row
	// Columns are all columns of the input in order. A column may have no
	// header, and two may have the same.
	Columns []importer.Column
}

// A ShownInput is an input as the Results show it.
type ShownInput struct {
	Input
	// Shown are the headers that the columns have in the Results.
	Shown []string
}

// Encode gives the identity as JSON.
func (id *Identity) Encode() ([]byte, error) { return json.Marshal(id) }

// DecodeIdentity is the inverse of Encode. Its error is ErrNoIdentity.
func DecodeIdentity(data []byte) (Identity, error) {
	var id Identity
	if err := json.Unmarshal(data, &id); err != nil || len(id.Inputs) == 0 {
		return id, ErrNoIdentity
	}
	for i := range id.Inputs {
		if in := &id.Inputs[i]; len(in.Shown) != len(in.Columns) {
			return id, ErrNoIdentity
		}
	}
	return id, nil
}
