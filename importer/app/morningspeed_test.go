package app_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// BenchmarkMorning measures the morning list of an office with the results of 90 nights in one
// folder, of 400 rows and 600 trips each. Nobody has ever answered.
func BenchmarkMorning(b *testing.B) {
	const nights = 90
	o := newMonthOffice(b, nil)
	o.env["TRIPIMPORT_RESULTS_FORMAT"] = "xlsx"
	rng := rand.New(rand.NewPCG(15, 90))
	for n := range nights {
		day := importer.Date{Year: 2026, Month: 12, Day: 1}.AddDays(n)
		evening := day.AddDays(-1)
		o.clock.now = time.Date(evening.Year, evening.Month, evening.Day, 21, 30, 0, 0, time.UTC)
		o.write("night.csv", monthText(o.schedule(rng, day, n), day, 0))
		o.urgent, o.lists, o.causes = map[string]int{}, map[string]importer.RowResult{}, noCauses()
		_ = o.monthApp().Import(context.Background(), app.Options{}, o, "night.csv") // some rows are faulty
	}
	found, _ := filepath.Glob("*.results.xlsx")
	if len(found) != nights {
		b.Fatalf("%d results", len(found))
	}
	for _, path := range found {
		o.must(os.Chtimes(path, time.Time{}, o.clock.now.AddDate(0, 0, -nights)))
	}

	for b.Loop() {
		m, _, err := o.monthApp().Morning(context.Background(), app.MorningOptions{})
		if err != nil || len(m.Urgent)+len(m.Listed) == 0 || len(m.Lost) > 0 {
			b.Fatalf("%+v, %v", m, err)
		}
	}
}
