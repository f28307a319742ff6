package service

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
)

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no token":            {BaseURL: "https://service.example.com"},
		"an address in clear": {BaseURL: "http://service.example.com", Token: oneToken()},
		"a negative time-out": {BaseURL: "https://service.example.com", Token: oneToken(), Timeout: -time.Second},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestTokens(t *testing.T) {
	for text, says := range map[string]string{
		"  tok-1\r\n":  "",
		"":             "the token is empty",
		" \n":          "the token is empty",
		"bearer tok-1": "word bearer",
		"Bearer tok-1": "word bearer",
		"tok-1\ntok-2": "a line break",
		"tok 1":        "a space",
		"tok\x00":      "another character",
		"tök":          "another character",
	} {
		url, got := serve(t, answers(200, jsonType, "[]"))
		_, err := clientOf(t, url, func(c *Config) { c.Token = &tokens{text} }).Access(t.Context())
		if says == "" {
			if err != nil || got()[0].header.Get("Authorization") != "bearer tok-1" {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "tok-") {
			t.Errorf("%q gives %v, want %q", text, err, says)
		}
		if n := len(got()); n != 0 {
			t.Errorf("%q: %d requests left", text, n)
		}
	}
}

func TestInsertWithoutAToken(t *testing.T) {
	url, got := serve(t, answers(200, jsonType, withGUID))
	a := insert(t, clientOf(t, url, func(c *Config) { c.Token = &tokens{} }), goodTrip())
	if a.Kind != importer.ReplyNotSent || len(got()) != 0 {
		t.Errorf("got %v", a.Kind)
	}
}

func TestRenew(t *testing.T) {
	url, got := serve(t, answers(200, jsonType, withGUID))
	c := clientOf(t, url, func(c *Config) { c.Token = &tokens{"tok-1", "tok-1", "tok-2"} })
	insert(t, c, goodTrip())
	insert(t, c, goodTrip())
	for i, want := range []bool{false, true, false} {
		if another, err := c.Renew(t.Context()); err != nil || another != want {
			t.Errorf("renewal %d: %v, %v, want %v", i+1, another, err, want)
		}
	}
	insert(t, c, goodTrip())
	var sent []string
	for _, r := range got() {
		sent = append(sent, r.header.Get("Authorization"))
	}
	if strings.Join(sent, ",") != "bearer tok-1,bearer tok-1,bearer tok-2" {
		t.Errorf("sent with %v", sent)
	}
}

func TestRenewThatFails(t *testing.T) {
	c := clientOf(t, "https://service.example.com", func(c *Config) { c.Token = &tokens{} })
	if another, err := c.Renew(t.Context()); err == nil || another {
		t.Errorf("%v, %v", another, err)
	}
}

// Many workers share one client: each gets its own answer, and they reuse their
// connections.
func TestConcurrentInserts(t *testing.T) {
	var connections sync.Map
	url, got := serve(t, func(w http.ResponseWriter, r *http.Request) {
		connections.Store(r.RemoteAddr, true)
		answers(200, jsonType, withGUID)(w, r)
	})
	c := keeping(t, url)
	c.connections = 16
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 25 {
				if a := insert(t, c, goodTrip()); a.Kind != importer.ReplyCreated {
					t.Errorf("%v: %s", a.Kind, a.Message)
				}
			}
		})
	}
	wg.Wait()
	if n := len(got()); n != 400 {
		t.Errorf("%d requests arrived, want 400", n)
	}
	opened := 0
	connections.Range(func(any, any) bool { opened++; return true })
	// On a busy machine net/http gives up connections whose requests were not written
	// within 50 ms.
	if opened > 300 {
		t.Errorf("%d connections were opened for 400 requests", opened)
	}
}
