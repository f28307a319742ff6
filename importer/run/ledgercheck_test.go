package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tripimport/importer"
)

// On a second night the ledger's records take precedence over the rows of the
// day.
func TestSecondNight(t *testing.T) {
	unclear := importer.Reply{Status: 500}
	refused := importer.Reply{Kind: importer.ReplyRefused, Status: 400}
	tests := []struct {
		name    string
		answers map[string]importer.Reply // the first night's, where not booked
		first   []string
		second  []string
		change  func(rows []importer.Mapped, rules *importer.Rules)
		want    []string
		posts   []string
		reason  string // in the outcome of A
	}{
		{
			name: "the same", first: []string{"A+B", "C"}, second: []string{"A+B", "C"},
			want: []string{"A already_created, B already_created", "C already_created"},
		},
		{
			name: "the leg that is missing", answers: map[string]importer.Reply{"B": refused},
			first: []string{"A+B"}, second: []string{"A+B"},
			want: []string{"A already_created, B created"}, posts: []string{"B"},
		},
		{
			name: "a leg that is missing again", answers: map[string]importer.Reply{"B": refused},
			first: []string{"A+B"}, second: []string{"A+B!"},
			want: []string{"A already_created, B invalid: half booked"},
		},
		{
			name: "booked is booked, whatever is wrong today", first: []string{"A", "B@x", "C+D"}, second: []string{"A!", "!B@x", "C!+D", "E@x"},
			want: []string{"A already_created", "B already_created", "C already_created, D already_created", "E created"}, posts: []string{"E"},
		},
		{
			name: "a booked trip does not hold back linked trips", first: []string{"A"}, second: []string{"A!&x", "B&x"},
			want: []string{"A already_created", "B created"}, posts: []string{"B"},
		},
		{
			name: "nor does one whose row is faulty as a whole", first: []string{"A"}, second: []string{"!A&x", "B&x"},
			want: []string{"A already_created", "B created"}, posts: []string{"B"},
		},
		{
			name: "a linked trip whose id the ledger has for another trip does", first: []string{"A"}, second: []string{"A&x", "B&x"},
			change: func(rows []importer.Mapped, _ *importer.Rules) { rows[0].Trips[0].RiderID = "someone else" },
			want:   []string{"A change_by_hand (rider_id): half booked", "B held: half booked"},
		},
		{
			name: "half booked over two nights", first: []string{"A"}, second: []string{"A@x", "B!@x"},
			want: []string{"A already_created: half booked", "B invalid: half booked"},
		},
		{
			name: "unknown is never sent again, nor its return", answers: map[string]importer.Reply{"A": unclear},
			first: []string{"A+B"}, second: []string{"A+B"},
			want: []string{"A unknown, B held"}, reason: "it was sent on " + newClock().Now().Local().Format("2006-01-02 15:04 MST"),
		},
		{
			name: "unknown stays the worst, whatever changed", answers: map[string]importer.Reply{"A": unclear},
			first: []string{"A"}, second: []string{"A"},
			change: func(rows []importer.Mapped, _ *importer.Rules) { rows[0].Trips[0].RiderID = "someone else" },
			want:   []string{"A unknown (rider_id)"},
		},
		{
			name: "changed is never posted", first: []string{"A", "B+C"}, second: []string{"A", "B+C"},
			change: func(rows []importer.Mapped, _ *importer.Rules) {
				rows[0].Trips[0].Pickup.PickupTime = at("2026-12-02 08:30")
				rows[1].Trips[1].SpaceType = "WCH"
			},
			want: []string{"A changed (pickup.pickup_time)", "B already_created, C changed (space_type)"},
		},
		{
			name: "a remark is no change", first: []string{"A"}, second: []string{"A"},
			change: func(rows []importer.Mapped, _ *importer.Rules) {
				rows[0].Trips[0].Phone, rows[0].Trips[0].Pickup.Comment = "555-0100", "ring twice"
			},
			want: []string{"A already_created (phone pickup.event_comment)"},
		},
		{
			name: "an id of yesterday", first: []string{"A", "B+C"}, second: []string{"A", "B+C"},
			change: func(rows []importer.Mapped, _ *importer.Rules) {
				rows[0].Trips[0].Pickup.PickupTime = at("2026-12-03 09:00")
				rows[1].Trips[0].RiderID = "someone else"
			},
			want: []string{"A waiting other_day", "B change_by_hand (rider_id), C already_created"},
		},
		{
			name: "a booked outbound with a fault does not hold its return", answers: map[string]importer.Reply{"B": refused},
			first: []string{"A+B"}, second: []string{"A!+B"},
			want: []string{"A already_created, B created"}, posts: []string{"B"},
		},
		{
			name: "a fault of the row stays for the leg that is not booked", answers: map[string]importer.Reply{"B": refused},
			first: []string{"A+B"}, second: []string{"!A+B"},
			want: []string{"A already_created, B invalid: half booked"},
		},
		{
			name: "cancelled since", answers: map[string]importer.Reply{"C": unclear, "D": refused},
			first: []string{"A+B", "C", "D"}, second: []string{"~A+B", "~C", "~D", "~E"},
			want:   []string{"A cancelled_created, B cancelled_created", "C unknown", "D skipped", "E skipped"},
			reason: "cancelled",
		},
		{
			name: "cancelled, under an id that was used for another trip", first: []string{"A"}, second: []string{"~A"},
			change: func(rows []importer.Mapped, _ *importer.Rules) { rows[0].Trips[0].RiderID = "someone else" },
			want:   []string{"A cancelled_created"}, reason: "make sure",
		},
		{
			name: "cancelled, of an account that is not ours", first: []string{"A"}, second: []string{"~A", "~B"},
			change: func(rows []importer.Mapped, _ *importer.Rules) { rows[0].Trips[0].Provider = "Nobody's Cabs" },
			want:   []string{"A cancelled_created", "B skipped"},
		},
		{
			name: "left out for another reason", first: []string{"A"}, second: []string{"-A"},
			want: []string{"A skipped"}, reason: "turned back",
		},
		{
			name: "the same trip under another id", first: []string{"A"}, second: []string{"B"},
			change: func(rows []importer.Mapped, _ *importer.Rules) {
				rows[0].Trips[0].RiderID = "rider of A"
				rows[0].Trips[0].Pickup.PickupTime = at("2026-12-02 09:15")
			},
			want: []string{"B waiting double_booking"},
		},
		{
			name: "the same trip, and the mapping lets it through", first: []string{"A"}, second: []string{"-", "B"},
			change: func(rows []importer.Mapped, rules *importer.Rules) {
				rows[1].Trips[0].RiderID = "rider of A"
				rows[1].Trips[0].Pickup.Address1 = "100 Example Street"
				rules.Severities = map[string]importer.Severity{importer.CodeDoubleBooking: importer.Notice}
			},
			want: []string{"skipped", "B created"}, posts: []string{"B"},
		},
		{
			name: "the same trip, and the mapping does not look for double bookings", first: []string{"A"}, second: []string{"-", "B"},
			change: func(rows []importer.Mapped, rules *importer.Rules) {
				rows[1].Trips[0].RiderID = "rider of A"
				rows[1].Trips[0].Pickup.Address1 = "100 Example Street"
				rules.DoubleBookingMinutes = 0
			},
			want: []string{"skipped", "B created"}, posts: []string{"B"},
		},
		{
			name: "the same route an hour later", first: []string{"A"}, second: []string{"-", "B"},
			change: func(rows []importer.Mapped, _ *importer.Rules) {
				rows[1].Trips[0].RiderID = "rider of A"
				rows[1].Trips[0].Pickup.Address1 = "100 Example Street"
				rows[1].Trips[0].Pickup.PickupTime = at("2026-12-02 10:00")
				rows[1].Trips[0].Dropoff.Appt = importer.DateTime{}
			},
			want: []string{"skipped", "B created"}, posts: []string{"B"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture(tt.first...)
			n.service.insert = func(id string, _ int) importer.Reply {
				if a, ok := tt.answers[id]; ok {
					return a
				}
				return booked(id)
			}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			next := n.again()
			next.clock = newClock()
			next.files = []*file{newFile("second night.csv", tt.second...)}
			if tt.change != nil {
				tt.change(next.files[0].mapped, &next.files[0].rules)
			}
			if _, err := next.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, next.reporter.lines()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.posts, next.service.posts); diff != "" {
				t.Errorf("posts (-want +got)\n%s", diff)
			}
			if tt.reason != "" {
				if o := next.reporter.outcome(t, "A"); !strings.Contains(o.Reason, tt.reason) {
					t.Errorf("the reason is %q, want %q in it", o.Reason, tt.reason)
				}
			}
			for _, row := range next.reporter.rows {
				if row.State == importer.AlreadyCreated && importer.Faulty(row.Problems) {
					t.Errorf("row %d is booked, and still has faults: %v", row.Row.Num, row.Problems)
				}
				if row.State == importer.Invalid && !importer.Faulty(row.Problems) {
					t.Errorf("row %d is invalid, and has no fault: %v", row.Row.Num, row.Problems)
				}
			}
		})
	}
}

