package nightly

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox/inject"
)

// TestServiceDown lets the service fail for an hour: tries are a quarter of an hour apart and
// begin with one trip, and people are told once.
func TestServiceDown(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", ids("T", 12)...)
	o.down = true
	if status := app.StatusOf(o.wake("2026-12-01 21:30")); status != app.Later {
		t.Errorf("status %d", status)
	}
	o.wantMails()
	o.wakes("2026-12-01 21:35", "2026-12-01 22:20")
	o.wantMails("Lakeshore: ")
	o.wantPings("start", "fail")
	o.down = false
	o.wakes("2026-12-01 22:25", "2026-12-01 22:55")
	o.wantBooked(ids("T", 12)...)
	o.wantMails("12 booked")
	o.wantPings("success")
	tries := 0
	for _, e := range o.journal() {
		if e.Kind == kindTried {
			tries++
		}
	}
	if tries != 4 {
		t.Errorf("%d tries failed in an hour, want 4", tries)
	}
}

// TestUnclearAnswers lets the service give unclear answers after a failed try: each further
// try sends one trip, which is never sent again.
func TestUnclearAnswers(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", ids("T", 12)...)
	o.down = true
	_ = o.wake("2026-12-01 21:30")
	o.down = false
	o.faults = []inject.Fault{{Kind: "500", At: []int{1, 2}}}
	o.serve()
	_ = o.wake("2026-12-01 21:45")
	o.wantBooked("T-001")
	_ = o.wake("2026-12-01 22:00")
	o.wantBooked("T-002")
	_ = o.wake("2026-12-01 22:15")
	o.wantBooked(ids("T", 12)[2:]...)
	o.wantMails("ACT 1 before 08:00 · list 0 · 0 booked · TROUBLE Lakeshore: the service", "ACT 1 before 08:01 · list 1", "list 2 · 10 booked")
}

// TestSlotsShareTrouble begins a slot while the schedule of the one before it fails: it sends one trip alone as well.
func TestSlotsShareTrouble(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", ids("T", 12)...)
	o.down = true
	o.wakes("2026-12-02 04:05", "2026-12-02 04:25")
	o.down = false
	o.faults = []inject.Fault{{Kind: "500"}}
	o.serve()
	_ = o.wake("2026-12-02 04:30")
	o.wantBooked("T-001")
}

// TestTokenRefused tries again until there is another token: nothing is sent before.
func TestTokenRefused(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	good := o.env["TRIPIMPORT_TOKEN"]
	o.env["TRIPIMPORT_TOKEN"] = "an-old-one"
	if status := app.StatusOf(o.wake("2026-12-01 21:30")); status != app.Blocked {
		t.Errorf("status %d", status)
	}
	o.wakes("2026-12-01 21:35", "2026-12-01 23:00")
	o.wantMails("the service does not accept the token")
	o.wantPings("start", "fail")
	o.env["TRIPIMPORT_TOKEN"] = good
	o.must(o.wake("2026-12-01 23:15"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
	o.wantPings("success")
}

// TestTokenEnds has a token that ends while trips are sent: the night goes on once there is another one.
func TestTokenEnds(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", ids("T", 12)...)
	var posts atomic.Int32
	o.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			posts.Add(1)
		}
		if posts.Load() > 4 {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return posts.Load() > 4
	}
	o.wakes("2026-12-01 21:30", "2026-12-01 21:45")
	o.wantMails("the service no longer accepts the token")
	if len(o.booked) != 4 {
		t.Errorf("booked %q", o.booked)
	}
	posts.Store(-100)
	o.wakes("2026-12-01 22:00", "2026-12-01 22:05")
	o.wantBooked(ids("T", 12)...)
}

// TestPhonedInTheAfternoon has a service that fails while trips of the day are sent. Staff phone the others: none of these is
// booked as well once it is back, because the mail has them take the schedule out of the inbox first.
func TestPhonedInTheAfternoon(t *testing.T) {
	o := newOffice(t)
	o.must(o.wake("2026-12-02 05:05"))
	var posts atomic.Int32
	o.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && posts.Add(1) > 4 || posts.Load() > 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return posts.Load() > 4
	}
	o.write("in/lakeshore.csv", strings.NewReplacer(",8:", ",15:", ",9:", ",16:").Replace(scheduleOf("12/2/2026", ids("T", 40)...)))
	o.mails = nil
	o.wakes("2026-12-02 13:00", "2026-12-02 13:20")
	for _, says := range []string{"the first of ", ": take its schedule out of the inbox, or it is booked as well, phone", "if its trips of today can't wait, take it out of the inbox"} {
		o.wantMailsWith(says)
	}
	o.must(os.Remove(filepath.Join(o.dir, "in", "lakeshore.csv")))
	posts.Store(-100)
	o.wakes("2026-12-02 13:25", "2026-12-02 22:00")
	if len(o.booked) != 4 {
		t.Errorf("booked %q", o.booked)
	}
}

