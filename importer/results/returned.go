package results

import (
	"fmt"
	"iter"
	"path/filepath"

	"tripimport/importer"
)

// A Returned is a results file that has come back, perhaps mended: by hand, and
// saved by Excel, LibreOffice or Google Sheets. Its rows have been held against
// their digests: each belongs to one row of the input, and nothing has been
// mixed up.
type Returned struct {
	path    string
	book    book
	id      identity
	key     sipKey
	exact   map[cellAt]string
	tables  []table
	rows    int
	edits   []Edit
	answers []Answer
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
func Open(path string, key func(ledger string) ([]byte, error)) (*Returned, error) {
	b, err := openBook(path)
	if err != nil {
		return nil, err
	}
	r := &Returned{path: path, book: b}
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
func (r *Returned) identify(key func(string) ([]byte, error)) error {
	var err error
	if r.id, r.exact, err = r.book.identity(); err != nil {
		return err
	}
	switch {
	case r.id.Version > identityVersion:
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
	r.key = deriveKey(secret, r.id.Run)
	return nil
}

// refuse makes the error that says why the file can't be taken.
func (r *Returned) refuse(at importer.Ref, reason, fix string) error {
	return &importer.InputError{File: filepath.Base(r.path), At: at, Reason: reason, Fix: fix}
}

// fresh says how to get the file as it was written.
func (r *Returned) fresh() string {
	if r.id.Fresh == "" {
		return "use the results as they were written"
	}
	return "get a fresh copy: " + r.id.Fresh
}

// Run is the run's id, Ledger the identity of its ledger; empty for a check.
func (r *Returned) Run() string    { return r.id.Run }
func (r *Returned) Ledger() string { return r.id.Ledger }

// Rehearsal and Check report what the results are of.
func (r *Returned) Rehearsal() bool { return r.id.Rehearsal }
func (r *Returned) Check() bool     { return r.id.Check }

// Mapping names the mapping of the run.
func (r *Returned) Mapping() MappingInfo { return r.id.Mapping }

// Inputs describe the run's input files as Options had them: their header rows
// have the cells and the numbers that they had.
func (r *Returned) Inputs() []Input {
	inputs := make([]Input, len(r.id.Inputs))
	for i := range r.id.Inputs {
		in := &r.id.Inputs[i]
		inputs[i] = Input{
			InputInfo: importer.InputInfo{Name: in.Name, Hash: in.Hash},
			Path:      in.Path, Sheet: in.Sheet, Head: in.rows(), Columns: in.Columns,
		}
	}
	return inputs
}

// Source gives the rows of the input with that name; nil where there is none.
// The rows have their own numbers and columns, and the mended cells; they come
// in the order in which the results now have them.
func (r *Returned) Source(name string) importer.Source {
	for i := range r.id.Inputs {
		if r.id.Inputs[i].Name == name {
			return &returnedSource{r, i + 1}
		}
	}
	return nil
}

// Edits are the changed cells that were not marked.
func (r *Returned) Edits() []Edit { return r.edits }

// Answers are what people wrote about trips that may be booked, and about
// those whose GUID is missing.
func (r *Returned) Answers() []Answer { return r.answers }

// Rows counts the rows of the file, and Missing those that were written and
// are not there any more; 0 where that is not known (CSV).
func (r *Returned) Rows() int { return r.rows }

// Missing counts the rows that have been deleted since the file was written.
func (r *Returned) Missing() int { return max(0, r.id.Rows-r.rows) }

// Close closes the file.
func (r *Returned) Close() error { return r.book.close() }

// A returnedSource is an input as its results have it: an importer.Source.
type returnedSource struct {
	r     *Returned
	input int
}

func (s *returnedSource) Name() string { return s.r.id.Inputs[s.input-1].Name }
func (s *returnedSource) Hash() string { return s.r.id.Inputs[s.input-1].Hash }

// Rows gives the input's rows. A row that no longer fits its key ends the
// reading: the file was changed while it was read.
func (s *returnedSource) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for found, err := range s.r.all() {
			if err != nil {
				yield(importer.Row{}, err)
				return
			}
			if found.key.Input == s.input && !yield(s.r.restore(&found), nil) {
				return
			}
		}
	}
}

// restore gives the row of the input. A cell that has not changed is exactly
// what it was, its type included; a mended one is what was typed.
func (r *Returned) restore(f *foundRow) importer.Row {
	in := &r.id.Inputs[f.key.Input-1]
	row := importer.Row{File: in.Name, Sheet: in.Sheet, Num: f.key.Row, Width: f.key.Width}
	width := 0
	for _, c := range in.Columns {
		width = max(width, c.Num)
	}
	row.Cells = make([]importer.Cell, width, width+1)
	for i, c := range in.Columns {
		cell := f.cells[i]
		if !f.changed.has(i) {
			cell.Type = f.key.Types[i]
			if f.key.Exact.has(i) {
				cell.Text = r.exact[cellAt{f.key.Input, f.key.Row, i}]
			}
		}
		row.Cells[c.Num-1] = cell
	}
	if beyond := f.cells[len(in.Columns)]; beyond.Type != importer.Empty {
		row.Cells = append(row.Cells, splitBeyond(beyond.Text)...)
		row.Width = width + len(splitBeyond(beyond.Text))
	} else if f.key.Width != 0 && f.changed != nil {
		// The record had too many fields or too few, and has been mended.
		row.Width = width
	}
	return row
}

// String names the file for logs, without any of its content.
func (r *Returned) String() string {
	return fmt.Sprintf("results of run %s (%d rows)", r.id.Run, r.rows)
}
