package sheet_test

import (
	"archive/zip"
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sheet"
)

// TestMemory checks the memory that the readers take, each file in a process of
// its own: less than 60 MB for 100,000 rows of 25 cells, and less than 300 MB for
// 1,000,000 rows with 500,000 different texts. It writes large files, and so it
// runs only if TRIPIMPORT_LONG is set:
//
//	TRIPIMPORT_LONG=1 go test ./importer/sheet -run TestMemory -v
func TestMemory(t *testing.T) {
	if os.Getenv("TRIPIMPORT_LONG") == "" {
		t.Skip("long: set TRIPIMPORT_LONG=1")
	}
	folder := t.TempDir()
	small, csv, large := filepath.Join(folder, "small.xlsx"), filepath.Join(folder, "small.csv"), filepath.Join(folder, "large.xlsx")
	writeBenchWorkbook(t, small, benchRows)
	writeBenchCSV(t, csv)
	writeLarge(t, large)
	for _, tt := range []struct {
		path       string
		rows, most int
	}{{small, benchRows, 60}, {csv, benchRows, 60}, {large, 1_000_000, 300}} {
		rows, peak := readApart(t, tt.path)
		t.Logf("%s: %d rows, at most %d MB", filepath.Base(tt.path), rows, peak)
		if rows != tt.rows || peak >= tt.most {
			t.Errorf("%s: %d rows in %d MB, want %d in less than %d", filepath.Base(tt.path), rows, peak, tt.rows, tt.most)
		}
	}
}

// readApart reads a file in a process of its own. It returns the number of rows and
// the peak memory of the process in MB.
func readApart(t *testing.T, path string) (rows, peak int) {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self, "-test.run", "^TestReadApart$")
	cmd.Env = append(os.Environ(), "TRIPIMPORT_READ_APART="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := fmt.Sscanf(string(out), "rows %d peak %d", &rows, &peak); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return rows, peak
}

// TestReadApart is the other process of TestMemory. It does nothing on its own.
func TestReadApart(t *testing.T) {
	path := os.Getenv("TRIPIMPORT_READ_APART")
	if path == "" {
		t.Skip("only for TestMemory")
	}
	f, err := sheet.Open(path, sheet.Options{})
	check(t, err)
	rows, cells, peak := 0, 0, uint64(0)
	for row, err := range f.Rows() {
		check(t, err)
		rows++
		for _, c := range row.Cells {
			if c.Type != importer.Empty {
				cells++
			}
		}
		if rows%1_000 == 0 {
			peak = max(peak, memory())
		}
	}
	check(t, f.Close())
	fmt.Printf("rows %d peak %d cells %d\n", rows, max(peak, memory())>>20, cells)
}

// memory returns the bytes that the process has from the system now.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// writeLarge writes a workbook of 1,000,000 rows of 25 cells and 500,000 shared
// strings, for which a library takes too long.
func writeLarge(tb testing.TB, path string) {
	tb.Helper()
	out, err := os.Create(path)
	check(tb, err)
	z := zip.NewWriter(out)
	part := func(name string, write func(w *bufio.Writer)) {
		w, err := z.Create(name)
		check(tb, err)
		b := bufio.NewWriterSize(w, 1<<20)
		write(b)
		check(tb, b.Flush())
	}
	text := func(name, s string) {
		part(name, func(w *bufio.Writer) { _, _ = w.WriteString(s) }) // Flush gives the error
	}
	const ns = "http://schemas.openxmlformats.org/"
	const rel = ns + "officeDocument/2006/relationships"
	text("_rels/.rels", `<Relationships xmlns="`+ns+`package/2006/relationships"><Relationship Id="r" Type="`+rel+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	text("xl/workbook.xml", `<workbook xmlns:r="`+rel+`"><sheets><sheet name="Trips" sheetId="1" r:id="a"/></sheets></workbook>`)
	text("xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="`+rel+`/worksheet" Target="sheet.xml"/><Relationship Id="b" Type="`+rel+`/sharedStrings" Target="texts.xml"/></Relationships>`)
	part("xl/texts.xml", func(w *bufio.Writer) {
		_, _ = w.WriteString("<sst>")
		for i := range 500_000 {
			_, _ = fmt.Fprintf(w, "<si><t>%d Larkmoor Avenue, Dearborn</t></si>", i)
		}
		_, _ = w.WriteString("</sst>")
	})
	part("xl/sheet.xml", writeLargeSheet)
	check(tb, z.Close())
	check(tb, out.Close())
}

func writeLargeSheet(w *bufio.Writer) {
	_, _ = w.WriteString("<worksheet><sheetData>")
	var line []byte
	for row := 1; row <= 1_000_000; row++ {
		n := strconv.Itoa(row)
		line = append(append(append(line[:0], `<row r="`...), n...), `">`...)
		for col := range benchCols {
			line = append(line, `<c r="`...)
			line = append(append(line, importer.ColumnName(col+1)...), n...)
			if col%2 == 0 {
				line = append(line, `" t="s"><v>`...)
				line = strconv.AppendInt(line, int64((row*7+col)%500_000), 10)
			} else {
				line = append(line, `"><v>`...)
				line = strconv.AppendInt(line, int64(row*13+col), 10)
			}
			line = append(line, `</v></c>`...)
		}
		line = append(line, "</row>"...)
		_, _ = w.Write(line)
	}
	_, _ = w.WriteString("</sheetData></worksheet>")
}
