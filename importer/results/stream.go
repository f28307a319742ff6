package results

import (
	"strconv"

	"github.com/xuri/excelize/v2"
)

// A stream is a sheet that is written row by row.
type stream struct {
	*excelize.StreamWriter
	name string
	last int // the last row written
}

// newStream adds a sheet.
func (w *workbook) newStream(name string) (*stream, error) {
	if _, err := w.file.NewSheet(name); err != nil {
		return nil, err
	}

	// A stream writes the sheet's properties first.
	fit := true
	if err := w.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return nil, err
	}
	sw, err := w.file.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	return &stream{StreamWriter: sw, name: name}, nil
}

// put writes the next row.
func (s *stream) put(values ...any) error {
	s.last++
	return s.SetRow("A"+strconv.Itoa(s.last), values)
}

// putHigh writes the next row in a height of its own; 0 for the usual one.
func (s *stream) putHigh(height float64, values ...any) error {
	s.last++
	return s.SetRow("A"+strconv.Itoa(s.last), values, excelize.RowOpts{Height: height})
}

// banner writes the rehearsal's first line, which every sheet has.
func (w *workbook) banner(s *stream) error {
	if !w.start.Rehearsal {
		return nil
	}
	return s.put(excelize.Cell{StyleID: w.styles.banner, Value: rehearsalBanner})
}
