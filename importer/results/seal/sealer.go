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
	out [sha256.Size]byte
}

// NewSealer makes the Sealer of a run. secret is the key of the run's ledger, or nil if there is none.
func NewSealer(secret []byte, run string) *Sealer {
	root := hmac.New(sha256.New, secret)
	root.Write([]byte("tripimport results 2\x00" + run))
	return &Sealer{mac: hmac.New(sha256.New, root.Sum(nil))}
}

// The data of an HMAC begins with its kind, so that the digest of a cell is never the
// digest of a row.
const (
	cellData   = 'c'
	textData   = 't'
	rowData    = 'r'
	recordData = 'i'
)

// authenticate returns the HMAC of data. It is overwritten by the next call.
func (s *Sealer) authenticate(data []byte) []byte {
	s.mac.Reset()
	s.mac.Write(data)
	return s.mac.Sum(s.out[:0])
}

// A Digest is the first 32 bits of the HMAC of a cell's column and content. Two different
// contents in one column have the same Digest with a probability of one in four billion.
type Digest uint32

// Cell returns the digest of a cell in the column with that index in the input's list.
// Cells of one column with the same content have the same digest in every row. White
// space, a number's sixteenth digit and the cell's type don't count, because spreadsheet
// programs change them when they save.
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

// Words returns the digest of a text under the header with that index in TextHeaders. Only letters in whatever case and
// digits of ASCII count, because programs change the others when they save a text.
func (s *Sealer) Words(header int, text string) Digest {
	s.buf = append(s.buf[:0], textData, byte(header))
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' {
			s.buf = append(s.buf, c|' ')
		}
	}
	return Digest(binary.LittleEndian.Uint32(s.authenticate(s.buf)))
}

// inBase64 writes bytes in letters, digits and two signs that every spreadsheet program keeps. An
// underscore, which the URL-safe form has, may begin what a program reads as the escape of a character.
func inBase64(data []byte) string { return base64.RawStdEncoding.EncodeToString(data) }

// sum returns the first 64 bits of the HMAC of a text of that kind, in base64.
func (s *Sealer) sum(kind byte, text string) string {
	s.buf = append(append(s.buf[:0], kind), text...)
	return inBase64(s.authenticate(s.buf)[:8])
}

// seal returns the text with its sum after a dot.
func (s *Sealer) seal(kind byte, text string) string { return text + "." + s.sum(kind, text) }

// open is the inverse of seal. It reports false for a text that was not sealed as that
// kind.
func (s *Sealer) open(kind byte, sealed string) (string, bool) {
	cut := strings.LastIndexByte(sealed, '.')
	if cut < 0 || sealed[cut+1:] != s.sum(kind, sealed[:cut]) {
		return "", false
	}
	return sealed[:cut], true
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
