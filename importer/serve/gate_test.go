package serve

import (
	"testing"
	"time"
)

// TestTicketsExpire uses a ticket just before and just after its minute, and the session of each.
func TestTicketsExpire(t *testing.T) {
	now := time.Date(2026, 12, 1, 6, 0, 0, 0, time.UTC)
	g := &gate{now: func() time.Time { return now }, idle: 10 * time.Minute}
	ticket := g.newTicket()
	now = now.Add(ticketFor)
	if _, ok := g.enter(ticket); ok {
		t.Error("a ticket of a minute ago lets in")
	}
	ticket = g.newTicket()
	now = now.Add(ticketFor - time.Second)
	session, ok := g.enter(ticket)
	if !ok {
		t.Fatal("a ticket of less than a minute does not let in")
	}
	now = now.Add(9 * time.Minute)
	if !g.isIn(session, true) {
		t.Error("a session of nine minutes is over")
	}
	now = now.Add(10 * time.Minute)
	if g.isIn(session, true) {
		t.Error("a session is not over after ten minutes without a person")
	}
	if g.isIn("", true) || g.isIn(session, true) {
		t.Error("somebody is in after the session was over")
	}
}
