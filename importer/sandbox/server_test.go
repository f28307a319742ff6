package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestListensOnThisComputerAlone(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for addr, says := range map[string]string{
		"0.0.0.0:0": "only on this computer", ":0": "only on this computer", "[::]:0": "only on this computer",
		"10.0.0.7:0": "can't listen", "8080": "can't listen", "127.0.0.1:99999": "can't listen",
	} {
		if _, err := s.Listen(t.Context(), addr); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s gives %v, want %q", addr, err, says)
		}
	}
	server, err := s.Listen(t.Context(), AnyPort)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(server.URL(), "http://127.0.0.1:") {
		t.Errorf("listens on %s", server.URL())
	}
	if _, err := s.Listen(t.Context(), strings.TrimPrefix(server.URL(), "http://")); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("a port that is taken gives %v", err)
	}
	for range 2 {
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func TestConfigsThatMeanNothing(t *testing.T) {
	dir := t.TempDir()
	for name, cfg := range map[string]Config{
		"a log that is a folder": {Log: dir},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesAreForThisUserAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "log")
	c := start(t, Config{Log: path})
	c.do("POST", "/v1/singletrip", c.trip(nil))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the log has mode %v", info.Mode())
	}
}

// The log has no values of the trip, no API key and no token.
func TestNothingOfARowIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	c := start(t, Config{Log: path})
	c.do("POST", "/v1/singletrip", c.trip(func(trip map[string]any) {
		set("rider_id", "CANARY-rider")(trip)
		set("phone", "CANARY-phone")(trip)
		set("pickup.event_name", "CANARY-name")(trip)
		set("pickup.event_comment", "CANARY-comment")(trip)
		set("pickup.complete_address", "CANARY-address")(trip)
		set("dropoff.event_location.address1", "CANARY-street")(trip)
	}))
	c.do("POST", "/v1/singletrip/withProperties", changeJSON(t, c.booked()[0].GUID, c.key, "caller", "CANARY-caller"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"CANARY", c.key, DefaultToken, "46.78"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the log holds %s: %s", secret, text)
		}
	}
	if n := strings.Count(string(text), "\n"); n < 2 {
		t.Errorf("the log has %d lines", n)
	}
}

func TestOnRequestAndDelay(t *testing.T) {
	var onRequest atomic.Value
	c := start(t, Config{
		Delay:     30 * time.Millisecond,
		OnRequest: func(op Operation, body []byte) { onRequest.Store(string(op) + " " + string(body)) },
	})
	began := time.Now()
	body := c.trip(nil)
	c.do("POST", "/v1/singletrip", body)
	if got := onRequest.Load(); got != "insert "+body {
		t.Errorf("seen: %v", got)
	}
	if spent := time.Since(began); spent < 30*time.Millisecond {
		t.Errorf("answered after %v", spent)
	}
	c.do("GET", "/v1/access", "")
	if got := onRequest.Load(); got != "insert "+body {
		t.Errorf("access was seen as %v", got)
	}
}
