package returned

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/results/seal"
)

// Without their hidden sheet they are known as results by any of their sheets: the first one is the Summary.
func TestLostRecord(t *testing.T) {
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(3))
	f, err := excelize.OpenFile(name)
	if err == nil {
		err = f.DeleteSheet(seal.HiddenSheet)
	}
	if err := errors.Join(err, f.Save(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if trace, ok := TraceOf(name); ok || !trace.Lost {
		t.Errorf("%+v, %t", trace, ok)
	}
	if _, err := Open(name, testKey); err == nil || !strings.Contains(err.Error(), "lost the record") {
		t.Errorf("%v", err)
	}

	// So it is where the rows below the headers are damaged.
	damaged := filepath.Join(t.TempDir(), "damaged.xlsx")
	damage(t, name, damaged)
	if trace, ok := TraceOf(damaged); ok || !trace.Lost {
		t.Errorf("%+v, %t", trace, ok)
	}
}

// damage writes a workbook again without the end of each of its sheets.
func damage(t *testing.T, from, to string) {
	t.Helper()
	r, err := zip.OpenReader(from)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	for _, f := range r.File {
		in, openErr := f.Open()
		out, createErr := w.Create(f.Name)
		if err := errors.Join(openErr, createErr); err != nil {
			t.Fatal(err)
		}
		part, readErr := io.ReadAll(in)
		if strings.HasPrefix(f.Name, "xl/worksheets/") {
			if i := bytes.Index(part, []byte(`<row r="3"`)); i > 0 {
				part = part[:i+20]
			}
		}
		_, err = out.Write(part)
		if err := errors.Join(readErr, err, in.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Close(), w.Close(), os.WriteFile(to, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestOthersFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	f := excelize.NewFile()
	if err := f.SetCellStr("Sheet1", "A1", "Order"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "schedule.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "schedule.csv")
	if err := os.WriteFile(plain, []byte("Order,Rider\n1,A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, plain} {
		_, err := Open(p, testKey)
		var in *importer.InputError
		if !errors.As(err, &in) || !strings.Contains(in.Reason, "not a results file") {
			t.Errorf("%s: %v", p, err)
		}
	}
	o := resultstest.Options(t, results.XLSX)
	o.Redact = true
	name, _ := resultstest.Write(t, o, resultstest.RunStart(), resultstest.Night(3))
	if _, err := Open(name, testKey); err == nil || !strings.Contains(err.Error(), "redacted") {
		t.Errorf("redacted results: %v", err)
	}
	other := errors.New("another ledger")
	name, _ = resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(3))
	if _, err := Open(name, func(string) ([]byte, error) { return nil, other }); !errors.Is(err, other) {
		t.Errorf("the key's error was lost: %v", err)
	}
}
