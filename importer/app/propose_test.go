package app_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer/app"
	"tripimport/importer/sheet"
)

// BenchmarkPropose compares proposing a mapping for a sheet of 200 columns and 100,000
// rows with reading its first 5,000 rows: go test ./importer/app -run '^$' -bench Propose.
// It reports how many times as long it takes.
func BenchmarkPropose(b *testing.B) {
	path := filepath.Join(b.TempDir(), "wide.csv")
	writeWide(b, path, 100_000)
	a, err := app.New(app.Environment{Lookup: func(name string) (string, bool) { return b.TempDir(), name == "TRIPIMPORT_HOME" }}, nil)
	if err != nil {
		b.Fatal(err)
	}

	var reading, proposing time.Duration
	for b.Loop() {
		began := time.Now()
		file, err := sheet.Open(path, sheet.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := file.Head(5000); err != nil {
			b.Fatal(err)
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
		reading += time.Since(began)

		began = time.Now()
		if _, err := a.ProposeMapping(path); err != nil {
			b.Fatal(err)
		}
		proposing += time.Since(began)
	}
	b.ReportMetric(float64(proposing)/float64(reading), "times")
	b.ReportMetric(reading.Seconds()/float64(b.N), "s-read")
}

// writeWide writes a schedule of 200 columns.
func writeWide(b *testing.B, path string, rows int) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	fmt.Fprint(w, "Trip ID,Rider ID,Date,Pickup Time,Appointment Time,Pickup Address,Dropoff Address,Mobility,Status,Phone")
	for i := range 190 {
		fmt.Fprintf(w, ",%s %d", []string{"Comment", "Reported Time", "Fare Part", "Route Kode", "Memo Field"}[i%5], i)
	}
	rest := strings.Repeat(",\"left, then right\",10:35,12.50,QX-17,some words", 38)
	for i := range rows {
		fmt.Fprintf(w, "\nT-%d,R-%d,12/%d/2026,8:%02d,9:30,\"%d Alder Ct, Westfield, MI 48111\",\"%d Bay Rd, Westfield, MI 48111\",AMB,ACTIVE,414555%04d%s", i, i/2, 1+i%28, i%60, i, i, i%10000, rest)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}

// TestMapGoesOn answers a question of a draft that could be used as it is, and stops: the same command goes on
// with the other ones in that file. Once all are answered, the layout is mapped.
func TestMapGoesOn(t *testing.T) {
	dir := t.TempDir()
	path, own := filepath.Join(dir, "lake_20261202.csv"), filepath.Join(dir, "mine.yaml")
	const night = "Trip ID,Rider ID,Provider,Funding Source,Space Type,Date,Pickup Time,Pickup Address,Dropoff Address\n" +
		"T-1,R-1,Lakeshore Transit,County Plan,AMB,12/2/2026,8:30 AM,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\"\n"
	if err := os.WriteFile(path, []byte(night), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := app.New(app.Environment{Lookup: func(name string) (string, bool) { return dir, name == "TRIPIMPORT_HOME" }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	propose := func() app.Proposal {
		t.Helper()
		p, err := a.ProposeMapping(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}

	p := propose()
	f := &app.DraftFile{Path: own}
	text, _, err := f.Open(&p, true)
	for err == nil {
		open := p.Open(text)
		if len(open) == 0 {
			break
		}
		var again string
		if text, again = p.Answer(text, &open[0], "1"); again != "" {
			t.Fatal(again)
		}
		if err = f.Write(text); err != nil {
			break
		}

		p = propose()
		done := len(open) == 1
		if p.Fits != done || (p.Own == own) != done {
			t.Fatalf("%d left: fits %v, own %s\n%s", len(open)-1, p.Fits, p.Own, text)
		}
		if done {
			break
		}
		var begun bool
		if text, begun, err = f.Open(&p, true); !begun || len(p.Open(text)) != len(open)-1 {
			t.Errorf("%v, %v: %+v", begun, err, p.Open(text))
		}
	}
	if _, _, openErr := f.Open(&p, true); err != nil || openErr == nil {
		t.Errorf("%v, %v: a mapping without questions was taken for a draft", err, openErr)
	}
}
