package service

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
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

// changeReplies are what replies prove about a change.
func changeReplies() (cases []changeReply) {
	const guid = `"trip_guid":"` + testGUID + `"`
	add := func(status int, contentType, body string, want importer.ReplyKind) {
		cases = append(cases, changeReply{status, contentType, body, want})
	}
	changed, unclear, foreign := importer.ReplyChanged, importer.ReplyUnclear, importer.ReplyForeign
	for body, want := range map[string]importer.ReplyKind{
		// The contract does not show the body of a success.
		withGUID: changed, noGUID: changed, `{}`: changed, ``: changed, `null`: changed, `true`: changed, `[]`: changed,
		`"` + testGUID + `"`: changed, `"ok"`: changed, `1`: changed, `["pickup.pickup_time"]`: changed,
		"\ufeff" + withGUID: changed,
		`{"success":true,"errors":[],"message":"changed without errors"}`:                                  changed,
		`{"message":"The trip was updated."}`:                                                              changed,
		`{"status":"OK","result":{` + guid + `,"trip_id":"t-1001","rider_id":"R-77"}}`:                     changed,
		`{"data":{"Trip":{"TripGuid":"{` + strings.ToUpper(testGUID) + `}"}}}`:                             changed,
		`{"trip_guid":"` + strings.ReplaceAll(testGUID, "-", "") + `"}`:                                    changed,
		`{"trip_guid":null,"trip_id":""}`:                                                                  changed,
		`[{` + guid + `,"trip_id":"T-1001"}]`:                                                              changed,
		`{` + guid + `,"geocoding":{"error":"approximate"}}`:                                               changed,
		`{` + guid + `,"trip_id":"T-1001","return":{"trip_guid":"` + otherGUID + `","trip_id":"T-1001B"}}`: changed,
		`{` + guid + `,"result":{"success":true,"error":"","errors":[],"warnings":["late"]}}`:              changed,
		`{` + guid + `,"properties":[{"Key":"pickup.pickup_time","Value":"x","success":true}]}`:            changed,
		`{` + guid + `,"pickup":{"event_comment":"can't hear, error-prone phone"},"dropoff":{"x":"no"}}`:   changed,

		// It says that it failed, or a part of it.
		`{"success":false}`: unclear, `{"Success":"False",` + guid + `}`: unclear, `{"error":"no such trip"}`: unclear,
		`{"data":{"is_error":true,` + guid + `}}`: unclear, `{"status":"Rejected",` + guid + `}`: unclear, `{"errors":["x"]}`: unclear,
		`false`: unclear, `0`: unclear, `"Error: the trip is locked"`: unclear, `[{"success":false}]`: unclear,
		`{"message":"The pickup time could not be changed"}`:                                         unclear,
		`{"Message":"An error has occurred."}`:                                                       unclear,
		`{` + guid + `,"results":[{"Key":"pickup.zip","success":true},{"Key":"x","success":false}]}`: unclear,
		`{` + guid + `,"result":{"success":false}}`:                                                  unclear, `{` + guid + `,"outcome":{"result":"Refused"}}`: unclear,

		// Half answers, and what is no JSON.
		withGUID[:40]: unclear, withGUID + withGUID: unclear, `OK`: unclear, `{`: unclear,
		`{"trip_guid":"TRIP-1"}`: unclear, `{"trip_guid":"00000000-0000-0000-0000-000000000000"}`: unclear, `{"trip_guid":7}`: unclear,

		// Another trip or another rider.
		`{"trip_guid":"` + otherGUID + `"}`:                                           foreign,
		`{"trip_guid":"` + otherGUID + `","trip_id":"T-1001"}`:                        foreign,
		`{"data":{"tripGuid":"` + strings.ToUpper(otherGUID) + `"}}`:                  foreign,
		`{` + guid + `,"trip_id":"T-1002"}`:                                           foreign,
		`{"trip_id":1002}`:                                                            foreign,
		`{` + guid + `,"trip":{"trip_id":"T-1002"}}`:                                  foreign,
		`{` + guid + `,"rider_id":"R-78"}`:                                            foreign,
		`[{"trip_guid":"` + otherGUID + `"}]`:                                         foreign,
		`{"trip":{` + guid + `},"changed":{"trip_guid":"` + otherGUID + `"}}`:         foreign,
		`{"success":false,"trip_guid":"` + otherGUID + `","message":"not permitted"}`: foreign,
	} {
		add(200, jsonType, body, want)
	}
	add(200, "text/plain", withGUID, changed)
	add(200, "text/html", pageBody, importer.ReplyPage)
	add(200, jsonType, "\n "+pageBody, importer.ReplyPage)
	add(202, "text/html", pageBody, importer.ReplyPage)
	for _, status := range []int{201, 202, 206, 207} {
		add(status, jsonType, withGUID, unclear)
	}
	add(204, jsonType, "", unclear)
	for _, status := range []int{400, 413, 422} {
		add(status, jsonType, `{"message":"no"}`, importer.ReplyRefused)
		add(status, jsonType, `{`+guid+`,"trip_id":"is too old"}`, importer.ReplyRefused)
		add(status, "text/html", pageBody, importer.ReplyRefused)
		add(status, jsonType, `{"trip_guid":"`+otherGUID+`","message":"no"}`, foreign)
		add(status, jsonType, `{"trip_guid":"is not known"}`, importer.ReplyRefused)
	}
	for _, status := range []int{401, 403} {
		add(status, jsonType, `{}`, importer.ReplyDenied)
	}
	add(404, jsonType, `{"message":"no such trip"}`, importer.ReplyRefused)
	add(404, jsonType, `{}`, importer.ReplyRefused)
	add(404, "text/html", pageBody, importer.ReplyMisdirected)
	add(404, "text/plain", "404 page not found", importer.ReplyMisdirected)
	add(404, jsonType, ``, importer.ReplyMisdirected)
	add(404, jsonType, `{"trip_guid":"`+otherGUID+`"}`, foreign)
	for _, status := range []int{405, 415} {
		add(status, jsonType, `{}`, importer.ReplyMisdirected)
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		add(status, jsonType, "", importer.ReplyRedirected)
	}
	add(429, jsonType, `{}`, importer.ReplyThrottled)
	for _, status := range []int{402, 408, 409, 410, 418, 500, 502, 503, 504, 599, 999} {
		add(status, jsonType, `{"message":"no"}`, unclear)
		add(status, jsonType, withGUID, unclear)
	}
	return cases
}