// A trip that was booked earlier is reported with its GUID and when.
func TestBookedEarlierTellsWhen(t *testing.T) {
	n := newFixture("A")
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	first := n.clock.Now()
	next := n.again()
	next.clock = newClock()
	next.clock.(*clock).set("2026-12-01 22:00")
	if _, err := next.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	o := next.reporter.outcome(t, "A")
	if o.GUID != "guid-A" || !o.BookedAt.Equal(first) || o.Attempts != 0 {
		t.Errorf("the outcome is %+v", o)
	}
}

// A changed mapping is named as what may have changed a trip.
func TestChangedMappingIsNamed(t *testing.T) {
	n := newFixture("A")
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	next := n.again()
	next.files[0].mapped[0].Trips[0].SpaceType = "WCH"
	run := next.plan(t)
	run.Inputs[0].MappingHash = "a newer mapping"
	if _, err := run.Do(t.Context(), importer.RunStart{}); err != nil {
		t.Fatal(err)
	}
	if o := next.reporter.outcome(t, "A"); o.State != importer.Changed || o.Reason != "the mapping has changed since" {
		t.Errorf("the outcome is %+v", o)
	}
}

// The same row under another id is not a new trip.
func TestRowBookedBefore(t *testing.T) {
	n := newFixture("A+B")
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	next := n.again()
	next.files = []*file{newFile("night.csv", "C+D")}
	if _, err := next.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"C invalid, D held"}, next.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := next.reporter.rows[0].Problems; len(got) != 1 || got[0].Code != "row-booked-before" || got[0].Severity != importer.Fault {
		t.Errorf("the problems are %+v", got)
	}
	if len(next.service.posts) != 0 {
		t.Errorf("posted %v", next.service.posts)
	}
}

