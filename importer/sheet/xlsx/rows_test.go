package xlsx_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"

	"github.com/google/go-cmp/cmp"
)

// show returns a row as text: its number, then the type and text of each cell.
func show(row importer.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", row.Num)
	if row.Hidden {
		b.WriteString(" hidden")
	}
	for _, c := range row.Cells {
		b.WriteByte('|')
		if c.Type != importer.Empty {
			fmt.Fprintf(&b, "%s:%s", c.Type, c.Text)
		}
	}
	return b.String()
}

func showAll(rows []importer.Row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, show(r))
	}
	return all
}

func TestRows(t *testing.T) {
	texts := []string{
		`<si><t>Odalys</t></si>`,
		`<si><r><rPr><b/></rPr><t>Harbor </t></r><r><t>Kidney</t></r></si>`,
		`<si><t>漢字</t><rPh sb="0" eb="2"><t>カンジ</t></rPh><phoneticPr fontId="1"/></si>`,
		`<si><t xml:space="preserve">  </t></si>`,
		`<si><t>one_x000D_` + "\n" + `two_x0041__x005F_x0041_</t></si>`,
		`<si/>`,
		`<si><t>a&amp;b &lt;c&gt; &#233;&#xE9;</t></si>`,
	}
	tests := []struct {
		name, rows string
		want       []string
	}{
		{
			"shared, rich, phonetic, blank and escaped texts",
			`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1" t="s"><v>4</v></c><c r="F1" t="s"><v>5</v></c><c r="G1" t="s"><v>6</v></c></row>`,
			[]string{"1|text:Odalys|text:Harbor Kidney|text:漢字||text:one\ntwoA_x0041_||text:a&b <c> éé"},
		},
		{
			"inline texts, plain, rich and literal",
			`<row r="2"><c r="A2" t="inlineStr"><is><t>one</t></is></c><c r="B2" t="inlineStr"><is><r><t>t</t></r><r><t>wo</t></r></is></c><c r="C2" t="inlineStr"><is><t><![CDATA[<three> & more]]></t></is></c></row>`,
			[]string{"2|text:one|text:two|text:<three> & more"},
		},
		{
			"numbers in their shortest form",
			`<row r="1"><c r="A1"><v>42</v></c><c r="B1"><v>0.10000000000000001</v></c><c r="C1"><v>1.50</v></c><c r="D1"><v>8.595602512225E12</v></c><c r="E1"><v>-0</v></c><c r="F1"><v>1.23456789e+22</v></c><c r="G1"><v>12345678901234567890</v></c><c r="H1"><v>2E-7</v></c><c r="I1"><v> 7 </v></c></row>`,
			[]string{"1|number:42|number:0.1|number:1.5|number:8595602512225|number:0|number:1.23456789e+22|number:12345678901234567890|number:2e-07|number:7"},
		},
		{
			"truth values and errors of the spreadsheet",
			`<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="e"><v>#N/A</v></c></row>`,
			[]string{"1|bool:TRUE|bool:FALSE|error:#N/A"},
		},
		{
			"results of formulas, and none",
			`<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>a_x000D_b</v></c><c r="C1" t="str"><f>""</f><v></v></c><c r="D1"><f>NOW()</f></c><c r="E1"><f>A1</f><v/></c><c r="F1" t="str"><f>A1</f></c></row>`,
			[]string{"1|number:2|text:a\rb||error:#NOT CALCULATED|error:#NOT CALCULATED|error:#NOT CALCULATED"},
		},
		{
			"dates in ISO form, which are texts",
			`<row r="1"><c r="A1" t="d"><v>2026-12-02</v></c><c r="B1" t="d"><v>2026-12-02T08:30:00</v></c><c r="C1" t="d"><v>08:30:00</v></c><c r="D1" t="d"><v>2026-12-02T08:30:00Z</v></c></row>`,
			[]string{"1|text:2026-12-02|text:2026-12-02T08:30:00|text:08:30:00|text:2026-12-02T08:30:00Z"},
		},
		{
			"rows and cells without addresses",
			`<row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="4"><c r="C4"><v>4</v></c><c><v>5</v></c></row><row><c><v>6</v></c></row>`,
			[]string{"1|number:1||number:3", "4|||number:4|number:5", "5|number:6"},
		},
		{
			"empty rows and cells to the end of the sheet",
			`<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="0"/></row><row r="2"><c r="A2"/></row><row r="1048576"><c r="A1048576" t="s"/></row>`,
			[]string{"1|number:1"},
		},
		{
			"hidden rows, styles left blank, other elements",
			`<row r="1" hidden="1"><c r="A1" s=""><v>1</v></c><extLst><ext><c/></ext></extLst></row><row r="2" hidden="0"><c r="A2" s="0"><extLst/><v>2</v></c></row>`,
			[]string{"1 hidden|number:1", "2|number:2"},
		},
		{
			"comments, instructions and white space between everything",
			"\n<!-- a --> <row r='1' >\n <c r='A1'\t>\n <v>1</v>\n </c >\n<?x y?></row>\n",
			[]string{"1|number:1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := showAll(readRows(t, newTestWorkbook(tt.rows, texts)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStruckRuns: a text of which a part is struck through may mean the rest of it.
func TestStruckRuns(t *testing.T) {
	texts := []string{
		`<si><r><rPr><b/><strike/></rPr><t xml:space="preserve">not </t></r><r><rPr><b/></rPr><t>there</t></r></si>`,
		`<si><r><rPr><strike val="0"/></rPr><t>there</t></r></si>`,
	}
	rows := readRows(t, newTestWorkbook(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>`+
		`<c r="C1" t="inlineStr"><is><r><rPr><strike val="1"/></rPr><t>not</t></r></is></c><c r="D1"><v>4</v></c></row>`, texts))
	var struck []bool
	for _, c := range rows[0].Cells {
		struck = append(struck, c.Struck)
	}
	if want := []bool{true, false, true, false}; !slices.Equal(struck, want) {
		t.Errorf("struck through: %v, want %v", struck, want)
	}
}

// TestRowsPrefixed reads a sheet whose elements have a namespace prefix, as some
// programs write them.
func TestRowsPrefixed(t *testing.T) {
	d := newTestWorkbook("", nil)
	d["xl/worksheets/sheet1.xml"] = `<x:worksheet xmlns:x="urn:any"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`
	d["xl/sharedStrings.xml"] = `<x:sst xmlns:x="urn:any"><x:si><x:t>prefixed</x:t></x:si></x:sst>`
	if diff := cmp.Diff([]string{"1|text:prefixed"}, showAll(readRows(t, d))); diff != "" {
		t.Error(diff)
	}
}

// TestRowsRenamed reads workbooks whose parts have the names and folders that
// real programs give them.
func TestRowsRenamed(t *testing.T) {
	row := `<row r="1"><c r="A1" t="s"><v>0</v></c></row>`
	texts := []string{`<si><t>found</t></si>`}
	move := func(d testWorkbook, from, to string) testWorkbook {
		d[to] = d[from]
		delete(d, from)
		return d
	}
	tests := []struct {
		name string
		d    testWorkbook
	}{
		{"capitals", move(newTestWorkbook(row, texts), "xl/sharedStrings.xml", "xl/SharedStrings.xml")},
		{"backslashes", move(newTestWorkbook(row, texts), "xl/worksheets/sheet1.xml", `xl\worksheets\sheet1.xml`)},
		{"absolute target", newTestWorkbook(row, texts).with("xl/_rels/workbook.xml.rels", `"worksheets/sheet1.xml"`, `"/xl/worksheets/sheet1.xml"`)},
		{"another folder", move(newTestWorkbook(row, texts), "xl/sharedStrings.xml", "odd/place/texts.xml").
			with("xl/_rels/workbook.xml.rels", `"sharedStrings.xml"`, `"../odd/place/texts.xml"`)},
		{"no styles", move(newTestWorkbook(row, texts), "xl/styles.xml", "xl/other.xml").
			with("xl/_rels/workbook.xml.rels", relationsNS+"/styles", relationsNS+"/other")},
		{"strict", newTestWorkbook(row, texts).with("_rels/.rels", relationsNS, "http://purl.oclc.org/ooxml/officeDocument/relationships")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([]string{"1|text:found"}, showAll(readRows(t, tt.d))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRowsUTF16 checks that a part in UTF-16 refuses the workbook.
func TestRowsUTF16(t *testing.T) {
	d := newTestWorkbook(`<row r="1"><c r="A1" t="inlineStr"><is><t>Zoë</t></is></c></row>`, nil)
	for _, big := range []bool{false, true} {
		var b strings.Builder
		for _, r := range "\ufeff" + d["xl/worksheets/sheet1.xml"] {
			if big {
				b.Write([]byte{byte(r >> 8), byte(r)})
			} else {
				b.Write([]byte{byte(r), byte(r >> 8)})
			}
		}
		wide := newTestWorkbook("", nil)
		wide["xl/worksheets/sheet1.xml"] = b.String()
		if _, _, err := read(t, wide.zip(t)); err == nil || !strings.Contains(err.Error(), "is in an encoding that can't be read") {
			t.Errorf("%v", err)
		}
	}
}

func TestNotes(t *testing.T) {
	d := newTestWorkbook(`<row r="1"><c r="A1"><v>1</v></c></row><row r="3" hidden="1"><c r="A3"><v>1</v></c></row><row r="4" hidden="true"><c r="B4"><f>A1</f></c></row><row r="5" hidden="1"/>`, nil).
		with("xl/worksheets/sheet1.xml", `<sheetData>`, `<cols><col min="5" max="5"/></cols><sheetData>`).
		with("xl/worksheets/sheet1.xml", `</sheetData>`, `</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/><mergeCell ref="A900:B901"/></mergeCells>`)
	_, notes, err := read(t, d.zip(t))
	check(t, err)
	want := &xlsx.Notes{
		HiddenRows:   xlsx.Count{N: 2, First: importer.Ref{File: "trips.xlsx", Sheet: "Trips", Row: 3}},
		Uncalculated: xlsx.Count{N: 1, First: importer.Ref{File: "trips.xlsx", Sheet: "Trips", Row: 4, Col: 2}},
		Merged:       []xlsx.Range{{FirstRow: 3, FirstCol: 1, LastRow: 4, LastCol: 1}},
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
}

func TestSheets(t *testing.T) {
	d := newTestWorkbook("", nil).
		with("xl/workbook.xml", `<sheet name="Trips"`, `<sheet name="Old &amp; gone" sheetId="7" state="veryHidden" r:id="rId1"/><sheet name="Chart" sheetId="9" r:id="rId9"/><sheet name="Codes" sheetId="8" state="hidden" r:id="rId1"/><sheet name="Trips"`).
		with("xl/_rels/workbook.xml.rels", `<Relationship Id="rId1"`, `<Relationship Id="rId9" Type="`+relationsNS+`/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="rId1"`)
	b, err := xlsx.Open(strings.NewReader(string(d.zip(t))), int64(len(d.zip(t))), "trips.xlsx")
	check(t, err)
	var got []string
	for _, s := range b.Sheets() {
		got = append(got, fmt.Sprintf("%s: %t", s.Name, s.Hidden))
	}
	want := []string{"Old & gone: true", "Codes: true", "Trips: false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRowsKeepTexts checks that a row's texts stay valid when the next rows are
// read, as Row.Clone relies on.
func TestRowsKeepTexts(t *testing.T) {
	var rows strings.Builder
	for i := 1; i <= 2_000; i++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="inlineStr"><is><t>text %d</t></is></c></row>`, i, i, i*7, i, i)
	}
	for i, row := range readRows(t, newTestWorkbook(rows.String(), nil)) {
		want := fmt.Sprintf("%d|number:%d|text:text %d", i+1, (i+1)*7, i+1)
		if got := show(row); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// TestRowsStop checks that a caller may break off a reading.
func TestRowsStop(t *testing.T) {
	file := newTestWorkbook(`<row r="1"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>`, nil).zip(t)
	b, err := xlsx.Open(strings.NewReader(string(file)), int64(len(file)), "trips.xlsx")
	check(t, err)
	for row, err := range b.Rows(b.Sheets()[0], &xlsx.Notes{}) {
		check(t, err)
		if row.Num != 1 {
			t.Fatalf("row %d after the caller had stopped", row.Num)
		}
		break
	}
}
