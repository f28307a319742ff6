package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// A mixer stands between the program and a sandbox, and mixes up the answers to
// trips. The sandbox's log says what was really booked.
type mixer struct {
	box http.Handler
	// mix returns what is sent after the nth trip of all, whose right answer is
	// given; before is the answer to the trip that was booked last.
	mix func(n int, right, before answerBytes) []answerBytes
	// shut ends connections without a word after each answer.
	shut bool

	trips  atomic.Int64
	booked atomic.Value // the answer to the trip that was booked last
	conns  sync.WaitGroup
	ended  chan struct{}
}

// An answerBytes is a whole answer as it is sent.
type answerBytes struct {
	status int
	body   string
}

// wait is no answer, but a pause between two.
const wait = -1

// start listens and returns the address.
func (m *mixer) start(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.ended = make(chan struct{})
	m.conns.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			m.conns.Go(func() { m.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		close(m.ended)
		m.conns.Wait()
	})
	return "http://" + l.Addr().String()
}

func (m *mixer) serve(conn net.Conn) {
	done := make(chan struct{})
	defer close(done)
	m.conns.Go(func() {
		select {
		case <-m.ended:
		case <-done:
		}
		_ = conn.Close()
	})
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w := httptest.NewRecorder()
	m.box.ServeHTTP(w, r)
	right := answerBytes{w.Code, w.Body.String()}
	answers := []answerBytes{right}
	if r.Method == http.MethodPost {
		before, _ := m.booked.Load().(answerBytes)
		answers = m.mix(int(m.trips.Add(1)), right, before)
		if right.status == http.StatusOK {
			m.booked.Store(right)
		}
	}

	header := "Connection: close\r\n"
	if m.shut {
		header = ""
	}
	for _, a := range answers {
		if a.status == wait {
			time.Sleep(3 * time.Millisecond)
			continue
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Text\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", a.status, header, len(a.body), a.body)
	}
}

// edited changes the answers that booked a trip, with an edit of the whole body.
func edited(every int, edit func(body string) string) func(int, answerBytes, answerBytes) []answerBytes {
	return func(n int, right, _ answerBytes) []answerBytes {
		if right.status == http.StatusOK && n%every == 0 {
			right.body = edit(right.body)
		}
		return []answerBytes{right}
	}
}

// replaced returns an edit that replaces what matches a pattern.
func replaced(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(body string) string { return re.ReplaceAllString(body, by) }
}

// TestMixedUpAnswers has a service mix up its answers. No trip is recorded as booked
// that is not, or as free that is booked, and the next run with a good service books
// nothing twice. With TRIPIMPORT_LONG=1 each way is tried with 1, 8 and 32 workers.
func TestMixedUpAnswers(t *testing.T) {
	stdlog.SetOutput(io.Discard) // as in main: net/http logs what comes unasked
	defer stdlog.SetOutput(os.Stderr)
	always := 1
	var first atomic.Value  // the GUID of the first trip
	var others atomic.Int64 // how many others have its GUID
	ways := []struct {
		name  string
		mix   func(n int, right, before answerBytes) []answerBytes
		shut  bool
		clean bool // every trip that can be is booked
	}{
		{name: "right", mix: edited(always, func(b string) string { return b }), clean: true},
		{name: "in an envelope", mix: edited(always, func(b string) string { return `{"success":true,"data":{"trip":` + b + `},"errors":[]}` }), clean: true},
		{name: "in another case", mix: edited(always, func(b string) string {
			return strings.NewReplacer(`"trip_id"`, `"TripId"`, `"trip_guid"`, `"TRIPGUID"`, `"rider_id"`, `"Rider_ID"`, `"N-`, `"n-`).Replace(b)
		}), clean: true},
		{name: "no ids", mix: edited(always, replaced(`"(trip|rider)_id":"[^"]*",`, ``)), clean: true},
		{name: "more fields", mix: edited(always, replaced(`^\{`, `{"warnings":["far"],"error":null,"linked":{"trip_id":"N-0"},`)), clean: true},
		{name: "closed in silence", mix: edited(always, func(b string) string { return b }), shut: true, clean: true},

		{name: "a booking twice", clean: true, mix: func(n int, right, _ answerBytes) []answerBytes {
			if n%10 == 0 {
				return []answerBytes{right, right}
			}
			return []answerBytes{right}
		}},
		{name: "every refusal twice", clean: true, mix: func(_ int, right, _ answerBytes) []answerBytes {
			if right.status == 400 {
				return []answerBytes{right, right}
			}
			return []answerBytes{right}
		}},
		{name: "a second answer late", clean: true, mix: func(n int, right, _ answerBytes) []answerBytes {
			if n%10 == 0 {
				return []answerBytes{right, {status: wait}, right}
			}
			return []answerBytes{right}
		}},
		{name: "shifted", mix: func(_ int, right, before answerBytes) []answerBytes {
			if right.status == http.StatusOK && before.status != 0 {
				return []answerBytes{before}
			}
			return []answerBytes{right}
		}},
		{name: "ids of its own", mix: edited(always, replaced(`"(trip|rider)_id":"[^"]*"`, `"${1}_id":771`))},
		{name: "another trip", mix: edited(10, replaced(`"trip_id":"[^"]*"`, `"trip_id":"N-9999"`))},
		{name: "another trip in an envelope", mix: edited(10, func(b string) string {
			return `{"trip":` + replaced(`"trip_id":"[^"]*"`, `"tripid":"N-9999"`)(b) + `}`
		})},
		{name: "another rider", mix: edited(10, replaced(`"rider_id":"[^"]*"`, `"rider_id":"00999999"`))},
		{name: "the GUID of another trip", mix: func(n int, right, _ answerBytes) []answerBytes {
			guid := regexp.MustCompile(`"trip_guid":"[^"]*"`)
			switch {
			case n == 1:
				first.Store(guid.FindString(right.body))
			case n > 40:
				time.Sleep(300 * time.Millisecond) // the first trip's answer is recorded meanwhile, also on a busy machine
				right.body = guid.ReplaceAllString(right.body, first.Load().(string))
			}
			return []answerBytes{right}
		}},
		{name: "another name of the GUID", mix: edited(always, replaced(`"trip_guid"`, `"booking"`))},
		{name: "half answers", mix: edited(5, func(b string) string { return b[:len(b)/2] })},
		{name: "booked, and failed", mix: edited(5, replaced(`^\{`, `{"success":false,`))},
		{name: "booked, and an error", mix: edited(5, replaced(`^\{`, `{"error":{"code":7},`))},
		{name: "the GUID of a trip that is under way", mix: func(n int, right, _ answerBytes) []answerBytes {
			guid := regexp.MustCompile(`"trip_guid":"[^"]*"`)
			switch n {
			case 1:
				others.Store(0)
				first.Store(guid.FindString(right.body))
				for tries := 0; tries < 100 && others.Load() < 2; tries++ {
					time.Sleep(20 * time.Millisecond)
				}
			case 21, 22: // one after the other, once the first trip's answer is recorded
				others.Add(1)
				time.Sleep(time.Duration(n-18) * 200 * time.Millisecond)
				right.body = guid.ReplaceAllString(right.body, first.Load().(string))
			}
			return []answerBytes{right}
		}},
	}
	for i, way := range ways {
		for j, workers := range []int{1, 8, 32} {
			if os.Getenv("TRIPIMPORT_LONG") == "" && j != i%3 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d workers", way.name, workers), func(t *testing.T) {
				var faults []inject.Fault
				for i := 3; i <= 60; i += 7 {
					faults = append(faults, inject.Fault{Trip: "N-" + strconv.Itoa(i), Kind: "400"})
				}
				o, box := newOfficeWith(t, nil, inventedRows(60, func(int) bool { return false }), sandbox.Config{Faults: &inject.Plan{Faults: faults}})
				m := &mixer{box: box, mix: way.mix, shut: way.shut}
				o.env["TRIPIMPORT_BASE_URL"] = m.start(t)
				s := o.run("import", "--today", "2026-12-01", "--set", "workers="+strconv.Itoa(workers), "--results", filepath.Join(o.folder, "results.csv"), o.schedule)

				booked, unclear := o.booked(), 0
				for id, e := range o.recorded() {
					switch e.State {
					case importer.Booked:
						if len(booked[id]) != 1 || e.GUID != "" && e.GUID != booked[id][0] {
							t.Errorf("%s is recorded as booked with %s, the service has %v", id, e.GUID, booked[id])
						}
					case importer.Unknown:
						unclear++
					default:
						if len(booked[id]) > 0 {
							t.Errorf("%s is recorded as %s, and the service booked it", id, e.State.Code())
						}
					}
				}
				if way.clean && (s.status != exitFix || unclear > 0 || len(booked) != 51) {
					t.Errorf("status %d, %d unclear, %d booked: %s %s", s.status, unclear, len(booked), s.out, s.err)
				}
				if way.clean {
					return
				}

				m.mix = edited(always, func(b string) string { return b })
				o.run("import", "--today", "2026-12-01", "--set", "workers="+strconv.Itoa(workers), "--results", filepath.Join(o.folder, "again.csv"), o.schedule)
				for id, guids := range o.booked() {
					if len(guids) > 1 {
						t.Errorf("%s is booked %d times", id, len(guids))
					}
				}
			})
		}
	}
}

