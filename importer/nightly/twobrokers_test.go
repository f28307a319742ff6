package nightly

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/nightly/mail"
	"tripimport/importer/results"
	"tripimport/importer/sandbox"
)

// A weekTrip is a trip as its broker wants it.
type weekTrip struct {
	id           string
	minute, was  int  // the time of day, and the one before
	off, dropped bool // cancelled, and not in the export any more
	faulty       bool // its space type is in no mapping
	byHand       bool // staff have seen to it in the service
}

// A weekBroker is one of two brokers.
type weekBroker struct {
	name, folder string
	trips        []*weekTrip
}

// A twoBrokerWeek counts what went wrong in a week, by what the brokers want and by what the service
// has.
type twoBrokerWeek struct {
	*officeAtNight
	brokers []*weekBroker
	day     importer.Date // of service
	// killAt is the request at which the wake's process is killed; 0 for none. lost are the trips
	// that it had sent and of which it has no answer.
	killAt int
	child  *exec.Cmd
	lost   map[string]bool
	// answered are the trips that a wake sent which was not killed, raised the risks of which people
	// were told, and listed the trips that were on a list.
	answered, raised, listed map[string]bool
	// kills, acts, alarms and mails count; wrong are the figures that have to be 0.
	kills, acts, alarms, mails, answers int
	wrong                               map[string]int
}

// The figures of a week, all of which have to be 0.
var weekFigures = []string{"wrong times", "second cars", "missing", "cancelled and not listed", "false alarms", "missing alarms", "false ACT", "missing ACT"}

// TestTwoBrokers lives through a week of two brokers, whose files come late, doubled, half, for a
// wrong day, older than those before and taken back, with a service that is down one night, a
// process that is killed in each main slot, and staff who do what mails and lists say and type
// their answers. TRIPIMPORT_LONG=1 has seven nights and 120 trips a broker and night, otherwise four and 24.
func TestTwoBrokers(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see across processes")
	}
	const nights = 7
	trips, first := 24, 3 // from that night on, one of the two has each kind of trouble
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		trips, first = 120, 0
	}
	w := newTwoBrokerWeek(t)
	for n := first; n < nights; n++ {
		w.day = importer.Date{Year: 2026, Month: 12, Day: 2}.AddDays(n)
		for k, b := range w.brokers {
			b.trips = nil
			for i := range trips {
				b.trips = append(b.trips, &weekTrip{id: fmt.Sprintf("%s%d-%03d", b.name[:1], n, i), minute: 5*60 + k + i*14*60/trips})
			}
			b.at(8*60).faulty, b.at(17*60).faulty = true, true
		}
		w.night(n)
		w.morningOf()
		w.afternoon()
		w.endOfDay()
	}
	t.Logf("%d nights, %d trips of two brokers: %d mails, %d ACT, %d other alarms, %d kills, %d answers typed", nights-first, 2*(nights-first)*trips, w.mails, w.acts, w.alarms, w.kills, w.answers)
	for _, figure := range weekFigures {
		t.Logf("%s: %d", figure, w.wrong[figure])
		if w.wrong[figure] > 0 {
			t.Errorf("%s: %d, want 0", figure, w.wrong[figure])
		}
	}
}

