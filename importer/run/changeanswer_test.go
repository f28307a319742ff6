package run_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// changed returns what the ledger has of the last change.
func (m *memory) lastChange() (state importer.State, pending bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.changes) == 0 {
		return importer.NotSent, false
	}
	last := m.changes[len(m.changes)-1]
	return last.state, last.pending
}

// Each answer to a change says whether the service took it. A change without proof stays
// open: before the day it is sent again, and on the day a person has to look. A refused
// change stays refused until the schedule has other values.
func TestAnswersToAChange(t *testing.T) {
	accepted := importer.Reply{Kind: importer.ReplyChanged, Status: 200}
	always := func(kind importer.ReplyKind, status int) func(int) importer.Reply {
		return func(int) importer.Reply {
			return importer.Reply{Kind: kind, Status: status, Message: "says the service"}
		}
	}
	first := func(kind importer.ReplyKind, status, times int) func(int) importer.Reply {
		return func(n int) importer.Reply {
			if n <= times {
				return importer.Reply{Kind: kind, Status: status}
			}
			return accepted
		}
	}
	tests := []struct {
		name     string
		answer   func(n int) importer.Reply
		state    importer.State
		reason   string
		requests int
		settled  importer.State
		// The state of the next run before the day and of one on it, and whether they
		// send it.
		next, onDay         importer.State
		resends, onDaySends bool
		closes              int
	}{
		{"changed", always(importer.ReplyChanged, 200), importer.Updated, "", 1, importer.Updated, importer.AlreadyCreated, importer.AlreadyCreated, false, false, 0},
		{"refused", always(importer.ReplyRefused, 400), importer.ChangeRefused, "", 1, importer.ChangeRefused, importer.ChangeRefused, importer.ChangeRefused, false, false, 0},
		{"unclear", always(importer.ReplyUnclear, 500), importer.ChangeUnknown, "no proof came back", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 0},
		{"redirected", always(importer.ReplyRedirected, 302), importer.ChangeUnknown, "no proof came back", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 0},
		{"a page", always(importer.ReplyPage, 200), importer.ChangeUnknown, "no proof came back", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 0},
		{"created", always(importer.ReplyCreated, 200), importer.ChangeUnknown, "no proof came back", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 0},
		{"created without a GUID", always(importer.ReplyCreatedNoGUID, 200), importer.ChangeUnknown, "no proof came back", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 0},
		{"foreign", always(importer.ReplyForeign, 200), importer.ChangeUnknown, "about another trip", 1, importer.ChangeUnknown, importer.Updated, importer.ChangeUnknown, true, false, 1},
		{"throttled once", first(importer.ReplyThrottled, 429, 1), importer.Updated, "", 2, importer.Updated, importer.AlreadyCreated, importer.AlreadyCreated, false, false, 0},
		{"throttled", always(importer.ReplyThrottled, 429), importer.Changed, "more slowly", 3, importer.NotSent, importer.Updated, importer.ChangeByHand, true, false, 0},
		{"no connection once", first(importer.ReplyNotSent, 0, 1), importer.Updated, "", 2, importer.Updated, importer.AlreadyCreated, importer.AlreadyCreated, false, false, 0},
		{"no connection", always(importer.ReplyNotSent, 0), importer.Changed, "no connection", 3, importer.NotSent, importer.Updated, importer.ChangeByHand, true, false, 0},
		{"a bad certificate", always(importer.ReplyBadCertificate, 0), importer.Changed, "certificate", 1, importer.NotSent, importer.Updated, importer.ChangeByHand, true, false, 0},
		{"misdirected", always(importer.ReplyMisdirected, 404), importer.Changed, "address does not take trips", 1, importer.NotSent, importer.Updated, importer.ChangeByHand, true, false, 0},
		{"denied once", first(importer.ReplyDenied, 403, 1), importer.Updated, "", 2, importer.Updated, importer.AlreadyCreated, importer.AlreadyCreated, false, false, 0},
		{"denied", always(importer.ReplyDenied, 403), importer.ChangeRefused, "does not let this provider change", 2, importer.ChangeRefused, importer.ChangeRefused, importer.ChangeRefused, false, false, 0},
	}
	covered := map[importer.ReplyKind]bool{}
	for _, tt := range tests {
		covered[tt.answer(1).Kind] = true
		t.Run(tt.name, func(t *testing.T) {
			n := newChanges(t, fullTrip("A"))
			n.trip(0).SpaceType = "WCH"
			run := n.again()
			run.service.change = func(_ importer.TripChange, n int) importer.Reply { return tt.answer(n) }
			if _, err := run.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			o := run.reporter.only()
			if o.State != tt.state || !strings.Contains(o.Reason, tt.reason) || o.Attempts != tt.requests || o.GUID != "guid-A" || o.BookedAt.IsZero() {
				t.Errorf("%s (%s) after %d attempts: %+v", o.State.Code(), o.Reason, o.Attempts, o)
			}
			if last := tt.answer(tt.requests); o.HTTPStatus != last.Status || o.Message != last.Message {
				t.Errorf("the service's words are %d %q", o.HTTPStatus, o.Message)
			}
			listed := o.Changed
			if o.State == importer.Updated {
				listed = o.Updated
			}
			if !slices.Equal(listed, []string{"space_type"}) || o.State == importer.Updated && len(o.Changed) > 0 || o.State != importer.Updated && len(o.Updated) > 0 {
				t.Errorf("listed: %q are changed, %q updated", o.Changed, o.Updated)
			}
			ledger := n.ledger.(*memory)
			if state, pending := ledger.lastChange(); state != tt.settled || pending {
				t.Errorf("settled as %s, pending %v", state.Code(), pending)
			}
			if len(run.service.changes) != tt.requests || len(run.gate.reports) != tt.requests || run.gate.reports[0] != tt.answer(1).Kind {
				t.Errorf("%d requests, reported %v", len(run.service.changes), run.gate.reports)
			}
			if run.service.closes != tt.closes {
				t.Errorf("%d times the connections were closed", run.service.closes)
			}

			n.clock.(*clock).set("2026-12-02 07:00")
			if got := n.import_(t); got.reporter.only().State != tt.onDay || (len(got.service.changes) > 0) != tt.onDaySends {
				t.Errorf("on its day %v, sent %v; want %s", got.reporter.lines(), got.service.changes, tt.onDay.Code())
			}
			n.clock.(*clock).set("2026-12-01 20:14")
			switch got := n.import_(t); {
			case tt.state != importer.ChangeUnknown && (got.reporter.only().State != tt.next || (len(got.service.changes) > 0) != tt.resends):
				t.Errorf("the next run %v, sent %v; want %s", got.reporter.lines(), got.service.changes, tt.next.Code())
			case tt.state == importer.ChangeUnknown && (len(got.service.changes) > 0 || got.reporter.only().State != importer.ChangeUnknown):
				t.Errorf("while it may arrive %v, sent %v", got.reporter.lines(), got.service.changes)
			}
			n.clock.(*clock).set("2026-12-01 20:15")
			sendsAgain := tt.resends && tt.state == importer.ChangeUnknown // others were sent a minute before
			if got := n.import_(t); got.reporter.only().State != tt.next && sendsAgain || (len(got.service.changes) > 0) != sendsAgain {
				t.Errorf("the next run %v, sent %v; want %s", got.reporter.lines(), got.service.changes, tt.next.Code())
			}

			n.trip(0).SpaceType = "STR"
			if got := n.import_(t); got.reporter.only().State != importer.Updated {
				t.Errorf("once it differs otherwise: %v", got.reporter.lines())
			}
		})
	}
	for kind := importer.ReplyUnclear; kind.String() != "unclear" || kind == 0; kind++ {
		if !covered[kind] {
			t.Errorf("no test of the answer %s", kind)
		}
	}
}

