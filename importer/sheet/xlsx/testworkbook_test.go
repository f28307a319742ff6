package xlsx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"
)

// A testWorkbook is a workbook written by hand: its parts by name.
type testWorkbook map[string]string

const (
	spreadsheetML = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relationsNS   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	packageNS     = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
)

// newTestWorkbook returns a workbook of one sheet, Trips, with the rows, the shared
// strings and the cell formats.
func newTestWorkbook(rows string, texts []string, formats ...string) testWorkbook {
	d := testWorkbook{
		"_rels/.rels": `<?xml version="1.0"?><Relationships ` + packageNS + `><Relationship Id="rId1" Type="` + relationsNS +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook ` + spreadsheetML + ` xmlns:r="` + relationsNS +
			`"><workbookPr/><sheets><sheet name="Trips" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships ` + packageNS + `>` +
			`<Relationship Id="rId1" Type="` + relationsNS + `/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="` + relationsNS + `/styles" Target="styles.xml"/>` +
			`<Relationship Id="rId3" Type="` + relationsNS + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet ` + spreadsheetML + `><sheetData>` + rows + `</sheetData></worksheet>`,
		"xl/sharedStrings.xml":     `<sst ` + spreadsheetML + `>` + strings.Join(texts, "") + `</sst>`,
	}
	var numFmts, xfs strings.Builder
	xfs.WriteString(`<xf numFmtId="0"/>`)
	for i, code := range formats {
		id := strconv.Itoa(164 + i)
		numFmts.WriteString(`<numFmt numFmtId="` + id + `" formatCode="` + escape(code) + `"/>`)
		xfs.WriteString(`<xf numFmtId="` + id + `"/>`)
	}
	d["xl/styles.xml"] = `<styleSheet ` + spreadsheetML + `><numFmts>` + numFmts.String() + `</numFmts><cellXfs>` + xfs.String() + `</cellXfs></styleSheet>`
	return d
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// with replaces text in a part. It panics if the part does not have it.
func (d testWorkbook) with(part, from, to string) testWorkbook {
	if !strings.Contains(d[part], from) {
		panic(part + " does not have " + from)
	}
	d[part] = strings.Replace(d[part], from, to, 1)
	return d
}

// zip returns the workbook as a file. The parts are in the order of their names,
// so that the bytes are always the same.
func (d testWorkbook) zip(tb testing.TB) []byte {
	tb.Helper()
	return d.pack(tb, zip.Deflate)
}

func (d testWorkbook) pack(tb testing.TB, method uint16) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range d.names() {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		check(tb, err)
		_, err = w.Write([]byte(d[name]))
		check(tb, err)
	}
	check(tb, z.Close())
	return b.Bytes()
}

func (d testWorkbook) names() []string {
	return slices.Sorted(maps.Keys(d))
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// read opens a workbook and reads all rows of its first sheet. It checks that an
// error is an *importer.InputError that says everything.
func read(tb testing.TB, file []byte) ([]importer.Row, *xlsx.Notes, error) {
	tb.Helper()
	rows, notes, err := readSheet(file, 0)
	var input *importer.InputError
	if err != nil && !errors.As(err, &input) {
		tb.Fatalf("the error is a %T: %v", err, err)
	}
	if err != nil && (input.Reason == "" || input.Fix == "" || input.File == "") {
		tb.Errorf("the error does not say everything: %+v", *input)
	}
	return rows, notes, err
}

func readSheet(file []byte, n int) ([]importer.Row, *xlsx.Notes, error) {
	b, err := xlsx.Open(bytes.NewReader(file), int64(len(file)), "trips.xlsx")
	if err != nil {
		return nil, nil, err
	}
	if n >= len(b.Sheets()) {
		return nil, nil, nil
	}
	var rows []importer.Row
	notes := &xlsx.Notes{}
	for row, err := range b.Rows(b.Sheets()[n], notes) {
		if err != nil {
			return rows, notes, err
		}
		rows = append(rows, row.Clone())
	}
	return rows, notes, nil
}

// readRows reads the first sheet of a workbook that must be sound.
func readRows(tb testing.TB, d testWorkbook) []importer.Row {
	tb.Helper()
	rows, _, err := read(tb, d.zip(tb))
	check(tb, err)
	return rows
}