func newTwoBrokerWeek(t *testing.T) *twoBrokerWeek {
	w := &twoBrokerWeek{officeAtNight: newOffice(t), wrong: map[string]int{}, lost: map[string]bool{}, answered: map[string]bool{}, raised: map[string]bool{}, listed: map[string]bool{}}
	settings := filepath.Join(w.dir, "home", "tripimport.yaml")
	text, err := os.ReadFile(settings)
	w.must(err)
	second := strings.NewReplacer("Lakeshore", "Prairie", "/in,", "/in2,", "whole.yaml", "prairie.yaml", `"lakeshore*.csv"`, `"*.csv"`)
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if out.WriteString(line); strings.Contains(line, "name: Lakeshore") {
			out.WriteString(second.Replace(line))
		}
	}
	w.must(os.WriteFile(settings, []byte(out.String()), 0o600))
	whole, err := os.ReadFile(filepath.Join(w.dir, "whole.yaml"))
	w.must(err)
	w.write("prairie.yaml", strings.Replace(string(whole), "broker: Lakeshore", "broker: Prairie", 1))
	w.must(os.Mkdir(filepath.Join(w.dir, "in2"), 0o700))
	w.configure()
	w.brokers = []*weekBroker{{name: "Lakeshore", folder: "in"}, {name: "Prairie", folder: "in2"}}
	posts := 0
	w.intercept = func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || w.down {
			return false
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		var trip struct {
			ID string `json:"trip_id"`
		}
		_ = json.Unmarshal(body, &trip) // a change has none
		w.mu.Lock()
		posts++
		service, child, kill := w.service, w.child, w.child != nil && posts >= w.killAt
		w.mu.Unlock()
		if kill { // the answer reaches nobody
			_ = child.Process.Kill()
		}
		service.ServeHTTP(rw, r)
		w.mu.Lock()
		defer w.mu.Unlock()
		if kill && trip.ID != "" {
			w.lost[trip.ID] = true
		}
		w.answered[trip.ID] = child == nil
		return true
	}
	return w
}

// at returns the trip that begins at or next after a time of day.
func (b *weekBroker) at(minute int) *weekTrip {
	return b.trips[slices.IndexFunc(b.trips, func(t *weekTrip) bool { return t.minute >= minute })]
}

// export writes what the broker wants, as a file of that time. Only some of its trips come if part
// is less than 1.
func (w *twoBrokerWeek) export(b *weekBroker, name, saved string, part float64) {
	w.Helper()
	text := strings.TrimSuffix(header, "\n") + ",Cancelled\n"
	for i, t := range b.trips {
		if t.dropped || float64(i) >= part*float64(len(b.trips)) {
			continue
		}
		space, off := "AMB", ""
		if t.faulty {
			space = "Gurney"
		}
		if t.off {
			off = "yes"
		}
		text += fmt.Sprintf("%s,R-%s,Lakeshore Transit,Harborview Health,%s,%d Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,%d/%d/%d,%d:%02d,,No,No,,%s\n",
			t.id, t.id, space, 10+i, w.day.Month, w.day.Day, w.day.Year, t.minute/60, t.minute%60, off)
	}
	path := filepath.Join(w.dir, b.folder, name)
	w.must(os.WriteFile(path, []byte(text), 0o600))
	when := at(w.T, w.night0().Zone, saved)
	w.must(os.Chtimes(path, when, when))
}

func (w *twoBrokerWeek) night0() *Config { return w.officeAtNight.night.Config }

// night is the evening before: each broker has one kind of trouble.
func (w *twoBrokerWeek) night(n int) {
	on := w.day.AddDays(-1).String()
	down := n == 6
	var alarms []string
	later := map[string][]func(){} // what happens at a time
	at := func(clock string, do func()) { later[clock] = append(later[clock], do) }
	for k, b := range w.brokers {
		kind := []string{"late", "doubled", "half", "wrong day", "older", "taken back", "good"}[(n+3*k)%7]
		file := func(i int) string { return fmt.Sprintf("lakeshore-%d-%d.csv", n, i) }
		if down && kind != "late" { // it is not sent before it is back
			alarms = append(alarms, b.name+": the service")
		}
		switch kind {
		case "late":
			at("23:40", func() { w.export(b, file(1), on+" 23:35", 1) })
			alarms = append(alarms, b.name+": no schedule of")
		case "doubled":
			w.export(b, file(1), on+" 21:00", 1)
			w.export(b, file(2), on+" 21:05", 1)
		case "half":
			w.export(b, file(1), on+" 18:10", 1)
			w.export(b, file(2), on+" 21:21", 0.5)
			if k == 0 { // the rest comes
				at("21:45", func() { w.export(b, file(2), on+" 21:42", 1) })
			}
			alarms = append(alarms, b.name+": the schedule lacks most rows")
		case "wrong day":
			day := w.day
			w.day = day.AddDays(20)
			w.export(b, file(1), on+" 21:00", 1)
			w.day = day
			at("21:45", func() { w.export(b, file(2), on+" 21:42", 1) })
			alarms = append(alarms, b.name+": the schedule has no trips for")
		case "older":
			w.export(b, file(1), on+" 21:10", 1)
			late, gone := b.at(11*60), b.at(12*60)
			late.off, gone.dropped = true, true
			w.export(b, file(2), on+" 21:15", 1)
			late.off, gone.dropped = false, false
			old := *b.at(13 * 60)
			b.at(13 * 60).minute += 2
			at("21:50", func() {
				w.export(b, file(3), on+" 20:00", 1)
				late.off, gone.dropped = true, true
				for _, t := range b.trips {
					if t.id == old.id {
						t.minute = old.minute
					}
				}
			})
			alarms = append(alarms, b.name+": a schedule came after a newer one")
		case "taken back":
			w.export(b, file(1), on+" 21:00", 1)
			at("21:45", func() {
				t := b.at(14 * 60)
				t.minute += 2
				w.export(b, file(2), on+" 21:42", 1)
				t.minute -= 2
			})
			at("21:55", func() { w.export(b, file(3), on+" 21:52", 1) })
		default:
			w.export(b, file(1), on+" 21:00", 1)
		}
	}
	w.down, w.killAt = down, 3+2*n
	w.wakeFrom(on+" 21:30", on+" 23:55", later)
	w.check(alarms, w.day.String()+" 10:00")
}