// TestDeniedTrips has the service deny trips that access allows. Trips that are denied
// now and then are booked. Three denials in a row close the funding source, and the
// summary says why its other trips were not sent.
func TestDeniedTrips(t *testing.T) {
	t.Parallel()
	stray := inject.Fault{At: []int{5, 6, 14}, Kind: "401"}
	var closed []inject.Fault
	for i := 5; i <= 12; i++ {
		closed = append(closed, inject.Fault{Trip: "N-" + strconv.Itoa(i), Kind: "403"})
	}
	for name, c := range map[string]struct {
		faults         []inject.Fault
		status, booked int
		says           string
	}{
		"now and then":   {[]inject.Fault{stray}, exitDone, 12, "All 12 trips are booked"},
		"three in a row": {closed, exitLater, 4, "the service refuses trips of Lakeshore Transit / County Medicaid Plan"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, inventedRows(12, func(int) bool { return false }), sandbox.Config{Faults: &inject.Plan{Faults: c.faults}})
			s := o.run("import", "--today", "2026-12-01", "--set", "workers=1", "--results", filepath.Join(o.folder, "results.csv"), o.schedule)
			if s.status != c.status || len(o.booked()) != c.booked || !strings.Contains(strings.Join(strings.Fields(s.out), " "), c.says) {
				t.Errorf("status %d, %d booked: %s %s", s.status, len(o.booked()), s.out, s.err)
			}
		})
	}
}
