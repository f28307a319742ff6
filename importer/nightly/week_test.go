package nightly

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// TestBadWeek lives through a week in which something is wrong every night: each alarm is
// right, none is false, every trip is sent once, and the morning list has what is open by
// the service's log, until it is answered.
func TestBadWeek(t *testing.T) {
	o := newOffice(t)
	trips := func(prefix string) []string { return ids(prefix, 12) }
	night := func(what, on string, mails, pings []string) {
		t.Helper()
		o.wakes(nextDay(t, on)+" 04:30", nextDay(t, on)+" 05:05")
		t.Logf("%s: %d mails, %d pings", what, len(o.mails), len(o.pings))
		o.wantMails(mails...)
		o.wantPings(pings...)
		o.wantOpen(nextDay(t, on))
	}

	o.wakes("2026-12-01 21:30", "2026-12-01 23:35")
	o.drop("lakeshore.csv", "12/2/2026", trips("late")...)
	o.wakes("2026-12-01 23:40", "2026-12-02 00:00")
	o.wantBooked(trips("late")...)
	night("late", "2026-12-01", []string{"no schedule of Wed Dec 2, 2026 has come", "list 0 · 12 booked"}, []string{"start", "success"})

	o.drop("lakeshore1.csv", "12/3/2026", trips("twice")...)
	o.drop("lakeshore2.csv", "12/3/2026", trips("twice")...)
	o.wakes("2026-12-02 21:30", "2026-12-02 21:45")
	o.drop("lakeshore3.csv", "12/3/2026", trips("twice")...)
	o.wakes("2026-12-02 21:50", "2026-12-02 22:00")
	o.wantBooked(trips("twice")...)
	night("doubled", "2026-12-02", []string{"list 0 · 12 booked"}, []string{"start", "success"})

	o.drop("lakeshore.csv", "12/4/2026", ids("half", 20)...)
	o.must(o.wake("2026-12-03 13:00"))
	o.drop("lakeshore.csv", "12/4/2026", append(ids("half", 9), "half-new")...)
	o.wantBooked(ids("half", 20)...)
	o.must(o.wake("2026-12-03 21:30"))
	o.wantBooked("half-new")
	night("half", "2026-12-03", []string{"half an export"}, []string{"start", "success"})

	o.drop("lakeshore.csv", "12/9/2026", trips("wrong")...)
	o.wakes("2026-12-04 21:30", "2026-12-04 21:40")
	o.wantBooked()
	o.drop("lakeshore.csv", "12/5/2026", trips("right")...)
	o.wakes("2026-12-04 21:45", "2026-12-04 21:50")
	o.wantBooked(trips("right")...)
	night("wrong day", "2026-12-04", []string{"the schedule has no trips for Sat Dec 5, 2026, but 12 on Wed Dec 9, 2026", "list 0 · 12 booked"}, []string{"start", "success"})

	o.env["TRIPIMPORT_TOKEN"] = "dead"
	o.drop("lakeshore.csv", "12/6/2026", trips("token")...)
	o.wakes("2026-12-05 21:30", "2026-12-05 23:00")
	o.wantBooked()
	o.env["TRIPIMPORT_TOKEN"] = sandbox.DefaultToken
	o.wakes("2026-12-05 23:05", "2026-12-05 23:20")
	o.wantBooked(trips("token")...)
	night("dead token", "2026-12-05", []string{"does not accept the token", "list 0 · 12 booked"}, []string{"start", "fail", "success"})

	o.down = true
	o.drop("lakeshore.csv", "12/7/2026", trips("down")...)
	o.wakes("2026-12-06 21:30", "2026-12-06 22:20")
	o.down = false
	o.faults = []inject.Fault{{Kind: "500", Commit: "after", Times: 1}}
	o.serve()
	o.wakes("2026-12-06 22:25", "2026-12-06 22:55")
	o.wantBooked(trips("down")...)
	night("service down", "2026-12-06", []string{"HTTP status 503", "ACT 1 before 08:00 · list 0 · 0 booked", "list 1 · 11 booked"}, []string{"start", "fail", "success"})
	o.fill(map[string]string{"down-001": "there"})
	o.drop("lakeshore.csv", "12/8/2026", trips("kill")...)
	ctx, kill := context.WithCancel(t.Context())
	var sent atomic.Int64
	o.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			if sent.Add(1) == 5 {
				kill()
			}
		}
		return false
	}
	o.now = at(t, o.night.Config.Zone, "2026-12-07 06:00")
	if status := app.StatusOf(o.awake().Run(ctx)); status != app.Done {
		t.Errorf("a wake at which nothing is due ends with %d", status)
	}
	o.now = at(t, o.night.Config.Zone, "2026-12-07 21:30")
	if status := app.StatusOf(o.awake().Run(ctx)); status != app.Interrupted {
		t.Errorf("the interrupted night ends with %d", status)
	}
	o.wakes("2026-12-07 21:35", "2026-12-07 21:45")
	o.wantBooked(trips("kill")...)
	night("kill", "2026-12-07", []string{"list 0 (usual 0–1) · 12 booked"}, []string{"start", "success"})
	if m := o.morning(); len(m.Urgent)+len(m.Listed) > 0 {
		t.Errorf("everything was answered, and still open are %+v, %+v", m.Urgent, m.Listed)
	}
}