// wakeFrom wakes the office every five minutes. Until it is killed, each wake is a process of its own.
func (w *twoBrokerWeek) wakeFrom(from, to string, later map[string][]func()) {
	zone := w.night0().Zone
	for w.now = at(w.T, zone, from); !w.now.After(at(w.T, zone, to)); w.now = w.now.Add(5 * time.Minute) {
		clock := w.now.Format("15:04")
		for _, happens := range later[clock] {
			happens()
		}
		if clock == "22:25" {
			w.down = false
		}
		if w.killAt > 0 {
			w.wakeChild()
			continue
		}
		_ = w.awake().Run(w.Context())
	}
}

// wakeChild wakes in a process of its own, which is killed at a request.
func (w *twoBrokerWeek) wakeChild() {
	parent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		defer w.mu.Unlock()
		var m mail.Message
		if r.URL.Path == "/mail" && json.Unmarshal(text, &m) == nil {
			w.officeAtNight.mails = append(w.officeAtNight.mails, m)
		}
	}))
	defer parent.Close()
	w.child = exec.Command(os.Args[0])
	w.child.Env = append(os.Environ(), childVariable+"="+parent.URL, "NOW="+w.now.Format(time.RFC3339))
	for name, value := range w.env {
		w.child.Env = append(w.child.Env, name+"="+value)
	}
	err := w.child.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		w.kills, w.killAt = w.kills+1, 0
		time.Sleep(time.Second) // the service still reads what the process had sent
	}
	w.mu.Lock()
	w.child = nil
	w.mu.Unlock()
}

// check compares the alarms and ACTs of the mails with what was wrong: no other was right, and none
// is missing. seenBy is when people will have seen the list.
func (w *twoBrokerWeek) check(alarms []string, seenBy string) {
	w.Helper()
	var acts []string
	for _, m := range w.officeAtNight.mails {
		w.mails++
		w.Log(m.Subject)
		these, troubles := partsOf(m)
		acts = append(acts, these...)
		for _, line := range troubles {
			w.alarms++
			i := slices.IndexFunc(alarms, func(a string) bool { return strings.HasPrefix(line, a) })
			if i < 0 {
				w.count("false alarms", line)
				continue
			}
			alarms = slices.Delete(alarms, i, i+1)
		}
	}
	for _, a := range alarms {
		w.count("missing alarms", a)
	}
	w.officeAtNight.mails = nil
	w.checkActs(acts, seenBy)
}

