package sandbox

import (
	"sync/atomic"
	"testing"
	"time"
)

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
