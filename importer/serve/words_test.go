package serve_test

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer/app"
)

// mustNotSay fails if a screen has one of the texts.
func (v *visitor) mustNotSay(r reply, texts ...string) {
	v.Helper()
	for _, text := range texts {
		if strings.Contains(r.text, text) {
			v.Errorf("it says %q: %s", text, plainText(r.text))
		}
	}
}

// TestNamesNoFolders has a row whose fault names the mapping, which lies in a folder: no screen shows that.
func TestNamesNoFolders(t *testing.T) {
	o := newOffice(t)
	plain, err := os.ReadFile("../../templates/plain.yaml")
	o.must(err)
	o.must(os.WriteFile(filepath.Join(o.home, "own.yaml"), plain, 0o600))
	o.start()
	v := o.enter(1)
	id := v.runs(header+good+faulty+strings.ReplaceAll(strings.ReplaceAll(faulty, "T-3,R-3", "T-4,R-4"), "2:00 PM", "4:00 PM"), "book")
	for path, says := range map[string]string{
		"/w/" + id + "/faults": "or add it to the table (own.yaml, line", "/morning": "or add it to the table (own.yaml, line", "/w/" + id + "/book": "1. answer or fix 2 rows under Its faults and Open trips, then plan it again<", "/w/" + id + "/rows": "", "/": "", "/runs": "",
	} {
		screen := v.get(path)
		v.mustSay(screen, 200, says)
		v.mustNotSay(screen, o.home)
	}
}

// TestCountsAsTheTerminal counts the trips of a schedule as the terminal does, those that are left out apart.
func TestCountsAsTheTerminal(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	left := strings.Replace(strings.Replace(faulty, "Gurney", "STR", 1), ",No,No,", ",No,No,", 1)
	id := v.arrive("schedule.csv", strings.Replace(header, "Return Time", "Return Time,Cancelled", 1)+strings.ReplaceAll(good, "\n", ",\n")+strings.Replace(left, "\n", ",Yes\n", 1))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "3 rows, 3 trips: 3 on Wed Dec 2, 2026; 1 left out.")
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "3 trips to book: 3 on Wed Dec 2, 2026; 1 left out. 3 new")
	v.runs(header+good, "book")
	id = v.arrive("schedule.csv", header+strings.NewReplacer("8:30 AM", "8:20 AM", "9:00 AM", "8:50 AM").Replace(good))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "2 rows, the first at T2 (Pickup Time): trip T-1: pickup time would be changed to 2026-12-02 08:20")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	v.mustSay(v.get("/w/"+id+"/book"), 200, "All 3 trips are booked, 2 changed now, 1 of them earlier.")
	v.mustNotSay(v.get("/runs"), "<td>Dana</td><td>3</td><td>1</td>")
}

// TestRowsThatWait checks a schedule in which no rule is broken: one rider is another one by now, and one status is new. It says that
// they wait, and where they are answered.
func TestRowsThatWait(t *testing.T) {
	o := newOffice(t)
	o.mustApprove()
	o.start()
	v := o.enter(1)
	cancelled := strings.Replace(header, "Return Time", "Return Time,Cancelled", 1)
	v.runs(cancelled+strings.ReplaceAll(good, "\n", ",No\n"), "book")
	id := v.arrive("schedule.csv", cancelled+strings.ReplaceAll(strings.Replace(good, "R-1", "R-9", 1), "\n", ",No\n")+strings.Replace(strings.Replace(faulty, "Gurney", "STR", 1), "\n", ",HOLD\n", 1))
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "No rule is broken in any row", "1 of 3 rows are ready, nothing was sent; 2 rows wait for an answer.", "Choose it under Open trips after the booking")
	v.mustNotSay(screen, "Every row is good", "What we found")
	start := v.get("/")
	v.mustSay(start, 200, "no row to fix")
	v.mustNotSay(start, "row is good")
	first := strings.SplitAfter(good, "\n")[0]
	screen = v.get("/w/" + v.arrive("twice.csv", header+first+strings.Replace(first, "T-1", "T-8", 1)) + "/faults")
	v.mustSay(screen, 200, "if both are meant, choose `meant` under Open trips after the booking")
}

