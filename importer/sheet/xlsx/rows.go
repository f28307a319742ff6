package xlsx

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"tripimport/importer"
)

// Findings are what a reading of a sheet came upon beside its cells. They are
// complete once the sheet was read to its end.
type Findings struct {
	// HiddenRows counts rows with content that the sheet hides, and
	// FirstHidden is the number of the first.
	HiddenRows, FirstHidden int
	// HiddenColumns are the columns that the sheet hides, in order.
	HiddenColumns []Span
	// Uncalculated counts formulas whose result the file does not hold, and
	// FirstUncalculated is the first of them.
	Uncalculated      int
	FirstUncalculated importer.Ref
	// Merged are the merged ranges that lie in rows with content, at most
	// maxMerged of them.
	Merged []Range
}

// A Span is a run of columns, both ends included; 1 is column A.
type Span struct{ First, Last int }

// A Range is a block of cells, all ends included.
type Range struct{ FirstRow, FirstCol, LastRow, LastCol int }

// maxMerged bounds the merged ranges that are kept: sheets with fifty thousand
// of them exist.
const maxMerged = 1_000

// maxIdle bounds the bytes of a worksheet without a single value in them. Rows
// of real sheets are not bounded, a gigabyte of nothing is.
const maxIdle = 256 << 20

// Uncalculated is the text of an error cell that stands for a formula whose
// result the file does not hold.
const Uncalculated = "#NOT CALCULATED"

// Rows reads the sheet from its beginning: every row with content, in order.
// found, which may be nil, is filled on the way. A row's cells are the
// reader's own until the next row; their texts are not. An error, always an
// *importer.InputError, ends the reading, and then nothing that was read may
// be used.
func (b *Book) Rows(sheet Sheet, found *Findings) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		if found == nil {
			found = &Findings{}
		}
		*found = Findings{}
		r := &rowReader{book: b, sheet: sheet, found: found}
		r.row.File, r.row.Sheet = b.name, sheet.Name
		err := r.read(func(row importer.Row) bool { return yield(row, nil) })
		if err != nil && !errors.Is(err, errStopped) {
			yield(importer.Row{}, b.fault(r.at, r.said(err)))
		}
	}
}

// errStopped ends a reading that the caller has broken off.
var errStopped = errors.New("reading stopped")

// A rowReader reads one worksheet once.
type rowReader struct {
	book  *Book
	sheet Sheet
	found *Findings
	*part

	at    importer.Ref // where the reading stands, for faults
	row   importer.Row
	last  int   // number of the last row, with content or not
	col   int   // number of the last cell of this row
	value int64 // bytes read when the last value was met
	table bool  // the sheet's rows were met
	text  []byte
	cuts  []cut
}

// A cut says which piece of the row's text belongs to a cell.
type cut struct{ cell, from, to int }

// said makes a fault of the sheet say how far it was sound.
func (r *rowReader) said(err error) error {
	var d *damage
	if errors.As(err, &d) {
		return err
	}
	what := "is damaged"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "breaks off"
	case errors.Is(err, errTooLarge):
		what = errTooLarge.Error()
	case errors.Is(err, errDTD):
		return partDamage(r.sheet.part, err)
	}
	if r.last == 0 {
		return &damage{fmt.Sprintf("its sheet %s %s before its first row", r.sheet.Name, what), err}
	}
	return &damage{fmt.Sprintf("its sheet %s %s after row %d", r.sheet.Name, what, r.last), err}
}

// read goes through the worksheet's top level.
func (r *rowReader) read(yield func(importer.Row) bool) error {
	if err := r.book.readStrings(); err != nil {
		return err
	}
	var err error
	if r.part, err = r.book.parts.open(r.sheet.part, false); err != nil {
		return err
	}
	defer r.close()
	for {
		tok, err := r.next()
		if err != nil {
			return err
		}
		if tok == endOfPart && !r.table {
			return badXML("a worksheet without a place for rows")
		}
		if tok == endOfPart {
			return nil
		}
		if tok != startTag {
			continue
		}
		switch name := string(r.name); {
		case r.depth() == 1 && name != "worksheet":
			return &damage{"its sheet " + r.sheet.Name + " is no worksheet", nil}
		case r.depth() == 2 && name == "sheetData":
			r.table = true
			err = r.rows(yield)
		case r.depth() == 3 && name == "col":
			err = r.column()
		case r.depth() == 3 && name == "mergeCell":
			err = r.merged()
		}
		if err != nil {
			return err
		}
		if r.consumed-r.value > maxIdle {
			return errTooLarge
		}
	}
}