type changeReply struct {
	status            int
	contentType, body string
	want              importer.ReplyKind
}

func TestRepliesToChanges(t *testing.T) {
	var reply atomic.Pointer[changeReply]
	handler := func(w http.ResponseWriter, r *http.Request) {
		now := reply.Load()
		answers(now.status, now.contentType, now.body, "Location", "/v1/elsewhere", "Retry-After", "7")(w, r)
	}
	plain, got := serve(t, handler)
	secure, trusted := serveRaw(t, true, func(conn net.Conn) {
		in := bufio.NewReader(conn)
		if r, err := http.ReadRequest(in); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			now := reply.Load()
			if now.status == 204 || now.status == 304 {
				_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Text\r\n\r\n", now.status)
				return
			}
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Text\r\nContent-Type: %s\r\nRetry-After: 7\r\nContent-Length: %d\r\n\r\n%s", now.status, now.contentType, len(now.body), now.body)
		}
	})
	for _, c := range changeReplies() {
		reply.Store(&c)
		for name, client := range map[string]*Client{"plain": clientOf(t, plain, nil), "TLS": clientOf(t, secure, nil)} {
			if name == "TLS" {
				client.transport.TLSClientConfig.RootCAs = trusted
			}
			a := change(t, client, goodChange())
			if a.Kind != c.want || a.Status != c.status || (a.Message == "") != (c.want == importer.ReplyChanged) || a.GUID != "" {
				t.Errorf("%s, %d %s: %+v, want %v", name, c.status, c.body, a, c.want)
			}
			if c.status == 429 && a.RetryAfter != 7*time.Second {
				t.Errorf("%s: retry after %v", name, a.RetryAfter)
			}
			if c.status == 404 && c.want == importer.ReplyRefused && !strings.HasPrefix(a.Message, "the service does not know the trip's GUID: ") {
				t.Errorf("%s: %s", name, a.Message)
			}
		}
		if n := len(got()); n != 1 {
			t.Errorf("%d %s: the service was sent %d requests", c.status, c.body, n)
		}
	}
}

// serveRaw handles each connection by itself, in the clear or over TLS. It returns the
// certificates to trust.
func serveRaw(t *testing.T, secure bool, handler func(net.Conn)) (url string, trusted *x509.CertPool) {
	t.Helper()
	good := newIssuer(t)
	template := forLoopback()
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	cert, key := good.sign(t, template)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				conn := raw
				if secure {
					conn = tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}})
				}
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				handler(conn)
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		serving.Wait()
	})
	trusted = x509.NewCertPool()
	trusted.AddCert(good.cert)
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	return scheme + l.Addr().String(), trusted
}

