package service

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
)

// What an answer proves that differs from the one in the contract.
func TestWhoseAnswer(t *testing.T) {
	g := `"trip_guid":"` + testGUID + `"`
	for _, c := range []struct {
		body string
		want importer.ReplyKind
	}{
		// Legitimate forms.
		{`{"trip_id":"T-1001","rider_id":"R-77",` + g + `}`, importer.ReplyCreated},
		{`{"trip":{"trip_id":"T-1001",` + g + `}}`, importer.ReplyCreated},
		{`{"data":{"trip":{"TripID":"t-1001","Rider_ID":" r-77 ",` + g + `}}}`, importer.ReplyCreated},
		{`{"success":true,"error":null,"errors":[],"message":"ok","result":{"TRIP_ID":"T-1001",` + g + `}}`, importer.ReplyCreated},
		{`{"isSuccess":true,"hasErrors":false,"errorMessage":"","errorCode":0,"status":"Scheduled",` + g + `}`, importer.ReplyCreated},
		{`{` + g + `,"extra":{"deep":{"trip_id":"T-1001"}},"list":[{"trip_id":"T-9"}],"geocoding":{"error":"approximate"}}`, importer.ReplyCreated},
		{`{"trip_id":"T-1001",` + g + `,"return":{"trip_id":"T-1001B","rider_id":"R-77"}}`, importer.ReplyCreated},
		{`{"trip_id":null,"rider_id":"",` + g + `}`, importer.ReplyCreated},
		{`{"data":{"trip_id":"T-1001"}}`, importer.ReplyCreatedNoGUID},

		// Another trip or another rider.
		{`{"trip_id":"T-1002",` + g + `}`, importer.ReplyForeign},
		{`{"trip_id":1002,` + g + `}`, importer.ReplyForeign},
		{`{"trip_id":"T-1001","rider_id":"R-78",` + g + `}`, importer.ReplyForeign},
		{`{"rider_id":"R-78",` + g + `}`, importer.ReplyForeign},
		{`{"data":{"trip":{"tripId":"T-1002",` + g + `}}}`, importer.ReplyForeign},
		{`{` + g + `,"trip":{"trip_id":"T-1002"}}`, importer.ReplyForeign},
		{`{"sent":{"trip_id":"T-1001"},"trip":{"trip_id":"T-1002",` + g + `}}`, importer.ReplyForeign},
		{`{"trip_id":"T-1001","TripID":"T-1002",` + g + `}`, importer.ReplyForeign},

		// It says that it failed.
		{`{"success":false,"trip_id":"T-1001",` + g + `}`, importer.ReplyUnclear},
		{`{"Success":"False",` + g + `}`, importer.ReplyUnclear},
		{`{"ok":0,` + g + `}`, importer.ReplyUnclear},
		{`{"error":"no such rider","trip_id":"T-1001"}`, importer.ReplyUnclear},
		{`{"error":{"code":7},` + g + `}`, importer.ReplyUnclear},
		{`{"errors":["x"],"trip":{` + g + `}}`, importer.ReplyUnclear},
		{`{"trip":{"is_error":true,` + g + `}}`, importer.ReplyUnclear},
		{`{"error_code":17,` + g + `}`, importer.ReplyUnclear},
		{`{"status":"FAILED",` + g + `}`, importer.ReplyUnclear},

		// Half answers, and two trips in one.
		{`{"trip_id":"T-1001","trip":{` + g + `},"other":{"trip_guid":"4f0c9a52-7c1e-4c58-9a7e-0d4b6f1e2a33"}}`, importer.ReplyUnclear},
		{`{"trips":[{"trip_id":"T-1001",` + g + `}]}`, importer.ReplyUnclear},
		{`{"message":"booked"}`, importer.ReplyUnclear},
	} {
		client := clientOf(t, "https://service.example.com", nil)
		if kind, _, message := classified(client, 200, c.body, "T-1001"); kind != c.want {
			t.Errorf("%s: %v (%s), want %v", c.body, kind, message, c.want)
		}
	}
}