// One trip that the account may not change does not keep others from being changed or
// booked.
func TestDeniedChangeClosesNothing(t *testing.T) {
	n := newNight(t, 4)
	n.some(3, shift(15))
	n.files[0].mapped = append(n.files[0].mapped, importer.Mapped{Trips: []importer.Trip{fullTrip("new")}})
	run := n.again()
	run.service.change = func(c importer.TripChange, _ int) importer.Reply {
		if c.Trip.ID == "T0" {
			return denied(403)
		}
		return importer.Reply{Kind: importer.ReplyChanged, Status: 200}
	}
	end, err := run.do(t.Context(), t)
	want := []string{"T0 change_refused (dropoff.appt_time pickup.pickup_time)", "T1 updated", "T2 updated", "T3 already_created", "new created"}
	if diff := cmp.Diff(want, run.reporter.lines()); diff != "" || err != nil || end.Stop != nil {
		t.Errorf("%v %v (-want +got)\n%s", err, end.Stop, diff)
	}
}

// An account that is closed altogether refuses no change: the next run sends it.
func TestChangesOfAClosedAccount(t *testing.T) {
	n := newNight(t, 3)
	n.some(3, shift(15))
	run := n.again()
	run.service.unlisted = true
	run.service.change = func(importer.TripChange, int) importer.Reply { return denied(403) }
	end, err := run.do(t.Context(), t)
	if err != nil || end.Stop == nil || len(run.service.changes) != 1 || end.Totals.Trips[importer.Changed] != 3 {
		t.Errorf("%v %v: sent %v, %v", err, end.Stop, run.service.changes, run.reporter.lines())
	}
	if next := n.import_(t); len(next.service.changes) != 3 {
		t.Errorf("sent %v", next.service.changes)
	}
}

