package returned

import (
	"fmt"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// Results are a results file that has come back, perhaps edited by a person, and
// saved by Excel, LibreOffice or Google Sheets. Each of its rows belongs to one
// row of the input, and no rows have been mixed up: Open has proved it. Results
// are not safe for concurrent use.
type Results struct {
	path      string
	file      file
	id        seal.Identity
	sealer    *seal.Sealer
	originals map[seal.CellAt]string
	tables    []table
	rows      int
	edits     []Edit
	answers   []Answer
}

// An Edit is a cell that was changed though nothing was wrong with it. It needs
// a person's yes.
type Edit struct {
	// At is the cell in the results file, Source that of the input.
	At, Source importer.Ref
	// SameAs is the one other row of the results file that has the same in
	// this column, where that is another passenger's: it may have been copied
	// from there. 0 for none.
	SameAs int
}

// String names the cell for people.
func (e Edit) String() string {
	if e.SameAs == 0 {
		return e.At.String()
	}
	return fmt.Sprintf("%s, now the same as in row %d", e.At, e.SameAs)
}

// Open reads a results file, XLSX or CSV. key gives the key of the ledger with
// that identity; its error is returned as it is. A file that is no results
// file, that is redacted, or whose rows have been mixed up is an
// *importer.InputError that names the row and how to get a fresh copy.
func Open(path string, key func(ledger string) ([]byte, error)) (*Results, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return read(path, f, key)
}

// read reads a results file that is open.
func read(path string, f file, key func(ledger string) ([]byte, error)) (*Results, error) {
	r := &Results{path: path, file: f}
	if err := r.identify(key); err != nil {
		return nil, err
	}
	if err := r.findTables(); err != nil {
		return nil, err
	}
	if err := r.inspect(); err != nil {
		return nil, err
	}
	return r, nil
}

// identify reads what the file knows of itself, and gets the key for it.
func (r *Results) identify(key func(string) ([]byte, error)) error {
	var err error
	if r.id, r.originals, err = r.file.identity(); err != nil {
		return err
	}
	switch {
	case r.id.Version > seal.IdentityVersion:
		return r.refuse(importer.Ref{}, "it was written by a newer version of tripimport", "update tripimport")
	case r.id.Redacted:
		return r.refuse(importer.Ref{}, "it is redacted, so its rows can't be sent", r.fresh())
	}
	secret := r.id.OwnKey
	if r.id.Ledger != "" {
		if secret, err = key(r.id.Ledger); err != nil {
			return err
		}
	}
	r.sealer = seal.NewSealer(secret, r.id.Run)
	return nil
}

// refuse makes the error that says why the file can't be taken.
func (r *Results) refuse(at importer.Ref, reason, fix string) error {
	return &importer.InputError{File: filepath.Base(r.path), At: at, Reason: reason, Fix: fix}
}

// fresh says how to get the file as it was written.
func (r *Results) fresh() string {
	if r.id.Fresh == "" {
		return "use the results as they were written"
	}
	return "get a fresh copy: " + r.id.Fresh
}

// Run is the run's id, Ledger the identity of its ledger; empty for a check.
func (r *Results) Run() string    { return r.id.Run }
func (r *Results) Ledger() string { return r.id.Ledger }

// Rehearsal and Check report what the results are of.
func (r *Results) Rehearsal() bool { return r.id.Rehearsal }
func (r *Results) Check() bool     { return r.id.Check }

// Mapping names the mapping of the run.
func (r *Results) Mapping() seal.MappingInfo { return r.id.Mapping }

// Inputs describe the run's input files as the results were given them: their
// header rows have the cells and the numbers that they had.
func (r *Results) Inputs() []seal.Input {
	inputs := make([]seal.Input, len(r.id.Inputs))
	for i := range r.id.Inputs {
		inputs[i] = r.id.Inputs[i].Input
	}
	return inputs
}

// Source gives the rows of the input with that name; nil where there is none.
// The rows have their own numbers and columns, and the mended cells; they come
// in the order in which the results now have them.
func (r *Results) Source(name string) importer.Source {
	for i := range r.id.Inputs {
		if r.id.Inputs[i].Name == name {
			return &source{r, i + 1}
		}
	}
	return nil
}

// Edits are the changed cells that were not marked.
func (r *Results) Edits() []Edit { return r.edits }

// Answers are what people wrote about trips that may be booked, and about
// those whose GUID is missing.
func (r *Results) Answers() []Answer { return r.answers }

// Rows counts the rows of the file, and Missing those that were written and
// are not there any more; 0 where that is not known (CSV).
func (r *Results) Rows() int { return r.rows }

// Missing counts the rows that have been deleted since the file was written.
func (r *Results) Missing() int { return max(0, r.id.Rows-r.rows) }

// Close closes the file.
func (r *Results) Close() error { return r.file.close() }

// String names the file for logs, without any of its content.
func (r *Results) String() string {
	return fmt.Sprintf("results of run %s (%d rows)", r.id.Run, r.rows)
}