// An error names our fields too, mostly with a message in place of an id.
func TestWhoseError(t *testing.T) {
	for body, want := range map[string]importer.ReplyKind{
		`{"message":"no","trip_id":"T-1001"}`:             importer.ReplyRefused,
		`{"rider_id":"is not known"}`:                     importer.ReplyRefused,
		`{"rider_id":"must have 10 digits"}`:              importer.ReplyRefused,
		`{"trip_id":["too long"],"rider_id":"required"}`:  importer.ReplyRefused,
		`{"errors":{"rider_id":"E101","trip_id":"E7"}}`:   importer.ReplyRefused,
		`{"modelState":{"rider_id":"E101"}}`:              importer.ReplyRefused,
		`{"trip_id":"T-1002","message":"pickup is late"}`: importer.ReplyForeign,
		`{"data":{"trip_id":1002}}`:                       importer.ReplyForeign,
	} {
		client := clientOf(t, "https://service.example.com", nil)
		if kind, _, _ := classified(client, 400, body, "T-1001"); kind != want {
			t.Errorf("%s: %v, want %v", body, kind, want)
		}
	}
}

// Where answers repeat our trip id is learned from them, or set.
func TestAnswerIDs(t *testing.T) {
	g := `"trip_guid":"` + testGUID + `"`
	for _, c := range []struct {
		name, setting, learned string
		answers                []string // to trips T-1, T-2, …
		want                   string
		last                   importer.ReplyKind
	}{
		{"as in the contract", "", "", []string{`{"TripId":"T-1",` + g + `}`}, "tripid", importer.ReplyCreated},
		{"nowhere", "", "", []string{`{` + g + `}`, `{` + g + `}`, `{` + g + `}`}, "", importer.ReplyCreated},
		{"not in the first answer", "learn", "", []string{`{` + g + `}`, `{"data":{"TRIP_ID":"T-2",` + g + `}}`}, "tripid", importer.ReplyCreated},
		{"not in an answer that failed", "", "", []string{`{"trip_id":"T-1","error":"x"}`}, "", importer.ReplyUnclear},
		{"nowhere, then another trip", "", AnswerIDsNone, []string{`{"trip_id":"T-9",` + g + `}`}, AnswerIDsNone, importer.ReplyForeign},
		{"learned wrongly", "", "trip_id", []string{`{"trip_id":"S-77001",` + g + `}`}, "tripid", importer.ReplyForeign},
		{"ids of its own, set to none", AnswerIDsNone, "", []string{`{"trip_id":"S-77001","rider_id":9,` + g + `}`}, "", importer.ReplyCreated},
		{"ids of its own, ours in another field", "Client_Ref", "", []string{`{"trip_id":"S-77001","clientRef":"T-1",` + g + `}`}, "", importer.ReplyCreated},
		{"another trip in the field that is set", "client_ref", "", []string{`{"trip_id":"T-1","clientRef":"T-2",` + g + `}`}, "", importer.ReplyForeign},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := clientOf(t, "https://service.example.com", func(cfg *Config) { cfg.AnswerIDs, cfg.Learned = c.setting, c.learned })
			var kind importer.ReplyKind
			n := 0
			url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { answers(200, jsonType, c.answers[n])(w, r) })
			client.base = url
			for n = range c.answers {
				trip := goodTrip()
				trip.ID = fmt.Sprintf("T-%d", n+1)
				kind = insert(t, client, trip).Kind
			}
			if got := client.AnswerIDs(); got != c.want || kind != c.last {
				t.Errorf("learned %q and the last answer is %v, want %q and %v", got, kind, c.want, c.last)
			}
		})
	}
}

// A mixed is a service whose connections answer as script says. It knows which
// trips it really created.
type mixed struct {
	// answer returns the texts to write to a connection after its nth request, from
	// 1, and whether the trip is created. What follows a pause is written later.
	answer func(conn *mixedConn, n int, tripID string) (created bool, texts []string)

	mu      sync.Mutex
	created map[string]int
}

type mixedConn struct {
	last string // the last answer to a trip
	shut bool   // close after the answer
}

