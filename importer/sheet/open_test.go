package sheet_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"tripimport/importer"
	"tripimport/importer/sheet"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// write writes a file into a folder of its own and gives its path.
func write(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	check(tb, writeFile(path, content))
	return path
}

func writeFile(path string, content []byte) error { return os.WriteFile(path, content, 0o600) }

// open opens a file that must be sound.
func open(tb testing.TB, name string, content []byte, o sheet.Options) *sheet.File {
	tb.Helper()
	f, err := sheet.Open(write(tb, name, content), o)
	check(tb, err)
	tb.Cleanup(func() { check(tb, f.Close()) })
	return f
}

// lines returns every row as text: its number and the texts of its cells.
func lines(f *sheet.File) ([]string, error) {
	var all []string
	for row, err := range f.Rows() {
		if err != nil {
			return all, err
		}
		s := fmt.Sprint(row.Num)
		for _, c := range row.Cells {
			s += "|" + c.Text
		}
		all = append(all, s)
	}
	return all, nil
}

// codes returns the codes of a file's notices.
func codes(f *sheet.File) string {
	var all []string
	for _, n := range f.Notices() {
		all = append(all, n.Code)
	}
	return strings.Join(all, " ")
}

// workbook returns a workbook of one visible sheet, which edit has changed.
func workbook(tb testing.TB, edit func(f *excelize.File)) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	check(tb, f.SetSheetRow("Sheet1", "A1", &[]any{"Trip", "Rider"}))
	check(tb, f.SetSheetRow("Sheet1", "A2", &[]any{70411, "Odalys Brennick"}))
	edit(f)
	var b bytes.Buffer
	check(tb, f.Write(&b))
	return b.Bytes()
}

func plain(*excelize.File) {}

// archive returns a zip archive of files, each with its name as content.
func archive(tb testing.TB, names ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		check(tb, err)
		content := name
		if name == "mimetype" {
			content = "application/vnd.oasis.opendocument.spreadsheet"
		}
		_, err = w.Write([]byte(content))
		check(tb, err)
	}
	check(tb, z.Close())
	return b.Bytes()
}

// container returns the beginning of an OLE container with a stream of the name.
func container(stream string) []byte {
	b := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 2_040)...)
	for i, c := range utf16.Encode([]rune(stream)) {
		b[1_152+2*i] = byte(c)
	}
	return b
}

