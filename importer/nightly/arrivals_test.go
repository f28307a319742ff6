package nightly

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// dropAt puts a schedule of some trips on Dec 2 into the inbox, with the time at which it was saved.
func (o *officeAtNight) dropAt(name, saved, text string) {
	o.Helper()
	path := filepath.Join(o.dir, "in", name)
	o.must(os.WriteFile(path, []byte(text), 0o600))
	when := at(o.T, o.night.Config.Zone, saved)
	o.must(os.Chtimes(path, when, when))
}

// TestPausedUpload has half of an upload stand still while the slot begins, beside a whole export of
// the afternoon: the rows of both are booked. Once the rest has come, it is the newest.
func TestPausedUpload(t *testing.T) {
	o := newOffice(t)
	o.dropAt("lakeshore1.csv", "2026-12-01 18:10", scheduleOf("12/2/2026", ids("T", 20)...))
	o.dropAt("lakeshore2.csv", "2026-12-01 21:21", scheduleOf("12/2/2026", ids("T", 10)...))
	o.wakes("2026-12-01 21:30", "2026-12-01 21:40")
	o.wantBooked(ids("T", 20)...)
	o.wantMails("half an export")
	o.dropAt("lakeshore2.csv", "2026-12-01 21:41", scheduleOf("12/2/2026", ids("T", 21)...))
	o.wakes("2026-12-01 21:45", "2026-12-01 21:45")
	o.wantBooked("T-021")
	o.wantFiles("in")
}

// TestHalfStaysHalf has the rest of an upload never come: the rows of both are booked, and people are told.
func TestHalfStaysHalf(t *testing.T) {
	o := newOffice(t)
	o.dropAt("lakeshore1.csv", "2026-12-01 18:10", scheduleOf("12/2/2026", ids("T", 20)...))
	o.dropAt("lakeshore2.csv", "2026-12-01 21:21", scheduleOf("12/2/2026", append(ids("T", 9), "T-new")...))
	o.wakes("2026-12-01 21:30", "2026-12-01 22:40")
	o.wantBooked(append(ids("T", 20), "T-new")...)
	o.wantMails("half an export")
}

// TestCutLine has a file end within a line: people are told, and the rest is booked once it has come.
func TestCutLine(t *testing.T) {
	o := newOffice(t)
	text := scheduleOf("12/2/2026", "T-1", "T-2")
	o.dropAt("lakeshore.csv", "2026-12-01 21:21", text[:len(text)-40])
	o.wakes("2026-12-01 21:30", "2026-12-01 21:35")
	o.wantMails("not whole")
	o.dropAt("lakeshore.csv", "2026-12-01 21:36", strings.TrimSuffix(text, "\n")) // many exports end so
	o.must(o.wake("2026-12-01 21:40"))
	o.wantBooked("T-1", "T-2")
}

// TestOpenForWriting has a program keep a file open: it is no file yet. One that only reads it does
// not matter.
func TestOpenForWriting(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("this system does not tell")
	}
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	path := filepath.Join(o.dir, "in", "lakeshore.csv")
	writer, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	o.must(err)
	reader, err := os.Open(path)
	o.must(err)
	o.wakes("2026-12-01 21:30", "2026-12-01 21:40")
	o.wantBooked()
	o.must(writer.Close())
	if runtime.GOOS == "windows" {
		o.must(reader.Close()) // it would keep the file from being moved
	} else {
		defer func() { o.must(reader.Close()) }()
	}
	o.must(o.wake("2026-12-01 21:45"))
	o.wantBooked("T-1")
}

// TestTwoOfficesOneBackupFolder keeps the newest backups of each office.
func TestTwoOfficesOneBackupFolder(t *testing.T) {
	o := newOffice(t)
	for n := range 20 {
		o.write("backup/ledger.ffffffff.202611"+time.Date(2026, 1, n+1, 0, 0, 0, 0, time.UTC).Format("02")+"T000000Z.db", "another office's")
	}
	id, err := mustApp(o).LedgerID(t.Context())
	o.must(err)
	for n := range 20 {
		name := "backup/ledger." + id + ".202611" + time.Date(2026, 1, n+1, 0, 0, 0, 0, time.UTC).Format("02") + "T000000Z.db"
		o.write(name, "ours")
		o.write(name+".key", "its key")
	}
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:30"))
	count := func(pattern string) int {
		files, _ := filepath.Glob(filepath.Join(o.dir, "backup", pattern))
		return len(files)
	}
	if others, ours, keys := count("ledger.ffffffff.*.db"), count("ledger."+id+".*.db"), count("ledger."+id+".*.db.key"); others != 20 || ours != 14 || keys != 14 {
		t.Errorf("%d of the other office, %d and %d keys of this one", others, ours, keys)
	}
}

// TestNightEndsWithABackup brings a second schedule after the summary: the night's last copy of the
// ledger has its trips.
func TestNightEndsWithABackup(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:30"))
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.wakes("2026-12-01 23:00", "2026-12-02 05:00")
	copies, _ := filepath.Glob(filepath.Join(o.dir, "backup", "*.db"))
	if len(copies) != 2 {
		t.Fatalf("the copies are %q", copies)
	}
}
