package serve_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// BenchmarkCheck checks 6,000 rows as the screen of the faults does after a fix.
func BenchmarkCheck(b *testing.B) {
	o := newOffice(b)
	w, err := o.jobs.Arrive(context.Background(), "schedule.csv", time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC), strings.NewReader(manyRows(6000)))
	o.must(err)
	was, is := "Gurney", "Gurneys"
	for b.Loop() {
		_, err := o.jobs.Fix(context.Background(), w.ID, app.CellFix{Row: 7, Col: spaceType, Was: was, Is: is})
		o.must(err)
		was, is = is, was
		_, err = o.jobs.Check(context.Background(), w.ID, func(importer.RowResult) {})
		o.must(err)
	}
}