// A part is sent, the rest is listed for a person.
func TestPartlyByHand(t *testing.T) {
	n := newChanges(t, fullTrip("A"))
	n.trip(0).SpaceType, n.trip(0).Phone, n.trip(0).Dropoff.Phone = "WCH", "312-555-0188", ""
	o := n.import_(t).reporter.only()
	if o.State != importer.ChangeByHand || !slices.Equal(o.Updated, []string{"space_type"}) || !slices.Equal(o.Changed, []string{"dropoff.phone_number"}) {
		t.Errorf("%s: %q updated, %q by hand", o.State.Code(), o.Updated, o.Changed)
	}

	refused := newChanges(t, fullTrip("A"))
	refused.trip(0).SpaceType, refused.trip(0).Dropoff.Phone = "WCH", ""
	run := refused.again()
	run.service.change = func(importer.TripChange, int) importer.Reply {
		return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
	}
	if _, err := run.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	if o := run.reporter.only(); o.State != importer.ChangeRefused || len(o.Updated) > 0 || !slices.Equal(o.Changed, []string{"space_type", "dropoff.phone_number"}) {
		t.Errorf("%s: %q updated, %q listed", o.State.Code(), o.Updated, o.Changed)
	}
}

// A change after one that may not have arrived is sent with what that one sent, as a
// whole or not at all; that it is refused proves nothing of the first one.
func TestChangeAfterALostOne(t *testing.T) {
	lose := func(t *testing.T, change func(*importer.Trip)) *fixture {
		n := newChanges(t, fullTrip("A"))
		change(n.trip(0))
		run := n.again()
		run.service.change = func(importer.TripChange, int) importer.Reply { return importer.Reply{} }
		if _, err := run.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		n.clock.(*clock).set("2026-12-01 21:00")
		return n
	}
	spaceType := func(t *importer.Trip) { t.SpaceType = "WCH" }
	was := func(t *importer.Trip) { t.SpaceType = "AMB" }
	tests := map[string]struct {
		lost, after func(*importer.Trip)
		at          string
		sent        string
		state       importer.State
		changed     string
	}{
		"the same":         {spaceType, spaceType, "2026-12-01 21:00", "A: space_type", importer.Updated, ""},
		"another value":    {spaceType, func(t *importer.Trip) { t.SpaceType = "STR" }, "2026-12-01 21:00", "A: space_type", importer.Updated, ""},
		"as it was booked": {spaceType, was, "2026-12-01 21:00", "A: space_type", importer.Updated, ""},
		"one more":         {spaceType, func(t *importer.Trip) { t.Phone, t.Dropoff.Phone = "", "312-555-0177" }, "2026-12-01 21:00", "A: dropoff.phone_number, space_type", importer.Updated, ""},
		"one more, in the freeze": {
			spaceType, func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0177" }, "2026-12-01 23:10", "", importer.ChangeUnknown, "dropoff.phone_number space_type",
		},
		"as it was booked and one more, in the freeze": {
			spaceType, func(t *importer.Trip) { was(t); t.Dropoff.Phone = "312-555-0177" }, "2026-12-01 23:10", "", importer.ChangeUnknown, "dropoff.phone_number space_type",
		},
		"as it was booked, on its day": {spaceType, was, "2026-12-02 07:00", "", importer.ChangeUnknown, "space_type"},
		"one more, on its day":         {spaceType, func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0177" }, "2026-12-02 07:00", "", importer.ChangeUnknown, "dropoff.phone_number space_type"},
		"a placed address": {
			func(t *importer.Trip) {
				t.Pickup.Address1, t.Pickup.Position.Source = "12 Example Street", "the places list"
			}, func(*importer.Trip) {}, "2026-12-01 21:00",
			"A: pickup.event_location.address1, pickup.event_location.latitude, pickup.event_location.longitude", importer.Updated, "",
		},
		"an address that is placed now": {
			func(t *importer.Trip) { t.Pickup.Address1 = "12 Example Street"; t.Pickup.Position.Latitude += 0.1 },
			func(t *importer.Trip) { t.Pickup.Position.Source = "the places list" }, "2026-12-01 21:00",
			"A: pickup.event_location.address1, pickup.event_location.latitude, pickup.event_location.longitude", importer.Updated, "",
		},
		"a phone, on its day": {
			func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0177" }, func(*importer.Trip) {}, "2026-12-02 07:00", "", importer.ChangeUnknown, "dropoff.phone_number",
		},
		"blank now": {
			func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0177" }, func(t *importer.Trip) { t.Dropoff.Phone = "" }, "2026-12-01 21:00", "", importer.ChangeUnknown, "dropoff.phone_number",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := lose(t, tt.lost)
			n.clock.(*clock).set(tt.at)
			tt.after(n.trip(0))
			next := n.import_(t)
			o := next.reporter.only()
			if got := strings.Join(next.service.changes, "; "); got != tt.sent || o.State != tt.state || strings.Join(o.Changed, " ") != tt.changed {
				t.Errorf("sent %q: %s, %q are listed; want %q: %s, %q", got, o.State.Code(), o.Changed, tt.sent, tt.state.Code(), tt.changed)
			}
			if tt.state == importer.ChangeUnknown {
				last := n.import_(t)
				if o := last.reporter.only(); o.State != importer.ChangeUnknown || len(last.service.changes) > 0 {
					t.Errorf("it is lost sight of: %v", last.reporter.lines())
				}
				plain := n.again()
				plain.changes = nil
				if _, err := plain.do(t.Context(), t); err != nil || plain.reporter.only().State != importer.ChangeUnknown || strings.Join(plain.reporter.only().Changed, " ") != tt.changed {
					t.Errorf("an import that changes nothing says %v", plain.reporter.lines())
				}
			}
		})
	}

	t.Run("refused", func(t *testing.T) {
		n := lose(t, spaceType)
		n.trip(0).SpaceType = "STR"
		run := n.again()
		run.service.change = func(importer.TripChange, int) importer.Reply {
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		}
		if _, err := run.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if o := run.reporter.only(); o.State != importer.ChangeUnknown || !strings.Contains(o.Reason, "an earlier change of it may have arrived") {
			t.Errorf("%s: %s", o.State.Code(), o.Reason)
		}
		was(n.trip(0))
		n.clock.(*clock).set("2026-12-01 22:00")
		if got := n.import_(t); !slices.Equal(got.service.changes, []string{"A: space_type"}) || got.reporter.only().State != importer.Updated {
			t.Errorf("back as it was booked: %v, sent %v", got.reporter.lines(), got.service.changes)
		}
	})
}

