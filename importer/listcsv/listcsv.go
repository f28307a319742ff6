// Package listcsv reads the CSV files that an office keeps itself, such as its lists of
// riders and of places, in the forms in which spreadsheet programs save them.
package listcsv

import (
	"bytes"
	"encoding/csv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// NewReader returns a reader of the rows. The text is in UTF-8, in UTF-16 with a byte order
// mark, or else in Windows-1252, in which Excel writes plain CSV. The delimiter is the one
// that the first line has most of: a comma, a semicolon, a tab or a bar.
func NewReader(text []byte) *csv.Reader {
	var fallback transform.Transformer = transform.Nop
	if !utf8.Valid(text) {
		fallback = charmap.Windows1252.NewDecoder()
	}
	if decoded, _, err := transform.Bytes(unicode.BOMOverride(fallback), text); err == nil {
		text = decoded
	}

	r := csv.NewReader(bytes.NewReader(text))
	header, _, _ := bytes.Cut(text, []byte("\n"))
	for _, delimiter := range ";\t|" {
		if bytes.Count(header, []byte(string(delimiter))) > bytes.Count(header, []byte(string(r.Comma))) {
			r.Comma = delimiter
		}
	}
	return r
}