// partsOf returns the sentences of a mail about what to act on, and about trouble that is no trip.
func partsOf(m mail.Message) (acts, troubles []string) {
	part := ""
	for line := range strings.Lines(m.Text) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "" || strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " "):
			part = line
		case strings.HasPrefix(part, "ACT"):
			acts = append(acts, line)
		case strings.HasPrefix(part, trouble) && !strings.HasPrefix(line, " "):
			troubles = append(troubles, line)
		}
	}
	return acts, troubles
}

// checkActs compares the ACTs with the trips at risk.
func (w *twoBrokerWeek) checkActs(acts []string, seenBy string) {
	risks := map[string][]string{} // by the time at which the trip is due, with what is wrong
	for id, why := range w.atRisk(seenBy) {
		if !w.raised[id+why] {
			risks[why] = append(risks[why], id)
		}
	}
	for _, line := range acts {
		w.acts++
		found := false
		for why, ids := range risks {
			clock, what, _ := strings.Cut(why, " ")
			if strings.HasPrefix(line, clock) && strings.Contains(line, what) {
				found = true
				w.raised[ids[0]+why] = true
				if risks[why] = ids[1:]; len(ids) == 1 {
					delete(risks, why)
				}
				break
			}
		}
		if !found && (!strings.Contains(line, "may be booked") || !w.unansweredAt(line[:5])) {
			w.count("false ACT", line)
		}
	}
	for why, ids := range risks {
		w.count("missing ACT", fmt.Sprint(why, ids))
	}
}

// unansweredAt reports whether there is a trip at a time of day of which the killed process may have
// got no answer, or which it had claimed and not sent.
func (w *twoBrokerWeek) unansweredAt(clock string) bool {
	for _, b := range w.brokers {
		for _, t := range b.trips {
			if fmt.Sprintf("%02d:%02d", t.minute/60, t.minute%60) == clock && !w.answered[t.id] {
				return true
			}
		}
	}
	return false
}

// atRisk returns why trips are at risk, by their ids, by what is wanted and what the service has.
func (w *twoBrokerWeek) atRisk(seenBy string) map[string]string {
	risks := map[string]string{}
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
	for _, b := range w.brokers {
		for _, t := range b.trips {
			due := t.minute
			if t.was != 0 {
				due = min(due, t.was)
			}
			switch before := w.day.String()+" "+clock(due) < seenBy; {
			case w.lost[t.id]:
				risks[t.id] = clock(due) + " may be booked"
			case t.byHand || t.off || t.dropped || !before:
			case t.faulty:
				risks[t.id] = clock(due) + " fix this row"
			case t.was != 0 && t.was != t.minute:
				risks[t.id] = clock(due) + " its new time or place"
			}
		}
	}
	return risks
}

func (w *twoBrokerWeek) count(figure, what string) {
	w.wrong[figure]++
	w.Logf("%s: %s: %s", w.now.Format("Jan 2 15:04"), figure, what)
}

// morningOf is the night's second export: cancellations, times that move, near and far, and a trip
// that is added. Before it, staff act on what the night's mail said.
func (w *twoBrokerWeek) morningOf() {
	day := w.day.String()
	w.staff(day+" 04:00", true)
	for k, b := range w.brokers {
		b.at(5*60+30).off, b.at(15*60).off = true, true
		near, far := b.at(6*60+30), b.at(16*60)
		if w.inService(near.id) != nil { // otherwise it is booked as it is now
			near.was = near.minute
		}
		near.minute -= 14
		far.minute += 4
		b.trips = append(b.trips, &weekTrip{id: b.name[:1] + w.day.String() + "-new", minute: 18*60 + 31 + k})
		w.export(b, "lakeshore-morning.csv", day+" 04:20", 1)
	}
	w.wakeFrom(day+" 04:30", day+" 05:05", nil)
	w.check(nil, day+" 10:00")
}

