package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A Sealer makes and checks the keys and digests of one run's results. It is
// not safe for concurrent use.
type Sealer struct {
	mac hash.Hash
	buf []byte
	sum [sha256.Size]byte
}

// NewSealer makes the Sealer of a run. secret is the key of the run's ledger,
// or random bytes if there is none.
func NewSealer(secret []byte, run string) *Sealer {
	root := hmac.New(sha256.New, secret)
	root.Write([]byte("tripimport results 2\x00" + run))
	return &Sealer{mac: hmac.New(sha256.New, root.Sum(nil))}
}

// The data of an HMAC begins with what it is of, so that a cell's digest never
// passes for a row's.
const (
	cellData = 'c'
	rowData  = 'r'
)

// authenticate returns the HMAC of data. It is overwritten by the next call.
func (s *Sealer) authenticate(data []byte) []byte {
	s.mac.Reset()
	s.mac.Write(data)
	return s.mac.Sum(s.sum[:0])
}

// A Digest is the first 32 bits of the HMAC of a cell's column and content. Two
// cells of one column with different contents have the same Digest once in four
// billion times.
type Digest uint32

const digestSize = 4

// Cell returns the digest of a cell in the column with that index in the input's
// list. Cells of one column with the same content have the same digest in
// every row. Spreadsheet programs change white space and a number's
// sixteenth digit when they save, so these don't count, and neither does the
// cell's type.
func (s *Sealer) Cell(column int, c importer.Cell) Digest {
	s.buf = binary.LittleEndian.AppendUint16(append(s.buf[:0], cellData), uint16(column))
	switch c.Type {
	case importer.Empty:
	case importer.Number:
		s.buf = append(append(s.buf, fifteenDigits(c.Text)...), ' ')
	default:
		for word := range strings.FieldsSeq(c.Text) {
			s.buf = append(append(s.buf, word...), ' ')
		}
	}
	return Digest(binary.LittleEndian.Uint32(s.authenticate(s.buf)))
}

// rowSum returns the first 64 bits of the HMAC of a row's key.
func (s *Sealer) rowSum(key string) string {
	s.buf = append(append(s.buf[:0], rowData), key...)
	return base64.RawURLEncoding.EncodeToString(s.authenticate(s.buf)[:8])
}

// fifteenDigits returns a number in at most fifteen significant digits. Leading
// zeros are kept.
func fifteenDigits(text string) string {
	if len(text) <= 15 {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.HasPrefix(text, "0") {
		return text
	}

	// Format and parse once more: the form of the rounded number must not
	// depend on the digits that were cut off.
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	return strconv.FormatFloat(v, 'g', -1, 64)
}
