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
		"0.0.0.0:0": "only on this computer", "10.0.0.7:0": "only on this computer", "[::]:0": "only on this computer",
		"example.com:0": "only on this computer", "8080": "should look like", "127.0.0.1:99999": "can't listen",
	} {
		if _, err := s.Listen(addr); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s gives %v, want %q", addr, err, says)
		}
	}
	server, err := s.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(server.URL(), "http://127.0.0.1:") {
		t.Errorf("listens on %s", server.URL())
	}
	if _, err := s.Listen(strings.TrimPrefix(server.URL(), "http://")); err == nil || !strings.Contains(err.Error(), "another program") {
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
		"a state that is a folder": {State: dir},
		"a log that is a folder":   {Log: dir},
		"a prefix of letters":      {GUIDPrefix: "rehearse"},
		"a prefix too long":        {GUIDPrefix: "00000000-0"},
		"a hyphen out of place":    {GUIDPrefix: "000-"},
	} {
		if _, err := New(cfg); err == nil || strings.Contains(err.Error(), "open ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesAreForThisUserAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	c := start(t, Config{State: filepath.Join(dir, "state"), Log: filepath.Join(dir, "log")})
	c.do("POST", "/v1/singletrip", c.trip(nil))
	for _, name := range []string{"state", "log"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

// The state and the log have no values of the trip, no API key and no token.
func TestNothingOfARowIsKept(t *testing.T) {
	dir := t.TempDir()
	c := start(t, Config{State: filepath.Join(dir, "state"), Log: filepath.Join(dir, "log")})
	c.do("POST", "/v1/singletrip", c.trip(func(trip map[string]any) {
		set("rider_id", "CANARY-rider")(trip)
		set("phone", "CANARY-phone")(trip)
		set("pickup.event_name", "CANARY-name")(trip)
		set("pickup.event_comment", "CANARY-comment")(trip)
		set("pickup.complete_address", "CANARY-address")(trip)
		set("dropoff.event_location.address1", "CANARY-street")(trip)
	}))
	c.do("POST", "/v1/singletrip/withProperties", changeJSON(t, c.booked()[0].GUID, c.key, "caller", "CANARY-caller"))
	for _, name := range []string{"state", "log"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"CANARY", c.key, DefaultToken, "46.78"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s holds %s: %s", name, secret, text)
			}
		}
		if n := strings.Count(string(text), "\n"); n < 2 {
			t.Errorf("%s has %d lines", name, n)
		}
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

// If the state file cannot be written, the request fails and nothing is booked.
func TestTripThatCannotBeKept(t *testing.T) {
	c := start(t, Config{State: filepath.Join(t.TempDir(), "state")})
	if err := c.sandbox.store.close(); err != nil {
		t.Fatal(err)
	}
	if status, text := c.do("POST", "/v1/singletrip", c.trip(nil)); status != 500 || !strings.Contains(text, "can't be kept") {
		t.Errorf("%d %s", status, text)
	}
	if n := len(c.booked()); n != 0 {
		t.Errorf("%d trips are booked", n)
	}
	c.sandbox.store.file = nil // it is closed already
}