// TestRefused checks that a file that can't be read is refused with what it is
// and what to do.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name    string
		content []byte
		reason  string
		fix     string
	}{
		{"empty.csv", nil, "the file is empty", "export"},
		{"blank.csv", []byte("\r\n  \r\n"), "only white space", "export"},
		{"~$trips.xlsx", []byte("x"), "lock file", "spreadsheet itself"},
		{".~lock.trips.ods#", []byte("x"), "lock file", "spreadsheet itself"},
		{"trips.csv", []byte("\x1f\x8b\x08\x00rest"), "neither text nor a workbook", "export"},
		{"trips.xlsx", []byte("%PDF-1.7"), "neither text nor a workbook", "CSV"},
		{"trips.xls", container("Workbook"), "such as an .xls workbook", "xlsx"},
		{"trips.xlsx", container("EncryptedPackage"), "with a password", "remove its password"},
		{"trips.doc", container("WordDocument"), "older Office program", "xlsx"},
		{"trips.ods", archive(t, "mimetype", "content.xml"), "an .ods or .xlsb file", "xlsx"},
		{"trips.xlsb", archive(t, "[Content_Types].xml", "xl/workbook.bin"), "an .ods or .xlsb file", "xlsx"},
		{"trips.numbers", archive(t, "Index/Document.iwa"), "another archive", "export"},
		{"trips.docx", archive(t, "[Content_Types].xml", "word/document.xml"), "another archive", "export"},
		{"trips.zip", archive(t, "trips.csv"), "another archive", "export"},
		{"trips.xlsx", archive(t), "another archive", "export"},
		{"trips.xlsx", archive(t, "xl/workbook.xml"), "no list of sheets", "export"},
		{"trips.xlsx", workbook(t, plain)[:3_000], "damaged", "export"},
		{"trips.xlsx", []byte("Trip,Rider\n1,A\n"), "this is text", "rename"},
		{"trips.xlsx", []byte("<html><table><tr><td>1</td></tr></table></html>"), "web page", "xlsx"},
		{"trips.xls", []byte("<html><body>Please sign in</body></html>"), "web page", "export"},
		{"trips.xls", []byte("<table><tr><td>1</td></tr><tr><td>2"), "web page", "xlsx"},
		{"trips.xls", []byte(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>`), "markup", "xlsx"},
		{"trips.xls", []byte("MIME-Version: 1.0\nContent-Type: multipart/related"), "markup", "xlsx"},
		{"trips.csv", []byte(`<?xml version="1.0"?><trips/>`), "markup", "export"},
		{"trips.csv", []byte("\r\n%PDF-1.7 \""), "neither text nor a workbook", "export"},
		{"trips.csv", make([]byte, 4_096), "NUL characters", "export"},
		{"trips.csv", make([]byte, 7), "NUL characters", "export"},
		{"trips.csv", []byte("Trip\x00Rider\x00\x00\n"), "NUL characters", "export"},
		{"trips.csv", []byte("\xff\xfeT\x00r"), "middle of a character", "export"},
		{"trips.csv", []byte("\xef\xbb\xbfTrip\nZo\xeb\n"), "not valid in utf-8", "encoding"},
	} {
		t.Run(tt.name+" "+tt.reason, func(t *testing.T) {
			_, err := sheet.Open(write(t, tt.name, tt.content), sheet.Options{})
			var input *importer.InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v", err)
			}
			if input.File != tt.name || !strings.Contains(input.Reason, tt.reason) || !strings.Contains(input.Fix, tt.fix) {
				t.Errorf("got %s: %s (%s)", input.File, input.Reason, input.Fix)
			}
		})
	}
}

func TestRefusedBeforeReading(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(folder, "none.csv"): "no such file",
		folder:                            "not a file",
	} {
		if _, err := sheet.Open(path, sheet.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

// TestReadAsWhatItIs checks that the content of a file decides its kind, not its
// name.
func TestReadAsWhatItIs(t *testing.T) {
	for _, tt := range []struct {
		name    string
		content []byte
		kind    string
		codes   string
		want    []string
	}{
		{"trips.xlsx", workbook(t, plain), "xlsx", "", []string{"1|Trip|Rider", "2|70411|Odalys Brennick"}},
		{"trips.xls", workbook(t, plain), "xlsx", "", []string{"1|Trip|Rider", "2|70411|Odalys Brennick"}},
		{"trips.csv", workbook(t, plain), "xlsx", "", []string{"1|Trip|Rider", "2|70411|Odalys Brennick"}},
		{"trips.xls", []byte("Trip\tRider\r\n1\tOdalys, B\r\n"), "csv", "misnamed", []string{"1|Trip|Rider", "2|1|Odalys, B"}},
		{"trips.csv", []byte("ID;PICKUP\nA1;12 Alder Ct\n"), "csv", "", []string{"1|ID|PICKUP", "2|A1|12 Alder Ct"}},
		{"trips.csv", []byte("ID;Pickup;N\nC;Xenia St;1\n"), "csv", "", []string{"1|ID|Pickup|N", "2|C|Xenia St|1"}},
		{"trips.csv", []byte("[Trip],{Rider}\n1,Odalys\n"), "csv", "", []string{"1|[Trip]|{Rider}", "2|1|Odalys"}},
		{"trips.csv", []byte("{Trip},[Rider]\n1,<b>Odalys</b>\n"), "csv", "", []string{"1|{Trip}|[Rider]", "2|1|<b>Odalys</b>"}},
		{"trips.csv", []byte("<Trip>,<Rider>\n1,</b>\n"), "csv", "", []string{"1|<Trip>|<Rider>", "2|1|</b>"}},
		{"trips.txt", []byte("Trip|Rider\n1|Odalys\n"), "csv", "", []string{"1|Trip|Rider", "2|1|Odalys"}},
	} {
		t.Run(tt.name+" "+tt.kind, func(t *testing.T) {
			f := open(t, tt.name, tt.content, sheet.Options{})
			got, err := lines(f)
			check(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" || !strings.HasPrefix(f.Form(), tt.kind) || codes(f) != tt.codes {
				t.Errorf("%s, notices %q\n%s", f.Form(), codes(f), diff)
			}
		})
	}
}

// TestSheetChoice checks which sheet is read.
func TestSheetChoice(t *testing.T) {
	file := workbook(t, func(f *excelize.File) {
		for _, name := range []string{"Cover", "Codes", "Trips", "2"} {
			_, err := f.NewSheet(name)
			check(t, err)
			check(t, f.SetCellValue(name, "A1", "in "+name))
		}
		check(t, f.SetCellValue("Cover", "A1", nil))
		check(t, f.SetSheetVisible("Codes", false))
		check(t, f.MoveSheet("Cover", "Sheet1"))
		f.SetActiveSheet(2)
	})
	for _, tt := range []struct{ want, name, first string }{
		{"", "Sheet1", "Trip"}, // Cover is empty
		{"Trips", "Trips", "in Trips"},
		{"trips", "Trips", "in Trips"},
		{"Codes", "Codes", "in Codes"}, // hidden, but named
		{"3", "Trips", "in Trips"},     // the third that is visible
		{"2", "2", "in 2"},             // a name goes before a number
	} {
		f := open(t, "trips.xlsx", file, sheet.Options{Sheet: tt.want})
		head, err := f.Head(1)
		check(t, err)
		if f.SheetName() != tt.name || head[0].Cell(1).Text != tt.first || head[0].Sheet != tt.name {
			t.Errorf("%q: read %q, which begins with %v", tt.want, f.SheetName(), head)
		}
	}
	f := open(t, "trips.xlsx", file, sheet.Options{})
	if got := codes(f); got != "other-sheets" {
		t.Errorf("notices %q", got)
	}
	if notice := f.Notices()[0].Message; notice != "only sheet Sheet1 was read, not Codes (hidden), Trips, 2" { // Cover has nothing
		t.Errorf("the notice is %q", notice)
	}
	if diff := cmp.Diff([]string{"Cover", "Sheet1", "Trips", "2"}, f.Tables()); diff != "" {
		t.Error(diff)
	}
	if _, err := sheet.Open(write(t, "trips.xlsx", file), sheet.Options{Sheet: "Tripps"}); err == nil || !strings.Contains(err.Error(), `no sheet "Tripps"`) {
		t.Errorf("got %v", err)
	}
}

func TestWorkbookNotices(t *testing.T) {
	f := open(t, "trips.xlsx", workbook(t, func(f *excelize.File) {
		check(t, f.SetRowVisible("Sheet1", 2, false))
		struck, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
		check(t, err)
		check(t, f.SetCellStyle("Sheet1", "E2", "E2", struck)) // an empty cell
		check(t, f.SetSheetRow("Sheet1", "A4", &[]any{70412, "Odalys Brennick"}))
		check(t, f.SetCellStyle("Sheet1", "A4", "B4", struck))
		check(t, f.SetCellFormula("Sheet1", "C2", "A2+1"))
		check(t, f.MergeCell("Sheet1", "A2", "A3"))
		check(t, f.MergeCell("Sheet1", "A1", "B1"))
	}), sheet.Options{})
	if got := codes(f); got != "" {
		t.Errorf("notices %q before the reading", got)
	}
	for range 2 { // a second reading must not count twice
		_, err := lines(f)
		check(t, err)
	}
	var got []string
	for _, n := range f.Notices() {
		got = append(got, fmt.Sprintf("%s %s: %s", n.Code, n.Cells[0].A1(), n.Message))
	}
	want := []string{
		"hidden-rows 2: 1 hidden row was read like the others (first: row 2)",
		"struck-rows 4: 1 row that is struck through was read like the others (first: row 4)",
		"not-calculated C2: 1 formula was not calculated when the file was saved",
		"merged-cells A2: 1 merged cell spans several rows; below the headers each of these rows has the value",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBelow checks what a run reads: the rows below the header, the name of the
// file and its hash.
func TestBelow(t *testing.T) {
	content := []byte("Trips of 12/02/2026\n\nTrip,Rider\n1,A\n\n2,B\n")
	f := open(t, "trips.csv", content, sheet.Options{})
	source := f.Below(3)
	var nums []int
	for range 2 {
		for row, err := range source.Rows() {
			check(t, err)
			nums = append(nums, row.Num)
		}
	}
	if diff := cmp.Diff([]int{4, 6, 4, 6}, nums); diff != "" {
		t.Error(diff)
	}
	if hash := fmt.Sprintf("%x", sha256.Sum256(content)); source.Name() != "trips.csv" || source.Hash() != hash {
		t.Errorf("%s %s", source.Name(), source.Hash())
	}
	for _, header := range []int{6, 99} {
		for _, err := range f.Below(header).Rows() {
			var input *importer.InputError
			if !errors.As(err, &input) || !strings.Contains(input.Reason, "no row follows the header") {
				t.Errorf("below %d: got %v", header, err)
			}
		}
	}
}

// TestChangedMeanwhile checks that a file which is changed between two readings, or
// replaced by another, gives an error. One that was moved away is read on.
func TestChangedMeanwhile(t *testing.T) {
	const more = "Trip,Rider\n1,A\n2,B\n"
	for name, c := range map[string]struct {
		change func(path string) error
		want   string
	}{
		"changed":    {func(path string) error { return os.WriteFile(path, []byte(more), 0o600) }, "changed while it was being read"},
		"replaced":   {func(path string) error { return os.Rename(write(t, "new.csv", []byte(more)), path) }, "changed while it was being read"},
		"moved away": {func(path string) error { return os.Rename(path, path+".done") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "trips.csv", []byte("Trip,Rider\n1,A\n"))
			f, err := sheet.Open(path, sheet.Options{})
			check(t, err)
			defer func() { check(t, f.Close()) }()
			_, err = lines(f)
			check(t, err)
			if err := c.change(path); err != nil && runtime.GOOS == "windows" {
				t.Skip("Windows keeps an open file where it is")
			} else {
				check(t, err)
			}
			if _, err := lines(f); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestNothingInTemporaryFolder checks that reading a file writes nothing to the
// temporary folder.
func TestNothingInTemporaryFolder(t *testing.T) {
	path := write(t, "trips.xlsx", workbook(t, func(f *excelize.File) {
		for row := 3; row < 3_000; row++ {
			check(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", row), &[]any{row, strings.Repeat("long text ", 50)}))
		}
	}))
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder)
	f, err := sheet.Open(path, sheet.Options{})
	check(t, err)
	for row, err := range f.Rows() {
		check(t, err)
		if row.Num%1_000 == 1 {
			left, err := os.ReadDir(folder)
			check(t, err)
			if len(left) > 0 {
				t.Fatalf("%s was written", left[0].Name())
			}
		}
	}
	check(t, f.Close())
}
