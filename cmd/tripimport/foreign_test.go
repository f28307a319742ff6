package main

import (
	"os"
	"strings"
	"testing"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
)

// TestForeignSettings has each setting stand in a tripimport.yaml beside the schedule. What can
// hurt is refused by name, whichever command runs, before anything is asked.
func TestForeignSettings(t *testing.T) {
	rows := inventedRows(1, func(int) bool { return false })
	asked := 0
	o := newOffice(t, rows, sandbox.Config{OnRequest: func(sandbox.Operation, []byte) { asked++ }})
	t.Chdir(o.folder)
	harmless := " mapping mappings places results_format "
	for _, s := range app.KnownSettings() {
		if strings.Contains(harmless, " "+s.Key+" ") {
			continue
		}
		o.must(os.WriteFile("tripimport.yaml", []byte(s.Key+": 7300037\n"), 0o600))
		for _, args := range [][]string{
			{"import", "--today", "2026-12-01", "night.csv"}, {"check", "--online", "night.csv"}, {"access"}, {"ledger"}, {"config"},
		} {
			got := o.run(args...)
			if got.status != exitUsage || !strings.Contains(got.err, "tripimport.yaml:1 sets "+s.Key+";") || strings.Contains(got.err, "7300037") || asked > 0 {
				t.Errorf("%s, %v: status %d, %d trips sent: %s", s.Key, args, got.status, asked, got.err)
			}
		}
	}
}
