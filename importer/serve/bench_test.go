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
	for b.Loop() {
		jobs := app.NewJobs(o.environment(), nil) // which remembers no check
		_, err := jobs.Check(context.Background(), w.ID, func(importer.RowResult) {})
		o.must(err)
	}
}
