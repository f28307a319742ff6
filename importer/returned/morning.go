package returned

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
	"tripimport/importer/sheet"
)

// ReadMorning reads the answers in a morning workbook of the ledger with that identity.
// key is the key of the ledger's results. If the cells of a row do not fit its key,
// ReadMorning refuses the whole file with an *importer.InputError; so it does if rows may
// not be found any more, if the file can't be read, and if another version wrote it. It returns
// ErrNoMorning for a file that is no morning workbook of the ledger.
func ReadMorning(path, ledger string, key []byte) (answers []Answer, err error) {
	r := &Results{path: path}
	f, err := openFile(path)
	if err != nil {
		return nil, r.refuseUnknown(err)
	}
	defer func() { err = errors.Join(err, f.close()) }()

	r.file = f
	var version *seal.VersionError
	if r.record, _, err = f.record(); errors.As(err, &version) {
		fix := freshMorning
		if version.Newer {
			fix = versionFix(version)
		}
		return nil, r.refuse(importer.Ref{}, version.Error(), fix)
	}
	if err != nil || !r.record.Morning || r.record.Ledger != ledger {
		return nil, ErrNoMorning
	}
	r.sealer = seal.NewSealer(key, r.record.Run)
	if !r.record.Genuine(r.sealer) {
		return nil, r.refuse(importer.Ref{}, "its hidden sheet was changed", freshMorning)
	}
	if err := r.findTables(); err != nil {
		return nil, err
	}
	if err := r.refuseLost(); err != nil {
		return nil, err
	}
	for i := range r.tables {
		for row, err := range f.rows(r.tables[i].sheet) {
			if err != nil {
				return nil, err
			}
			if err := r.readMorningRow(&r.tables[i], row); err != nil {
				return nil, err
			}
		}
	}
	return r.answers, nil
}

// ErrNoMorning reports a file that is no morning workbook of the ledger.
var ErrNoMorning = errors.New("not a morning workbook of this ledger")

const freshMorning = "move the file elsewhere, have the list written again, and answer there"

// refuseUnknown returns the error for a file without the hidden sheet, or one that can't be
// read for another reason: ErrNoMorning where it was never a list.
func (r *Results) refuseUnknown(err error) error {
	f, openErr := sheet.Open(r.path, sheet.Options{})
	if openErr != nil {
		return err
	}
	head, headErr := f.Head(headerSearch)
	_ = f.Close() // only read from
	if headErr != nil || !IsTable(head) {
		return ErrNoMorning
	}
	return r.refuse(importer.Ref{}, "its hidden sheet is gone", freshMorning)
}

// refuseLost refuses rows of the list that are in no table: above the headers, or in a sheet
// whose headers or keys are gone. Their answers would be lost.
func (r *Results) refuseLost() error {
	for _, name := range r.file.sheets() {
		if name == seal.HiddenSheet {
			continue
		}
		i := slices.IndexFunc(r.tables, func(t table) bool { return t.sheet == name })
		for row, err := range r.file.rows(name) {
			switch {
			case err != nil:
				return err
			case i >= 0 && row.Num > r.tables[i].header:
			case i < 0 && headersAt(row) != nil, slices.ContainsFunc(row.Cells, r.isKey):
				return r.refuse(importer.Ref{Sheet: name, Row: row.Num}, "the headers were sorted with the rows, or they or the hidden column "+seal.KeyHeader+" are gone", freshMorning)
			}
		}
	}
	return nil
}

// isKey reports whether a cell holds the key of a row.
func (r *Results) isKey(c importer.Cell) bool {
	_, err := r.sealer.Decode(c.Text)
	return err == nil
}

// readMorningRow reads the answer about one trip.
func (r *Results) readMorningRow(t *table, row importer.Row) error {
	text := strings.TrimSpace(row.Cell(t.answer).Text)
	if row.Num <= t.header || t.answer == 0 || text == "" {
		return nil
	}

	at := importer.Ref{Sheet: t.sheet, Row: row.Num, Col: t.answer}
	key, err := r.sealer.Decode(keyText(t, row))
	if err != nil || key.Input < 1 || key.Input > len(r.record.Inputs) || len(key.Trips) != 1 {
		return r.refuse(at, "the answer is beside a row that was not written by tripimport", freshMorning)
	}
	for i, header := range seal.MorningHeaders() {
		if i >= len(key.Cells) || r.sealer.Cell(i, row.Cell(t.column(header))) != key.Cells[i].Digest {
			return r.refuse(at, "the row has cells of another one: they were sorted apart, or written over", freshMorning)
		}
	}

	in := &r.record.Inputs[key.Input-1]
	a := Answer{At: at, Input: in.Hash, Sheet: in.Sheet, Row: key.Row, Leg: key.Trips[0].Leg, Shown: key.Trips[0].Outcome(), Text: text}
	a.At.File = filepath.Base(r.path)
	a.Who = strings.TrimSpace(row.Cell(t.column(seal.NameHeader)).Text)
	a.Verdict, a.GUID, _ = importer.ParseVerdict(text)
	r.answers = append(r.answers, a)
	return nil
}

// column returns the number of the column that now has a header of the program, or 0 if
// it is gone.
func (t *table) column(header string) int {
	if header == seal.StatusHeader {
		return t.status
	}
	return t.source[sourceName(header)]
}