// A refused change stays refused with a remark beside it, and is sent once it differs.
func TestRefusedStaysRefused(t *testing.T) {
	refuse := func(t *testing.T) *fixture {
		n := newChanges(t, fullTrip("A"))
		n.trip(0).SpaceType = "WCH"
		run := n.again()
		run.service.change = func(importer.TripChange, int) importer.Reply {
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		}
		if _, err := run.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		return n
	}
	tests := map[string]struct {
		after  func(*importer.Trip)
		state  importer.State // of an import that changes nothing
		update importer.State
	}{
		"the same":                     {func(*importer.Trip) {}, importer.ChangeRefused, importer.ChangeRefused},
		"a remark beside it":           {func(t *importer.Trip) { t.Pickup.Comment = "ring once" }, importer.ChangeRefused, importer.ChangeRefused},
		"as it was booked":             {func(t *importer.Trip) { t.SpaceType = "AMB" }, importer.AlreadyCreated, importer.AlreadyCreated},
		"as it was booked, a remark":   {func(t *importer.Trip) { t.SpaceType, t.Pickup.Comment = "AMB", "ring once" }, importer.AlreadyCreated, importer.AlreadyCreated},
		"another value":                {func(t *importer.Trip) { t.SpaceType = "STR" }, importer.Changed, importer.Updated},
		"one more":                     {func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0177" }, importer.Changed, importer.Updated},
		"the same, and one is by hand": {func(t *importer.Trip) { t.Dropoff.Phone = "" }, importer.Changed, importer.ChangeRefused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := refuse(t)
			tt.after(n.trip(0))
			plain := n.again()
			plain.changes = nil
			if _, err := plain.do(t.Context(), t); err != nil || plain.reporter.only().State != tt.state {
				t.Errorf("an import that changes nothing says %v, want %s", plain.reporter.lines(), tt.state.Code())
			}
			if got := n.import_(t); got.reporter.only().State != tt.update || (len(got.service.changes) > 0) != (tt.update == importer.Updated) {
				t.Errorf("%v, sent %v, want %s", got.reporter.lines(), got.service.changes, tt.update.Code())
			}
		})
	}
}

