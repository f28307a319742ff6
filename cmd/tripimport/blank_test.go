package main

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// TestBlankWorkbook compares templates/plain.xlsx with the generated workbook, part
// by part, so that lists, notes and colours are compared as well.
func TestBlankWorkbook(t *testing.T) {
	want := blankWorkbook(t)
	path := repoPath("templates", "plain.xlsx")
	if updating() {
		writeFile(t, path, want)
	}
	if diff := cmp.Diff(partsOf(t, want), partsOf(t, readFile(t, path))); diff != "" {
		t.Errorf("%s\n%s", stale("templates/plain.xlsx"), diff)
	}
}

// partsOf returns the parts of a workbook by name.
func partsOf(t *testing.T, book []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}

	parts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close() // read to its end
		parts[f.Name] = string(text)
	}
	return parts
}

// TestBlankWorkbookIsWritten writes the template plain, which has a mapping and a
// workbook.
func TestBlankWorkbookIsWritten(t *testing.T) {
	_, folder := command(t, nil, "templates", "plain", "--write", ".")
	if got, want := filesIn(t, folder), []string{"plain.xlsx", "plain.yaml", "tripimport-mapping.json"}; !slices.Equal(got, want) {
		t.Fatalf("it wrote %v, want %v", got, want)
	}
	if !bytes.Equal(readFile(t, filepath.Join(folder, "plain.xlsx")), readFile(t, repoPath("templates", "plain.xlsx"))) {
		t.Error("the program has another workbook than templates/plain.xlsx")
	}
}

// TestBlankWorkbookFilledIn types rows below the example. They are ready, the
// example is left out, and the mapping knows the values of the lists.
func TestBlankWorkbookFilledIn(t *testing.T) {
	folder := blankFolder(t)
	night := makeSchedule(scheduleSeed)
	fillIn(t, folder, func(w *excelize.File) {
		for i, row := range night[:12] {
			row["Space Type"] = []string{"AMB", "WCH", "STR"}[i%3]
			if row["Round Trip"] == nil {
				row["Round Trip"] = "No"
			}
			if row["Will Call"] == nil {
				row["Will Call"] = "No"
			}
			row["Cancelled"] = "No"
			typeRow(t, w, i+3, row)
		}
	})

	s := commandIn(t, folder, "check", "--sandbox", "plain.xlsx")
	if s.status != exitDone || !matches(s.out, "12 rows?: ready") || !matches(s.out, "1 rows?: left out") {
		t.Errorf("exit %d\n%s%s", s.status, s.out, s.err)
	}
	if found := problemsIn(s.out); found != nil {
		t.Errorf("%v", found)
	}
}

// TestBlankWorkbookExample changes one id of the example row. The row is ready then,
// so that a trip typed over the example is not left out.
func TestBlankWorkbookExample(t *testing.T) {
	folder := blankFolder(t)
	s := commandIn(t, folder, "check", "--today", "2026-12-01", "plain.xlsx")
	if s.status != exitListed || !matches(s.out, "1 rows?: left out") {
		t.Errorf("as it is: exit %d\n%s%s", s.status, s.out, s.err)
	}

	for header, id := range map[string]string{"Trip ID": "48213", "Rider ID": "0048213377"} {
		fillIn(t, folder, func(w *excelize.File) {
			cell := cellName(slices.Index(plainHeaders(), header)+1, 2)
			if err := w.SetCellStr(blankTrips, cell, id); err != nil {
				t.Fatal(err)
			}
		})
		s := commandIn(t, folder, "check", "--today", "2026-12-01", "plain.xlsx")
		if s.status != exitDone || !matches(s.out, "1 rows?: ready") {
			t.Errorf("with its %s changed: exit %d\n%s%s", header, s.status, s.out, s.err)
		}
	}
}

// TestBlankWorkbookKeepsIDs compares the formats of the columns with those of their
// kinds. A spreadsheet program keeps the zeros of an id only in a text column.
func TestBlankWorkbookKeepsIDs(t *testing.T) {
	w, err := excelize.OpenFile(repoPath("templates", "plain.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	for i, c := range plainLayout() {
		id, err := w.GetColStyle(blankTrips, strings.TrimRight(cellName(i+1, 1), "1"))
		if err != nil {
			t.Fatal(err)
		}
		style, err := w.GetStyle(id)
		if err != nil {
			t.Fatal(err)
		}
		got := "General"
		switch {
		case style.CustomNumFmt != nil:
			got = *style.CustomNumFmt
		case style.NumFmt == 49: // a format of the program's own
			got = "@"
		}
		if got != c.kind.format() {
			t.Errorf("%s has the format %q, want %q", c.header, got, c.kind.format())
		}
	}
}

// blankFolder returns a folder with the files of the template plain.
func blankFolder(t *testing.T) string {
	t.Helper()
	s, folder := command(t, nil, "templates", "plain", "--write", ".")
	if s.status != exitDone {
		t.Fatal(s.err)
	}
	return folder
}

// fillIn changes the workbook in the folder.
func fillIn(t *testing.T, folder string, change func(*excelize.File)) {
	t.Helper()
	w, err := excelize.OpenFile(filepath.Join(folder, "plain.xlsx"))
	if err != nil {
		t.Fatal(err)
	}

	change(w)
	if err := w.Save(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// typeRow sets the cells of a row without changing their formats.
func typeRow(t *testing.T, w *excelize.File, row int, values plainRow) {
	t.Helper()
	for i, c := range plainLayout() {
		if value := values[c.header]; value != nil {
			if err := w.SetCellValue(blankTrips, cellName(i+1, row), workbookValue(value)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// matches reports whether a line of the output begins with the pattern.
func matches(out, pattern string) bool {
	return regexp.MustCompile(`(?m)^\s*` + pattern).MatchString(out)
}

// problemsIn returns the lines that name a cell.
func problemsIn(out string) []string {
	var found []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, blankTrips+"!") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}
