package importer

import "strings"

// CellType is the type that a cell has in the spreadsheet. The cells of a CSV file
// are Empty or Text.
type CellType uint8

// The types of cells, with the form of Cell.Text.
const (
	Empty        CellType = iota // nothing, or spaces only
	Text                         // text as written
	Number                       // a number in its shortest form, with the leading zeros of its format
	Bool                         // TRUE or FALSE
	DateCell                     // a day: 2026-12-02
	TimeCell                     // a time of day: 08:30:00
	DateTimeCell                 // both: 2026-12-02T08:30:00
	Duration                     // an elapsed time, which may be over 24 hours: 26:15:00
	ErrorCell                    // an error of the spreadsheet program, such as #N/A
)

// NotCalculated is the text of the ErrorCell that stands for a formula whose result
// was not calculated when the workbook was saved.
const NotCalculated = "#NOT CALCULATED"

// FixNotCalculated says what to do with such a workbook. LibreOffice calculates the
// formulas of another program only when it is told to.
const FixNotCalculated = "open the file in Excel (in LibreOffice press Ctrl+Shift+F9 as well), save it, and use the saved file"

// cellTypes are the types' names. It is never written to.
var cellTypes = []string{
	Empty: "empty", Text: "text", Number: "number", Bool: "bool", DateCell: "date", TimeCell: "time",
	DateTimeCell: "datetime", Duration: "duration", ErrorCell: "error",
}

// String returns the type's name: "text", "datetime".
func (t CellType) String() string { return codeOf(cellTypes, t) }

// MarshalText returns the type's name, so that no file holds its number. It
// implements encoding.TextMarshaler.
func (t CellType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText is the inverse of MarshalText. It returns an error for any other
// text. It implements encoding.TextUnmarshaler.
func (t *CellType) UnmarshalText(name []byte) error {
	return parseCode(t, name, cellTypes)
}

// A Cell is one cell of a row.
type Cell struct {
	Type CellType
	// Struck reports that the cell is struck through. Beside Type it takes no room.
	Struck bool
	// Text is the content as mappings read it. Dates and times are in ISO form,
	// wall clock without a zone. Numbers are in their shortest form, but with the
	// leading zeros and the characters of a padded format (02145-0012).
	// Everything else is as written, including white space.
	Text string
	// Format is the cell's number format in the spreadsheet ("m/d/yyyy"). It is
	// empty for General and in CSV files. Results write the cell with it.
	Format string
}

// ColumnName returns a column's letters: 1 is A, 27 is AA. It is empty for a
// number below 1.
func ColumnName(col int) string {
	if col < 1 {
		return ""
	}
	return ColumnName((col-1)/26) + string(rune('A'+(col-1)%26))
}

// ColumnNumber is the inverse of ColumnName, with letters in either case. It
// reports false for anything but A to XFD, the last column of a sheet.
func ColumnNumber(name string) (int, bool) {
	if len(name) == 0 || len(name) > 3 {
		return 0, false
	}

	col := 0
	for _, c := range strings.ToUpper(name) {
		if c < 'A' || c > 'Z' {
			return 0, false
		}
		col = col*26 + int(c-'A') + 1
	}
	return col, col <= MaxColumns
}

// The size of the largest sheet that spreadsheet programs allow.
const (
	MaxRows    = 1_048_576
	MaxColumns = 16_384
)
