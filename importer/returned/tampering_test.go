package returned

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/results/seal"
)

// A records is a results file as CSV: its header and its rows.
type records struct {
	folder  string
	records [][]string
}

// take reads the records as they come back.
func (b *records) take() (*Results, error) {
	name := filepath.Join(b.folder, "results.csv")
	var text bytes.Buffer
	err := errors.Join(csv.NewWriter(&text).WriteAll(b.records), os.WriteFile(name, text.Bytes(), 0o600))
	if err != nil {
		return nil, err
	}
	return Open(name, testKey)
}

// nightFile is a night's results.
func nightFile(t *testing.T, n int) *records {
	t.Helper()
	name, _ := resultstest.Write(t, resultstest.Options(t, results.CSV), resultstest.RunStart(), resultstest.Night(n))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), seal.UTF8BOM))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return &records{t.TempDir(), all}
}

func (b *records) clone() *records {
	c := &records{folder: b.folder}
	for _, r := range b.records {
		c.records = append(c.records, slices.Clone(r))
	}
	return c
}

// Whole rows and whole columns may be put in any order.
func TestAnyOrderOfRowsAndColumns(t *testing.T) {
	book := nightFile(t, 24)
	want := map[int]importer.Row{}
	for _, r := range resultstest.Night(24) {
		want[r.Row.Num] = r.Row
	}
	rapid.Check(t, func(t *rapid.T) {
		b := book.clone()
		body := rapid.Permutation(b.records[1:]).Draw(t, "rows")
		columns := make([]int, len(b.records[0]))
		for i := range columns {
			columns[i] = i
		}
		columns = rapid.Permutation(columns).Draw(t, "columns")
		moved := [][]string{}
		for _, record := range append([][]string{b.records[0]}, body...) {
			var m []string
			for _, c := range columns {
				m = append(m, record[c])
			}
			moved = append(moved, m)
		}
		b.records = moved
		r, err := b.take()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		if len(r.Edits) != 0 {
			t.Fatalf("edits %v", r.Edits)
		}
		for row, err := range r.Source().Rows() {
			if err != nil {
				t.Fatal(err)
			}
			wanted := want[row.Num]
			for col := 1; col <= len(row.Cells); col++ {
				if diff := cmp.Diff(wanted.Cell(col).Text, row.Cell(col).Text); diff != "" {
					t.Fatalf("row %d, column %d: %s", row.Num, col, diff)
				}
			}
		}
	})
}

// However some columns are moved relative to others, no row is accepted in which an
// unmarked cell is from another row.
func TestColumnsMovedAgainstEachOtherAreRefused(t *testing.T) {
	book := nightFile(t, 24)
	own := len(seal.OwnHeaders())
	sources := len(resultstest.Columns())
	key := seal.NewSealer(resultstest.Key(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		b := book.clone()
		which := rapid.SliceOfNDistinct(rapid.IntRange(own, own+sources-1), 1, sources, rapid.ID[int]).Draw(t, "columns")
		from := rapid.IntRange(1, len(b.records)-2).Draw(t, "from")
		to := rapid.IntRange(from+1, len(b.records)-1).Draw(t, "to")
		order := rapid.Permutation(book.records[from:to+1]).Draw(t, "order")
		changed := false
		for i, source := range order {
			source = slices.Clone(source)
			original := book.records[from+i]
			k, err := key.Decode(original[len(original)-1])
			if err != nil {
				t.Fatal(err)
			}
			for _, col := range which {
				b.records[from+i][col] = source[col]
				same := strings.Join(strings.Fields(source[col]), " ") == strings.Join(strings.Fields(original[col]), " ")
				changed = changed || !same && !k.Cells[col-own].Flags.Has(seal.MayChange)
			}
		}
		r, err := b.take()
		if err == nil {
			_ = r.Close()
		}
		var in *importer.InputError
		if changed && !errors.As(err, &in) {
			t.Fatalf("mixed rows were taken: %v", err)
		}
	})
}

