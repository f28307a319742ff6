package results

import (
	"encoding/csv"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

// A memoryBook is a results file in memory: its header and its rows.
type memoryBook struct {
	id      identity
	records [][]string
}

func (b *memoryBook) sheets() []string { return []string{"Results"} }
func (b *memoryBook) close() error     { return nil }

func (b *memoryBook) identity() (identity, map[cellAt]string, error) { return b.id, nil, nil }

func (b *memoryBook) rows(string) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for i, record := range b.records {
			row := importer.Row{Num: i + 1}
			for _, c := range record {
				row.Cells = append(row.Cells, text(c))
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// take opens the records as Open does.
func (b *memoryBook) take() (*Returned, error) {
	r := &Returned{path: "results.xlsx", book: b}
	if err := r.identify(testKey); err != nil {
		return nil, err
	}
	if err := r.findTables(); err != nil {
		return nil, err
	}
	return r, r.inspect()
}

// nightBook is a night's results in memory.
func nightBook(t *testing.T, n int) *memoryBook {
	t.Helper()
	o := nightOptions(t, CSV)
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(nightHeading()); err != nil {
		t.Fatal(err)
	}
	for _, r := range night(n) {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(importer.RunResult{}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(w.WrittenTo()[0])
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), utf8BOM))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return &memoryBook{id: w.identity, records: records}
}

func (b *memoryBook) clone() *memoryBook {
	c := &memoryBook{id: b.id}
	for _, r := range b.records {
		c.records = append(c.records, slices.Clone(r))
	}
	return c
}

// Whole rows and whole columns may be put in any order.
func TestAnyOrderOfRowsAndColumns(t *testing.T) {
	book := nightBook(t, 24)
	want := map[int]importer.Row{}
	for _, r := range night(24) {
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
		if len(r.Edits()) != 0 {
			t.Fatalf("edits %v", r.Edits())
		}
		for row, err := range r.Source(nightFile).Rows() {
			if err != nil {
				t.Fatal(err)
			}
			for col := 1; col <= len(row.Cells); col++ {
				if diff := cmp.Diff(want[row.Num].Cell(col).Text, row.Cell(col).Text); diff != "" {
					t.Fatalf("row %d, column %d: %s", row.Num, col, diff)
				}
			}
		}
	})
}

// However some columns are moved against the others, no row is taken in which
// a cell that was not marked is another row's.
func TestColumnsMovedAgainstEachOtherAreRefused(t *testing.T) {
	book := nightBook(t, 24)
	own := len(ownHeaders(2))
	sources := len(nightColumns())
	key := deriveKey(nightKey(), "r-0001")
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
			k, err := decodeKey(original[len(original)-1], key)
			if err != nil {
				t.Fatal(err)
			}
			for _, col := range which {
				b.records[from+i][col] = source[col]
				same := strings.Join(strings.Fields(source[col]), " ") == strings.Join(strings.Fields(original[col]), " ")
				changed = changed || !same && !k.Marked.has(col-own)
			}
		}
		_, err := b.take()
		var in *importer.InputError
		if changed && !errors.As(err, &in) {
			t.Fatalf("mixed rows were taken: %v", err)
		}
	})
}

// One cell changed is an edit, or refused; never unseen.
func TestNoChangeIsUnseen(t *testing.T) {
	book := nightBook(t, 24)
	own := len(ownHeaders(2))
	key := deriveKey(nightKey(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		b := book.clone()
		row := rapid.IntRange(1, len(b.records)-1).Draw(t, "row")
		col := rapid.IntRange(0, len(nightColumns())-1).Draw(t, "column")
		typed := rapid.StringMatching(`[A-Za-z0-9:/.-]{0,8}`).Draw(t, "typed")
		was := b.records[row][own+col]
		k, err := decodeKey(b.records[row][len(b.records[row])-1], key)
		if err != nil {
			t.Fatal(err)
		}
		b.records[row][own+col] = typed
		r, err := b.take()
		switch {
		case typed == was:
			if err != nil || len(r.Edits()) != 0 {
				t.Fatalf("nothing was changed: %v", err)
			}
		case k.Guarded.has(col) && !k.Marked.has(col):
			if err == nil {
				t.Fatal("an id was changed")
			}
		case k.Marked.has(col):
			if err != nil || len(r.Edits()) != 0 {
				t.Fatalf("a marked cell may change: %v", err)
			}
		default:
			if err != nil || len(r.Edits()) != 1 {
				t.Fatalf("%v: edits %v", err, r)
			}
		}
	})
}

// Excel rewrites a CSV file's ids and dates when it saves it.
func TestSavedByExcel(t *testing.T) {
	name, _ := write(t, nightOptions(t, CSV), nightHeading(), night(20))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rewritten := strings.ReplaceAll(string(data), ",00000410", ",410")
	if err := os.WriteFile(name, []byte(rewritten), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name, testKey); err == nil || !strings.Contains(err.Error(), "saved by Excel") {
		t.Errorf("%v", err)
	}
}

// A folder that has gone when the results are to be written is an error, and
// nothing is left of them.
func TestFolderGone(t *testing.T) {
	for _, format := range []Format{XLSX, CSV} {
		o := nightOptions(t, format)
		dir := t.TempDir() + "/out"
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Path = dir + "/results"
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start(nightHeading()); err != nil {
			t.Fatal(err)
		}
		if err := w.Row(nightResult(2, importer.Created)); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Skipf("the system keeps folders with open files: %v", err)
		}
		if err := w.End(importer.RunResult{}); err == nil || len(w.WrittenTo()) != 0 {
			t.Errorf("%s: written to %v, error %v", format.Ext(), w.WrittenTo(), err)
		}
		if left, err := os.ReadDir(o.TempDir); err != nil || len(left) != 0 {
			t.Errorf("%v is left (%v)", left, err)
		}
	}
}

func FuzzKey(f *testing.F) {
	key := deriveKey(nightKey(), "r-0001")
	k := rowKey{Input: 1, Row: 7, Types: []importer.CellType{importer.Text}, Digests: []uint16{9}, Legs: []legState{{1, 3, true}}}
	f.Add(k.encode(key))
	f.Add("k1.1.6.0")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := decodeKey(text, key); err == nil && k.encode(key) != text {
			t.Errorf("%q was taken for %q", text, k.encode(key))
		}
	})
}

func FuzzResolutions(f *testing.F) {
	f.Add("trip id,service,provider,what we found\n7,s,p,no\n")
	f.Add("\uFEFFtrip id;service;provider;what we found\n7;s;p;\"no\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadResolutions("list.csv", strings.NewReader(text))
		var in *importer.InputError
		if err != nil && !errors.As(err, &in) {
			t.Errorf("%v", err)
		}
		for _, r := range list {
			if r.Finding == Unclear && r.GUID != "" || r.Line < 2 {
				t.Errorf("%+v", r)
			}
		}
	})
}
