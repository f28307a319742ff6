package sheet

import (
	"bufio"
	"encoding/json"
	"io"

	"tripimport/importer"
)

// A rowJSON is a row as `inspect --rows --json` prints it: one object on a line.
type rowJSON struct {
	// Sheet is empty for a CSV file.
	Sheet string `json:"sheet"`
	// Row is the row number in the sheet, or the physical line in a CSV file.
	Row   int        `json:"row"`
	Cells []cellJSON `json:"cells"`
}

// A cellJSON is a cell that is not empty.
type cellJSON struct {
	Ref string `json:"ref"`
	// Type is text, number, bool, date, time, datetime, duration or error.
	Type string `json:"type"`
	// Text is the text that a mapping sees.
	Text string `json:"text"`
}

// WriteRowsJSON writes every row that is not blank as a line of JSON:
//
//	{"sheet":"Trips","row":2,"cells":[{"ref":"A2","type":"text","text":"70411"}]}
//
// Empty cells are left out. An error of the file is an *importer.InputError;
// after any error the output is not complete and must not be used.
func WriteRowsJSON(w io.Writer, f *File) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for row, err := range f.Rows() {
		if err != nil {
			_ = out.Flush() // the error of the file matters more
			return err
		}
		if err := enc.Encode(asJSON(row)); err != nil {
			return err
		}
	}

	return out.Flush()
}

// asJSON returns the form of a row that is printed.
func asJSON(row importer.Row) rowJSON {
	r := rowJSON{Sheet: row.Sheet, Row: row.Num, Cells: []cellJSON{}}
	for i, c := range row.Cells {
		if c.Type != importer.Empty {
			r.Cells = append(r.Cells, cellJSON{importer.Ref{Row: row.Num, Col: i + 1}.A1(), c.Type.String(), c.Text})
		}
	}
	return r
}
