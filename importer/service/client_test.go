package service

import (
	"strings"
	"sync"
	"testing"

	"tripimport/importer"
)

func TestNewRefuses(t *testing.T) {
	if _, err := New(Config{BaseURL: "http://service.example.com", Token: oneToken()}); err == nil {
		t.Error("an address in clear is taken")
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

// Many workers share one client: each gets its own answer.
func TestConcurrentInserts(t *testing.T) {
	url, got := serve(t, answers(200, jsonType, withGUID))
	c := clientOf(t, url, nil)
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
}
