package app_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/app"
)

// TestTracesOfOtherRuns puts results of runs that the ledger does not have beside the schedule.
// Results of early versions, which have no number, prove nothing, and neither do results of
// another ledger.
func TestTracesOfOtherRuns(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	o.must(o.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "schedule.csv"))
	written, err := filepath.Glob("*.results.csv")
	if err != nil || len(written) != 1 {
		t.Fatalf("the results are %v, %v", written, err)
	}

	for name, c := range map[string]struct {
		change  func(record map[string]any)
		refused bool
	}{
		"the same run":    {func(map[string]any) {}, false},
		"another run":     {func(r map[string]any) { r["Run"] = "20261130T031500Z-5f3a1c" }, true},
		"a later number":  {func(r map[string]any) { r["Number"] = 1000 }, true},
		"without number":  {func(r map[string]any) { r["Run"] = "20261130T031500Z-5f3a1c"; delete(r, "Number") }, false},
		"another ledger":  {func(r map[string]any) { r["Run"], r["Ledger"] = "20261130T031500Z-5f3a1c", "OTHER" }, false},
		"no results file": {func(r map[string]any) { delete(r, "Version") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(written[0])
			o.must(err)
			key := regexp.MustCompile(`tripimport key [\w-]+`)
			sealed := strings.TrimPrefix(string(key.Find(text)), "tripimport key ")
			data, err := base64.RawURLEncoding.DecodeString(sealed)
			o.must(err)
			record := map[string]any{}
			o.must(json.Unmarshal(data, &record))
			c.change(record)
			data, err = json.Marshal(record)
			o.must(err)
			o.write("trace.csv", strings.Replace(string(text), sealed, base64.RawURLEncoding.EncodeToString(data), 1))

			inserts := o.inserts.Load()
			err = o.app().Import(context.Background(), app.Options{Today: "2026-12-01", Output: "again.csv"}, app.Silent{}, "schedule.csv")
			var refused importer.Advised
			if errors.As(err, &refused) != c.refused || c.refused && !strings.Contains(importer.SayAll(refused.Advice(), spelled), "trace.csv") {
				t.Errorf("got %v", err)
			}
			if o.inserts.Load() != inserts {
				t.Error("trips were sent")
			}
		})
	}
}