// Where the service placed a changed address is compared with the schedule.
func TestWhereTheServicePlacedIt(t *testing.T) {
	at := func(latitude float64) importer.Position {
		return importer.Position{Latitude: latitude, Longitude: -89.6, HasLatitude: true, HasLongitude: true}
	}
	tests := map[string]struct {
		pickup, dropoff importer.Position
		misplaced       bool
		reason          string
	}{
		"there":                  {at(39.8), at(39.9), false, ""},
		"290 m away":             {at(39.8026), at(39.9), false, ""},
		"310 m away":             {at(39.8028), at(39.9), true, "the service placed the pickup place 0.2 miles"},
		"it does not say":        {importer.Position{}, at(39.9), false, "not verified"},
		"the other end is wrong": {at(39.8), at(41), true, "the service placed the dropoff place 76.0 miles"},
	}
	for name, tt := range tests {
		n := newChanges(t, fullTrip("A"))
		n.trip(0).Pickup.City, n.trip(0).Dropoff.City = "Chatham", "Chatham"
		run := n.again()
		run.service.change = func(importer.TripChange, int) importer.Reply {
			return importer.Reply{Kind: importer.ReplyChanged, Status: 200, Pickup: tt.pickup, Dropoff: tt.dropoff}
		}
		if _, err := run.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if o := run.reporter.only(); o.State != importer.Updated || o.Misplaced != tt.misplaced || !strings.Contains(o.Reason, tt.reason) || (o.Reason == "") != (tt.reason == "") {
			t.Errorf("%s: %v %q", name, o.Misplaced, o.Reason)
		}
	}
}

// After the ledger fails nothing more is sent, and every reported state is true.
func TestLedgerFailsAtAChange(t *testing.T) {
	tests := map[string]struct {
		claim, settle func() error
		state, next   importer.State
		sent          int
	}{
		"at the claim":      {claim: func() error { return errDisk }, state: importer.Changed, next: importer.Updated},
		"it was claimed":    {claim: func() error { return importer.ErrClaimed }, state: importer.Changed, next: importer.Updated},
		"at the settlement": {settle: func() error { return errDisk }, state: importer.ChangeUnknown, next: importer.Updated, sent: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := newNight(t, 2)
			n.some(1, shift(15))
			run := n.again()
			run.ledger = &failing{memory: n.ledger.(*memory), claimChange: tt.claim, settleChange: tt.settle}
			end, err := run.do(t.Context(), t)
			o := run.reporter.only()
			if err != nil || o.State != tt.state || len(o.Updated) > 0 || len(o.Changed) != 2 || len(run.service.changes) != tt.sent {
				t.Errorf("%v: %s %s, sent %v: %q are listed", err, o.State.Code(), o.Reason, run.service.changes, o.Changed)
			}
			if stops := end.Stop != nil; stops != (name != "it was claimed") {
				t.Errorf("the run stopped: %v", end.Stop)
			}
			n.clock.(*clock).set("2026-12-01 21:00")
			if got := n.import_(t); got.reporter.only().State != tt.next {
				t.Errorf("the next run: %v", got.reporter.lines())
			}
		})
	}
}

