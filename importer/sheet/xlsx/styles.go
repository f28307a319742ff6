package xlsx

import (
	"cmp"
	_ "embed"
	"maps"
	"strconv"
	"strings"
	"sync"
)

// A styleSheet has what matters of the part with the styles. The number formats inside dxfs, which
// belong to conditional formatting, are numbered on their own.
type styleSheet struct {
	Codes []struct {
		ID   int    `xml:"numFmtId,attr"`
		Code string `xml:"formatCode,attr"`
	} `xml:"numFmts>numFmt"`
	Fonts []struct {
		Strike *struct {
			Value string `xml:"val,attr"`
		} `xml:"strike"`
	} `xml:"fonts>font"`
	Cells []struct {
		Format int    `xml:"numFmtId,attr"`
		Font   uint32 `xml:"fontId,attr"`
	} `xml:"cellXfs>xf"`
}

// maxStyles bounds the cell styles. Spreadsheet programs allow 65,490.
const maxStyles = 1 << 20

// readStyles reads the number format of each cell style, and whether it strikes a cell through. A
// workbook without styles shows every cell in the format General.
func (w *Workbook) readStyles() error {
	if w.stylesPart == "" {
		return nil
	}
	var s styleSheet
	if err := w.parts.decode(w.stylesPart, &s); err != nil {
		return err
	}
	if len(s.Cells) > maxStyles {
		return damageOf("part "+w.stylesPart, errTooLarge)
	}

	codes := maps.Clone(builtin())
	for _, f := range s.Codes {
		codes[f.ID] = cmp.Or(f.Code, codes[f.ID])
	}
	parsed := map[int]format{}
	for _, cell := range s.Cells {
		f, ok := parsed[cell.Format]
		if !ok {
			f = parseFormat(codes[cell.Format])
			parsed[cell.Format] = f
		}
		w.formats = append(w.formats, f)
		w.struck = append(w.struck, s.isStruck(int(cell.Font)))
	}
	return nil
}

// isStruck reports whether a font strikes through.
func (s *styleSheet) isStruck(font int) bool {
	if font >= len(s.Fonts) || s.Fonts[font].Strike == nil {
		return false
	}
	value := s.Fonts[font].Strike.Value
	return value == "" || isTrue(value)
}

//go:embed formats.tsv
var formatsFile string

// builtin returns the codes of the formats that workbooks use by id without
// defining them (ECMA-376 part 1, 18.8.30), as US English spreadsheet programs
// show them. 27 to 36 and 50 to 58 are dates and times of East Asian locales;
// their codes here are the nearest plain ones. Any other id is General.
var builtin = sync.OnceValue(func() map[int]string {
	codes := map[int]string{}
	for line := range strings.Lines(formatsFile) {
		ids, code, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		for id := range strings.FieldsSeq(ids) {
			n, err := strconv.Atoi(id)
			if err != nil {
				panic("xlsx: formats.tsv: " + err.Error())
			}
			codes[n] = code
		}
	}
	return codes
})
