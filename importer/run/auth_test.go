package run_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

func denied(status int) importer.Reply {
	return importer.Reply{Kind: importer.ReplyDenied, Status: status}
}

// The access operation is asked once when many workers are refused at the same
// time.
func TestAccessIsAskedOnceForAllWorkers(t *testing.T) {
	tests := []struct {
		name     string
		access   func(n int) error
		renew    func() (bool, error)
		asked    int
		renewals int
		of       importer.State
		stops    string
		later    bool
	}{
		{
			name: "the pair is listed", access: func(int) error { return nil },
			asked: 1, of: importer.Booked,
		},
		{
			name: "the token is renewed", access: tokenUntil(1), renew: func() (bool, error) { return true, nil },
			asked: 2, renewals: 1, of: importer.Booked,
		},
		{
			name: "the token is dead and there is no other", access: tokenUntil(99), renew: func() (bool, error) { return false, nil },
			asked: 1, renewals: 1, of: importer.NotSent, stops: "token-refused",
		},
		{
			name: "the token can't be read", access: tokenUntil(99), renew: func() (bool, error) { return false, errors.New("no such file") },
			asked: 1, renewals: 1, of: importer.NotSent, stops: "token-refused",
		},
		{
			name: "the other token is dead too", access: tokenUntil(99), renew: func() (bool, error) { return true, nil },
			asked: 2, renewals: 1, of: importer.NotSent, stops: "token-refused",
		},
		{
			name: "access is down", access: func(int) error { return &importer.AccessError{Status: 503} },
			asked: 1, of: importer.NotSent, stops: "access-down", later: true,
		},
		{
			name: "access can't be reached", access: func(int) error { return errDisk },
			asked: 1, of: importer.NotSent, stops: "access-down", later: true,
		},
		{
			name: "access goes down with the other token", access: func(n int) error { return &importer.AccessError{Status: []int{401, 503}[min(n, 2)-1]} },
			renew: func() (bool, error) { return true, nil },
			asked: 2, renewals: 1, of: importer.NotSent, stops: "access-down", later: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newFixture(manyRows(8)...)
				n.workers = 8
				n.service.access = func(asked int) error {
					time.Sleep(time.Second)
					return tt.access(asked)
				}
				if tt.renew != nil {
					n.service.renew = tt.renew
				}
				n.service.insert = func(id string, attempt int) importer.Reply {
					time.Sleep(time.Second)
					if attempt == 1 {
						return denied(401)
					}
					return booked(id)
				}
				end, err := n.do(t.Context(), t)
				if err != nil {
					t.Fatal(err)
				}
				if n.service.asked != tt.asked || n.service.renewals != tt.renewals {
					t.Errorf("access was asked %d times and the token read %d times, want %d and %d", n.service.asked, n.service.renewals, tt.asked, tt.renewals)
				}
				if got := end.Totals.Trips[tt.of]; got != 8 {
					t.Errorf("%d trips are %s: %v", got, tt.of.Code(), n.reporter.lines())
				}
				var code string
				var later bool
				if end.Stop != nil {
					code, later = end.Stop.Code, end.Stop.Later
				}
				if code != tt.stops || later != tt.later {
					t.Errorf("the stop is %+v, want %q", end.Stop, tt.stops)
				}
			})
		})
	}
}

// tokenUntil refuses the token at the first n questions.
func tokenUntil(n int) func(int) error {
	return func(asked int) error {
		if asked <= n {
			return &importer.AccessError{Status: 401}
		}
		return nil
	}
}

// A pair that was refused is not tried again in this run; others are.
func TestClosedPair(t *testing.T) {
	n := newFixture("A", "B+C", "D", "E")
	for _, row := range []int{2, 3} {
		n.file.mapped[row].Trips[0].FundingSource = "Harbor Plan"
	}
	n.service.insert = func(id string, _ int) importer.Reply {
		if id < "D" {
			return denied(403)
		}
		return booked(id)
	}
	end, err := n.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	if end.Stop == nil || end.Stop.Code != "pair-closed" || !end.Stop.Later || !strings.Contains(end.Stop.Reason, "Lakeshore Transit / Lakeshore Plan") {
		t.Errorf("the stop is %+v", end.Stop)
	}
	want := []string{"A refused", "B not_sent, C held", "D booked", "E booked"}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"A", "A", "A", "D", "E"}, n.service.posts); diff != "" {
		t.Errorf("posts (-want +got)\n%s", diff)
	}
}

