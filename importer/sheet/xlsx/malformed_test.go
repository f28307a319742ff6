package xlsx_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const sheetPart = "xl/worksheets/sheet1.xml"

// soundWorkbook returns the workbook that each test damages.
func soundWorkbook() testWorkbook {
	return newTestWorkbook(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>46000</v></c></row>`,
		[]string{`<si><t>Rider</t></si>`}, "m/d/yyyy")
}

// TestDamagedParts checks that every kind of damage is an error that says what
// is wrong.
func TestDamagedParts(t *testing.T) {
	tests := []struct {
		name string
		d    testWorkbook
		want string
	}{
		{"text index too high", soundWorkbook().with(sheetPart, "<v>0</v>", "<v>1</v>"), "cell A1 of its sheet Trips refers to a text"},
		{"text index negative", soundWorkbook().with(sheetPart, "<v>0</v>", "<v>-1</v>"), "refers to a text"},
		{"text index blank", soundWorkbook().with(sheetPart, "<v>0</v>", "<v></v>"), "refers to a text"},
		{"text index huge", soundWorkbook().with(sheetPart, "<v>0</v>", "<v>18446744073709551616</v>"), "refers to a text"},
		{"style index too high", soundWorkbook().with(sheetPart, `s="1"`, `s="2"`), "refers to a style"},
		{"style index negative", soundWorkbook().with(sheetPart, `s="1"`, `s="-1"`), "damaged"},
		{"number that is none", soundWorkbook().with(sheetPart, "<v>46000</v>", "<v>46o00</v>"), "after row 1"},
		{"number beyond all bounds", soundWorkbook().with(sheetPart, "<v>46000</v>", "<v>1e999</v>"), "damaged"},
		{"infinity", soundWorkbook().with(sheetPart, "<v>46000</v>", "<v>Inf</v>"), "damaged"},
		{"truth value that is none", soundWorkbook().with(sheetPart, `r="B1">`, `r="B1" t="b">`).with(sheetPart, "<v>1</v>", "<v>2</v>"), "damaged"},
		{"cell type unknown", soundWorkbook().with(sheetPart, `t="s"`, `t="z"`), "damaged"},
		{"cell in another row", soundWorkbook().with(sheetPart, `r="A2"`, `r="A3"`), "no valid address"},
		{"cell twice", soundWorkbook().with(sheetPart, `r="B1"`, `r="A1"`), "A1 of its sheet Trips comes twice"},
		{"cells out of order", soundWorkbook().with(sheetPart, `r="A1" t`, `r="C1" t`), "B1 of its sheet Trips comes twice or out of order"},
		{"cell address without a column", soundWorkbook().with(sheetPart, `r="B1"`, `r="1"`), "no valid address"},
		{"cell beyond the last column", soundWorkbook().with(sheetPart, `r="B1"`, `r="XFE1"`), "no valid address"},
		{"cell with two values", soundWorkbook().with(sheetPart, "<v>1</v>", "<v>1</v><v>2</v>"), "damaged"},
		{"row twice", soundWorkbook().with(sheetPart, `<row r="2"><c r="A2"`, `<row r="1"><c r="A1"`), "row 1 of its sheet Trips comes after row 1"},
		{"row beyond the last", soundWorkbook().with(sheetPart, `<row r="2"><c r="A2"`, `<row r="1048577"><c r="A1048577"`), "more than 1048576 rows"},
		{"row number that is none", soundWorkbook().with(sheetPart, `<row r="2"`, `<row r="two"`), "damaged"},
		{"row number absurd", soundWorkbook().with(sheetPart, `<row r="2"`, `<row r="231999999999940"`), "damaged"},
		{"something else among rows", soundWorkbook().with(sheetPart, `<row r="2"`, `<raw/><row r="2"`), "damaged"},
		{"something else in a row", soundWorkbook().with(sheetPart, `<c r="B1"`, `<k/><c r="B1"`), "damaged"},
		{"no rows element", soundWorkbook().with(sheetPart, "sheetData", "sheetDate").with(sheetPart, "</sheetData", "</sheetDate"), "damaged"},
		{"text too long", soundWorkbook().with(sheetPart, `<c r="A1" t="s"><v>0</v>`, `<c r="A1" t="inlineStr"><is><t>`+strings.Repeat("é", 32_768)+`</t></is>`), "longer than a cell can hold"},
		{"shared text too long", soundWorkbook().with("xl/sharedStrings.xml", "Rider", strings.Repeat("x", 32_768)), "longer than a cell can hold"},
		{"sheet is none", soundWorkbook().with(sheetPart, "<worksheet", "<chartsheet").with(sheetPart, "</worksheet", "</chartsheet"), "not a worksheet"},
		{"string table is none", soundWorkbook().with("xl/sharedStrings.xml", "<sst", "<sxt").with("xl/sharedStrings.xml", "</sst", "</sxt"), "not a table of texts"},
		{"no worksheet", soundWorkbook().with("xl/workbook.xml", `<sheet name="Trips" sheetId="1" r:id="rId1"/>`, ""), "no worksheet"},
		{"sheet without a part", soundWorkbook().with("xl/workbook.xml", `r:id="rId1"`, `r:id="rId77"`), "sheet Trips is missing"},
		{"workbook part is none", soundWorkbook().with("xl/workbook.xml", "<workbook", "<worxbook").with("xl/workbook.xml", "</workbook", "</worxbook"), "no list of sheets"},
		{"style sheet damaged", soundWorkbook().with("xl/styles.xml", "</cellXfs>", ""), "part xl/styles.xml is damaged"},
		{"style number that is none", soundWorkbook().with("xl/styles.xml", `numFmtId="0"`, `numFmtId="x"`), "part xl/styles.xml is damaged"},
		{"document type", soundWorkbook().with(sheetPart, "<worksheet", `<!DOCTYPE x [<!ENTITY a "b">]><worksheet`), "declares a document type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := read(t, tt.d.zip(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	if rows := readRows(t, soundWorkbook()); len(rows) != 2 {
		t.Errorf("the sound workbook has %d rows", len(rows))
	}
}

// TestMalformed checks that XML which is not well-formed anywhere in a sheet is
// an error.
func TestMalformed(t *testing.T) {
	for _, tt := range []struct{ name, xml string }{
		{"nothing", ``},
		{"white space", `  `},
		{"text before", `x<worksheet><sheetData/></worksheet>`},
		{"text after", `<worksheet><sheetData/></worksheet>x`},
		{"second root", `<worksheet><sheetData/></worksheet><worksheet/>`},
		{"cut in the rows", `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row>`},
		{"cut after the rows", `<worksheet><sheetData></sheetData>`},
		{"cut in the last tag", `<worksheet><sheetData></sheetData></worksheet`},
		{"cut in a comment", `<worksheet><sheetData/></worksheet><!-- x`},
		{"cut in a value", `<worksheet><sheetData/><a b="`},
		{"wrong end tag", `<worksheet><sheetData></sheetdata></worksheet>`},
		{"end tag without a start", `</worksheet>`},
		{"bare ampersand", `<worksheet><sheetData><row><c><v>1 & 2</v></c></row></sheetData></worksheet>`},
		{"unknown reference", `<worksheet><sheetData><row><c t="str"><v>&nbsp;</v></c></row></sheetData></worksheet>`},
		{"reference to a control character", `<worksheet><sheetData><row><c t="str"><v>&#1;</v></c></row></sheetData></worksheet>`},
		{"control character", "<worksheet><sheetData><row><c t=\"str\"><v>\x01</v></c></row></sheetData></worksheet>"},
		{"not UTF-8", "<worksheet><sheetData><row><c t=\"str\"><v>Zo\xeb</v></c></row></sheetData></worksheet>"},
		{"attribute without quotes", `<worksheet><sheetData><row r=1/></sheetData></worksheet>`},
		{"attribute without a value", `<worksheet><sheetData><row r/></sheetData></worksheet>`},
		{"attributes run together", `<worksheet><sheetData><row r="1"s="2"/></sheetData></worksheet>`},
		{"tag inside an attribute", `<worksheet><sheetData><row r="<"/></sheetData></worksheet>`},
		{"tag without a name", `<worksheet>< sheetData/></worksheet>`},
		{"unknown declaration", `<worksheet><sheetData/><!ELEMENT x></worksheet>`},
		{"too deep", strings.Repeat("<worksheet>", 200) + strings.Repeat("</worksheet>", 200)},
		{"endless tag", `<worksheet ` + strings.Repeat(" ", 2<<20) + `><sheetData/></worksheet>`},
		{"endless text", `<worksheet>` + strings.Repeat(" ", 2<<20) + `<sheetData/></worksheet>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := soundWorkbook()
			d[sheetPart] = tt.xml
			if rows, _, err := read(t, d.zip(t)); err == nil {
				t.Errorf("read %v without an error", showAll(rows))
			}
		})
	}
}

// TestLongTokens reads a text that begins at different offsets near the end of
// the reader's buffer.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("long text ", 3_000)
	for pad := range 40 {
		row := fmt.Sprintf(`<row r="1"><!--%s--><c r="A1" t="inlineStr"><is><t>%s</t></is></c><c r="B1"><v>17</v></c></row>`,
			strings.Repeat("x", 65_536-30_000-pad*7-150), long)
		rows := readRows(t, newTestWorkbook(row, nil))
		if got, want := show(rows[0]), "1|text:"+long+"|number:17"; got != want {
			t.Fatalf("with %d bytes less: got %.60s…", pad, got)
		}
	}
}

// TestDirectory checks that damage of the zip directory is an error.
func TestDirectory(t *testing.T) {
	pack := func(write func(z *zip.Writer)) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		write(z)
		check(t, z.Close())
		return b.Bytes()
	}
	d := soundWorkbook()
	twice := pack(func(z *zip.Writer) {
		for _, name := range append(d.names(), "XL/styles.xml") {
			w, err := z.Create(name)
			check(t, err)
			_, err = w.Write([]byte(d["xl/styles.xml"]))
			check(t, err)
		}
	})
	many := pack(func(z *zip.Writer) {
		for i := range 5_001 {
			_, err := z.Create(fmt.Sprintf("part%d", i))
			check(t, err)
		}
	})
	unsummed := bytes.Clone(soundWorkbook().zip(t))
	at := bytes.LastIndex(unsummed, []byte("PK\x01\x02"))
	clear(unsummed[at+16 : at+20])
	large := bytes.Clone(soundWorkbook().zip(t))
	for at := 0; ; {
		i := bytes.Index(large[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		at += i
		copy(large[at+24:], []byte{0, 0, 0, 0x20}) // every part declares 512 MB
		at += 4
	}
	for _, tt := range []struct {
		name string
		file []byte
		want string
	}{
		{"two parts of one name", twice, "two parts with one name"},
		{"too many parts", many, "more parts than a workbook can have"},
		{"no checksum", unsummed, "no checksum"},
		{"declared too large", large, "unpacks to more"},
		{"no directory", soundWorkbook().zip(t)[:200], "end is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := read(t, tt.file)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