func (m *mixed) serve(raw net.Conn) {
	defer func() { _ = raw.Close() }()
	conn, in := &mixedConn{}, bufio.NewReader(raw)
	for n := 1; !conn.shut; n++ {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(raw, answerText(200, `[]`))
			n--
			continue
		}

		var trip struct {
			ID string `json:"trip_id"`
		}
		_ = json.Unmarshal(body, &trip) // the client made it
		created, texts := m.answer(conn, n, trip.ID)
		if created {
			m.mu.Lock()
			m.created[trip.ID]++
			m.mu.Unlock()
		}
		if r.Close {
			conn.shut = true
		}
		for _, text := range texts {
			if text == pause {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			_, _ = io.WriteString(raw, text)
		}
	}
}

// pause among the texts of an answer waits before the next one.
const pause = "pause"

func answerText(status int, body string, header ...string) string {
	return fmt.Sprintf("HTTP/1.1 %d Text\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", status, strings.Join(header, ""), len(body), body)
}

func bookedText(id string) string {
	return answerText(200, fmt.Sprintf(`{"trip_id":%q,"trip_guid":%q}`, id, guidOf(id)))
}

// guidOf is the GUID of a trip with a number.
func guidOf(id string) string {
	var n int
	_, _ = fmt.Sscanf(id, "T-%d", &n)
	return fmt.Sprintf("3f0c9a52-7c1e-4c58-9a7e-%012d", n)
}

// run sends trips with that many workers until an answer is about another trip,
// and returns the answers by trip.
func (m *mixed) run(t *testing.T, trips, workers int) map[string]importer.Reply {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.created = map[string]int{}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { m.serve(raw) })
		}
	})

	c := keeping(t, "http://"+l.Addr().String())
	c.connections = workers
	all := map[string]importer.Reply{}
	var mu sync.Mutex
	var sending sync.WaitGroup
	next, stopped := 0, false
	for range workers {
		sending.Go(func() {
			for {
				mu.Lock()
				next++
				n, end := next, stopped || next > trips
				mu.Unlock()
				if end {
					return
				}
				trip := goodTrip()
				trip.ID = fmt.Sprintf("T-%d", n)
				a := c.Insert(t.Context(), importer.NewSecret(testKey), trip)
				mu.Lock()
				all[trip.ID] = a
				stopped = stopped || a.Kind == importer.ReplyForeign
				mu.Unlock()
			}
		})
	}
	sending.Wait()
	c.CloseIdle()
	_ = l.Close()
	serving.Wait()
	return all
}