// TestOlderLedger has an older copy of the ledger put in its place: the page, as the terminal, does not say that nothing is to be done.
func TestOlderLedger(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	path := filepath.Join(o.home, "ledger.db")
	old, err := os.ReadFile(path)
	o.must(err)
	o.lost = "R-1"
	v.runs(header+good, "book")
	for _, screen := range []string{"/", "/morning"} {
		v.mustNotSay(v.get(screen), "older copy")
	}
	for _, beside := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + beside)
	}
	o.must(os.WriteFile(path, old, 0o600))
	v.post("/close", nil)
	o.must(<-o.ended)
	o.jobs = app.NewJobs(o.environment(), nil)
	o.start()
	v = o.enter(2)
	for _, screen := range []string{"/", "/morning"} {
		v.mustSay(v.get(screen), 200, "ledger.db is an older copy: it lacks what was booked since")
		v.mustNotSay(v.get(screen), o.home)
	}
}

// TestRehearsesThePast rehearses a schedule of a day that is past, in which one row has a fault: a rehearsal has another today.
func TestRehearsesThePast(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", strings.ReplaceAll(header+good+faulty, "12/2/2026", "11/2/2026"))
	v.plan(id, "rehearse")
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "Rehearse 4 trips for Mon Nov 2, 2026")
	v.mustNotSay(screen, "to be fixed or answered")
}

// TestStoppedBeforeItSends stops a run while it reads the schedule: that is no error.
func TestStoppedBeforeItSends(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", manyRows(4000))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.post("/run/stop", nil)
	v.untilEnded()
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "topped")
	v.mustNotSay(screen, "an error in the program")
}

// TestSaysWhatIsNext stops a run, and looks at what is to be done then: nothing needs a terminal, and what the last run
// did is said after a new start, too.
func TestSaysWhatIsNext(t *testing.T) {
	o := newOffice(t)
	o.delay = 100 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", roundTrips(60)+faulty)
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	for o.inserts.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	v.post("/run/stop", v.stopButton())
	v.untilEnded()
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "1. do the same again: it sends what was not sent, and nothing twice")
	v.mustNotSay(screen, "or run<", "then run<", "and run<")
	v.post("/close", nil)
	err := <-o.ended
	o.must(err)
	o.start()
	v = o.enter(2)
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Its last run: Stopped by hand; ")
	v.mustSay(v.get("/"), 200, "Its last run: <strong>Stopped by hand; ")
	v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}})
	v.mustNotSay(v.get("/w/"+id+"/book"), "Its last run")
}

// TestSaysWhereToAnswer leaves a trip that may be booked, and one to cancel by hand: they are answered on the page, and the workbook is
// named only where the page has no list.
func TestSaysWhereToAnswer(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.lost = "R-3"
	cancelled, lost := strings.Replace(header, "Return Time", "Return Time,Cancelled", 1), strings.Replace(strings.Replace(faulty, "Gurney", "STR", 1), "\n", ",No\n", 1)
	v.runs(cancelled+strings.ReplaceAll(good, "\n", ",No\n"), "book")
	id := v.runs(cancelled+strings.Replace(strings.ReplaceAll(good, "\n", ",No\n"), ",No\n", ",Yes\n", 1)+lost, "book")
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "1. go through 2 rows or trips that need a person: answer them under Open trips")
	v.mustNotSay(screen, ">2. ", "Needs column", "write what you found", "written in the results", "to cancel by hand, and", "nothing left")
	v.mustSay(v.get("/morning"), 200, "cancel by hand", "may be booked")
}

// TestAheadOfTheClock brings a schedule that another computer's clock has saved tomorrow.
func TestAheadOfTheClock(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	w, err := o.jobs.Arrive(context.Background(), "schedule.csv", time.Now().Add(24*time.Hour), strings.NewReader(header+good))
	o.must(err)
	v.mustSay(v.get("/w/"+w.ID+"/faults"), 200, "schedule.csv is of a later time than now: it counts as of now")
	v.plan(w.ID, "book")
	v.mustSay(v.get("/w/"+w.ID+"/book"), 200, "schedule.csv is of a later time than now: it counts as of now", "Book 3 trips")
}

// TestResultsCantBeWritten has the folder of the results go while trips are sent: no command is named.
func TestResultsCantBeWritten(t *testing.T) {
	o := newOffice(t)
	o.delay = 50 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", roundTrips(20))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	for o.inserts.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	removed := os.RemoveAll(filepath.Join(o.home, "results"))
	v.untilEnded()
	if removed != nil {
		t.Skipf("the system keeps folders with open files: %v", removed)
	}
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "the results could not be written", "may write there, then do the same again")
	v.mustNotSay(screen, "`", o.home)
}

