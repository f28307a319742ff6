package sheet_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"tripimport/importer"
	"tripimport/importer/sheet"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"
)

func TestCSV(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		delimiter     string
		want          []string
	}{
		{"comma", "Trip,Rider\n1,\"Brennick, Odalys\"\n", ",", []string{"1|Trip|Rider", "2|1|Brennick, Odalys"}},
		{"semicolon with decimal commas", "Trip;Miles;Name\r\n1;25,5;A\r\n2;3,5;B\r\n", ";", []string{"1|Trip|Miles|Name", "2|1|25,5|A", "3|2|3,5|B"}},
		{
			"tab with commas in addresses", "Trip\tFrom\tTo\n1\t12 Elm St, Mesa, AZ\t9 Oak Rd, Mesa, AZ\n2\t3 Fir Ct, Mesa, AZ\t1 Ash Ln, Mesa, AZ\n", "tab",
			[]string{"1|Trip|From|To", "2|1|12 Elm St, Mesa, AZ|9 Oak Rd, Mesa, AZ", "3|2|3 Fir Ct, Mesa, AZ|1 Ash Ln, Mesa, AZ"},
		},
		{"pipe", "Trip|Rider\n1|A, B\n", "|", []string{"1|Trip|Rider", "2|1|A, B"}},
		{
			"semicolon with many commas", "Id;Name;Address\n" + strings.Repeat("1;Bo;12 Elm St, Apt 4, Mesa, AZ, 85210\n", 50), ";",
			append([]string{"1|Id|Name|Address"}, repeated("%d|1|Bo|12 Elm St, Apt 4, Mesa, AZ, 85210", 2, 51)...),
		},
		{"one column", "Trip\n1\n2\n", ",", []string{"1|Trip", "2|1", "3|2"}},
		{"sep line", "sep=;\nTrip;Rider, all\n1;A\n", ";", []string{"2|Trip|Rider, all", "3|1|A"}},
		{"addresses with more commas than columns", "Trip;Place\n1;1 Elm St, Apt 2, Westfield, MI 48111\n2;2 Elm St, Apt 2, Westfield, MI 48111\n", ";", []string{"1|Trip|Place", "2|1|1 Elm St, Apt 2, Westfield, MI 48111", "3|2|2 Elm St, Apt 2, Westfield, MI 48111"}},
		{"a title with commas", "Trips for Wed, Dec 2, 2026\nTrip\tPlace\n1\t1 Elm St, Westfield, MI 48111\n", "tab", []string{"1|Trips for Wed, Dec 2, 2026", "2|Trip|Place", "3|1|1 Elm St, Westfield, MI 48111"}},
		{"spaces before all cells, and one semicolon", "Trip, Note\n1, gate;ring\n2, none\n", ",", []string{"1|Trip| Note", "2|1| gate;ring", "3|2| none"}},
		{"spaces before numbers, and a semicolon in each row", "Trip,Miles,Note\n1, 3.5,gate;ring\n2, 4.5,none;ring\n", ",", []string{"1|Trip|Miles|Note", "2|1| 3.5|gate;ring", "3|2| 4.5|none;ring"}},
		{"sep line of another delimiter", "sep=;\nTrip,Rider\n1,A\n", ",", []string{"2|Trip|Rider", "3|1|A"}},
		{"quoted sep line", "\"sep=|\"\r\nTrip|Rider\r\n", "|", []string{"2|Trip|Rider"}},
		{"byte order mark", "\ufeffTrip,Rider\n1,Zoë\n", ",", []string{"1|Trip|Rider", "2|1|Zoë"}},
		{"byte order mark before a quote", "\ufeff\"Trip\",\"Rider\"\n", ",", []string{"1|Trip|Rider"}},
		{"carriage returns alone", "Trip,Rider\r1,A\r\r2,B\r", ",", []string{"1|Trip|Rider", "2|1|A", "4|2|B"}},
		{"line ends of every kind", "Trip,Rider\r\n1,A\n2,B\r3,C", ",", []string{"1|Trip|Rider", "2|1|A", "3|2|B", "4|3|C"}},
		{
			"physical lines", "Trip,Note\n\n1,\"two\nlines\"\n\n,\n2,\"a\r\nb\r\nc\"\n3,x\n", ",",
			[]string{"1|Trip|Note", "3|1|two\nlines", "7|2|a\nb\nc", "10|3|x"},
		},
		{"doubled quotes", "Trip,Note\n1,\"say \"\"hello\"\"\"\n", ",", []string{"1|Trip|Note", "2|1|say \"hello\""}},
		{"ragged rows keep their places", "a,b,c\n1\n1,2,3,4\n,2,\n", ",", []string{"1|a|b|c", "2|1", "3|1|2|3|4", "4||2|"}},
		{"white space is kept around text, and is blank alone", "a,b\n 1 ,  \n\u00a0,2\n", ",", []string{"1|a|b", "2| 1 |", "3||2"}},
		{
			"preamble, repeated and blank headers, footer", "Manifest\nFrom: 12/01,To: 12/02\n\nTrip,Phone,,Phone\n1,a,b,c\nTotal: 1\n,,,\n", ",",
			[]string{"1|Manifest", "2|From: 12/01|To: 12/02", "4|Trip|Phone||Phone", "5|1|a|b|c", "6|Total: 1"},
		},
		{"end mark of DOS", "Trip,Rider\n1,A\n\x1a", ",", []string{"1|Trip|Rider", "2|1|A"}},
		{"header alone", "Trip,Rider\n", ",", []string{"1|Trip|Rider"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, "trips.csv", []byte(tt.content), sheet.Options{})
			for range 2 { // any number of readings
				got, err := lines(f)
				check(t, err)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			}
			if f.Form() != "csv, utf-8, delimiter "+tt.delimiter {
				t.Errorf("read as %s", f.Form())
			}
		})
	}
}

