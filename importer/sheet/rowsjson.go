package sheet

import (
	"bufio"
	"encoding/json"
	"io"

	"tripimport/importer"
)

// A rowJSON is a row as `inspect --rows --json` prints it, one object a line.
type rowJSON struct {
	// Sheet is empty for a CSV file.
	Sheet string `json:"sheet"`
	// Row is the sheet's own number, or the physical line in a CSV file.
	Row   int        `json:"row"`
	Cells []cellJSON `json:"cells"`
}

// A cellJSON is a cell that holds something.
type cellJSON struct {
	Ref string `json:"ref"`
	// Type is text, number, bool, date, time, datetime, duration or error.
	Type string `json:"type"`
	// Text is what a mapping sees.
	Text string `json:"text"`
}

// WriteRowsJSON writes every row that is not blank. After an error what was
// written must not be used.
func WriteRowsJSON(w io.Writer, f *File) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for row, err := range f.Rows() {
		if err != nil {
			_ = out.Flush() // the fault of the file comes first
			return err
		}
		if err := enc.Encode(asJSON(row)); err != nil {
			return err
		}
	}
	return out.Flush()
}

func asJSON(row importer.Row) rowJSON {
	r := rowJSON{Sheet: row.Sheet, Row: row.Num, Cells: []cellJSON{}}
	for i, c := range row.Cells {
		if c.Type != importer.Empty {
			r.Cells = append(r.Cells, cellJSON{row.Ref(i + 1).A1(), c.Type.String(), c.Text})
		}
	}
	return r
}