// A row that was booked under another id while its own id was not sent earlier is
// booked: that the id has a record of an earlier run does not mean that another
// run is sending it now.
func TestRowBookedUnderAnotherIDMeanwhile(t *testing.T) {
	n := newFixture("A")
	n.service.insert = func(string, int) importer.Reply { return importer.Reply{Kind: importer.ReplyNotSent} }
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	renamed := n.again()
	renamed.files = []*file{newFile("night.csv", "B")}
	if _, err := renamed.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}

	back := renamed.again()
	back.files = []*file{newFile("night.csv", "A")}
	back.files[0].rules.DoubleBookingMinutes = 0 // the rule that would find it sooner
	if _, err := back.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A invalid"}, back.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := back.reporter.rows[0].Problems; len(got) != 1 || got[0].Code != "row-booked-before" {
		t.Errorf("the problems are %+v", got)
	}
}

// The ledger is not asked about a trip without an id.
func TestNoIDAsksNoLedger(t *testing.T) {
	n := newFixture("A!", "~B")
	for i := range n.files[0].mapped {
		n.files[0].mapped[i].Trips[0].ID = ""
	}
	n.ledger = &failing{memory: newMemory(), find: func(string) error { return errDisk }, similar: func(string) error { return errDisk }}
	end, err := n.do(t.Context(), t)
	if err != nil || end.Stop != nil {
		t.Errorf("got %v and the stop %+v", err, end.Stop)
	}
	if diff := cmp.Diff([]string{" invalid", " skipped"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// An overtaken ledger lets another run claim each trip just before this one does.
type overtaken struct {
	*memory
	other func(importer.Claim)
}

func (o *overtaken) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	theirs := c
	theirs.Run = "the other run"
	theirs.At = c.At.Add(time.Second)
	o.other(theirs)
	if e := o.entries[keyOf(c.Account, c.Trip.ID)]; e != nil {
		return importer.Claimed{}, importer.ErrClaimed // it held the trip when it was asked
	}
	return o.memory.Claim(ctx, c)
}

func TestOvertaken(t *testing.T) {
	settle := func(m *memory, s importer.Settlement) func(importer.Claim) {
		return func(c importer.Claim) {
			claimed, err := m.Claim(context.Background(), c)
			if err != nil {
				panic(err)
			}
			if err := m.Settle(context.Background(), claimed, s); err != nil {
				panic(err)
			}
		}
	}
	tests := []struct {
		name  string
		other func(*memory) func(importer.Claim)
		want  string
	}{
		{"it is being sent", func(m *memory) func(importer.Claim) {
			return func(c importer.Claim) { _, _ = m.Claim(context.Background(), c) }
		}, "A unknown, B held"},
		{"it was booked", func(m *memory) func(importer.Claim) {
			return settle(m, importer.Settlement{State: importer.Created, GUID: "theirs"})
		}, "A already_created, B not_sent"},
		{"it was not", func(m *memory) func(importer.Claim) {
			return settle(m, importer.Settlement{State: importer.NotSent})
		}, "A not_sent, B held"},
		{"another trip of its id was booked", func(m *memory) func(importer.Claim) {
			book := settle(m, importer.Settlement{State: importer.Created, GUID: "theirs"})
			return func(c importer.Claim) {
				trip := *c.Trip
				trip.RiderID = "someone else"
				c.Trip = &trip
				book(c)
			}
		}, "A change_by_hand (rider_id), B held"},
		{"another row's trip of the rider was booked", func(m *memory) func(importer.Claim) {
			book := settle(m, importer.Settlement{State: importer.Created, GUID: "theirs"})
			return func(c importer.Claim) {
				trip := *c.Trip
				trip.ID = "of another row"
				c.Trip, c.Row, c.Key = &trip, 77, importer.RowKey{Broker: c.Key.Broker, ID: trip.ID, TripID: trip.ID, Date: c.Key.Date}
				book(c)
			}
		}, "A waiting double_booking, B held"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			n := newFixture("A+B")
			other := tt.other(m)
			n.ledger = &overtaken{m, func(c importer.Claim) {
				if c.Trip.ID == "A" {
					other(c)
				}
			}}
			n.gate.wait = func() { // the return is not this test's matter
				if slices.Contains(n.service.posts, "A") || n.gate.waits > 0 {
					n.gate.Stop(&importer.Stop{Code: "enough", Reason: "enough"})
				}
			}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.want}, withoutHalf(n.reporter.lines())); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(n.service.posts) != 0 {
				t.Errorf("posted %v", n.service.posts)
			}
		})
	}
}

