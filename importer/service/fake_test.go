package service

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"tripimport/importer"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // as the program does: see New
	goleak.VerifyTestMain(m)
}

const (
	testToken = "tok-3f9a+/=Zz"
	testKey   = "key-81c2 \"quoted\""
	testGUID  = "3f0c9a52-7c1e-4c58-9a7e-0d4b6f1e2a33"
)

// A tokens returns its texts one after the other, and then always the last one.
type tokens []string

func (ts *tokens) Token(context.Context) (importer.Secret, error) {
	if len(*ts) == 0 {
		return importer.Secret{}, errors.New("the token file is not there")
	}
	text := (*ts)[0]
	if len(*ts) > 1 {
		*ts = (*ts)[1:]
	}
	return importer.NewSecret(text), nil
}

func oneToken() *tokens { return &tokens{testToken} }

// clientOf makes a client of a test's server.
func clientOf(t testing.TB, url string, edit func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: url, Token: oneToken()}
	if edit != nil {
		edit(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

// A received is a request as the fake service got it.
type received struct {
	method, path string
	header       http.Header
	body         string
}

// serve answers every request by handler; got returns what arrived since the
// last call.
func serve(t testing.TB, handler http.HandlerFunc) (url string, got func() []received) {
	t.Helper()
	all := make(chan received, 1000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // some tests send incomplete bodies
		all <- received{r.Method, r.URL.RequestURI(), r.Header.Clone(), string(body)}
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []received {
		var list []received
		for {
			select {
			case r := <-all:
				list = append(list, r)
			default:
				return list
			}
		}
	}
}

// answers returns a handler that always sends the same reply.
func answers(status int, contentType, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// wire is a TCP server: handler is called with each connection and with the
// number of connections before it.
func wire(t testing.TB, handler func(conn net.Conn, n int)) (url string, connections *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connections = new(atomic.Int32)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			handler(conn, int(connections.Add(1))-1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "http://" + l.Addr().String(), connections
}

// reset ends a connection with a TCP reset.
func reset(conn net.Conn) {
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// goodTrip returns a valid trip.
func goodTrip() *importer.Trip {
	day := importer.Date{Year: 2026, Month: 12, Day: 2}
	return &importer.Trip{
		Provider: "Lakeshore Transit", FundingSource: "Northwind Health Plan",
		ID: "T-1001", RiderID: "R-77", SpaceType: "AMB", Type: importer.Appointment, Phone: "218-555-0117",
		BillableDistance: importer.Miles{Value: 3.5, Given: true},
		AdditionalRiders: []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}},
		Pickup: importer.Event{
			Name: "Home", CompleteAddress: "12 Willow Lane, Duluth, MN 55802",
			Position:   importer.Position{Latitude: 46.78, Longitude: -92.1, HasLatitude: true, HasLongitude: true},
			PickupTime: importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 8, Minute: 30}},
		},
		Dropoff: importer.Event{
			LocationName: "Harbor Clinic", Address1: "400 Clinic Road", Address2: "Suite 3",
			City: "Duluth", State: "MN", Zip: "55805", Phone: "218-555-0190", Comment: "ring <twice> & wait",
			Position: importer.Position{Latitude: 46.8, Longitude: -92.08, HasLatitude: true, HasLongitude: true},
			Appt:     importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 9, Minute: 15, Second: 30}},
		},
	}
}

func insert(t testing.TB, c *Client, trip *importer.Trip) importer.Reply {
	t.Helper()
	return c.Insert(t.Context(), importer.NewSecret(testKey), trip)
}