// TestLastCall brings a schedule that can't be sent: its trips are printed for the phone and
// not sent any more, even if the file comes again.
func TestLastCall(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.down = true
	o.wakes("2026-12-01 21:30", "2026-12-02 04:55")
	o.wantMails("Lakeshore: ")
	o.wakes("2026-12-02 05:00", "2026-12-02 05:30")
	if text := o.mails[0].Text; !strings.Contains(text, "Lakeshore: trips were not sent by last call, and will not be sent any more: phone or fax them from the printed pages") {
		t.Error(text)
	}
	o.wantMails("ACT 2 before 08:00")
	o.wantPings("start", "fail")
	o.wantFiles("done/not booked", "lakeshore.csv")
	if sheets, _ := filepath.Glob(filepath.Join(o.dir, "results", "downtime.*.xlsx")); len(sheets) != 1 {
		t.Errorf("the pages for the phone are %q", sheets)
	}
	o.down = false
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.wakes("2026-12-02 05:35", "2026-12-02 13:05")
	o.wantBooked()
}

// TestTooLate brings trips that have begun when they first come, one of them long ago, and one in a faulty row: a passenger
// may be standing there for the others, so people are told to phone, once, and the list has them for three hours.
func TestTooLate(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore1.csv", "12/2/2026", "T-1")
	o.wakes("2026-12-01 21:30", "2026-12-02 05:05")
	o.mails, o.booked = nil, nil
	o.write("in/lakeshore2.csv", strings.NewReplacer("8:02", "12:40", "8:03", "12:45", "R-T-faulty", "").Replace(scheduleOf("12/2/2026", "T-1", "T-long", "T-new", "T-faulty")))
	o.wakes("2026-12-02 13:00", "2026-12-02 13:30")
	o.wantBooked()
	if len(o.mails) > 0 && !strings.Contains(o.mails[0].Text, "12:40 Wed Dec 2, 2026, trip: not sent. Line 3 of morning.xlsx: phone the transportation provider, then type `booked by hand` or `leave it`.") {
		t.Error(o.mails[0].Text)
	}
	o.wantMails("ACT 2 before 12:40")
	for minutes, urgent := range map[time.Duration]int{130: 2, 200: 0} {
		o.now = o.now.Add(minutes * time.Minute)
		m, _, err := mustApp(o).Morning(t.Context(), app.MorningOptions{})
		o.must(err)
		if o.now = o.now.Add(-minutes * time.Minute); len(m.Urgent) != urgent {
			t.Errorf("%d minutes later %d trips are urgent, want %d", minutes, len(m.Urgent), urgent)
		}
	}
}

// TestMissed switches the computer off for two nights. Two others end in one wake, each with a backup of its own.
func TestMissed(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.wakes("2026-12-01 21:30", "2026-12-02 05:05")
	o.mails, o.pings, o.booked = nil, nil, nil
	o.drop("lakeshore.csv", "12/5/2026", "T-2")
	o.night.Print = func(string) { o.now = o.now.Add(time.Second) } // time goes on
	o.must(o.wake("2026-12-04 22:00"))
	if len(o.mails) > 0 && strings.Contains(o.mails[0].Text, "backup") {
		t.Error(o.mails[0].Text)
	}
	o.wantMails("the night of Wed Dec 2, 2026 did not run")
	o.wantBooked("T-2")
	o.wantPings("fail", "start", "fail", "start", "success")
	o.must(o.wake("2026-12-04 22:05"))
	o.wantMails()
}