// Another office books a trip, or a person leaves one, while this run waits for its turn.
// What the run found before the wait is then out of date, and it asks the ledger again.
func TestOutdated(t *testing.T) {
	of := func(id string, hour int) func(importer.Claim) importer.Claim {
		return func(c importer.Claim) importer.Claim {
			trip := *c.Trip
			trip.ID, trip.Pickup.PickupTime.Hour, trip.Dropoff.Appt.Hour = id, hour, hour+1
			c.Trip, c.Row, c.Key, c.Look, c.Within = &trip, 77, importer.RowKey{Broker: c.Key.Broker, ID: id, TripID: id, Date: c.Key.Date}, nil, 0
			return c
		}
	}
	type each = []func(importer.Claim) importer.Claim
	for name, tt := range map[string]struct {
		rows     []string
		complete bool
		other    each // before each try; nil for a person who leaves it
		state    importer.State
		want     string
		problem  string
		posts    []string
	}{
		"its id is spelt otherwise": {rows: []string{"A1"}, other: each{of("a-01", 20)}, state: importer.Created, want: "A1 invalid", problem: importer.CodeTripIDRespelt},
		"and it may be booked":      {rows: []string{"A1"}, other: each{of("a-01", 20)}, state: importer.Unknown, want: "A1 invalid", problem: importer.CodeTripIDRespelt},
		"and it was refused":        {rows: []string{"A1"}, other: each{of("a-01", 20)}, state: importer.Refused, want: "A1 created", posts: []string{"A1"}},
		"it was replaced":           {rows: []string{"A1"}, complete: true, other: each{of("B7", 20)}, state: importer.Created, want: "A1 waiting replaced"},
		"the other row is in the schedule too, as for a rider who goes twice": {
			rows: []string{"A1", "B7"}, complete: true, other: each{of("B7", 20)}, state: importer.Created, want: "A1 created", posts: []string{"A1"},
		},
		"the schedule may not have all trips": {rows: []string{"A1"}, other: each{of("B7", 20)}, state: importer.Created, want: "A1 created", posts: []string{"A1"}},
		"a person left it":                    {rows: []string{"A1"}, want: "A1 skipped"},
		"again and again":                     {rows: []string{"A1", "B7", "C7", "D7"}, complete: true, other: each{of("B7", 20), of("C7", 14), of("D7", 17)}, state: importer.Created, want: "A1 not_sent"},
	} {
		t.Run(name, func(t *testing.T) {
			n, m := newFixture(tt.rows...), newMemory()
			n.files[0].rules.Complete = tt.complete
			calls := 0
			n.ledger = &overtaken{m, func(c importer.Claim) {
				calls++
				switch {
				case tt.other == nil:
					m.decide(importer.Decision{Key: c.Key, Trip: c.Trip}, importer.LeaveIt)
				case c.Trip.ID == "A1" && calls <= len(tt.other):
					theirs := tt.other[calls-1](c)
					theirs.Row += calls
					claimed, err := m.Claim(t.Context(), theirs)
					if err == nil {
						err = m.Settle(t.Context(), claimed, importer.Settlement{State: tt.state})
					}
					if err != nil {
						t.Error(err)
					}
				}
			}}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			if got := withoutHalf(n.reporter.lines())[0]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := n.reporter.rows[0].Problems; tt.problem != "" && (len(got) != 1 || got[0].Code != tt.problem) {
				t.Errorf("the problems are %+v", got)
			}
			posts := slices.DeleteFunc(n.service.posts, func(id string) bool { return id != "A1" })
			if diff := cmp.Diff(tt.posts, posts, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("posted (-want +got)\n%s", diff)
			}
		})
	}
}

func withoutHalf(lines []string) []string {
	for i := range lines {
		lines[i], _, _ = strings.Cut(lines[i], ":")
	}
	return lines
}

// A check asks no ledger about cancelled rows.
func TestCheckAsksNoLedger(t *testing.T) {
	n := newFixture("~A", "B")
	n.service = nil
	run := n.plan(t)
	run.Accounts = nil
	if _, err := run.Do(t.Context(), importer.RunStart{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A skipped", "B ready"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