func repeated(format string, from, to int) []string {
	var all []string
	for i := from; i <= to; i++ {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

func TestCSVWidth(t *testing.T) {
	f := open(t, "trips.csv", []byte("a,b,c\n1,,\n1,2\n"), sheet.Options{})
	head, err := f.Head(9)
	check(t, err)
	var got []int
	for _, row := range head {
		got = append(got, row.Width)
	}
	if diff := cmp.Diff([]int{3, 3, 2}, got); diff != "" {
		t.Error(diff)
	}
	if c := head[1].Cell(2); c != (importer.Cell{}) {
		t.Errorf("an empty field is %+v", c)
	}
	if got := head[2].Ref(2).String(); got != "B3" {
		t.Errorf("the address is %s", got)
	}
}

// What all records have in common is known without reading their cells; a record that differs anywhere below the header
// is seen.
func TestAreEven(t *testing.T) {
	for text, want := range map[string]bool{
		"a,b\n1,2\n3,4\n":            true,
		"a,b\n1,\"x\ny\"\n,\n\n3,4":  true,
		"Trips of May 1\na,b\n1,2\n": true, // above the header
		"a,b\n1,2\n3\n":              false,
		"a,b\n1,2,\n3,4\n":           false,
		"a,b\n1,2\n,,\n":             true, // a blank line is none
		"a,b\n,\n":                   false,
		"a,b\n":                      false, // no row
		"a,b\n1,\"2\n":               false, // not readable
	} {
		header := 1
		if strings.HasPrefix(text, "Trips") {
			header = 2
		}
		f := open(t, "trips.csv", []byte(text), sheet.Options{})
		if got := f.AreEven(header); got != want {
			t.Errorf("AreEven of %q is %v", text, got)
		}
	}
}

// TestQuoteErrors checks that a misplaced quotation mark stops the file at its
// line.
func TestQuoteErrors(t *testing.T) {
	for _, tt := range []struct {
		name, content, want string
		rows                int
	}{
		{"stray", "a,b\n1,2\n41°11'41\"N,2\n3,4\n", "line 3: a stray or unclosed quotation mark, noticed on line 3 near character 10", 2},
		{"after the end", "a,b\n\"1\"x,2\n", "line 2: a stray or unclosed quotation mark", 1},
		{"never closed", "a,b\n1,2\n3,\"4\n5,6\n7,8\n", "line 3: a stray or unclosed quotation mark", 2},
		{"after a sep line", "sep=,\na,b\n1\"2,3\n", "line 3: a stray or unclosed quotation mark", 1},
		{"backslash", "a,b\n1,\"x \\\" y\"\n", "line 2: ", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, "trips.csv", []byte(tt.content), sheet.Options{})
			got, err := lines(f)
			var input *importer.InputError
			if !errors.As(err, &input) || !strings.Contains(err.Error(), tt.want) || len(got) != tt.rows {
				t.Errorf("got %v after %d rows, want %q after %d", err, len(got), tt.want, tt.rows)
			}
		})
	}
}

