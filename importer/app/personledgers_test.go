package app_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer/app"
)

// A simCopy is a copy that somebody made of the ledger.
type simCopy struct {
	kind, folder string
	bookings     int // how many trips were booked then
}

// copyTree copies a folder, if it is there: a new machine has no marks at first.
func (o *simulatedOffice) copyTree(from, to string) {
	o.must(os.MkdirAll(from, 0o700))
	o.must(os.MkdirAll(to, 0o700))
	o.must(os.CopyFS(to, os.DirFS(from)))
}

// makeCopy copies the ledger: by the command, the file alone, its folder, or all of the
// machine, the marks too; the last one also in the middle of a run.
func (o *simulatedOffice) makeCopy(at int) {
	c := simCopy{kind: []string{"backup", "folder", "machine", "middle"}[o.rng.IntN(4)], folder: filepath.Join(o.folder, fmt.Sprint("copy", len(o.copies)))}
	o.note("copy %s", c.kind)
	o.did["copies"]++
	if o.cluster != nil {
		o.copies = append(o.copies, simCopy{kind: "database", folder: o.cluster.Copy(o.TB, o.env["TRIPIMPORT_LEDGER"]), bookings: len(o.service.bookings)})
		return
	}
	if c.kind == "backup" {
		c.bookings = len(o.service.bookings)
		o.must(os.MkdirAll(c.folder, 0o700))
		o.must(o.simApp().BackupLedger(context.Background(), filepath.Join(c.folder, "ledger.db")))
		o.copies = append(o.copies, c)
		return
	}
	take := func() {
		c.bookings = len(o.service.bookings)
		o.copyTree(o.env["TRIPIMPORT_HOME"], filepath.Join(c.folder, "home"))
		o.copyTree(o.env["TRIPIMPORT_MARKS"], filepath.Join(c.folder, "marks"))
	}
	if c.kind == "middle" {
		n := 1 + o.rng.IntN(3)
		o.service.onInsert = func() {
			if n--; n == 0 {
				c.bookings-- // this one is not known yet
				take()
			}
		}
		o.importAgain(at)
		o.service.onInsert = nil
	}
	if _, err := os.Stat(c.folder); err != nil {
		take()
	}
	o.copies = append(o.copies, c)
}

// restore puts a copy in the ledger's place.
func (o *simulatedOffice) restore(at int) {
	if len(o.copies) == 0 {
		o.makeCopy(at)
		return
	}
	c := o.copies[o.rng.IntN(len(o.copies))]
	if o.cluster != nil {
		o.note("restore %s", c.folder)
		o.did["restored: database"]++
		o.env["TRIPIMPORT_LEDGER"] = o.cluster.Copy(o.TB, c.folder)
		return
	}
	from := filepath.Join(c.folder, "home")
	if c.kind == "backup" {
		from = c.folder
	}
	home := o.env["TRIPIMPORT_HOME"]
	how := []string{"ledger", "lock", "folder", "machine", "other machine"}[o.rng.IntN(5)]
	if c.kind == "backup" && how != "other machine" {
		how = "ledger"
	}
	o.note("restore %s of %s", how, filepath.Base(c.folder))
	o.did["restored: "+how]++
	put := func(names ...string) {
		for _, name := range names {
			_ = os.Remove(filepath.Join(home, name))
			data, err := os.ReadFile(filepath.Join(from, name))
			if err == nil {
				o.must(os.WriteFile(filepath.Join(home, name), data, 0o600))
			}
		}
	}
	switch how {
	case "ledger":
		put("ledger.db", "ledger.db-wal", "ledger.db-shm")
	case "lock":
		put("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db.lock")
	case "folder":
		o.must(os.RemoveAll(home))
		o.copyTree(from, home)
	case "machine":
		o.must(os.RemoveAll(home))
		o.copyTree(from, home)
		o.must(os.RemoveAll(o.env["TRIPIMPORT_MARKS"]))
		o.copyTree(filepath.Join(c.folder, "marks"), o.env["TRIPIMPORT_MARKS"])
	default:
		o.homes++
		home = filepath.Join(o.folder, fmt.Sprint("home", o.homes))
		o.must(os.MkdirAll(home, 0o700))
		put("ledger.db", "ledger.db-wal", "ledger.db.key")
		o.env["TRIPIMPORT_HOME"], o.env["TRIPIMPORT_MARKS"] = home, filepath.Join(o.folder, fmt.Sprint("marks", o.homes))
		o.env["TRIPIMPORT_MACHINE_ID"] = fmt.Sprint("machine ", o.homes)
	}
}

// adopt takes the ledger into use, after a refusal: with all results of the night, or,
// rarely, without, when the results are moved away as well and the administrator has
// been told what that means.
func (o *simulatedOffice) adopt(at int) {
	files := slices.Sorted(maps.Keys(o.results))
	if !o.service.calm && o.rng.IntN(6) == 0 {
		o.note("adopt without results")
		o.did["adopted without results"]++
		_, _, err := o.simApp().AdoptLedger(context.Background())
		o.must(err)
		if _, err := o.importAt(at); app.StatusOf(err) != app.NotSetUp || !strings.Contains(err.Error(), "it lacks what was sent according to") {
			return // nothing is missing
		}
		for t, text := range o.corrected { // an older ledger may not have the correction
			if o.service.booking(t) == nil {
				o.wrongly[t] = text
			}
		}
		if o.rng.IntN(2) == 0 { // what was sent since is known to be sent again
			for _, path := range files {
				o.must(os.Remove(path))
			}
			clear(o.results)
			for i := range o.desks {
				o.desks[i].newest, o.desks[i].shown = "", nil
			}
			for _, b := range o.service.bookings {
				o.service.allowed[b.simTrip] = true
			}
			for t := range o.service.lost {
				o.service.allowed[t] = true
			}
			maps.Copy(o.service.mayLeave, o.service.left)
			clear(o.service.left)
			o.note("results moved away")
			o.did["results moved away"]++
			return
		}
	}

	for i, path := range files { // as they were written: editing may have made them prove less
		o.must(os.WriteFile(path, o.results[path], 0o600))
		files[i] = path
	}
	_, n, err := o.simApp().AdoptLedger(context.Background(), files...)
	o.note("adopt with %d results: entered %d, %v", len(files), n, err)
	o.did["adopted with results"]++
	if err != nil {
		o.Errorf("adopt: %v", err)
	}
}
