package seal

import (
	"iter"
	"slices"
	"strings"

	"tripimport/importer"
)

// recordPiece begins each line of the hidden sheet that has a piece of the record, because a cell can't hold
// all of it.
const recordPiece = "identity"

// MaxHeader is the largest length of a header of a CSV file that every spreadsheet
// program keeps.
const MaxHeader = 30_000

// HiddenRecord returns the lines of the hidden sheet that hold the record.
func HiddenRecord(r *RunRecord, s *Sealer) ([][]string, error) {
	text, err := r.Encode(s)
	var lines [][]string
	for piece := range slices.Chunk([]byte(text), MaxHeader) { // it is ASCII
		lines = append(lines, []string{recordPiece, string(piece)})
	}
	return lines, err
}

// ReadHidden reads the record of the run from the hidden sheet. It returns an error of the rows, or ErrNoRecord.
func ReadHidden(rows iter.Seq2[importer.Row, error]) (RunRecord, error) {
	var record strings.Builder
	for row, err := range rows {
		if err != nil {
			return RunRecord{}, err
		}
		if row.Cell(1).Text == recordPiece {
			record.WriteString(row.Cell(2).Text)
		}
	}
	return DecodeRecord(record.String())
}