// TestEndlessValue checks that a quotation mark which is never closed does not
// read a large file into memory.
func TestEndlessValue(t *testing.T) {
	content := "a,b\n1,\"" + strings.Repeat("2,3\n", 6<<20)
	f := open(t, "trips.csv", []byte(content), sheet.Options{})
	if _, err := lines(f); err == nil || !strings.Contains(err.Error(), "never ends") {
		t.Errorf("got %v", err)
	}
}

func wide(s string, big, mark bool) []byte {
	if mark {
		s = "\ufeff" + s
	}
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func encoded(tb testing.TB, set *charmap.Charmap, s string) []byte {
	tb.Helper()
	b, err := set.NewEncoder().Bytes([]byte(s))
	check(tb, err)
	return b
}

func TestEncodings(t *testing.T) {
	const text = "Trip,Rider,Note\r\n1,Núñez Peña,\"a\r\nb\"\r\n2,Chloë d’Été,naïve – façade\r\n"
	want := []string{"1|Trip|Rider|Note", "2|1|Núñez Peña|a\nb", "4|2|Chloë d’Été|naïve – façade"}
	for _, tt := range []struct {
		name     string
		content  []byte
		named    string
		encoding string
		codes    string
		want     []string
	}{
		{"utf-8", []byte(text), "", "utf-8", "", want},
		{"utf-8 named", []byte("\ufeff" + text), "UTF-8", "utf-8", "", want},
		{"utf-16le with mark", wide(text, false, true), "", "utf-16", "", want},
		{"utf-16be with mark", wide(text, true, true), "", "utf-16", "", want},
		{"utf-16 named", wide(text, true, true), "utf-16", "utf-16", "", want},
		{"utf-16le named", wide(text, false, false), "utf-16le", "utf-16", "", want},
		{"windows-1252 by rule", encoded(t, charmap.Windows1252, text), "", "windows-1252", "encoding", want},
		{"windows-1252 named", encoded(t, charmap.Windows1252, text), "windows-1252", "windows-1252", "encoding", want},
		{"latin-1 named", encoded(t, charmap.Windows1252, text), "latin1", "windows-1252", "encoding", want},
		{"macintosh named", encoded(t, charmap.Macintosh, text), "macintosh", "macintosh", "encoding", want},
		{"windows-1250 named", encoded(t, charmap.Windows1250, "a,b\n1,Łódź\n"), "windows-1250", "windows-1250", "encoding", []string{"1|a|b", "2|1|Łódź"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, "trips.csv", tt.content, sheet.Options{Encoding: tt.named})
			got, err := lines(f)
			check(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" || !strings.Contains(f.Form(), tt.encoding+",") || codes(f) != tt.codes {
				t.Errorf("read as %s, notices %q\n%s", f.Form(), codes(f), diff)
			}
		})
	}
}

// A file is read in pieces. A character that lies across two of them is whole, and half a one at the end is none.
func TestCharactersAcrossPieces(t *testing.T) {
	for shift := range 8 {
		text := "a,b\n" + strings.Repeat("x", shift) + ",\n" + strings.Repeat("\U0001f68d,\u00eb\u20ac\n", 10_000) // in 2, 3 and 4 bytes
		if form := open(t, "trips.csv", []byte(text), sheet.Options{}).Form(); form != "csv, utf-8, delimiter ," {
			t.Errorf("shifted by %d: %s", shift, form)
		}
		_, err := sheet.Open(write(t, "trips.csv", []byte(text+"\u00eb"[:1])), sheet.Options{Encoding: "utf-8"})
		if err == nil || !strings.Contains(err.Error(), "line 10003") {
			t.Errorf("shifted by %d: half a character at the end: %v", shift, err)
		}
	}
}

