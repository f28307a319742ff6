package listcsv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"tripimport/importer/listcsv"
)

func TestNewReader(t *testing.T) {
	const plain = "name,city\nJosé Núñez,\"Añasco, PR\"\n"
	want := [][]string{{"name", "city"}, {"José Núñez", "Añasco, PR"}}
	for name, c := range map[string]struct {
		delimiter string
		as        encoding.Encoding
	}{
		"UTF-8":                    {",", encoding.Nop},
		"UTF-8 with a mark":        {",", unicode.UTF8BOM},
		"Windows-1252, semicolons": {";", charmap.Windows1252},
		"UTF-16, tabs":             {"\t", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		"UTF-16, big-endian, bars": {"|", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer(", ", ", ", ",", c.delimiter).Replace(plain)
			encoded, err := c.as.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := listcsv.NewReader([]byte(encoded)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
