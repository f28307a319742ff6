package sandbox

import (
	"context"
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
	defer s.Close()
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
