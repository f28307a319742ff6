package seal

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"

	"tripimport/importer"
)

// A Sealer makes and checks the keys and digests of one run's results: those of
// another run, or of another ledger, don't fit. It is not safe for concurrent
// use.
type Sealer struct {
	key sipKey
	buf []byte
}

// NewSealer makes the Sealer of the run whose ledger has the secret.
func NewSealer(secret []byte, run string) *Sealer {
	return &Sealer{key: deriveKey(secret, run)}
}

// Cell gives the digest of a cell of the column (by its place in the input's
// list). Cells of one column with the same content have the same digest,
// whatever their row. White space is disregarded, and so is a number's
// sixteenth digit: spreadsheet programs change both when they save.
func (s *Sealer) Cell(column int, c importer.Cell) uint64 {
	s.buf = binary.LittleEndian.AppendUint16(s.buf[:0], uint16(column))
	switch c.Type {
	case importer.Empty:
	case importer.Number:
		s.buf = append(s.buf, plainNumber(c.Text)...)
	default:
		s.buf = appendPlain(s.buf, c.Text)
	}
	return s.key.sum(s.buf)
}

// Cells gives a digest over the digests of the row's cells that are not marked.
func (s *Sealer) Cells(sums []uint64, marked ColumnSet) uint64 {
	s.buf = s.buf[:0]
	for i, sum := range sums {
		if marked.Has(i) {
			sum = 0
		}
		s.buf = binary.LittleEndian.AppendUint64(s.buf, sum)
	}
	return s.key.sum(s.buf)
}

// plainNumber gives a number in at most fifteen digits, with the leading zeros
// that it has.
func plainNumber(text string) string {
	if len(text) <= 15 {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.HasPrefix(text, "0") {
		return text
	}
	// Twice, since the form of the rounded number must not depend on the digits
	// that were cut off.
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// appendPlain appends text with its runs of white space made one space, none
// at the ends.
func appendPlain(buf []byte, text string) []byte {
	if isPlain(text) {
		return append(buf, text...)
	}
	for i, word := range strings.Fields(text) {
		if i > 0 {
			buf = append(buf, ' ')
		}
		buf = append(buf, word...)
	}
	return buf
}

func isPlain(text string) bool {
	space := true
	for i := range len(text) {
		switch b := text[i]; {
		case b == ' ' && space, b < ' ', b >= utf8.RuneSelf:
			return false
		default:
			space = b == ' '
		}
	}
	return !space || text == ""
}