// TestClockAhead has the clock a day ahead for one wake, at which the service can't be reached, and then right again: the night
// that seemed to be over is not, and no try waits for a time that was never there.
func TestClockAhead(t *testing.T) {
	for _, wrong := range []string{"2026-12-02 06:00", "2026-12-02 21:30"} {
		t.Run(wrong, func(t *testing.T) {
			o := newOffice(t)
			o.wakes("2026-11-30 21:30", "2026-12-01 05:30")
			if strings.HasSuffix(wrong, "21:30") {
				o.drop("lakeshore.csv", "12/3/2026", "T-1")
			}
			o.down = true
			_ = o.wake(wrong)
			o.down = false
			o.must(os.RemoveAll(filepath.Join(o.dir, "in", "lakeshore.csv")))
			o.drop("lakeshore.csv", "12/2/2026", "T-2")
			o.must(o.wake("2026-12-01 21:30"))
			o.wantBooked("T-2")
		})
	}
}

// TestAfterSleep wakes the computer after midnight: the slot is worked on once, with its own
// service day.
func TestAfterSleep(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-02 02:10"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
	o.must(o.wake("2026-12-02 02:15"))
	o.wantMails()
}

// TestMailFails lets mail and pings fail for a while: people are told everything, and nothing
// twice. The status says what is not mailed yet, if the office has mail.
func TestMailFails(t *testing.T) {
	o := newOffice(t)
	const waiting = "1 message is not mailed yet"
	wantWaiting := func(want bool) {
		t.Helper()
		status, err := o.awake().Status(t.Context())
		o.must(err)
		if text := strings.Join(status, "\n"); strings.Contains(text, waiting) != want {
			t.Errorf("%q is not as it should be (%t) in\n%s", waiting, want, text)
		}
	}

	o.failed = true
	o.wakes("2026-12-01 21:30", "2026-12-01 22:30")
	wantWaiting(true)
	o.night.Mail = nil
	wantWaiting(false)
	o.night.Mail = o

	o.failed = false
	o.must(o.wake("2026-12-01 22:35"))
	wantWaiting(false)
	o.wantMails("has come")
	o.wantPings("start")
	o.must(o.wake("2026-12-01 22:40"))
	o.wantMails()
}

// TestBackupFails removes the folder for the backup.
func TestBackupFails(t *testing.T) {
	o := newOffice(t)
	o.must(os.RemoveAll(filepath.Join(o.dir, "backup")))
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantBooked("T-1")
	o.wantMails("the backup of the ledger failed")
	o.wantPings("start", "success")
}

// TestLedgerMissing removes the ledger: it can't record who was told, and yet only one mail is
// sent.
func TestLedgerMissing(t *testing.T) {
	o := newOffice(t)
	o.must(os.Rename(filepath.Join(o.dir, "home", "ledger.db"), filepath.Join(o.dir, "home", "away.db")))
	if status := app.StatusOf(o.wake("2026-12-01 21:30")); status != app.NotSetUp {
		t.Errorf("status %d", status)
	}
	o.wakes("2026-12-01 21:35", "2026-12-01 22:00")
	o.wantMails("ledger")
	o.must(os.Rename(filepath.Join(o.dir, "home", "away.db"), filepath.Join(o.dir, "home", "ledger.db")))
	o.must(o.wake("2026-12-01 22:05"))
	if _, err := os.Lstat(troublePath(mustApp(o))); err == nil {
		t.Error("the trouble is remembered although it is over")
	}
}

func mustApp(o *officeAtNight) *app.App {
	a, err := o.app()
	o.must(err)
	return a
}

// TestPersonAtWork begins a night while a person's run holds the ledger: the night waits.
func TestPersonAtWork(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	release := o.holdLedger()
	o.night.LockWait = time.Millisecond
	o.must(o.wake("2026-12-01 21:30"))
	o.must(o.wake("2026-12-01 21:55"))
	o.wantMails()
	if status := app.StatusOf(o.wake("2026-12-01 22:00")); status != app.Locked {
		t.Errorf("status %d", status)
	}
	o.wantMails("is in use")
	_ = o.wake("2026-12-01 22:05")
	o.wantMails()
	release()
	o.must(o.wake("2026-12-01 22:10"))
	o.wantBooked("T-1")
	o.wantMails("1 booked")
}