// A panic while a change is sent is a change that may not have arrived, and ends the
// sending.
func TestPanicAtAChange(t *testing.T) {
	n := newNight(t, 2)
	n.some(2, shift(15))
	run := n.again()
	run.service.change = func(importer.TripChange, int) importer.Reply { panic("a bug") }
	_, err := run.do(t.Context(), t)
	want := []string{"T0 change_unknown (dropoff.appt_time pickup.pickup_time)", "T1 changed (dropoff.appt_time pickup.pickup_time)"}
	if diff := cmp.Diff(want, run.reporter.lines()); diff != "" || err == nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	n.clock.(*clock).set("2026-12-01 21:00")
	if got := n.import_(t); len(got.service.changes) != 2 {
		t.Errorf("the next run sent %v", got.service.changes)
	}
}

// A change that was sent is answered and recorded, also when the run is interrupted;
// those behind it are not sent.
func TestInterruptedChanges(t *testing.T) {
	n := newNight(t, 3)
	n.some(3, shift(15))
	run := n.again()
	ctx, cancel := context.WithCancel(t.Context())
	run.service.change = func(importer.TripChange, int) importer.Reply {
		cancel()
		return importer.Reply{Kind: importer.ReplyChanged, Status: 200}
	}
	if _, err := run.do(ctx, t); err != nil {
		t.Fatal(err)
	}
	keys := " (dropoff.appt_time pickup.pickup_time)"
	if diff := cmp.Diff([]string{"T0 updated", "T1 changed" + keys, "T2 changed" + keys}, run.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if reason := run.reporter.outcome(t, "T1").Reason; !strings.Contains(reason, "interrupted") {
		t.Error(reason)
	}
}

// TestTwoRunsChangeAtOnce has two runs change the same trips, with nothing but the ledger
// between them: none is changed by both at a time, and all are changed in the end.
func TestTwoRunsChangeAtOnce(t *testing.T) {
	const trips = 12
	for race := range 50 {
		n := newNight(t, trips)
		n.some(trips, shift(15))
		var mu sync.Mutex
		busy, sent := map[string]bool{}, map[string]int{}
		var both sync.WaitGroup
		for i := range 2 {
			run := n.again()
			run.workers, run.run = 4, "race-"+strconv.Itoa(i)
			own := *n.files[0] // each process opens its own
			run.files = []*file{&own}
			run.service.change = func(c importer.TripChange, _ int) importer.Reply {
				mu.Lock()
				defer mu.Unlock()
				if busy[c.Trip.ID] {
					t.Errorf("race %d: %s is changed by both at a time", race, c.Trip.ID)
				}
				busy[c.Trip.ID] = true
				sent[c.Trip.ID]++
				mu.Unlock()
				mu.Lock()
				busy[c.Trip.ID] = false
				return importer.Reply{Kind: importer.ReplyChanged, Status: 200}
			}
			do := run.plan(t)
			_ = n.ledger.Begin(t.Context(), do.Info) // a memory never fails
			both.Go(func() {
				end, err := do.Do(t.Context(), importer.RunStart{})
				run.reporter.verify(t, end, err)
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for i := range 2 {
			_ = n.ledger.End(t.Context(), "race-"+strconv.Itoa(i), importer.Totals{}, n.clock.Now(), "")
		}
		if got := n.import_(t); len(sent) != trips || len(got.service.changes) > 0 {
			t.Errorf("race %d: %d of %d were changed, and then %v", race, len(sent), trips, got.service.changes)
		}
	}
}

// A change that another run is sending now is not sent beside it.
func TestChangeInFlight(t *testing.T) {
	n := newChanges(t, fullTrip("A"))
	n.trip(0).SpaceType = "WCH"
	ledger := n.ledger.(*memory)
	_ = ledger.Begin(t.Context(), importer.RunInfo{ID: "other"}) // a memory never fails
	claim := importer.ChangeClaim{Run: "other", Attempt: 1, Trip: n.trip(0), Keys: []string{"space_type"}, At: n.clock.Now()}
	if _, err := ledger.ClaimChange(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.ClaimChange(t.Context(), claim); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("claimed twice: %v", err)
	}
	n.clock.(*clock).set("2026-12-01 22:00")
	got := n.import_(t)
	if o := got.reporter.only(); o.State != importer.ChangeUnknown || o.Reason != "it is being changed now" || len(got.service.changes) > 0 {
		t.Errorf("%s: %s, sent %v", o.State.Code(), o.Reason, got.service.changes)
	}
	_ = ledger.End(t.Context(), "other", importer.Totals{}, n.clock.Now(), "") // it died
	if got := n.import_(t); got.reporter.only().State != importer.Updated {
		t.Errorf("after it died: %v", got.reporter.lines())
	}
}
