package results

import (
	"encoding/json"
	"time"

	"tripimport/importer"
)

// identityVersion is that of the hidden sheet and of the rows' keys.
const identityVersion = 1

// An identity is what results know of themselves: enough to feed them back.
type identity struct {
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
	Inputs     []identityInput
	// OwnKey keys the digests where there is no ledger that has a key.
	OwnKey []byte `json:",omitempty"`
	// Rows is how many rows were written; 0 where it was not known in time.
	Rows int `json:",omitempty"`
}

type identityInput struct {
	Name, Hash, Path, Sheet string
	Head                    []identityRow
	Columns                 []importer.Column
	// Shown are the headers that the columns have in the Results.
	Shown []string
}

type identityRow struct {
	Num   int
	Cells []importer.Cell
	Width int `json:",omitempty"`
}

func newIdentity(o *Options, h importer.RunStart) identity {
	id := identity{
		Version: identityVersion, Run: h.Run.ID, Ledger: h.Ledger, Command: h.Run.Command, Started: h.Run.Started,
		Rehearsal: h.Rehearsal, Check: h.Check, Redacted: o.Redact, FailedOnly: o.FailedOnly,
		Mapping: o.Mapping, Program: o.Version, Fresh: o.Commands.Fresh,
	}
	if h.Ledger == "" {
		id.OwnKey = o.Key
	}
	for _, in := range o.Inputs {
		ii := identityInput{Name: in.Name, Hash: in.Hash, Path: in.Path, Sheet: in.Sheet, Columns: in.Columns}
		for _, row := range in.Head {
			ii.Head = append(ii.Head, identityRow{row.Num, row.Cells, row.Width})
		}
		id.Inputs = append(id.Inputs, ii)
	}
	return id
}

func (id *identity) encode() ([]byte, error) { return json.Marshal(id) }

func decodeIdentity(data []byte) (identity, error) {
	var id identity
	err := json.Unmarshal(data, &id)
	return id, err
}

// rows gives the rows of the header as they were.
func (in *identityInput) rows() []importer.Row {
	rows := make([]importer.Row, len(in.Head))
	for i, r := range in.Head {
		rows[i] = importer.Row{File: in.Name, Sheet: in.Sheet, Num: r.Num, Cells: r.Cells, Width: r.Width}
	}
	return rows
}