// TestRefusedYesterday lets the service refuse the token on one evening: the next slot tries
// it again, because the service may have been wrong.
func TestRefusedYesterday(t *testing.T) {
	o := newOffice(t)
	o.accept("another")
	o.drop("lakeshore.csv", "12/2/2026", "T-1")
	o.wakes("2026-12-01 21:30", "2026-12-02 05:05")
	o.mails = nil
	o.accept("")
	o.drop("lakeshore.csv", "12/3/2026", "T-2")
	o.must(o.wake("2026-12-02 21:30"))
	o.wantBooked("T-2")
	o.wantMails("1 booked")
}

// TestLastCallAllBooked brings a second schedule that can't be sent, but whose trips are all
// booked: nothing is printed for the phone, and its changes are listed.
func TestLastCallAllBooked(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2")
	o.must(o.wake("2026-12-01 21:30"))
	o.wantMails("2 booked")
	o.down = true
	o.write("in/lakeshore.csv", strings.Replace(scheduleOf("12/2/2026", "T-1", "T-2"), "12/2/2026,8:01", "12/2/2026,8:31", 1))
	o.wakes("2026-12-01 22:00", "2026-12-02 05:05")
	o.wantMails("HTTP status 503", "changes of a schedule were not sent by last call")
	o.wantFiles("done/not booked", "lakeshore.csv")
	if sheets, _ := filepath.Glob(filepath.Join(o.dir, "results", "downtime.*.xlsx")); len(sheets) != 0 {
		t.Errorf("the pages for the phone are %q", sheets)
	}
}

// TestLastCallGone brings a second schedule that can't be sent by last call. A booked trip that it does not have is
// listed if it is whole. One that looks like half an export tells of no trip that is gone, and has nobody phone fewer
// trips than the older one that waits beside it.
func TestLastCallGone(t *testing.T) {
	for _, test := range []struct {
		name          string
		booked        int      // so many trips, and U-001 and U-002 of the day after
		older, newest []string // the ids of the files that come in the evening
		gone          []string
		phoned        int
	}{
		{"whole", 12, nil, append(ids("T", 11), "N-1", "U-001"), []string{"T-012", "U-002"}, 1},
		{"nothing to phone", 12, nil, append(ids("T", 11), "U-001", "U-002"), []string{"T-012"}, 0},
		{"half of what is booked", 12, nil, append(ids("T", 6), "N-1", "U-001", "U-002"), nil, 1},
		{"half of an older one", 4, append(ids("T", 4), append(ids("N", 16), "U-001")...), append(ids("T", 3), append(ids("N", 5), "U-001")...), nil, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOffice(t)
			o.night.Config.Slots = o.night.Config.Slots[:2]
			o.night.Config.Days["tue"] = []string{"wed", "thu"}
			drop := func(name, saved string, all []string) {
				after := slices.IndexFunc(all, func(id string) bool { return id[0] == 'U' })
				o.dropAt(name, saved, scheduleOf("12/2/2026", all[:after]...)+strings.TrimPrefix(scheduleOf("12/3/2026", all[after:]...), header))
			}
			drop("lakeshore1.csv", "2026-12-01 15:00", append(ids("T", test.booked), "U-001", "U-002"))
			o.must(o.wake("2026-12-01 21:30"))
			o.down = true
			if test.older != nil {
				drop("lakeshore2.csv", "2026-12-01 21:40", test.older)
			}
			drop("lakeshore3.csv", "2026-12-01 21:45", test.newest)
			o.wakes("2026-12-01 22:00", "2026-12-02 05:10")
			var gone, phoned []string
			m := o.morning()
			for _, item := range append(m.Urgent, m.Listed...) {
				if item.Outcome.State == importer.CancelByHand {
					gone = append(gone, item.Trip.ID)
				} else {
					phoned = append(phoned, item.Trip.ID)
				}
			}
			if !slices.Equal(gone, test.gone) || len(phoned) != test.phoned {
				t.Errorf("gone are %q, want %q; to be phoned are %q, want %d", gone, test.gone, phoned, test.phoned)
			}
			told := ""
			for _, mail := range o.mails {
				told += mail.Text
			}
			if list := strings.Contains(told, "changes of a schedule were not sent"); list != (test.phoned == 0) {
				t.Errorf("the mails say %q", told)
			}
		})
	}
}
