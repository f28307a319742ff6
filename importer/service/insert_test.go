package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"tripimport/importer"
)

const (
	withGUID = `{"trip_id":"T-1001","trip_guid":"` + testGUID + `","pickup":{}}`
	noGUID   = `{"trip_id":"T-1001","pickup":{}}`
	jsonType = "application/json; charset=utf-8"
	pageBody = "<!DOCTYPE html><html><body>sign in</body></html>"
)

// What every reply with a status proves about the trip.
func TestReplies(t *testing.T) {
	type c struct {
		name    string
		handler http.HandlerFunc
		want    importer.ReplyKind
	}
	cases := []c{
		{"200 with a GUID", answers(200, jsonType, withGUID), importer.ReplyCreated},
		{"200 without a GUID", answers(200, jsonType, noGUID), importer.ReplyCreatedNoGUID},
		{"200 about another trip", answers(200, jsonType, `{"trip_id":"T-2"}`), importer.ReplyForeign},
		{"200 truncated", answers(200, jsonType, withGUID[:40]), importer.ReplyUnclear},
		{"200 with a list", answers(200, jsonType, "["+withGUID+"]"), importer.ReplyUnclear},
		{"200 with two objects", answers(200, jsonType, withGUID+withGUID), importer.ReplyUnclear},
		{"200 with nothing", answers(200, jsonType, ""), importer.ReplyUnclear},
		{"200 with a text", answers(200, "text/plain", "OK"), importer.ReplyUnclear},
		{"200 with JSON declared as text", answers(200, "text/plain", withGUID), importer.ReplyCreated},
		{"200 with a page", answers(200, "text/html", pageBody), importer.ReplyPage},
		{"200 with a page declared as JSON", answers(200, jsonType, "\n "+pageBody), importer.ReplyPage},
		{"200 with JSON declared as a page", answers(200, "Text/HTML", withGUID), importer.ReplyPage},
		{"202 with a page", answers(202, "text/html", pageBody), importer.ReplyPage},
		{"409", answers(409, jsonType, `{"message":"exists"}`), importer.ReplyUnclear},
		{"408", answers(408, jsonType, ""), importer.ReplyUnclear},
		{"418", answers(418, jsonType, ""), importer.ReplyUnclear},
		{"a page with 400", answers(400, "text/html", pageBody), importer.ReplyRefused},
		{"999", answers(999, jsonType, ""), importer.ReplyUnclear},
	}
	for _, status := range []int{201, 202, 204, 206, 207, 226} {
		body := withGUID
		if status == 204 {
			body = ""
		}
		cases = append(cases, c{fmt.Sprint(status), answers(status, jsonType, body), importer.ReplyUnclear})
	}
	for _, status := range []int{400, 413, 422} {
		cases = append(cases,
			c{fmt.Sprint(status), answers(status, jsonType, `{"message":"no"}`), importer.ReplyRefused},
			c{fmt.Sprint(status, " with a GUID"), answers(status, jsonType, withGUID), importer.ReplyUnclear},
			c{fmt.Sprint(status, " with two GUIDs"), answers(status, jsonType, `{"message":"no","trip_guid":"`+testGUID+`","TripGUID":"7d3f8c1e-95aa-4b8e-9f0c-2b7e6a5d4c3b"}`), importer.ReplyUnclear},
			c{fmt.Sprint(status, " with a text and a GUID"), answers(status, jsonType, `{"trip_guid":"it has one","trip":{"trip_guid":"`+testGUID+`"}}`), importer.ReplyUnclear},
			c{fmt.Sprint(status, " with a text for a GUID"), answers(status, jsonType, `{"message":"no","trip_guid":"missing"}`), importer.ReplyRefused},
			c{fmt.Sprint(status, " with an empty GUID"), answers(status, jsonType, `{"message":"no","trip_guid":"00000000-0000-0000-0000-000000000000"}`), importer.ReplyRefused},
			c{fmt.Sprint(status, " about the GUID"), answers(status, jsonType, `{"message":"no","errors":{"trip_guid":"`+testGUID+`"}}`), importer.ReplyRefused},
		)
	}
	for _, status := range []int{401, 403} {
		cases = append(cases, c{fmt.Sprint(status), answers(status, jsonType, "{}"), importer.ReplyDenied})
	}
	for _, status := range []int{401, 403, 404, 405, 415, 429} {
		cases = append(cases, c{fmt.Sprint(status, " with a GUID"), answers(status, jsonType, withGUID), importer.ReplyUnclear})
	}
	for _, status := range []int{404, 405, 415} {
		cases = append(cases, c{fmt.Sprint(status), answers(status, jsonType, "{}"), importer.ReplyMisdirected})
	}
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		cases = append(cases, c{fmt.Sprint(status), answers(status, jsonType, "", "Location", "/v1/elsewhere"), importer.ReplyRedirected})
	}
	cases = append(cases, c{"429", answers(429, jsonType, "{}"), importer.ReplyThrottled})
	for _, status := range []int{500, 501, 502, 503, 504, 507, 520, 599} {
		cases = append(cases, c{fmt.Sprint(status), answers(status, jsonType, withGUID), importer.ReplyUnclear})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			url, got := serve(t, c.handler)
			a := insert(t, clientOf(t, url, nil), goodTrip())
			if a.Kind != c.want {
				t.Errorf("got %v (%s), want %v", a.Kind, a.Message, c.want)
			}
			if a.Status == 0 {
				t.Error("the answer has no status")
			}
			if (a.GUID == testGUID) != (c.want == importer.ReplyCreated) {
				t.Errorf("GUID %q with %v", a.GUID, a.Kind)
			}
			if (a.Message == "") != (c.want == importer.ReplyCreated) {
				t.Errorf("message %q with %v", a.Message, a.Kind)
			}
			if n := len(got()); n != 1 {
				t.Errorf("the service was sent %d requests, want 1", n)
			}
		})
	}
}