// TestAsksWithSamples asks about the order of dates, and shows dates of the file.
func TestAsksWithSamples(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Rider ID", "Member").Replace(header+good))
	v.mustSay(v.get("/w/"+id+"/columns"), 200, "<legend>is 3/4/2026 the fourth of March?</legend>", "Its values: <q>12/2/2026</q>")
}

// TestSaysWhatToDo meets mappings that can't be used, and a draft that makes no trip: each sentence says what to do, and none
// names a command.
func TestSaysWhatToDo(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Rider ID", "Member", "48111", "", "Westfield", "", "12 Alder Ct", "", "31 Fern St", "").Replace(header+good))
	v.answerAll(id, "MI", 0, 0)
	screen := v.get("/w/" + id + "/columns")
	v.mustSay(screen, 200, "What to do: take the last answer back")
	v.mustSay(v.get("/w/"+id+"/rows"), 200, "Say what its columns are")
	o.must(os.WriteFile(filepath.Join(o.home, "bad.yaml"), []byte("mapping: 1\ntrip: {\n"), 0o600))
	for _, path := range []string{"/faults", "/rows", "/columns"} {
		v.mustSay(v.get("/w/"+id+path), 200, "the mapping can&#39;t be used", "bad.yaml:", "What to do: have it corrected by whoever looks after the program")
	}
	o.must(os.Remove(filepath.Join(o.home, "bad.yaml")))
	o.env["TRIPIMPORT_LEDGER"] = filepath.Join(o.home, "other.db")
	o.must(os.Remove(filepath.Join(o.home, "ledger.db")))
	for _, screen := range []reply{v.get("/"), v.post("/w/"+v.arrive("schedule.csv", header+good)+"/plan", url.Values{"kind": {"book"}})} {
		if screen.text = plainText(screen.text); !strings.Contains(screen.text, "What to do: if there is a ledger already, ") || !strings.Contains(screen.text, "if there is none yet, make one") {
			t.Errorf("without a ledger: %s", screen.text)
		}
		v.mustNotSay(screen, "`", o.home)
	}
}

// TestAsksWhoAnswers opens the page again in the same browser, and answers in the window that is still there: nothing is recorded before
// it is known by whom.
func TestAsksWhoAnswers(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good)
	form := v.plan(id, "book")
	d := serveAgain(o)
	entered := v.do("POST", "/enter", url.Values{"ticket": {d.ticket}}, nil)
	v.cookie = entered.cookies[0].Name + "=" + entered.cookies[0].Value
	v.mustSay(v.post("/w/"+id+"/run", form), 200, "Who is here?")
	v.mustNotSay(v.get("/state"), "Who is here?") // it would stand above what the window shows
	v.post("/who", url.Values{"who": {"Sam"}})
	v.post("/w/"+id+"/run", form)
	v.untilEnded()
	v.mustSay(v.get("/runs"), 200, "<td>Sam</td>")
	if n := o.inserts.Load(); n != 3 {
		t.Errorf("%d trips were sent, not 3", n)
	}
}

// TestSaysWhoGoesOn has a second person enter from another browser: the first one is told who, and nobody else is.
func TestSaysWhoGoesOn(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	d := serveAgain(o)
	entered := (&visitor{office: o, host: d.host}).do("POST", "/enter", url.Values{"ticket": {d.ticket}}, nil)
	second := &visitor{office: o, host: d.host, cookie: entered.cookies[0].Name + "=" + entered.cookies[0].Value}
	v.mustSay(v.get("/state"), 401, "the page is continued by somebody else")
	second.post("/who", url.Values{"who": {"Sam"}})
	v.mustSay(v.get("/state"), 401, "the page is continued by Sam", "; nothing is lost")
	v.mustSay(v.post("/morning/answer", nil), 401, "the page is continued by Sam", "; what you did just now was not taken")
	guess := &visitor{office: o, host: d.host, cookie: entered.cookies[0].Name + "=00"}
	v.mustSay(guess.get("/state"), 401, "the page is locked")
	second.post("/lock", nil)
	v.mustSay(v.get("/state"), 401, "the page is locked")
}