// What a connection proves about a change if it breaks before there is a status or a
// whole body.
func TestBrokenConnectionsOfChanges(t *testing.T) {
	ok := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		text   string // what is sent after the request was read
		before bool   // the connection ends before it is read
		want   importer.ReplyKind
	}{
		"closed before reading":      {"", true, importer.ReplyUnclear},
		"closed after reading":       {"", false, importer.ReplyUnclear},
		"cut in the status":          {"HTTP/1.1 20", false, importer.ReplyUnclear},
		"cut in the headers":         {ok, false, importer.ReplyUnclear},
		"cut before the body":        {ok + "Content-Length: 50\r\n\r\n", false, importer.ReplyUnclear},
		"cut in the body":            {ok + "Content-Length: 500\r\n\r\n" + withGUID, false, importer.ReplyUnclear},
		"no end of the body is said": {ok + "\r\n", false, importer.ReplyUnclear},
		"cut in the chunks":          {ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", false, importer.ReplyUnclear},
		"broken chunks":              {ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", false, importer.ReplyUnclear},
		"1xx alone":                  {"HTTP/1.1 102 Processing\r\n\r\n", false, importer.ReplyUnclear},
		"another protocol":           {"220 mail.example.com ESMTP\r\n", false, importer.ReplyUnclear},
		"400 with a cut body":        {"HTTP/1.1 400 Bad Request\r\nContent-Length: 500\r\n\r\n{\"message\":\"bad", false, importer.ReplyRefused},
		"404 with a cut body":        {"HTTP/1.1 404 Not Found\r\nContent-Length: 500\r\n\r\n{}", false, importer.ReplyMisdirected},
		"an empty body":              {ok + "Content-Length: 0\r\n\r\n", false, importer.ReplyChanged},
		"no chunks":                  {ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false, importer.ReplyChanged},
		"a body to the end":          {ok + "\r\n" + withGUID, false, importer.ReplyChanged},
		"twice":                      {strings.Repeat(answerText(200, withGUID), 2), false, importer.ReplyChanged},
		"of another trip, then ours": {answerText(200, `{"trip_id":"T-9"}`) + answerText(200, withGUID), false, importer.ReplyForeign},
		"refused, then changed":      {answerText(400, `{}`) + answerText(200, withGUID), false, importer.ReplyRefused},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/TLS %v", name, secure), func(t *testing.T) {
				var connections atomic.Int32
				url, trusted := serveRaw(t, secure, func(conn net.Conn) {
					connections.Add(1)
					if c.before {
						_, _ = conn.Read(make([]byte, 1)) // the handshake, and the beginning of the request
						return
					}
					if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					_, _ = io.WriteString(conn, c.text)
				})
				client := clientOf(t, url, func(cfg *Config) { cfg.Timeout = 10 * time.Second })
				client.transport.TLSClientConfig.RootCAs = trusted
				if a := change(t, client, goodChange()); a.Kind != c.want {
					t.Errorf("%v (%s), want %v", a.Kind, a.Message, c.want)
				}
				if n := connections.Load(); n != 1 {
					t.Errorf("%d connections were made", n)
				}
			})
		}
	}
}

func TestNothingLeftOfChange(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	gone := "http://" + closed.Addr().String()
	if a := change(t, clientOf(t, gone, nil), goodChange()); a.Kind != importer.ReplyNotSent || a.Status != 0 {
		t.Errorf("refused: %+v", a)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := clientOf(t, gone, nil).Change(ctx, importer.NewSecret(testKey), goodChange()); a.Kind != importer.ReplyNotSent {
		t.Errorf("interrupted: %+v", a)
	}
	if a := change(t, clientOf(t, gone, func(c *Config) { c.Token = &tokens{} }), goodChange()); a.Kind != importer.ReplyNotSent || !strings.Contains(a.Message, "token") {
		t.Errorf("no token: %+v", a)
	}
	url, _ := serveRaw(t, true, func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) })
	if a := change(t, clientOf(t, url, nil), goodChange()); a.Kind != importer.ReplyBadCertificate {
		t.Errorf("an unknown issuer: %+v", a)
	}
	url, _ = serveRaw(t, false, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	if a := change(t, clientOf(t, url, func(c *Config) { c.Timeout = time.Second }), goodChange()); a.Kind != importer.ReplyUnclear {
		t.Errorf("no answer: %+v", a)
	}
}
