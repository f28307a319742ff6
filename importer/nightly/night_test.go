package nightly

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNight lives through a normal night.
func TestNight(t *testing.T) {
	o := newOffice(t)
	o.must(o.wake("2026-12-01 21:25"))
	before := o.snapshot()
	o.must(o.wake("2026-12-01 21:29"))
	if after := o.snapshot(); o.lines != nil || !slices.Equal(before, after) {
		t.Errorf("nothing is due, and it printed %q, and left %q, before %q", o.lines, after, before)
	}

	o.must(o.wake("2026-12-01 21:30"))
	o.wantPings("start")
	o.drop("lakeshore_1202.csv", "12/2/2026", ids("T", 5)...)
	o.must(o.wake("2026-12-01 21:35"))
	o.wantBooked(ids("T", 5)...)
	o.wantMails("list 0 · 5 booked")
	o.wantPings("success")
	o.wantFiles("in")
	o.wantFiles("done", "lakeshore_1202.csv")

	o.drop("lakeshore_1202.csv", "12/2/2026", append(ids("T", 5), "T-new")...)
	o.wakes("2026-12-01 21:40", "2026-12-02 05:10")
	o.wantBooked("T-new")
	o.wantPings()
	o.wantFiles("done", "lakeshore_1202-2.csv", "lakeshore_1202.csv")
	for _, line := range o.lines {
		t.Log(line)
	}
	for _, m := range o.mails {
		t.Log(m.Subject, "\n"+m.Text)
	}
}

// snapshot lists the files of the office with their sizes and times, without those by which
// SQLite reads.
func (o *officeAtNight) snapshot() (all []string) {
	o.Helper()
	o.must(filepath.Walk(o.dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !strings.HasSuffix(path, "-wal") && !strings.HasSuffix(path, "-shm") {
			all = append(all, fmt.Sprint(path, " ", info.Size(), " ", info.ModTime()))
		}
		return err
	}))
	return all
}