// What a connection proves if it breaks before there is a status or a whole body.
func TestBrokenConnections(t *testing.T) {
	read := func(conn net.Conn) {
		buf := make([]byte, 64<<10)
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		for text := ""; !strings.Contains(text, `"trip_type"`); {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			text += string(buf[:n])
		}
	}
	say := func(text string) func(net.Conn, int) {
		return func(conn net.Conn, _ int) {
			read(conn)
			_, _ = io.WriteString(conn, text)
			time.Sleep(20 * time.Millisecond)
		}
	}
	ok := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	whole := ok + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(withGUID)) + withGUID
	for name, c := range map[string]struct {
		handler func(net.Conn, int)
		want    importer.ReplyKind
	}{
		"closed while reading": {func(conn net.Conn, _ int) { _, _ = conn.Read(make([]byte, 1)) }, importer.ReplyUnclear},
		"reset while reading":  {func(conn net.Conn, _ int) { _, _ = conn.Read(make([]byte, 1)); reset(conn) }, importer.ReplyUnclear},
		"closed after reading": {say(""), importer.ReplyUnclear},
		"reset after reading":  {func(conn net.Conn, _ int) { read(conn); reset(conn) }, importer.ReplyUnclear},
		"cut in the status":    {say("HTTP/1.1 20"), importer.ReplyUnclear},
		"cut in the headers":   {say(ok), importer.ReplyUnclear},
		"cut in the body":      {say(ok + "Content-Length: 500\r\n\r\n" + withGUID), importer.ReplyUnclear},
		"body past its length": {say(ok + "Content-Length: 20\r\n\r\n" + withGUID), importer.ReplyUnclear},
		"broken chunks":        {say(ok + "Transfer-Encoding: chunked\r\n\r\n" + "zz\r\n"), importer.ReplyUnclear},
		"no HTTP at all":       {say("220 mail.example.com ESMTP\r\n"), importer.ReplyUnclear},
		"HTTP/2 in the clear":  {say("\x00\x00\x00\x04\x00\x00\x00\x00\x00"), importer.ReplyUnclear},
		"switched protocols":   {say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"), importer.ReplyUnclear},
		"two lengths":          {say(ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), importer.ReplyUnclear},
		"after 1xx":            {say("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + whole), importer.ReplyCreated},
		"1xx alone":            {say("HTTP/1.1 102 Processing\r\n\r\n"), importer.ReplyUnclear},
		"400 with a cut body":  {say("HTTP/1.1 400 Bad Request\r\nContent-Length: 500\r\n\r\n{\"message\":\"bad"), importer.ReplyRefused},
		"429 with a cut body":  {say("HTTP/1.1 429 Slow\r\nContent-Length: 500\r\n\r\n"), importer.ReplyThrottled},
		"whole":                {say(whole), importer.ReplyCreated},
	} {
		t.Run(name, func(t *testing.T) {
			url, connections := wire(t, c.handler)
			a := insert(t, clientOf(t, url, func(cfg *Config) { cfg.Timeout = 5 * time.Second }), goodTrip())
			if a.Kind != c.want {
				t.Errorf("got %v (%s), want %v", a.Kind, a.Message, c.want)
			}
			if n := connections.Load(); n != 1 {
				t.Errorf("%d connections were made, want 1", n)
			}
			if c.want == importer.ReplyUnclear && a.Message == "" {
				t.Error("the message is empty")
			}
		})
	}
}

func TestNothingLeft(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		url  string
		edit func(*Client)
		want string
	}{
		"refused": {t.Context(), "http://" + closed.Addr().String(), nil, "nothing answers at the service's address"},
		"unknown host": {t.Context(), "https://service.invalid", func(c *Client) {
			c.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "service.invalid", IsNotFound: true}}
			}
		}, "host name is not known"},
		"unreachable": {t.Context(), "https://service.invalid", func(c *Client) {
			c.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: errors.New("network is unreachable")}
			}
		}, "the connection failed"},
		"refused on Windows": {t.Context(), "https://service.invalid", func(c *Client) {
			c.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: &os.SyscallError{Syscall: "connectex", Err: syscall.Errno(10061)}}
			}
		}, "nothing answers at the service's address"},
		"dialled for too long": {t.Context(), "https://service.invalid", func(c *Client) {
			c.config.Timeout = 50 * time.Millisecond
			c.transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		}, "nothing came within 50ms"},
		"interrupted before": {interrupted, "http://" + closed.Addr().String(), nil, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, c.url, nil)
			if c.edit != nil {
				c.edit(client)
			}
			a := client.Insert(c.ctx, importer.NewSecret(testKey), goodTrip())
			if a.Kind != importer.ReplyNotSent || a.Status != 0 || !strings.Contains(a.Message, c.want) {
				t.Errorf("got %v: %q, want not sent: %q", a.Kind, a.Message, c.want)
			}
		})
	}
}

