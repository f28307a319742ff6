package seal

import (
	"iter"
	"strconv"
	"strings"

	"tripimport/importer"
)

// The hidden sheet stores long texts in pieces, one on each line, because a cell can't
// hold a whole text. A line's first cell says to what the piece belongs.
const (
	recordPiece   = "identity"
	originalPiece = "cell"
	pieceLength   = MaxHeader
)

// MaxHeader is the largest length of a header of a CSV file that every spreadsheet
// program keeps.
const MaxHeader = 30_000

// A CellAt is the address of a source cell: the number of the input from 1, the
// row's number, the column's index in the input's list.
type CellAt struct{ Input, Row, Column int }

// HiddenRecord returns the lines of the hidden sheet that hold the record.
func HiddenRecord(r *RunRecord, s *Sealer) ([][]string, error) {
	text, err := r.Encode(s)
	if err != nil {
		return nil, err
	}
	return pieces(text, recordPiece), nil
}

// HiddenOriginal returns the lines of the hidden sheet that hold the original text of a
// source cell that no sheet can show.
func HiddenOriginal(at CellAt, text string) [][]string {
	return pieces(inBase64([]byte(text)),
		originalPiece, strconv.Itoa(at.Input), strconv.Itoa(at.Row), strconv.Itoa(at.Column))
}

// pieces returns a line for each piece of the text: the cells, then the piece.
func pieces(text string, cells ...string) [][]string {
	var lines [][]string
	for {
		n := min(len(text), pieceLength)
		lines = append(lines, append(cells[:len(cells):len(cells)], text[:n]))
		if text = text[n:]; text == "" {
			return lines
		}
	}
}

// ReadHidden reads the hidden sheet: the record of the run, and the texts of source cells
// that no sheet can show. It returns an error of the rows, ErrNoRecord or
// ErrVersion.
func ReadHidden(rows iter.Seq2[importer.Row, error]) (RunRecord, map[CellAt]string, error) {
	var record strings.Builder
	originals := map[CellAt]string{}
	for row, err := range rows {
		if err != nil {
			return RunRecord{}, nil, err
		}
		switch row.Cell(1).Text {
		case recordPiece:
			record.WriteString(row.Cell(2).Text)
		case originalPiece:
			originals[CellAt{intOf(row.Cell(2)), intOf(row.Cell(3)), intOf(row.Cell(4))}] += row.Cell(5).Text
		}
	}

	r, err := DecodeRecord(record.String())
	if err != nil {
		return r, nil, err
	}

	for at, encoded := range originals {
		text, err := fromBase64(encoded)
		if err != nil {
			return r, nil, ErrNoRecord
		}
		originals[at] = string(text)
	}

	return r, originals, nil
}

// intOf returns a cell's number, or 0 for anything else. No row has the number 0.
func intOf(c importer.Cell) int {
	n, _ := strconv.Atoi(c.Text)
	return n
}
