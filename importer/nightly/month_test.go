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
	raised, left                             bool
}

// as returns the id and the minute of a row's outbound trip in an export.
func (r *monthRow) as(e int) (id string, minute int) {
	id, minute = r.id, r.minute
	if e >= r.moveAt && minute > 14*60 {
		minute += 20
	}
	if e >= r.renameAt {
		id += "X"
	}
	return id, minute
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
	answers, read, raised, longest := 0, 0, 0, 0
	var acts []string
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
			o.must(o.awake().Run(context.Background()))
			o.now = o.now.Add(5 * time.Minute)
			o.must(o.awake().Run(context.Background()))
			for ; read < len(o.mails); read++ {
				m := o.mails[read]
				these, troubles := partsOf(m)
				acts = append(acts, these...)
				for _, line := range troubles {
					if n == monthHoliday && strings.Contains(line, "are usual") {
						continue // it is so few that somebody may have lost the rest
					}
					t.Errorf("%s: a false alarm: %s", o.now.Format("Jan 2 15:04"), line)
				}
			}
			seenBy := o.night.Config.seenBy(o.now)
			o.checkRaised(schedule, day, e, importer.DateTimeOf(seenBy.In(o.night.Config.Zone)), acts)
			raised += len(acts)
			acts = nil
			if e > 0 {
				answers += o.answerMorning(schedule)
			}
			m := o.morning()
			longest = max(longest, len(m.Urgent)+len(m.Listed))
		}
		for _, m := range o.mails {
			subjects = append(subjects, m.Subject)
		}
		read = 0
		for _, p := range o.pings {
			pings[p]++
		}
		o.mails, o.pings = nil, nil
	}
	urgent := 0
	for _, s := range subjects {
		t.Log(s)
		if strings.HasPrefix(s, "ACT") {
			urgent++
		} else if odd := strings.Contains(s, "trips for "+first.AddDays(monthHoliday).Spoken()); !strings.HasPrefix(s, "list ") && !odd {
			t.Errorf("a false alarm: %s", s)
		}
	}
	t.Logf("%d nights: %d mails, %d of them to act before the next pickup, with %d trips; pings %v; %d answers in the morning workbook, whose list had %d lines at most",
		days, len(subjects), urgent, raised, pings, answers, longest)
	if pings["start"] != days || pings["success"] != days || pings["fail"] > 0 {
		t.Errorf("pings %v", pings)
	}
	for _, trip := range o.service.Trips() {
		if trip.Again > 0 {
			t.Errorf("%s was booked twice", trip.TripID)
		}
	}
}

// checkRaised compares what the mails say is to be acted on with the trips at risk: those that are wanted,
// are not in the service as they are wanted, and begin before somebody reads the list, or have begun and come too
// late to be sent. Each is raised once; one that was meant besides another also if it came too late then. An answer that was lost may be of any trip.
func (o *officeAtNight) checkRaised(schedule []*monthRow, day importer.Date, e int, seenBy importer.DateTime, acts []string) {
	o.Helper()
	service := map[string]string{}
	for _, trip := range o.service.Trips() {
		service[trip.TripID] = strings.TrimSuffix(trip.Values["pickup.pickup_time"], ":00.000")
	}
	at := func(minute int) importer.DateTime {
		return importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: minute / 60, Minute: minute % 60}}
	}
	now := importer.DateTimeOf(o.now.Add(-5 * time.Minute).In(o.night.Config.Zone)) // of the slot
	late := func(begins importer.DateTime) bool {                                   // it has begun, and is worth a call
		since := begins.MinutesUntil(now)
		return since > 0 && since <= 3*60
	}
	told := func(start string) bool {
		i := slices.IndexFunc(acts, func(line string) bool { return strings.HasPrefix(line, start) })
		if i >= 0 {
			acts = slices.Delete(slices.Clone(acts), i, i+1)
		}
		return i >= 0
	}
	for _, r := range schedule {
		if e < r.from || e >= r.cancelAt {
			continue
		}
		id, minute := r.as(e)
		if e == r.renameAt+1 && r.raised && r.space == "AMB" && late(at(minute)) && !told(at(minute).TimeOfDay.String()) {
			o.Errorf("%s: nobody was told that %s was meant, and was not sent in time", o.now.Format("Jan 2 15:04"), id)
		}
		if r.left || r.raised {
			continue
		}
		was, _ := r.as(e - 1)
		_, there := service[was]
		_, both := service[was+"-A"]
		if e == r.renameAt && e > r.from && r.space == "AMB" && (there || both) { // a trip that is booked comes under another id: perhaps a second car
			r.raised = told(at(minute).TimeOfDay.String()) && (r.ret == "" || told(r.ret))
			if !r.raised {
				o.Errorf("%s: nobody was told that %s may be a second car", o.now.Format("Jan 2 15:04"), id)
			}
			continue
		}
		due, why, missing := importer.DateTime{}, "", true
		legs := map[string]int{id: minute}
		if r.ret != "" {
			legs = map[string]int{id + "-A": minute, id + "-B": 21*60 + 15}
		}
		for trip, minute := range legs {
			booked, there := service[trip]
			missing = missing && !there
			begins := at(minute)
			if there && booked != "" && booked < begins.String() { // it stands earlier in the service than it is wanted
				begins = at(r.minute)
			}
			if (!there || booked != "" && booked != at(minute).String()) && (due.IsZero() || begins.Compare(due) < 0) {
				due, why = begins, fmt.Sprint(trip, " is ", booked, " in the service")
			}
		}
		if due.IsZero() || due.Compare(seenBy) >= 0 || due.Compare(now) <= 0 && (!missing || !late(due)) {
			continue
		}
		if r.raised = told(due.TimeOfDay.String()); !r.raised {
			o.Errorf("%s: nobody was told of the trip at %s: %s", o.now.Format("Jan 2 15:04"), due, why)
		}
	}
	for _, line := range acts {
		if !strings.Contains(line, "may be booked") {
			o.Errorf("%s: nothing is wrong: %s", o.now.Format("Jan 2 15:04"), line)
		}
	}
}

// answerMorning answers everything in the morning workbook, as staff do. It returns the number
// of answers; the next slot takes them.
func (o *officeAtNight) answerMorning(schedule []*monthRow) int {
	m := o.morning()
	answers := map[string]string{}
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		answers[item.Trip.ID] = answerTo(&item)
		for _, r := range schedule {
			r.left = r.left || strings.HasPrefix(item.Trip.ID, r.id)
		}
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
		id, minute := r.as(e)
		cancelled, note, round := "", "", "No"
		if e >= r.cancelAt {
			cancelled = "yes"
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
