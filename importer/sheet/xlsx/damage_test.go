package xlsx_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"tripimport/importer"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// copiesOfEach is the number of damaged copies of each workbook for each kind of
// damage: 2,160 copies in all.
const copiesOfEach = 72

// TestDamage damages sound workbooks as downloads, disks and faulty programs do,
// and checks that no copy is read with other rows or values than the original
// without an error. The copies are seeded, so that a failure can be repeated.
func TestDamage(t *testing.T) {
	kinds := []struct {
		name   string
		damage func(r *rand.Rand, file []byte) []byte
	}{
		{"one bit flipped", flipBit},
		{"file truncated", truncate},
		{"part cut short", cutPart},
		{"string index broken", breakIndex},
		{"run of bytes zeroed", zeroRun},
		{"run of bytes lost", loseRun},
	}
	copies, caught := 0, 0
	for b, file := range soundWorkbooks(t) {
		want, _, err := read(t, file)
		check(t, err)
		for _, k := range kinds {
			for i := range copiesOfEach {
				r := rand.New(rand.NewPCG(uint64(b), uint64(i)))
				got, _, err := readSheet(k.damage(r, file), 0)
				copies++
				switch {
				case err != nil:
					caught++
				case !reflect.DeepEqual(want, got):
					t.Errorf("workbook %d, %s, copy %d: read without an error, but not as it was:\n%.600s", b, k.name, i, cmp.Diff(want, got))
				}
			}
		}
	}
	t.Logf("%d damaged copies, %d refused, the others read as the original", copies, caught)
	if copies < 2_000 || caught*3 < copies {
		t.Errorf("%d copies and %d refusals prove too little", copies, caught)
	}
}

// soundWorkbooks returns workbooks of different programs, each with texts, numbers
// and dates in its first sheet.
func soundWorkbooks(tb testing.TB) [][]byte {
	var rows bytes.Buffer
	var texts []string
	for i := 1; i <= 40; i++ {
		texts = append(texts, fmt.Sprintf(`<si><t>Rider %d</t></si>`, i))
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d" t="s"><v>%d</v></c><c r="B%d" s="1"><v>%d</v></c><c r="D%d" s="2"><v>%d</v></c></row>`,
			i, i, i-1, i, 46_000+i, i, i)
	}
	return [][]byte{
		byExcelize(tb, 60, false), byExcelize(tb, 60, true), byExcelize(tb, 4, false), byExcelize(tb, 1, true),
		newTestWorkbook(rows.String(), texts, "m/d/yyyy", "00000").zip(tb),
	}
}

// byExcelize writes a schedule with excelize, cell by cell or as a stream.
func byExcelize(tb testing.TB, n int, stream bool) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	style, err := f.NewStyle(&excelize.Style{NumFmt: 22})
	check(tb, err)
	row := func(i int) []any {
		return []any{
			fmt.Sprintf("7%04d", i), 46_000 + float64(i)/96, i * 7, i%2 == 0, nil, fmt.Sprintf("%d Larkmoor Ave", i),
			excelize.Cell{StyleID: style, Value: 46_000 + float64(i)/96},
		}
	}
	if stream {
		w, err := f.NewStreamWriter("Sheet1")
		check(tb, err)
		for i := 1; i <= n; i++ {
			check(tb, w.SetRow("A"+strconv.Itoa(i), row(i)))
		}
		check(tb, w.Flush())
	} else {
		for i := 1; i <= n; i++ {
			cells := row(i)
			check(tb, f.SetSheetRow("Sheet1", "A"+strconv.Itoa(i), new(cells[:6])))
			check(tb, f.SetCellValue("Sheet1", "G"+strconv.Itoa(i), cells[1]))
			check(tb, f.SetCellStyle("Sheet1", "G"+strconv.Itoa(i), "G"+strconv.Itoa(i), style))
		}
	}
	var b bytes.Buffer
	check(tb, f.Write(&b))
	return b.Bytes()
}

func flipBit(r *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	return b
}

