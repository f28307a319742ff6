package service

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
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
		{`{` + g + `,"result":{"success":true,"error":null,"errors":[],"errorMessage":"","warnings":["late"],"geocoding":{"ok":false}}}`, importer.ReplyCreated},
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
		{`{` + g + `,"result":{"success":false}}`, importer.ReplyUnclear},
		{`{` + g + `,"status":{"code":7,"error":"no such rider"}}`, importer.ReplyUnclear},

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

// Every request has a connection of its own and says so. So an answer that comes twice or
// late concerns no other request, and neither does the way in which the service ends the
// connection.
func TestOneRequestAConnection(t *testing.T) {
	refused := answerText(400, `{"message":"bad data"}`)
	for name, end := range map[string]func(conn net.Conn, text string){
		"once":                  func(net.Conn, string) {},
		"twice":                 func(conn net.Conn, text string) { _, _ = io.WriteString(conn, text) },
		"a refusal after it":    func(conn net.Conn, _ string) { _, _ = io.WriteString(conn, refused) },
		"another trip after it": func(conn net.Conn, _ string) { _, _ = io.WriteString(conn, bookedText("T-900")) },
		"twice, late": func(conn net.Conn, text string) {
			time.Sleep(5 * time.Millisecond)
			_, _ = io.WriteString(conn, text)
		},
		"left open": func(conn net.Conn, _ string) { _, _ = conn.Read(make([]byte, 1)) },
		"reset late": func(conn net.Conn, _ string) {
			time.Sleep(5 * time.Millisecond)
			reset(conn)
		},
	} {
		for _, workers := range []int{1, 8, 32} {
			t.Run(fmt.Sprintf("%s/%d workers", name, workers), func(t *testing.T) {
				var connections, kept atomic.Int32
				url, _ := serveRaw(t, false, func(conn net.Conn) {
					connections.Add(1)
					r, err := http.ReadRequest(bufio.NewReader(conn))
					if err != nil {
						return
					}
					var trip struct {
						ID string `json:"trip_id"`
					}
					_ = json.NewDecoder(r.Body).Decode(&trip) // a change has none
					if !r.Close {
						kept.Add(1)
					}
					text := answerText(200, `{}`)
					switch {
					case strings.HasSuffix(trip.ID, "3"):
						text = refused
					case trip.ID != "":
						text = bookedText(trip.ID)
					}
					_, _ = io.WriteString(conn, text)
					end(conn, text)
				})
				c := clientOf(t, url, nil)
				var next atomic.Int32
				var sending sync.WaitGroup
				for range workers {
					sending.Go(func() {
						for n := next.Add(1); n <= 96; n = next.Add(1) {
							trip, want := goodTrip(), importer.ReplyCreated
							trip.ID = fmt.Sprintf("T-%d", n)
							if n%10 == 3 {
								want = importer.ReplyRefused
							}
							if a := insert(t, c, trip); a.Kind != want || want == importer.ReplyCreated && a.GUID != guidOf(trip.ID) {
								t.Errorf("%s: %+v", trip.ID, a)
							}
							if a := change(t, c, goodChange()); a.Kind != importer.ReplyChanged {
								t.Errorf("change: %+v", a)
							}
						}
					})
				}
				sending.Wait()
				if n := connections.Load(); n != 2*96 || kept.Load() > 0 {
					t.Errorf("%d requests had %d connections, %d were not announced to close", 2*96, n, kept.Load())
				}
			})
		}
	}
}

func answerText(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d Text\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
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
