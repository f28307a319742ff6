package results

import (
	"strconv"
)

// The hidden sheet has one line for each piece of what it keeps; a piece is as
// much as a cell can hold. The first cell says what it is a piece of.
const (
	identityPiece = "identity"
	exactPiece    = "cell"
	pieceLength   = 30_000
)

// exact keeps source cells as they were, quoted, so that characters which XML
// has no place for survive.
func (w *workbook) exact(cells []exactCell) error {
	for _, c := range cells {
		for _, piece := range pieces(strconv.QuoteToASCII(c.text)) {
			err := w.hidden.put(exactPiece, strconv.Itoa(c.input), strconv.Itoa(c.row), strconv.Itoa(c.column), piece)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeIdentity ends the hidden sheet with the run's identity.
func (w *workbook) writeIdentity(id *identity) error {
	data, err := id.encode()
	if err != nil {
		return err
	}
	for _, piece := range pieces(strconv.QuoteToASCII(string(data))) {
		if err := w.hidden.put(identityPiece, piece); err != nil {
			return err
		}
	}
	if err := w.hidden.Flush(); err != nil {
		return err
	}
	return w.file.SetSheetVisible(identitySheet, false, true)
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
