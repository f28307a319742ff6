package seal

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"tripimport/importer"
)

// A RunRecord describes the run of results, so that the results can be fed back.
type RunRecord struct {
	// Run is the run's id, Ledger the identity of its ledger; it is empty for a
	// check.
	Run    string
	Ledger string
	// Morning reports that the file is not results but a list of what is open from many
	// runs. Run is then an id of the list, and After the last run before it.
	Morning bool   `json:",omitempty"`
	After   string `json:",omitempty"`
	// Rehearsal, Check and Redacted say what kind of results the file has.
	Rehearsal bool `json:",omitempty"`
	Check     bool `json:",omitempty"`
	Redacted  bool `json:",omitempty"`
	Mapping   MappingInfo
	// Fresh is the command that writes the results again; empty for a check.
	Fresh string `json:",omitempty"`
	// Input is the run's file; none of a list.
	Input Input
	// Number is the Number of the ledger after the run's trips were settled.
	Number int64 `json:",omitempty"`
	// Rows is the number of rows that the results have.
	Rows int `json:",omitempty"`
	// UnbookedRows is the number of rows with trips that are not booked, including rows
	// that a person deleted from earlier results. Unbooked lists the deleted ones and
	// then the first of the others.
	UnbookedRows int           `json:",omitempty"`
	Unbooked     []UnbookedRow `json:",omitempty"`

	sealed string // the text that a record was read from
}

// An UnbookedRow is a row with a trip that is not booked.
type UnbookedRow struct {
	// Row is the row's own number in the input.
	Row int `json:"R"`
	// Trips are the ids of its trips; none where it made no trip.
	Trips []string `json:"T,omitempty"`
}

// A MappingInfo names the mapping of a run.
type MappingInfo struct {
	Name string
	// Path is the path of the mapping, and Hash the SHA-256 of its content.
	Path, Hash string
}

// An Input describes one input file, so that its rows can be given back to the mapping
// that read them.
type Input struct {
	importer.InputInfo
	// Path is the path that the file had.
	Path string
	// Sheet is the sheet's name; empty for CSV.
	Sheet string
	// Stamp is when the schedule was made: importer.Arrival.Stamp.
	Stamp time.Time `json:",omitzero"`
	// Head are the rows of the header with their cells at their original positions. A
	// file without a header has none.
	Head []importer.Row
	// Columns are all columns of the input in order. A column may have no
	// header, and two may have the same.
	Columns []importer.Column
	// Shown are the headers that the columns have in the results, one for each column, no two
	// alike. The results choose them.
	Shown []string
}

// Width returns the number of fields of the input's records: that of the header row,
// which may have blank fields as well.
func (in *Input) Width() int {
	if n := len(in.Head); n > 0 && in.Head[n-1].Width > 0 {
		return in.Head[n-1].Width
	}
	return len(in.Columns)
}

// ErrNoRecord reports a record that is missing or damaged.
var ErrNoRecord = errors.New("no record of a run")

// Encode returns the record, sealed, as a text without spaces or quotes.
// DecodeRecord is its inverse.
func (r *RunRecord) Encode(s *Sealer) (string, error) {
	data, err := json.Marshal(r)
	return s.seal(recordData, inBase64(data)), err
}

// Genuine reports whether the record is as it was written.
func (r *RunRecord) Genuine(s *Sealer) bool {
	_, ok := s.open(recordData, r.sealed)
	return ok
}

// DecodeRecord is the inverse of Encode, without checking the seal: that takes the key of
// the ledger, which the record names. Its error is ErrNoRecord.
func DecodeRecord(sealed string) (RunRecord, error) {
	body, _, _ := strings.Cut(sealed, ".")
	data, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		return RunRecord{}, ErrNoRecord
	}

	r := RunRecord{sealed: sealed}
	if err := json.Unmarshal(data, &r); err != nil || r.Run == "" || len(r.Input.Shown) != len(r.Input.Columns) {
		return r, ErrNoRecord
	}
	return r, nil
}