func TestRetryAfterIsGivenWithAnyStatus(t *testing.T) {
	for _, status := range []int{429, 503} {
		url, _ := serve(t, answers(status, jsonType, "{}", "Retry-After", "12"))
		if a := insert(t, clientOf(t, url, nil), goodTrip()); a.RetryAfter != 12*time.Second {
			t.Errorf("%d: %v, want 12s", status, a.RetryAfter)
		}
	}
}

func TestRequestAsItArrives(t *testing.T) {
	url, got := serve(t, answers(200, jsonType, withGUID))
	insert(t, clientOf(t, url+"/api/", func(c *Config) { c.UserAgent = "tripimport/1.2" }), goodTrip())
	all := got()
	if len(all) != 1 {
		t.Fatalf("%d requests arrived", len(all))
	}
	r := all[0]
	if r.method != "POST" || r.path != "/api/v1/singletrip" {
		t.Errorf("%s %s", r.method, r.path)
	}
	for name, want := range map[string]string{
		"Authorization": "bearer " + testToken, "Content-Type": "application/json",
		"Accept": "application/json", "User-Agent": "tripimport/1.2",
		"Idempotency-Key": "", "X-Idempotency-Key": "", "Accept-Encoding": "", "Cookie": "", "Referer": "",
	} {
		if got := strings.Join(r.header.Values(name), "|"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	validates(t, contractSchema(t, "insert"), []byte(r.body))
}
