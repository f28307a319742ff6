package returned

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// Results is a results file that was read back. A person may have edited it and saved it
// with Excel, LibreOffice or Google Sheets. Open has proved that each of its rows belongs
// to one row of the input, and that no rows have been mixed up. A Results is not safe for
// concurrent use.
type Results struct {
	// RunRecord is that of the run, or of a list. Its Inputs are the files as they were then, with the cells and
	// numbers of their header rows.
	seal.RunRecord
	// Edits are the changed cells that a person has to confirm, Answers people's answers about trips, and Fixes the
	// cells that were fixed in lines of a list. Sent are the results' SentTrips as they were when the rows were sealed.
	Edits   []Edit
	Answers []Answer
	Fixes   []LineFix
	// Changed is a sum of what is in the changed cells of rows that were not booked; 0 if there are none.
	Changed uint64
	Sent    []SentTrip
	// ForReal makes the rows forget the versions that a rehearsal's ledger gave them, because that of the office
	// has others.
	ForReal bool

	path     string
	file     *file
	sealer   *seal.Sealer
	tables   []table
	rows     int
	unbooked int                  // the number of rows with RowKey.Unbooked
	seen     map[int]importer.Ref // the address of each row in the results file
	ids      map[int]seal.Flags   // the ids that are made from each column
	fixed    map[cellAt]Fix
	comments map[string]map[int]map[int]string // by sheets, rows and columns
}

// An Edit is a cell that was changed although nothing was wrong with it, or in which a row was given the rider of another one. A person has to
// confirm it.
type Edit struct {
	// At is the cell in the results file, and Is what is in it now. Marked reports that the
	// results marked it as a cell to fix.
	At     importer.Ref
	Is     string
	Marked bool
	// Rider reports that it has the rider's id, which was Was; empty if that is not known any more.
	Rider bool
	Was   string
	// SameAs is the row of the results file from which the cell may have been copied: the
	// row of the only other passenger who has the same content in this column. It is 0 if
	// there is none.
	SameAs int
}

// String names the cell for people, without what is in it.
func (e Edit) String() string {
	text := e.At.String()
	if !e.Marked {
		text += ", which was not marked"
	}
	if e.Rider {
		text += ", another rider of a refused row"
	}
	if e.SameAs != 0 {
		text += fmt.Sprintf(", now the same as in row %d, which may be another passenger's", e.SameAs)
	}
	return text
}

// Open reads a results file, XLSX or CSV, or a morning list. key returns the key of the ledger with that
// identity; its error is returned as it is. Open returns an *importer.InputError for a
// file that is no results file, that is redacted, or whose rows have been mixed up. The error names the row and says how to get
// a fresh copy. Fixes stand in place of what their cells say.
func Open(path string, key func(ledger string) ([]byte, error), fixes ...Fix) (_ *Results, err error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.close() // nothing was written
		}
	}()
	r := &Results{path: path, file: f, comments: map[string]map[int]map[int]string{}}
	if err := r.identify(key); err != nil {
		return nil, err
	}
	r.fixWith(fixes)
	if err := r.findTables(); err != nil {
		return nil, err
	}
	for _, sheet := range f.sheets() {
		if r.comments[sheet], err = f.comments(sheet); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(r.inspect(), r.refuseLoose()); err != nil {
		return nil, err
	}
	return r, nil
}

// identify reads the record of the run, gets the key of its ledger, and verifies the
// record.
func (r *Results) identify(key func(string) ([]byte, error)) error {
	var err error
	switch r.RunRecord, err = r.file.record(); {
	case errors.Is(err, seal.ErrNoRecord) && r.file.isLost():
		return WithoutRecord(filepath.Base(r.path))
	case errors.Is(err, seal.ErrNoRecord):
		return r.refuse(importer.Ref{}, "it is not a results file of tripimport, or its hidden sheet was removed", "name the results file that a run has written")
	case err != nil:
		return err
	case r.Redacted:
		return r.refuse(importer.Ref{}, "it is redacted, so its rows can't be sent", r.fresh())
	}

	var secret []byte
	if r.Ledger != "" { // a check has none: nothing is sent from its results
		if secret, err = key(r.Ledger); err != nil {
			return err
		}
	}
	r.sealer = seal.NewSealer(secret, r.Run)
	if !r.Genuine(r.sealer) {
		return r.refuse(importer.Ref{}, "the record of its run was changed: its hidden sheet, or in CSV the header of its last column", r.fresh())
	}
	return nil
}

// refuse returns the error that says why the file can't be used.
func (r *Results) refuse(at importer.Ref, reason, fix string) error {
	return &importer.InputError{File: filepath.Base(r.path), At: at, Reason: reason, Fix: fix}
}

// fresh says how to get the results as they were written.
func (r *Results) fresh() string {
	switch {
	case r.Morning:
		return "move the file elsewhere, have the list written again, and answer there"
	case r.Fresh == "":
		return "use the results as they were written"
	}
	return "get a fresh copy: `" + r.Fresh + "`"
}

// Source returns the rows of the input. The rows have the numbers and columns of the input, and the cells as a
// person has fixed them. They come in the order that they have in the results now.
func (r *Results) Source() importer.Source { return &source{r} }

// Deleted returns the rows with unbooked trips that were deleted from the file, or from
// earlier results of the same rows. In results of a rehearsal, nothing counts as booked.
// Row is 0 for rows that are only known by their number.
func (r *Results) Deleted() []seal.UnbookedRow {
	rows := slices.DeleteFunc(slices.Clone(r.Unbooked), func(row seal.UnbookedRow) bool {
		_, there := r.seen[row.Row]
		return there
	})
	gone := r.UnbookedRows - r.unbooked
	if r.Rehearsal {
		gone = r.Rows - r.rows
	}
	return append(rows, make([]seal.UnbookedRow, max(0, gone-len(rows)))...)
}

// Struck returns notices about rows that are struck through, which are read like the others.
// They are complete once the rows were read to their end.
func (r *Results) Struck() (notices []importer.Problem) {
	for i := range r.tables {
		for _, p := range r.file.open[r.tables[i].sheet].Notices() {
			if p.Code == "struck-rows" {
				p.Fix = "write `" + importer.LeaveIt.String() + "` beside the rows that are not to be booked"
				notices = append(notices, p)
			}
		}
	}
	return notices
}

// Close closes the file.
func (r *Results) Close() error { return r.file.close() }