// afternoon is the export of the day. Before it, staff work through the list.
func (w *twoBrokerWeek) afternoon() {
	day := w.day.String()
	w.staff(day+" 05:15", true)
	w.staff(day+" 10:00", false)
	for k, b := range w.brokers {
		b.at(17*60+30).off, b.at(18*60).dropped = true, true
		near := b.at(14*60 + 30)
		near.was, near.minute = near.minute, near.minute-14
		b.trips = append(b.trips, &weekTrip{id: b.name[:1] + day + "-noon", minute: 15*60 + 31 + k, faulty: true})
		w.export(b, "lakeshore-noon.csv", day+" 12:50", 1)
	}
	w.wakeFrom(day+" 13:00", day+" 13:10", nil)
	w.check(nil, day+" 16:01")
	w.staff(day+" 13:30", false)
	w.wakeFrom(day+" 13:35", day+" 13:35", nil)
	w.check(nil, day+" 00:00")
}

// staff do what the morning list says, in the service and with their brokers, and type what they
// did. At night only what is urgent is done.
func (w *twoBrokerWeek) staff(when string, urgent bool) {
	w.now = at(w.T, w.night0().Zone, when)
	m := w.morning()
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		w.listed[item.Trip.ID] = true
	}
	items := m.Urgent
	if !urgent {
		items = slices.Concat(m.Urgent, m.Listed)
	}
	answers := map[string]string{}
	for i := range items {
		if answer := w.act(&items[i]); answer != "" {
			answers[items[i].Trip.ID] = answer
		}
	}
	w.answers += len(answers)
	if len(answers) > 0 {
		w.fill(answers)
		w.must(os.Chtimes(filepath.Join(w.dir, "results", "morning.xlsx"), w.now, w.now)) // when they were saved
	}
}

// act does what an item asks for, and returns what staff type.
func (w *twoBrokerWeek) act(item *results.OpenItem) string {
	var trip *weekTrip
	for _, b := range w.brokers {
		if i := slices.IndexFunc(b.trips, func(t *weekTrip) bool { return t.id == item.Trip.ID }); i >= 0 {
			trip = b.trips[i]
		}
	}
	there := w.inService(item.Trip.ID)
	switch o := &item.Outcome; {
	case trip == nil:
		return ""
	case o.State == importer.Unknown:
		if delete(w.lost, trip.id); there == nil {
			return "not there"
		}
		return "there"
	case o.State == importer.CancelByHand:
		there.Cancelled = true
	case o.State.Booked():
		there.Values["pickup.pickup_time"] = w.wanted(trip)
		trip.was = 0
	default: // staff phone it in
		trip.byHand = true
		w.service.Put(sandbox.BookedTrip{Provider: "Lakeshore Transit", FundingSource: "Harborview Health", TripID: trip.id, Values: map[string]string{"pickup.pickup_time": w.wanted(trip)}})
		return "booked by hand"
	}
	w.service.Put(*there)
	return "done by hand"
}

// wanted returns a trip's time as the service has times.
func (w *twoBrokerWeek) wanted(t *weekTrip) string {
	return fmt.Sprintf("%s %02d:%02d", w.day, t.minute/60, t.minute%60)
}

// inService returns a trip that is in the service and not cancelled there, or nil.
func (w *twoBrokerWeek) inService(id string) *sandbox.BookedTrip {
	for _, t := range w.service.Trips() {
		if t.TripID == id && !t.Cancelled {
			return &t
		}
	}
	return nil
}

// endOfDay compares what the service has with what the brokers want.
func (w *twoBrokerWeek) endOfDay() {
	cars := map[string]int{}
	for _, t := range w.service.Trips() {
		if !t.Cancelled {
			cars[t.TripID]++
		}
	}
	for _, b := range w.brokers {
		for _, t := range b.trips {
			there := w.inService(t.id)
			switch {
			case cars[t.id] > 1:
				w.count("second cars", t.id)
			case there == nil && !t.off && !t.dropped:
				w.count("missing", t.id)
			case there != nil && (t.off || t.dropped) && w.listed[t.id]: // a car may have been there for nothing
			case there != nil && (t.off || t.dropped):
				w.count("cancelled and not listed", t.id)
			case there != nil && !strings.HasPrefix(there.Values["pickup.pickup_time"], w.wanted(t)):
				w.count("wrong times", t.id+" "+there.Values["pickup.pickup_time"]+" for "+w.wanted(t))
			}
		}
	}
}
