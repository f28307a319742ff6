package app_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox/inject"
)

// TestRaisedOnce imports a schedule again and again, in which one trip may be booked and
// another is cancelled after it was booked. The first raises 4 once, when it is new; then it is
// listed, and past it is nothing. The other is the day's ordinary work.
func TestRaisedOnce(t *testing.T) {
	o := newMonthOffice(t, []inject.Fault{{Kind: "500", Commit: "after", Trip: "T-2"}})
	rows := strings.Split(strings.ReplaceAll(goodRows, ",Yes,1:00 PM", ",No,"), "\n")
	for i, step := range []struct {
		day, hour, minute int
		cancelled         string
		want              app.Status
		raises            string
	}{
		{1, 21, 30, "", app.NeedsPerson, "unknown "},
		{1, 21, 40, "", app.Listed, ""},
		{1, 22, 0, "yes", app.Listed, ""},
		{2, 5, 45, "yes", app.Listed, ""}, // it begins at 8:30
		{2, 6, 5, "yes", app.Listed, ""},  // at 9:00
		{2, 8, 25, "yes", app.Listed, ""},
		{2, 8, 40, "yes", app.Listed, ""},
		{2, 9, 5, "yes", app.Done, ""},
	} {
		o.clock.now = time.Date(2026, 12, step.day, step.hour, step.minute, 0, 0, time.UTC)
		o.write("night.csv", fmt.Sprintf("%s,Cancelled\n%s%s\n%s\n", strings.TrimSuffix(header, "\n"), rows[0], ","+step.cancelled, rows[1]+","))
		o.urgent, o.lists = map[string]int{}, map[string]importer.RowResult{}
		status := app.StatusOf(o.monthApp().Import(context.Background(), app.Options{Output: filepath.Join(o.folder, fmt.Sprintf("results-%d.csv", i))}, o, "night.csv"))
		raised := ""
		for kind := range o.urgent {
			raised += kind
		}
		if status != step.want || raised != step.raises {
			t.Errorf("December %d, %d:%02d: status %d, raised %q; want %d, %q", step.day, step.hour, step.minute, status, raised, step.want, step.raises)
		}
	}
}
