package nightly

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/sandbox/inject"
)

// The rates of a normal office: those of the month of imports in importer/app, which says
// where they come from.
const (
	monthMoved, monthAdded, monthRenamed, monthFaulty = 8, 6, 1, 5
	lostEvery, noGUIDEvery, refusedEvery              = 4000, 9000, 300
	monthHoliday                                      = 26
)

// A monthRow is a row of the broker's schedule.
type monthRow struct {
	id, rider, space, ret, note              string
	minute                                   int
	from, cancelAt, moveAt, renameAt, noteAt int // exports; 9 for never
}

// TestMonth lives through a month of a normal office with three exports a day, whose staff
// answer the morning workbook, and counts mails and pings. Nothing is wrong with any
// night, so nobody may be told so. TRIPIMPORT_LONG=1 has 600 trips on each of 30 nights,
// otherwise it is a few days of a small office.
func TestMonth(t *testing.T) {
	if testing.Short() {
		t.Skip("the bad week runs as much under the race detector, for which the short tests are")
	}
	days, rows := 3, 30
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		days, rows = 30, 400
	}
	o := newOffice(t)
	o.faults = []inject.Fault{{Kind: "500", Commit: "after", Every: lostEvery}, {Kind: "no-guid", Every: noGUIDEvery}, {Kind: "400", Every: refusedEvery}}
	o.serve()
	rng := rand.New(rand.NewPCG(15, 15))
	first := importer.Date{Year: 2026, Month: 12, Day: 1}
	var subjects []string
	pings := map[string]int{}
	answers := 0
	for n := range days {
		day := first.AddDays(n)
		schedule := o.month(rng, day, n, rows)
		for e, when := range []string{"21:30", "04:30", "13:00"} {
			on := day
			if e == 0 {
				on = day.AddDays(-1)
			}
			o.now = at(t, o.night.Config.Zone, on.String()+" "+when)
			o.write("in/lakeshore.csv", monthText(schedule, day, e))
			o.must(o.night.Run(context.Background()))
			o.now = o.now.Add(5 * time.Minute)
			o.must(o.night.Run(context.Background()))
			if e > 0 {
				answers += o.answerMorning()
			}
		}
		for _, m := range o.mails {
			subjects = append(subjects, m.Subject)
		}
		for _, p := range o.pings {
			pings[p]++
		}
		o.mails, o.pings = nil, nil
	}
	acts := 0
	for _, s := range subjects {
		t.Log(s)
		if strings.HasPrefix(s, "ACT") {
			acts++
		} else if odd := strings.Contains(s, "trips for "+first.AddDays(monthHoliday).Spoken()); !strings.HasPrefix(s, "list ") && !odd {
			t.Errorf("a false alarm: %s", s)
		}
	}
	t.Logf("%d nights: %d mails, %d of them to act before the next pickup; pings %v; %d answers in the morning workbook", days, len(subjects), acts, pings, answers)
	if pings["start"] != days || pings["success"] != days || pings["fail"] > 0 {
		t.Errorf("pings %v", pings)
	}
	for _, trip := range o.service.Trips() {
		if trip.Again > 0 {
			t.Errorf("%s was booked twice", trip.TripID)
		}
	}
}

// answerMorning answers everything in the morning workbook, as staff do. It returns the number
// of answers; the next slot takes them.
func (o *officeAtNight) answerMorning() int {
	m := o.morning()
	answers := map[string]string{}
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		answers[item.Trip.ID] = answerTo(&item)
	}
	if len(answers) > 0 {
		o.fill(answers)
	}
	return len(answers)
}

func answerTo(item *results.OpenItem) string {
	out := &item.Outcome
	switch {
	case out.State == importer.Unknown, out.GUIDMissing:
		return "there"
	case out.State.Booked():
		return "done by hand"
	case out.Question == importer.AskReplaced:
		return "meant"
	}
	return "leave it"
}

// month is the schedule of a day. On the holiday a tenth of the riders travel.
func (o *officeAtNight) month(rng *rand.Rand, day importer.Date, n, rows int) []*monthRow {
	if n == monthHoliday {
		rows /= 10
	}
	var all []*monthRow
	for i := range rows {
		r := &monthRow{
			id: fmt.Sprintf("D%02d-%03d", n, i), rider: fmt.Sprintf("R-%03d", i), space: "AMB", minute: 5*60 + i*14*60/rows,
			cancelAt: 9, moveAt: 9, renameAt: 9, noteAt: 9,
		}
		if i%2 == 0 {
			r.ret = "21:15"
		}
		switch p := rng.IntN(1000); {
		case p < 100:
			r.cancelAt = rng.IntN(3)
		case p < 100+1000*monthMoved/400:
			r.moveAt = 1 + rng.IntN(2)
		case p < 140:
			r.from = 1 + rng.IntN(2)
		case p < 143:
			r.renameAt = 1
		case p < 155:
			r.space = "Gurney"
		}
		if rng.IntN(10) == 0 {
			r.note, r.noteAt = "ring twice", 1+rng.IntN(2)
		}
		all = append(all, r)
	}
	return all
}

// monthText is the export number e of the rows.
func monthText(rows []*monthRow, day importer.Date, e int) string {
	text := strings.TrimSuffix(header, "\n") + ",Cancelled,Pickup Notes\n"
	for i, r := range rows {
		if e < r.from {
			continue
		}
		id, minute, cancelled, note, round := r.id, r.minute, "", "", "No"
		if e >= r.cancelAt {
			cancelled = "yes"
		}
		if e >= r.moveAt && minute > 14*60 {
			minute += 20
		}
		if e >= r.renameAt {
			id += "X"
		}
		if e >= r.noteAt {
			note = r.note
		}
		if r.ret != "" {
			round = "Yes"
		}
		text += fmt.Sprintf("%s,%s,Lakeshore Transit,Harborview Health,%s,%d Alder Ct,Westfield,MI,48111,42.%03d,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,%d/%d/%d,%d:%02d,,No,%s,%s,%s,%s\n",
			id, r.rider, r.space, 10+i, 300+i, day.Month, day.Day, day.Year, minute/60, minute%60, round, r.ret, cancelled, note)
	}
	return text
}