// One cell changed is an edit, or refused; never unseen.
func TestNoChangeIsUnseen(t *testing.T) {
	book := nightFile(t, 24)
	own := len(seal.OwnHeaders())
	key := seal.NewSealer(resultstest.Key(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		b := book.clone()
		row := rapid.IntRange(1, len(b.records)-1).Draw(t, "row")
		col := rapid.IntRange(0, len(resultstest.Columns())-1).Draw(t, "column")
		typed := rapid.StringMatching(`[A-Za-z0-9:/.-]{0,8}`).Draw(t, "typed")
		was := b.records[row][own+col]
		k, err := key.Decode(b.records[row][len(b.records[row])-1])
		if err != nil {
			t.Fatal(err)
		}
		b.records[row][own+col] = typed
		r, err := b.take()
		if err == nil {
			defer func() { _ = r.Close() }()
		}
		switch {
		case typed == was:
			if err != nil || len(r.Edits) != 0 {
				t.Fatalf("nothing was changed: %v", err)
			}
		case k.Cells[col].Flags.Has(seal.TripID|seal.RiderID) && !k.Cells[col].Flags.Has(seal.MayChange):
			if err == nil {
				t.Fatal("an id was changed")
			}
		case k.Cells[col].Flags.Has(seal.MayChange):
			if err != nil || len(r.Edits) != 0 {
				t.Fatalf("a marked cell may change: %v", err)
			}
		default:
			if err != nil || len(r.Edits) != 1 {
				t.Fatalf("%v: edits %v", err, r)
			}
		}
	})
}

// Excel rewrites a results.CSV file's ids and dates when it saves it.
func TestSavedByExcel(t *testing.T) {
	name, _ := resultstest.Write(t, resultstest.Options(t, results.CSV), resultstest.RunStart(), resultstest.Night(20))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rewritten := strings.ReplaceAll(string(data), ",00000410", ",410")
	if err := os.WriteFile(name, []byte(rewritten), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name, testKey); err == nil || !strings.Contains(err.Error(), "although nothing was wrong with it") {
		t.Errorf("%v", err)
	}
}

// Cells of a column have moved between rows if at least half of the changed ones
// have what another changed one had.
func TestMovedCells(t *testing.T) {
	digest := func(text string) seal.Digest { return seal.Digest(text[0]) }
	// changes are written "was>is"; ! marks a cell with a fault, ? one whose row
	// the service refused.
	for _, tt := range []struct {
		name    string
		changes []string
		want    int
	}{
		{"two exchanged", []string{"a>b", "b>a"}, 2},
		{"half of two", []string{"a>b", "b>x"}, 2},
		{"half of four", []string{"a>b", "b>c", "c>x", "d>y"}, 4},
		{"less than half: one of three", []string{"a>b", "b>x", "c>y"}, 0},
		{"less than half: two of five", []string{"a>b", "b>c", "c>x", "d>y", "e>z"}, 0},
		{"one content for all", []string{"a>x", "b>x", "c>x"}, 0},
		{"one content for all, which one had", []string{"a>b", "b>x", "c>b", "d>b"}, 0},
		{"one cell", []string{"a>a"}, 0},
		{"cells that were to be changed", []string{"!a>b", "!b>a"}, 0},
		{"cells of refused rows", []string{"?a>b", "?b>a"}, 2},
		{"one that was to be changed, and one that was not", []string{"!a>b", "b>a"}, 2},
	} {
		var changes []change
		for i, text := range tt.changes {
			was, is, _ := strings.Cut(strings.TrimLeft(text, "!?"), ">")
			mark := map[byte]cellMark{'!': faulty, '?': suspect}[text[0]]
			changes = append(changes, change{
				at: importer.Ref{Row: 2 + i}, row: 2 + i, was: digest(was),
				is: columnValue{column: 3, digest: digest(is)}, mark: mark,
			})
		}
		slices.Reverse(changes)
		got := movedCells(changes)
		if len(got) != tt.want {
			t.Errorf("%s: %v have moved, want %d", tt.name, got, tt.want)
		}
	}
}