// rows reads the sheetData element.
func (r *rowReader) rows(yield func(importer.Row) bool) error {
	return r.children(func() error {
		if string(r.name) != "row" {
			return badXML("something else than a row among the rows")
		}
		if err := r.oneRow(); err != nil {
			return err
		}
		if len(r.row.Cells) == 0 {
			if r.consumed-r.value > maxIdle {
				return errTooLarge
			}
			return nil
		}
		r.value = r.consumed
		if r.row.Hidden {
			r.noteHidden()
		}
		if !yield(r.row) {
			return errStopped
		}
		return nil
	})
}

func (r *rowReader) noteHidden() {
	if r.found.HiddenRows++; r.found.HiddenRows == 1 {
		r.found.FirstHidden = r.row.Num
	}
}

// oneRow reads the row whose start tag was just given into r.row.
func (r *rowReader) oneRow() error {
	num := r.last + 1
	hidden := false
	for i := range r.attrs {
		switch string(r.attrs[i].name) {
		case "r":
			n, ok := wholeNumber(r.attrs[i].value)
			if !ok {
				return badXML("a row number that is none")
			}
			num = n
		case "hidden":
			hidden = isTrue(r.attrs[i].value)
		}
	}
	if num <= r.last {
		return &damage{fmt.Sprintf("row %d of its sheet %s comes after row %d", num, r.sheet.Name, r.last), nil}
	}
	if num > importer.MaxRows {
		return &damage{fmt.Sprintf("its sheet %s has more than %d rows", r.sheet.Name, importer.MaxRows), errTooLarge}
	}
	r.at = importer.Ref{Sheet: r.sheet.Name, Row: num}
	r.row.Num, r.row.Hidden, r.row.Cells = num, hidden, r.row.Cells[:0]
	r.col, r.text, r.cuts = 0, r.text[:0], r.cuts[:0]
	if err := r.children(r.inRow); err != nil {
		return err
	}
	// One string for the whole row: whoever keeps a cell's text keeps no more
	// than its row's.
	text := string(r.text)
	for _, c := range r.cuts {
		r.row.Cells[c.cell].Text = text[c.from:c.to]
	}
	r.last = num
	r.at = importer.Ref{}
	return nil
}

// inRow reads one element of a row, a cell as a rule.
func (r *rowReader) inRow() error {
	switch string(r.name) {
	case "c":
		if err := r.cell(); err != nil {
			return err
		}
		r.at.Col = 0 // the reading stands between cells
		return nil
	case "extLst":
		return r.skip()
	}
	return badXML("something else than a cell in a row")
}

// column takes note of a col element that hides columns.
func (r *rowReader) column() error {
	v, _ := r.attr("hidden")
	if !isTrue(v) {
		return nil
	}
	low, _ := r.attr("min")
	high, _ := r.attr("max")
	first, ok1 := wholeNumber(low)
	last, ok2 := wholeNumber(high)
	if ok1 && ok2 && first <= last && len(r.found.HiddenColumns) < maxMerged {
		r.found.HiddenColumns = append(r.found.HiddenColumns, Span{first, last})
	}
	return nil
}

// merged takes note of a mergeCell element.
func (r *rowReader) merged() error {
	ref, _ := r.attr("ref")
	m, ok := parseRange(ref)
	if ok && m.FirstRow <= r.last && len(r.found.Merged) < maxMerged {
		r.found.Merged = append(r.found.Merged, m)
	}
	return nil
}

// wholeNumber reads a positive whole number of at most nine digits.
func wholeNumber(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n > 0
}
