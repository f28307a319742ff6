package seal

import (
	"errors"
	"iter"
	"strconv"
	"strings"

	"tripimport/importer"
)

// The hidden sheet has a record for each piece of what it keeps; a piece is as
// much as a cell can hold. The first cell says what it is a piece of.
const (
	identityPiece = "identity"
	originalPiece = "cell"
	pieceLength   = 30_000
)

// ErrNoIdentity reports an identity that is missing, or can't be used.
var ErrNoIdentity = errors.New("not the identity of results")

// A CellAt is a source cell: the input's number from 1, the row's number, the
// column's index in the input's list.
type CellAt struct{ Input, Row, Column int }

// An Original is a source cell's text as it was, where a sheet can't hold it.
type Original struct {
	CellAt
	Text string
}

// Records gives the records of the hidden sheet that hold the text, quoted, so
// that characters which XML has no place for survive.
func (o *Original) Records() [][]string {
	var records [][]string
	for _, piece := range pieces(strconv.QuoteToASCII(o.Text)) {
		records = append(records, []string{originalPiece, strconv.Itoa(o.Input), strconv.Itoa(o.Row), strconv.Itoa(o.Column), piece})
	}
	return records
}

// Records gives the records of the hidden sheet that hold the identity.
func (id *Identity) Records() ([][]string, error) {
	data, err := id.Encode()
	if err != nil {
		return nil, err
	}
	var records [][]string
	for _, piece := range pieces(strconv.QuoteToASCII(string(data))) {
		records = append(records, []string{identityPiece, piece})
	}
	return records, nil
}

// pieces cuts an ASCII text into pieces that a cell can hold. None begins or
// ends with a space, which a spreadsheet program might drop.
func pieces(text string) []string {
	var ps []string
	for len(text) > pieceLength {
		n := pieceLength
		for text[n-1] == ' ' || text[n] == ' ' {
			n--
		}
		ps = append(ps, text[:n])
		text = text[n:]
	}
	return append(ps, text)
}

// ReadHidden reads the hidden sheet: the identity, and the source cells that
// the other sheets can't hold. Its error is that of the rows, or
// ErrNoIdentity.
func ReadHidden(rows iter.Seq2[importer.Row, error]) (Identity, map[CellAt]string, error) {
	var quoted strings.Builder
	parts := map[CellAt]*strings.Builder{}
	for row, err := range rows {
		if err != nil {
			return Identity{}, nil, err
		}
		switch row.Cell(1).Text {
		case identityPiece:
			quoted.WriteString(row.Cell(2).Text)
		case originalPiece:
			at := CellAt{number(row.Cell(2)), number(row.Cell(3)), number(row.Cell(4))}
			if parts[at] == nil {
				parts[at] = &strings.Builder{}
			}
			parts[at].WriteString(row.Cell(5).Text)
		}
	}
	data, err := strconv.Unquote(quoted.String())
	if err != nil {
		return Identity{}, nil, ErrNoIdentity
	}
	originals := map[CellAt]string{}
	for at, part := range parts {
		if originals[at], err = strconv.Unquote(part.String()); err != nil {
			return Identity{}, nil, ErrNoIdentity
		}
	}
	id, err := DecodeIdentity([]byte(data))
	return id, originals, err
}

func number(c importer.Cell) int {
	n, _ := strconv.Atoi(c.Text)
	return n
}
