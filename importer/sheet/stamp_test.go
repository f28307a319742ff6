package sheet_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tripimport/importer/sheet"
)

// A schedule is as old as its workbook says, otherwise as its name does, otherwise as
// the file is.
func TestStamp(t *testing.T) {
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	written := time.Date(2026, 12, 1, 22, 0, 0, 0, time.UTC)
	at := func(hour, minute int) time.Time { return time.Date(2026, 12, 1, hour, minute, 0, 0, chicago) }
	for name, c := range map[string]struct {
		core string // docProps/core.xml; empty for a file that is no workbook
		want time.Time
	}{
		"trips_20261201_1800.csv":              {want: at(18, 0)},
		"trips 2026-12-01 18.05.csv":           {want: at(18, 5)},
		"2026-12-01T180512.csv":                {want: at(18, 5).Add(12 * time.Second)},
		"2026-12-01 18-05-12 b.csv":            {want: at(18, 5).Add(12 * time.Second)},
		"trips 2026-12-01 06-05 PM.csv":        {want: at(18, 5)},
		"trips 2026-12-01 6.05pm (2).csv":      {want: at(18, 5)},
		"trips 2026-12-01 12-05 PM.csv":        {want: at(12, 5)},
		"trips 2026-12-01 12-05-30 am.csv":     {want: at(0, 5).Add(30 * time.Second)},
		"trips 2026-12-01 18-05 PM.csv":        {want: at(18, 5)},
		"trips 20261202T000500Z.csv":           {want: at(18, 5)},
		"trips 2026-12-01 part 1-10.csv":       {want: written},
		"trips 2026-12-01 1-10.csv":            {want: written}, // the first part of ten
		"trips_20261202.csv":                   {want: written}, // the day of the trips
		"trips.csv":                            {want: written},
		"trips_20261301_1800.csv":              {want: written},
		"20261201_1800_to_20261202_1800.csv":   {want: written},
		"order 20261201_18001234.csv":          {want: written},                                                                                                                                  // an id
		"workbook.xlsx":                        {"<cp:coreProperties xmlns:cp=\"a\" xmlns:dcterms=\"b\"><dcterms:modified>2026-12-01T23:30:00Z</dcterms:modified></cp:coreProperties>", written}, // what is inside is not asked
		"workbook 2026-12-01 18-05.xlsx":       {"<coreProperties/>", at(18, 5)},
		"workbook 2026-12-01 18-05 (bad).xlsx": {"<cor", at(18, 5)},
	} {
		path := filepath.Join(t.TempDir(), name)
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.core != "" {
			z := zip.NewWriter(out)
			part, err := z.Create("docProps/core.xml")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write([]byte(c.core))
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
		if got, _ := sheet.Stamp(path, chicago); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