// Whatever comes on a kept connection, no trip counts as booked that is not booked, or as
// refused that is.
func TestMixedAnswers(t *testing.T) {
	refused := answerText(400, `{"message":"bad data"}`)
	bad := func(id string) bool { return strings.HasSuffix(id, "3") || strings.HasSuffix(id, "4") }
	right := func(id string) (bool, string) {
		if bad(id) {
			return false, refused
		}
		return true, bookedText(id)
	}
	for name, c := range map[string]struct {
		answer func(conn *mixedConn, n int, id string) (bool, []string)
		clean  bool // nothing is unclear
	}{
		"right": {func(_ *mixedConn, _ int, id string) (bool, []string) {
			created, text := right(id)
			return created, []string{text}
		}, true},
		"every refusal twice": {func(_ *mixedConn, _ int, id string) (bool, []string) {
			created, text := right(id)
			if !created {
				return false, []string{text, text}
			}
			return true, []string{text}
		}, false},
		"a booking twice": {func(_ *mixedConn, n int, id string) (bool, []string) {
			created, text := right(id)
			if n == 2 {
				return created, []string{text, text}
			}
			return created, []string{text}
		}, false},
		"a booking twice, the second late": {func(_ *mixedConn, n int, id string) (bool, []string) {
			created, text := right(id)
			if n == 2 {
				return created, []string{text, pause, text}
			}
			return created, []string{text}
		}, false},
		"a refusal of an earlier request before the booking": {func(_ *mixedConn, n int, id string) (bool, []string) {
			if n == 3 {
				return true, []string{refused, bookedText(id)}
			}
			return true, []string{bookedText(id)}
		}, false},
		"a throttling of an earlier request before the booking": {func(_ *mixedConn, n int, id string) (bool, []string) {
			if n == 2 {
				return true, []string{answerText(429, "{}"), pause, bookedText(id)}
			}
			return true, []string{bookedText(id)}
		}, false},
		"the answer before, each time": {func(conn *mixedConn, _ int, id string) (bool, []string) {
			created, text := right(id)
			was := conn.last
			if conn.last = text; was == "" {
				return created, []string{text}
			}
			return created, []string{was}
		}, false},
		"a GUID and no id, on a kept connection": {func(_ *mixedConn, n int, id string) (bool, []string) {
			if n == 2 {
				return false, []string{answerText(200, `{"trip_guid":"`+testGUID+`"}`)}
			}
			return true, []string{bookedText(id)}
		}, false},
		"closed after each answer, unannounced": {func(conn *mixedConn, _ int, id string) (bool, []string) {
			conn.shut = true
			created, text := right(id)
			return created, []string{text, pause}
		}, false},
		"closed after each refusal, announced": {func(conn *mixedConn, _ int, id string) (bool, []string) {
			if bad(id) {
				conn.shut = true
				return false, []string{answerText(400, `{"message":"bad"}`, "Connection: close\r\n")}
			}
			return true, []string{bookedText(id)}
		}, false},
	} {
		for _, workers := range []int{1, 8, 32} {
			t.Run(fmt.Sprintf("%s/%d workers", name, workers), func(t *testing.T) {
				m := &mixed{answer: c.answer}
				unclear := 0
				for id, a := range m.run(t, 120, workers) {
					switch a.Kind {
					case importer.ReplyCreated:
						if m.created[id] != 1 || a.GUID != guidOf(id) {
							t.Errorf("%s is booked with %s, the service created %d", id, a.GUID, m.created[id])
						}
					case importer.ReplyRefused, importer.ReplyNotSent, importer.ReplyThrottled:
						if m.created[id] != 0 {
							t.Errorf("%s is %v, the service created it", id, a.Kind)
						}
					default:
						unclear++
					}
				}
				if c.clean && unclear > 0 {
					t.Errorf("%d answers are unclear", unclear)
				}
			})
		}
	}
}

// A service may close idle connections at any time without saying so. No trip
// becomes unclear by that, at whatever pace trips are sent. Where connections stay
// open for longer than the slack, trips are sent on kept ones until one is closed.
func TestServiceDropsIdleConnections(t *testing.T) {
	for _, c := range []struct {
		after, pause time.Duration
	}{
		{time.Millisecond, time.Millisecond / 2},
		{5 * time.Millisecond, 5 * time.Millisecond / 2},
		{20 * time.Millisecond, 10 * time.Millisecond},
		{60 * time.Millisecond, 30 * time.Millisecond},
		{slack + 60*time.Millisecond, 4 * time.Millisecond},
		{4 * slack, 20 * time.Millisecond},
	} {
		t.Run(fmt.Sprint(c.after), func(t *testing.T) {
			t.Parallel()
			var opened atomic.Int32
			s := httptest.NewUnstartedServer(answers(200, jsonType, withGUID))
			s.Config.IdleTimeout = c.after
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					opened.Add(1)
				}
			}
			s.Start()
			defer s.Close()
			client := clientOf(t, s.URL, nil)
			_ = client.ask(t.Context(), "/v1/access", importer.NewSecret(testToken))
			var sending sync.WaitGroup
			for range 8 {
				sending.Go(func() {
					for n := range 40 {
						time.Sleep(c.pause * time.Duration(n%5))
						if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyCreated {
							t.Errorf("%v: %s", a.Kind, a.Message)
						}
					}
				})
			}
			sending.Wait()
			if n := opened.Load(); c.after >= 4*slack && n >= 321 {
				t.Errorf("%d connections were opened for 321 requests: none was used again", n)
			}
		})
	}
}