// TestEncodingsRefused checks that a text is refused rather than read in a wrong
// encoding.
func TestEncodingsRefused(t *testing.T) {
	for _, tt := range []struct {
		name    string
		content []byte
		o       sheet.Options
		want    string
	}{
		{"Chinese of Big5", []byte("a,b\n1,\xa4\xa4\xa4\xe5\xa6\x72\xc5\xe9\n2,\xb4\xfa\xb8\xd5\n"), sheet.Options{}, "its encoding is unknown"},
		{"Russian of windows-1251", encoded(t, charmap.Windows1251, "a,b\n1,Иванов Пётр Сергеевич\n"), sheet.Options{}, "its encoding is unknown"},
		{"UTF-8 with a damaged character", []byte("a,b\n1,José Núñez\n2,Chloë Peña\n3,Zo\xc3\n"), sheet.Options{}, "its encoding is unknown"},
		{"an older Mac", encoded(t, charmap.Macintosh, "a,b\n1,José Núñez\n2,Chloë d’Été\n3,François Peña\n"), sheet.Options{}, "its encoding is unknown"},
		{"UTF-16 without mark", wide("a,b\n1,x\n", false, false), sheet.Options{}, "it has NUL characters"},
		{"named wrongly", []byte("a,b\n1,x\n2,Zo\xeb\n"), sheet.Options{Encoding: "utf-8"}, "line 3: a character is not valid in utf-8"},
		{"NUL in UTF-16", wide("a,b\n1,x\n2,R\x003\n", false, true), sheet.Options{}, "line 3, column B: it has NUL characters"},
		{"UTF-32", []byte("\xff\xfe\x00\x00T\x00\x00\x00"), sheet.Options{}, "line 1, column A: it has NUL characters"},
		{"NUL in a named encoding", []byte("a,b\n1,x\n2,R\x003\n"), sheet.Options{Encoding: "utf-8"}, "line 3, column B: it has NUL characters"},
		{"a tail that was never copied", []byte("a,b\n1,Zo\xeb\n\x00\x00\x00\x00"), sheet.Options{Encoding: "windows-1252"}, "line 3, column A: it has NUL characters"},
		{"unknown name", []byte("a,b\n"), sheet.Options{Encoding: "klingon"}, `unknown encoding "klingon"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := sheet.Open(write(t, "trips.csv", tt.content), tt.o)
			if err == nil {
				_, err = lines(f)
				check(t, f.Close())
			}
			var input *importer.InputError
			if !errors.As(err, &input) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestDelimiterNamed(t *testing.T) {
	for _, name := range []string{"pipe"} {
		f := open(t, "trips.csv", []byte("a,b|c\n1,2|3\n"), sheet.Options{Delimiter: name})
		got, err := lines(f)
		check(t, err)
		if diff := cmp.Diff([]string{"1|a,b|c", "2|1,2|3"}, got); diff != "" || f.Form() != "csv, utf-8, delimiter |" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestWriteRead checks that any table, written as a spreadsheet program writes
// it, is read with the same cells and line numbers, in each encoding, delimiter
// and line end.
func TestWriteRead(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		comma := rapid.SampledFrom([]string{",", ";", "\t", "|"}).Draw(r, "delimiter")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(r, "line end")
		width := rapid.IntRange(2, 8).Draw(r, "width")
		cell := rapid.SampledFrom([]string{"", "A", "70411", "12 Elm St, Mesa", "say \"x\"", "two\nlines", "Zoë", "a;b", "x|y", "3/4/2026"})
		var text strings.Builder
		var want []string
		line := 1
		for row := range rapid.IntRange(2, 12).Draw(r, "rows") {
			cells := make([]string, width)
			shown := fmt.Sprint(line)
			for i := range cells {
				cells[i] = fmt.Sprintf("h%d", i)
				if row > 0 {
					cells[i] = cell.Draw(r, "cell")
				}
				shown += "|" + cells[i]
			}
			if strings.Join(cells, "") != "" {
				want = append(want, shown)
			}
			for i, c := range cells {
				if i > 0 {
					text.WriteString(comma)
				}
				text.WriteString(`"` + strings.ReplaceAll(strings.ReplaceAll(c, `"`, `""`), "\n", end) + `"`)
				line += strings.Count(c, "\n")
			}
			text.WriteString(end)
			line++
		}
		content := []byte(text.String())
		switch rapid.IntRange(0, 2).Draw(r, "encoding") {
		case 1:
			content = wide(text.String(), false, true)
		case 2:
			content = append([]byte("\xef\xbb\xbf"), content...)
		}
		path := folder + "/trips.csv"
		check(t, writeFile(path, content))
		f, err := sheet.Open(path, sheet.Options{})
		check(t, err)
		got, err := lines(f)
		check(t, err)
		check(t, f.Close())
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatal(diff)
		}
	})
}

