package serve

import (
	"errors"
	"os"
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

// TestDoorCloses leaves no ticket behind, not even that of a clock that was ahead.
func TestDoorCloses(t *testing.T) {
	d := &door{folder: t.TempDir()}
	_, err := d.hold()
	path, writeErr := d.write("host", "ticket")
	ahead := time.Now().Add(time.Hour)
	if err := errors.Join(err, writeErr, os.Chtimes(path, ahead, ahead), d.close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ticket is left: %v", err)
	}
}
