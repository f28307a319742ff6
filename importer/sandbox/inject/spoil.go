package inject

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tripimport/importer/sandbox"
)

// serveStatus sends a response with the status that the fault has.
func (inj *Fault) serveStatus(w http.ResponseWriter, normal *sandbox.Response, status int) {
	a := normal
	switch {
	case status < 200:
		w.WriteHeader(status)
	case status == http.StatusNoContent:
		a = &sandbox.Response{Status: status, Header: http.Header{}}
	case status < 300:
		a.Status = status
	default:
		a = sandbox.Refusal(status, "the sandbox was told to answer so: "+http.StatusText(status))
	}

	if status >= 300 && status < 400 {
		a.Header.Set("Location", cmp.Or(inj.To, "/v1/elsewhere"))
	}
	if inj.RetryAfter != "" {
		a.Header.Set("Retry-After", retryAfterValue(inj.RetryAfter))
	}

	a.Write(w)
}

// retryAfterValue returns the Retry-After header; see Fault.RetryAfter.
func retryAfterValue(text string) string {
	seconds, isDate := strings.CutPrefix(text, "date+")
	n, err := strconv.Atoi(seconds)
	if !isDate || err != nil {
		return text
	}
	return time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
}

func firstHalf(a *sandbox.Response) []byte { return a.Body[:len(a.Body)/2] }

// rawHeader formats the status line and the headers of a response, with any
// Content-Length.
func rawHeader(a *sandbox.Response, length int) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
		a.Status, http.StatusText(a.Status), length)
}

// sendRaw writes a text to the connection, without net/http, and then calls end to end
// the connection.
func sendRaw(w http.ResponseWriter, text string, end func(net.Conn)) {
	conn := hijack(w)
	_, _ = conn.Write([]byte(text))   // fails only if the client is gone
	time.Sleep(20 * time.Millisecond) // a reset would overtake the text
	end(conn)
}

// hijack takes over the connection from net/http.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // ends the connection as well
	}
	return conn
}

// reset ends the connection with a TCP reset.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// closeConn closes the connection normally, without a response.
func closeConn(conn net.Conn) { _ = conn.Close() }