// Answers 401 now and then, while access lists the provider and funding source,
// cost no trip; how often in a row they come is counted for each pair.
func TestStrayDenials(t *testing.T) {
	tests := []struct {
		name     string
		denies   func(id string, attempt, post int) bool
		unlisted bool
		workers  int
		want     map[importer.State]int
		stops    string
	}{
		{"one", func(id string, attempt, _ int) bool { return id == "T5" && attempt == 1 }, false, 1, map[importer.State]int{importer.Booked: 30}, ""},
		{"two in a row", func(id string, attempt, _ int) bool { return id == "T5" && attempt <= 2 }, false, 1, map[importer.State]int{importer.Booked: 30}, ""},
		{"every third", func(_ string, _, post int) bool { return post%3 == 0 }, false, 1, map[importer.State]int{importer.Booked: 30}, ""},
		{"once for every trip", func(_ string, attempt, _ int) bool { return attempt == 1 }, false, 1, map[importer.State]int{importer.Booked: 30}, ""},
		{"all that are under way at once", func(_ string, _, post int) bool { return post <= 8 }, false, 8, map[importer.State]int{importer.Booked: 30}, ""},
		{"three in a row", func(id string, _, _ int) bool { return id == "T5" }, false, 1, map[importer.State]int{importer.Booked: 5, importer.Refused: 1, importer.NotSent: 24}, "pair-closed"},
		{"access does not list it", func(id string, _, _ int) bool { return id == "T5" }, true, 1, map[importer.State]int{importer.Booked: 5, importer.Refused: 1, importer.NotSent: 24}, "pair-closed"},
		{"one trip always, others are booked between", func(id string, _, _ int) bool { return id == "T5" }, false, 2, map[importer.State]int{importer.Booked: 29, importer.Refused: 1}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newFixture(manyRows(30)...)
				n.workers = tt.workers
				n.service.unlisted = tt.unlisted
				n.service.insert = func(id string, attempt int) importer.Reply {
					n.service.mu.Lock()
					post := len(n.service.posts)
					n.service.mu.Unlock()
					time.Sleep(time.Second)
					if tt.denies(id, attempt, post) {
						time.Sleep(time.Second / 2) // others are booked between
						return denied(401)
					}
					return booked(id)
				}
				end, err := n.do(t.Context(), t)
				if err != nil {
					t.Fatal(err)
				}
				got := map[importer.State]int{}
				for s, count := range end.Totals.Trips {
					if count > 0 {
						got[importer.State(s)] = count
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				var code string
				if end.Stop != nil {
					code = end.Stop.Code
				}
				if code != tt.stops || end.Stop != nil && end.Stop.Later == tt.unlisted {
					t.Errorf("the stop is %+v, want %q", end.Stop, tt.stops)
				}
			})
		})
	}
}

// The token is read again once in a run. When the other one dies too, it stops.
func TestTokenDiesTwice(t *testing.T) {
	n := newFixture("A", "B", "C")
	dead := false
	n.service.insert = func(id string, attempt int) importer.Reply {
		if id != "C" && attempt == 1 {
			dead = true
			return denied(401)
		}
		return booked(id)
	}
	n.service.access = func(int) error {
		if dead {
			return &importer.AccessError{Status: 401}
		}
		return nil
	}
	n.service.renew = func() (bool, error) {
		dead = false
		return true, nil
	}
	end, err := n.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A booked", "B not_sent", "C not_sent"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if end.Stop == nil || end.Stop.Later || n.service.renewals != 1 {
		t.Errorf("the stop is %+v after %d renewals", end.Stop, n.service.renewals)
	}
}

// Attempts that began before access was asked share its answer, even if they are
// refused much later.
func TestLateDenialSharesTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFixture(manyRows(4)...)
		n.workers = 4
		n.service.insert = func(id string, _ int) importer.Reply {
			var after int
			if _, err := fmt.Sscanf(id, "T%d", &after); err != nil {
				panic(err)
			}
			time.Sleep(time.Duration(1+after) * time.Minute)
			return denied(403)
		}
		n.service.unlisted = true
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if n.service.asked != 1 {
			t.Errorf("access was asked %d times", n.service.asked)
		}
	})
}