// FuzzText checks that no text makes the reader panic or give impossible rows.
func FuzzText(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "sep=;\na;b\n", "\xff\xfea\x00,\x00", "a\tb\r1\t2", "Zo\xeb,x\n", "<table><tr><td colspan=3 rowspan=2>1</table>", "\"a\nb\",c\n", "a|b\n\x1a"} {
		f.Add([]byte(s), "", "")
	}
	f.Add([]byte("a,b"), "windows-1252", "pipe")
	f.Fuzz(func(t *testing.T, content []byte, encoding, delimiter string) {
		path := t.TempDir() + "/trips.csv"
		check(t, writeFile(path, content))
		file, err := sheet.Open(path, sheet.Options{Encoding: encoding, Delimiter: delimiter})
		if err != nil {
			checkInputError(t, err)
			return
		}
		defer func() { check(t, file.Close()) }()
		last := 0
		for row, err := range file.Rows() {
			if err != nil {
				checkInputError(t, err)
				return
			}
			if row.Num <= last || row.Blank() || row.Width != len(row.Cells) {
				t.Fatalf("line %d after line %d, width %d, %d cells", row.Num, last, row.Width, len(row.Cells))
			}
			last = row.Num
		}
		if limit := strings.Count(string(content), "\n") + strings.Count(string(content), "\r") + 1; file.Sheets() == nil && last > limit {
			t.Fatalf("line %d of %d", last, limit)
		}
	})
}

func checkInputError(t *testing.T, err error) {
	t.Helper()
	var input *importer.InputError
	if !errors.As(err, &input) || input.Reason == "" || input.Fix == "" || input.File == "" {
		t.Fatalf("the error does not say everything: %v", err)
	}
}

// TestShownRows requires the numbers that spreadsheet programs show: a value of several
// lines is one row, an empty line is a row, and a first line sep= is none.
func TestShownRows(t *testing.T) {
	for text, want := range map[string][]string{
		"a,b\n1,\"x\ny\nz\"\n2,w\n\n3,v\n":    {"A1", "A2", "A3, line 5", "A5, line 7"},
		"sep=;\na;b\n1;\"x\r\ny\"\r\n2;w\r\n": {"A1, line 2", "A2, line 3", "A3, line 5"},
		"a,b\n1,2\n":                          {"A1", "A2"},
	} {
		f := open(t, "trips.csv", []byte(text), sheet.Options{})
		var got []string
		for row, err := range f.Rows() {
			check(t, err)
			got = append(got, row.Ref(1).String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestNamedForWhatTheyAre requires that files of other programs are called by their kind.
func TestNamedForWhatTheyAre(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a,b\n1,2\n", 200) + "\x00": "NUL characters",
	} {
		name := filepath.Join(t.TempDir(), "trips.csv")
		check(t, os.WriteFile(name, []byte(text), 0o600))
		if f, err := sheet.Open(name, sheet.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
			_ = f
		}
	}
}

// TestCellsAsShown checks that a CSV cell has what a spreadsheet program shows of it.
func TestCellsAsShown(t *testing.T) {
	for text, want := range map[string]importer.Cell{
		"#N/A":           {Type: importer.ErrorCell, Text: "#N/A"},
		"#REF!":          {Type: importer.ErrorCell, Text: "#REF!"},
		"#DIV/0!":        {Type: importer.ErrorCell, Text: "#DIV/0!"},
		"#2":             {Type: importer.Text, Text: "#2"},
		"#N/A yet":       {Type: importer.Text, Text: "#N/A yet"},
		"N/A":            {Type: importer.Text, Text: "N/A"},
		`"=""00123"""`:   {Type: importer.Text, Text: "00123"},
		`"="" """`:       {},
		`="00123"`:       {Type: importer.Text, Text: "00123"},
		`=""`:            {},
		`="1, ""2"""`:    {Type: importer.Text, Text: `1, "2"`},
		`"a,=""b"""`:     {Type: importer.Text, Text: `a,="b"`},
		"=1+1":           {Type: importer.Text, Text: "=1+1"},
		`"=""a""&""b"""`: {Type: importer.Text, Text: `="a"&"b"`},
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte("Trip,Note\nT-1,"+text+"\nT-2,x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := sheet.Open(path, sheet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		head, err := f.Head(3)
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if got := head[1].Cell(2); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