func truncate(r *rand.Rand, file []byte) []byte { return file[:r.IntN(len(file))] }

func zeroRun(r *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	at := r.IntN(len(b))
	clear(b[at:min(len(b), at+1+r.IntN(512))])
	return b
}

func loseRun(r *rand.Rand, file []byte) []byte {
	at := r.IntN(len(file))
	return append(bytes.Clone(file[:at]), file[min(len(file), at+1+r.IntN(64)):]...)
}

// cutPart cuts off the end of one of the parts that matter, in an archive whose
// lengths and checksums are right.
func cutPart(r *rand.Rand, file []byte) []byte {
	names := []string{"xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
	name := names[r.IntN(len(names))]
	return repack(file, func(part string, text []byte) []byte {
		if part == name {
			return text[:r.IntN(len(text))]
		}
		return text
	})
}

// breakIndex makes one index into the table of shared strings invalid. It leaves
// a workbook without a table as it is.
func breakIndex(r *rand.Rand, file []byte) []byte {
	index := regexp.MustCompile(`t="s"><v>\d+</v>`)
	wrong := []string{"-1", "99999999", "4294967296", "1.5", "", "x", "0x1"}[r.IntN(7)]
	return repack(file, func(part string, text []byte) []byte {
		all := index.FindAllIndex(text, -1)
		if part != "xl/worksheets/sheet1.xml" || len(all) == 0 {
			return text
		}
		at := all[r.IntN(len(all))]
		return append(append(bytes.Clone(text[:at[0]]), `t="s"><v>`+wrong+`</v>`...), text[at[1]:]...)
	})
}

// repack returns the workbook with its parts changed.
func repack(file []byte, change func(part string, text []byte) []byte) []byte {
	in, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			panic(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		w, err := out.Create(f.Name)
		if err != nil {
			panic(err)
		}
		if _, err := w.Write(change(f.Name, text)); err != nil {
			panic(err)
		}
	}
	if err := out.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// FuzzWorkbook checks that no file makes the reader panic or give impossible
// rows.
func FuzzWorkbook(f *testing.F) {
	for _, file := range soundWorkbooks(f) {
		f.Add(file)
	}
	f.Add(soundWorkbook().zip(f))
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, _, err := read(t, file)
		checkRows(t, rows, err)
	})
}

// FuzzSheet does the same for the parts of a workbook in a sound archive, since
// random bytes do not get past the checksums.
func FuzzSheet(f *testing.F) {
	d := soundWorkbook()
	f.Add(d[sheetPart], d["xl/sharedStrings.xml"], d["xl/styles.xml"], d["xl/workbook.xml"])
	f.Add(`<x:worksheet xmlns:x="u"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a&#65;</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
		`<sst><si><r><t>a_x0041_</t></r><rPh><t>b</t></rPh></si></sst>`,
		`<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm;@"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
		`<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`)
	f.Fuzz(func(t *testing.T, sheet, texts, styles, workbook string) {
		d := soundWorkbook()
		d[sheetPart], d["xl/sharedStrings.xml"], d["xl/styles.xml"], d["xl/workbook.xml"] = sheet, texts, styles, workbook
		// Stored, not deflated: the fuzzer is to test the reader's own code.
		rows, _, err := read(t, d.pack(t, zip.Store))
		checkRows(t, rows, err)
	})
}

// checkRows checks what is true of all rows.
func checkRows(t *testing.T, rows []importer.Row, err error) {
	t.Helper()
	last := 0
	for _, row := range rows {
		if row.Num <= last || row.Num > importer.MaxRows || row.Blank() || len(row.Cells) > importer.MaxColumns {
			t.Fatalf("row %d after row %d, %d cells", row.Num, last, len(row.Cells))
		}
		last = row.Num
		for _, c := range row.Cells {
			if (c.Type == importer.Empty) != (c.Text == "") {
				t.Fatalf("a cell of type %s holds %q", c.Type, c.Text)
			}
		}
	}
	_ = err // either is fine; read has looked at its kind
}
