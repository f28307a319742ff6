package importer

import (
	"fmt"
	"strconv"
)

// CellType says what a cell holds, as the spreadsheet typed it. A CSV file has
// only empty and text cells.
type CellType uint8

const (
	Empty        CellType = iota // nothing, or nothing but spaces
	Text                         // text as written
	Number                       // a number; Text has its shortest form, with the leading zeros its format gives
	Bool                         // TRUE or FALSE
	DateCell                     // a day: 2026-12-02
	TimeCell                     // a time of day: 08:30:00
	DateTimeCell                 // both: 2026-12-02T08:30:00
	Duration                     // an elapsed time, which may pass 24 hours: 26:15:00
	ErrorCell                    // an error of the spreadsheet's own, such as #N/A
)

// String gives the type's name as `inspect --json` prints it.
func (t CellType) String() string {
	switch t {
	case Empty:
		return "empty"
	case Text:
		return "text"
	case Number:
		return "number"
	case Bool:
		return "bool"
	case DateCell:
		return "date"
	case TimeCell:
		return "time"
	case DateTimeCell:
		return "datetime"
	case Duration:
		return "duration"
	case ErrorCell:
		return "error"
	}
	return "cell type " + strconv.Itoa(int(t))
}

// MarshalText gives the type's name. It implements encoding.TextMarshaler: no
// file stores a type by its number.
func (t CellType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (t *CellType) UnmarshalText(name []byte) error {
	for known := Empty; known <= ErrorCell; known++ {
		if known.String() == string(name) {
			*t = known
			return nil
		}
	}
	return fmt.Errorf("%q is not a type of cell", name)
}

// A Cell is one cell of a row, as a person sees it in the spreadsheet.
type Cell struct {
	Type CellType
	// Text is what a mapping sees: dates and times in ISO form, wall clock,
	// no zone; numbers in shortest form, but with the leading zeros and the
	// characters of a padded format (02145-0012); everything else as written,
	// white space included.
	Text string
	// Format is the cell's number format in the spreadsheet ("m/d/yyyy"), empty
	// for General and for CSV. Results use it to write the cell as it was.
	Format string
}

// ColumnName gives a column's letters: 1 is A, 27 is AA. It is empty for a
// column below 1.
func ColumnName(col int) string {
	var b [8]byte
	i := len(b)
	for ; col > 0 && i > 0; col = (col - 1) / 26 {
		i--
		b[i] = byte('A' + (col-1)%26)
	}
	return string(b[i:])
}

// ColumnNumber is the inverse of ColumnName; letters' case is disregarded. It
// reports false for anything but one to three letters up to XFD, the last
// column a spreadsheet has.
func ColumnNumber(name string) (int, bool) {
	if len(name) == 0 || len(name) > 3 {
		return 0, false
	}
	col := 0
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		case c < 'A' || c > 'Z':
			return 0, false
		}
		col = col*26 + int(c-'A') + 1
	}
	return col, col <= MaxColumns
}

// The size of the largest sheet a spreadsheet program can hold.
const (
	MaxRows    = 1_048_576
	MaxColumns = 16_384
)
