package app_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/results"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// TestAnsweredAtOnce has two people answer each of some items at once, differently, with a ledger in a
// file and with one in a database: the second is told of the first's answer, and neither counts. There are
// 100 items with TRIPIMPORT_LONG=1, and 10 otherwise.
func TestAnsweredAtOnce(t *testing.T) {
	t.Run("file", func(t *testing.T) { answerAtOnce(t, "") })
	t.Run("database", func(t *testing.T) { answerAtOnce(t, pgtest.Start(t).NewDatabase(t)) })
}

func answerAtOnce(t *testing.T, database string) {
	t.Helper()
	items := 10
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		items = 100
	}
	var rows strings.Builder
	for i := range 3 * items { // every second answer of the service is lost; the run may end before the last rows
		fmt.Fprintf(&rows, "T-%d,R-%d,Lakeshore Transit,Harborview Health,AMB,%d Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,\n", i, i, 10+i)
	}
	o := &monthOffice{desk: &desk{fixture: newFixture(t, rows.String())}, clock: &monthClock{}}
	box, err := sandbox.New(sandbox.Config{Faults: &inject.Plan{Faults: []inject.Fault{{Kind: "500", Commit: "after", Every: 2}}}})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	o.serve(box)
	o.clock.now = time.Date(2026, 12, 1, 21, 30, 0, 0, time.UTC)
	if database == "" {
		o.newLedger()
	} else {
		o.env["TRIPIMPORT_LEDGER"] = database
		_, _, err := o.monthApp().NewLedger(context.Background())
		o.must(err)
	}
	_ = o.monthApp().Import(context.Background(), app.Options{}, app.Silent{}, "schedule.csv") // half of the trips may be booked
	o.clock.now = o.clock.now.Add(time.Hour)
	m, _, err := o.monthApp().Morning(context.Background(), app.MorningOptions{})
	o.must(err)
	all := slices.DeleteFunc(slices.Concat(m.Urgent, m.Listed), func(i results.OpenItem) bool { return i.Outcome.State != importer.Unknown })
	if len(all) < items {
		t.Fatalf("%d items are open, want at least %d", len(all), items)
	}
	before := len(m.Urgent) + len(m.Listed)
	all = all[:items]

	told, longest := 0, time.Duration(0)
	for i := range all {
		var notes [2]string
		var took [2]time.Duration
		var both sync.WaitGroup
		for k, verdict := range []importer.Verdict{importer.There, importer.NotThere} {
			a, item := o.monthApp(), all[i]
			both.Go(func() {
				began := time.Now()
				note, err := answerOnce(a, &item, verdict)
				if err != nil {
					t.Error(err)
				}
				notes[k], took[k] = note, time.Since(began)
			})
		}
		both.Wait()
		longest = max(longest, took[0], took[1])
		if (notes[0] == "") == (notes[1] == "") || !strings.Contains(notes[0]+notes[1], "neither counts until somebody answers about the newest list") {
			t.Errorf("%s: %q and %q", all[i].Trip.ID, notes[0], notes[1])
			continue
		}
		told++
	}
	t.Logf("%d of %d times the second was told; two answers at once took %s at most", told, items, longest.Round(time.Millisecond))
	after, _, err := o.monthApp().Morning(context.Background(), app.MorningOptions{})
	o.must(err)
	for _, item := range slices.Concat(after.Urgent, after.Listed) {
		if i := slices.IndexFunc(all, func(was results.OpenItem) bool { return was.Trip.ID == item.Trip.ID }); i >= 0 && item.Outcome.State != importer.Unknown {
			t.Errorf("%s is %s although nobody knows", item.Trip.ID, item.Outcome.State)
		}
	}
	if open := len(after.Urgent) + len(after.Listed); open != before {
		t.Errorf("%d items are open after contradicting answers, want %d", open, before)
	}
}

// answerOnce answers about an item at a terminal.
func answerOnce(a *app.App, item *results.OpenItem, v importer.Verdict) (string, error) {
	return a.AnswerOpen(context.Background(), item, v, "")
}