// nextDay returns the day after a date.
func nextDay(t *testing.T, date string) string {
	t.Helper()
	day, err := importer.ParseDate(date)
	if err != nil {
		t.Fatal(err)
	}
	return day.AddDays(1).String()
}

// morning returns the morning list.
func (o *officeAtNight) morning() *results.Morning {
	o.Helper()
	w := &wake{Night: o.night, now: o.now}
	m, _, err := mustApp(o).Morning(context.Background(), w.morningOptions())
	o.must(err)
	if len(m.Lost) > 0 {
		o.Errorf("runs without results: %+v", m.Lost)
	}
	return m
}

// wantOpen compares the morning list with the trips of a day that are open by its schedules
// and by the service's log: those that are not booked, and those of which the answer was
// lost and nobody has found out what came of them.
func (o *officeAtNight) wantOpen(day string) {
	o.Helper()
	booked := map[string]bool{}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range o.logged {
		if e.Phase == sandbox.Committed {
			booked[e.TripID] = !o.spoilt[e.TripID] || o.answered[e.TripID]
		}
	}
	var want []string
	for id, of := range o.scheduled {
		if of == day && !booked[id] {
			want = append(want, id)
		}
	}
	slices.Sort(want)

	m := o.morning()
	var got []string
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		got = append(got, item.Trip.ID)
	}
	if !slices.Equal(got, want) {
		o.Errorf("listed as open are %q, open by the service's log %q", got, want)
	}
}

// fill writes answers into the morning workbook, by trip id.
func (o *officeAtNight) fill(answers map[string]string) {
	o.Helper()
	for id := range answers {
		o.answered[id] = true
	}
	resultstest.AnswerMorning(o.T, filepath.Join(o.dir, "results", "morning.xlsx"), answers)
}

// TestTwoWakes begins a wake while another one is at work.
func TestTwoWakes(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	nested := 0
	o.night.Wait = func(ctx context.Context, _ time.Duration) error {
		if nested++; nested == 1 {
			if err := o.awake().Run(ctx); err != nil {
				t.Errorf("the second wake ends with %v", err)
			}
		}
		return nil
	}
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
	o.wantPings("start", "success")
}

// TestSeveralBrokers imports for two brokers, each with its own mapping, folder and times.
func TestSeveralBrokers(t *testing.T) {
	o := newOffice(t)
	second := o.secondBroker()
	second.Due.Minute, second.LastCall.Hour = 45, 2
	o.write("in2/export.csv", scheduleOf("12/2/2026", "P-1", "P-2"))
	o.wakes("2026-12-01 21:30", "2026-12-01 22:25")
	o.wantBooked("P-1", "P-2")
	o.wantMails()
	o.wakes("2026-12-01 22:30", "2026-12-01 22:30")
	o.wantMails("list 0 · 2 booked · TROUBLE Lakeshore: no schedule of Wed Dec 2, 2026 has come")
	o.drop("lakeshore.csv", "12/2/2026", "L-1")
	o.wakes("2026-12-02 00:05", "2026-12-02 05:10")
	o.wantBooked("L-1")
	o.wantMails("list 0 · 3 booked")
	o.wantPings("start", "success")
}

// secondBroker adds the broker Prairie, with a mapping and a folder of its own.
func (o *officeAtNight) secondBroker() *Broker {
	o.Helper()
	o.must(os.Mkdir(filepath.Join(o.dir, "in2"), 0o700))
	second := o.night.Config.Brokers[0]
	second.Name, second.Inbox, second.Mapping, second.Files = "Prairie", filepath.Join(o.dir, "in2"), "plain", "*"
	o.night.Config.Brokers = append(o.night.Config.Brokers, second)
	return &o.night.Config.Brokers[1]
}

// TestServiceFailsForBoth lets a network answer with its own page while one broker's trips are sent: the next
// broker's schedule begins with one trip, and goes on only once that is booked.
func TestServiceFailsForBoth(t *testing.T) {
	for _, c := range []struct {
		at   []int // the requests that fail
		sent int
	}{{[]int{1, 2}, 2}, {[]int{1}, 13}} {
		t.Run(fmt.Sprint(c.at), func(t *testing.T) {
			o := newOffice(t)
			o.secondBroker()
			o.drop("lakeshore.csv", "12/2/2026", "L-1")
			o.write("in2/export.csv", scheduleOf("12/2/2026", ids("P", 12)...))
			o.faults = []inject.Fault{{At: c.at, Kind: "page"}}
			o.serve()
			_ = o.wake("2026-12-01 21:30")
			if len(o.booked) != c.sent {
				t.Errorf("%d trips were sent, want %d: %q", len(o.booked), c.sent, o.booked)
			}
		})
	}
}
