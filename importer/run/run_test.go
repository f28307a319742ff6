package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/run"
)

// What each answer of the service means for its trip, for the row's return leg,
// and for the run.
func TestAnswers(t *testing.T) {
	answer := func(kind importer.ReplyKind, status int) importer.Reply {
		return importer.Reply{Kind: kind, Status: status}
	}
	always := func(a importer.Reply) []importer.Reply { return []importer.Reply{a, a, a, a} }
	tests := []struct {
		name    string
		answers []importer.Reply // to the attempts at trip X, then it is booked
		access  error
		want    string // of the row X+Y
		posts   int    // of X
		stops   string
	}{
		{name: "created", want: "X booked, Y booked", posts: 1},
		{name: "created without a GUID", answers: always(answer(importer.ReplyCreatedNoGUID, 200)), want: "X booked (no GUID), Y booked", posts: 1},
		{name: "400", answers: always(answer(importer.ReplyRefused, 400)), want: "X refused, Y held", posts: 1},
		{name: "404", answers: always(answer(importer.ReplyMisdirected, 404)), want: "X refused, Y held", posts: 1, stops: "misdirected"},
		{name: "302", answers: always(answer(importer.ReplyRedirected, 302)), want: "X unknown, Y held", posts: 1, stops: "redirected"},
		{name: "a page", answers: always(answer(importer.ReplyPage, 200)), want: "X unknown, Y held", posts: 1, stops: "a page"},
		{name: "a certificate", answers: always(answer(importer.ReplyBadCertificate, 0)), want: "X not_sent, Y held", posts: 1, stops: "bad certificate"},
		{name: "500, time-out, reset", answers: always(answer(importer.ReplyUnclear, 500)), want: "X unknown, Y held", posts: 1},
		{name: "429 once", answers: always(answer(importer.ReplyThrottled, 429))[:1], want: "X booked, Y booked", posts: 2},
		{name: "429 twice", answers: always(answer(importer.ReplyThrottled, 429))[:2], want: "X booked, Y booked", posts: 3},
		{name: "429 for ever", answers: always(answer(importer.ReplyThrottled, 429)), want: "X not_sent, Y held", posts: 3},
		{name: "no connection once", answers: always(answer(importer.ReplyNotSent, 0))[:1], want: "X booked, Y booked", posts: 2},
		{name: "no connection", answers: always(answer(importer.ReplyNotSent, 0)), want: "X not_sent, Y held", posts: 3},
		{name: "429, then 500", answers: []importer.Reply{answer(importer.ReplyThrottled, 429), answer(importer.ReplyUnclear, 500)}, want: "X unknown, Y held", posts: 2},
		{name: "403 once", answers: always(answer(importer.ReplyDenied, 403))[:1], want: "X booked, Y booked", posts: 2},
		{name: "401 twice", answers: always(answer(importer.ReplyDenied, 401))[:2], want: "X booked, Y booked", posts: 3},
		{name: "about another trip", answers: always(answer(importer.ReplyForeign, 200)), want: "X unknown, Y held", posts: 1, stops: "foreign"},
		{name: "401, the token is dead", answers: always(answer(importer.ReplyDenied, 401)), access: &importer.AccessError{Status: 401}, want: "X not_sent, Y held", posts: 1, stops: "token-refused"},
		{name: "401, access is down", answers: always(answer(importer.ReplyDenied, 401)), access: &importer.AccessError{Status: 500}, want: "X not_sent, Y held", posts: 1, stops: "access-down"},
	}
	for _, tt := range tests {
		for _, place := range []int{0, 4, 8} {
			for _, workers := range []int{1, 8} {
				t.Run(fmt.Sprintf("%s/row %d/%d workers", tt.name, place, workers), func(t *testing.T) {
					n := newFixture(rowsWith("X+Y", place)...)
					n.workers = workers
					n.service.access = func(int) error { return tt.access }
					n.service.insert = func(id string, attempt int) importer.Reply {
						if id == "X" && attempt <= len(tt.answers) {
							return tt.answers[attempt-1]
						}
						return booked(id)
					}
					if tt.stops != "" && len(tt.answers) > 0 {
						n.gate.stopOn = tt.answers[0].Kind
					}
					end, err := n.do(t.Context(), t)
					if err != nil {
						t.Fatal(err)
					}
					if got, _, _ := strings.Cut(n.reporter.lines()[place], ":"); got != tt.want {
						t.Errorf("got %s, want %s", got, tt.want)
					}
					if got := n.service.attempts["X"]; got != tt.posts {
						t.Errorf("%d attempts, want %d", got, tt.posts)
					}
					if got := n.reporter.outcome(t, "X").Attempts; got != tt.posts {
						t.Errorf("%d attempts are reported, want %d", got, tt.posts)
					}
					if (end.Stop != nil) != (tt.stops != "") {
						t.Errorf("stopped: %v, want %q", end.Stop, tt.stops)
					}
					resumes(t, n, tt.want)
				})
			}
		}
	}
}

// rowsWith returns nine rows of which one is row.
func rowsWith(row string, place int) []string {
	rows := make([]string, 9)
	for i := range rows {
		rows[i] = fmt.Sprintf("T%d", i)
	}
	rows[place] = row
	return rows
}

// resumes runs the same command again and checks that it sends only trips that are
// not booked and cannot be.
func resumes(t *testing.T, n *fixture, was string) {
	t.Helper()
	next := n.again()
	if _, err := next.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	for _, row := range n.reporter.rows {
		for _, trip := range row.Trips {
			id, before := trip.Trip.ID, trip.Outcome.State
			posts, after := next.service.attempts[id], next.reporter.outcome(t, id).State
			switch before {
			case importer.Booked:
				if posts != 0 || after != importer.BookedEarlier {
					t.Errorf("%s was booked; the same command again posts it %d times and says %s", id, posts, after.Code())
				}
			case importer.Unknown:
				if posts != 0 || after != importer.Unknown {
					t.Errorf("%s may be booked; the same command again posts it %d times and says %s", id, posts, after.Code())
				}
			case importer.Held:
				want := importer.Booked
				if strings.Contains(was, "X unknown") {
					want = importer.Held
				}
				if after != want {
					t.Errorf("%s was held; now it is %s, want %s", id, after.Code(), want.Code())
				}
			default:
				if posts != 1 || after != importer.Booked {
					t.Errorf("%s was %s; the same command again posts it %d times and says %s", id, before.Code(), posts, after.Code())
				}
			}
		}
	}
}

// What a row's own faults, its legs and the mapping make of it.
func TestRows(t *testing.T) {
	tests := []struct {
		name  string
		rows  []string
		fails []string // ids that the service refuses
		check bool     // nothing is sent
		want  []string
		posts []string // in order
	}{
		{
			name: "a fault stops its own row only", rows: []string{"A", "B!", "C"},
			want: []string{"A booked", "B fix", "C booked"}, posts: []string{"A", "C"},
		},
		{
			name: "both legs must be valid before either is sent", rows: []string{"A+B!", "C!+D"},
			want: []string{"A held, B fix", "C fix, D held"},
		},
		{
			name: "the outbound goes first", rows: []string{"A+B"},
			want: []string{"A booked, B booked"}, posts: []string{"A", "B"},
		},
		{
			name: "the return is held while the outbound is refused", rows: []string{"A+B"}, fails: []string{"A"},
			want: []string{"A refused, B held"}, posts: []string{"A"},
		},
		{
			name: "half booked", rows: []string{"A+B"}, fails: []string{"B"},
			want: []string{"A booked, B refused: half booked"}, posts: []string{"A", "B"},
		},
		{
			name: "the third leg waits for the second", rows: []string{"A+B+C"}, fails: []string{"B"},
			want: []string{"A booked, B refused, C held: half booked"}, posts: []string{"A", "B"},
		},
		{
			name: "a fault of the row stops all of its legs", rows: []string{"!A+B"},
			want: []string{"A fix, B fix"},
		},
		{
			name: "left out", rows: []string{"-A", "~B+C", "D"},
			want: []string{"A left_out", "B left_out, C left_out", "D booked"}, posts: []string{"D"},
		},
		{
			name: "the last of linked rows says that they are half booked", rows: []string{"A@x", "B", "C@x", "D@y", "E@y"}, fails: []string{"C"},
			want:  []string{"A booked", "B booked", "C refused: half booked", "D booked", "E booked"},
			posts: []string{"A", "B", "C", "D", "E"},
		},
		{
			name: "linked rows go on their own", rows: []string{"A!@x", "B@x"},
			want: []string{"A fix", "B booked: half booked"}, posts: []string{"B"},
		},
		{
			name: "a linked trip that is left out is not missing", rows: []string{"A@x", "-B@x", "C@y", "~D!@y"},
			want: []string{"A booked", "B left_out", "C booked", "D left_out"}, posts: []string{"A", "C"},
		},
		{
			name: "a check", rows: []string{"A", "B!", "C+D!", "-E", "F@x", "G!@x", "H+I", "!J"}, check: true,
			want: []string{"A ready", "B fix", "C held, D fix", "E left_out", "F ready", "G fix", "H ready, I ready", "J fix"},
		},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s/%d workers", tt.name, workers), func(t *testing.T) {
				n := newFixture(tt.rows...)
				n.workers = workers
				answers := n.service
				answers.insert = func(id string, _ int) importer.Reply {
					for _, refused := range tt.fails {
						if id == refused {
							return importer.Reply{Kind: importer.ReplyRefused, Status: 400, Message: "the rider is not known"}
						}
					}
					return booked(id)
				}
				if tt.check {
					n.service = nil
				}
				if _, err := n.do(t.Context(), t); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, n.reporter.lines()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if diff := cmp.Diff(tt.posts, answers.posts); diff != "" && workers == 1 {
					t.Errorf("posts (-want +got)\n%s", diff)
				}
				if len(answers.posts) != len(tt.posts) {
					t.Errorf("posted %v, want %v", answers.posts, tt.posts)
				}
			})
		}
	}
}

// An unknown provider or funding source is a fault of the row, found before
// anything is sent.
func TestUnknownPairs(t *testing.T) {
	n := newFixture("A", "B", "C", "D")
	n.file.mapped[0].Trips[0].Provider = "Nobody's Cabs"
	n.file.mapped[1].Trips[0].FundingSource = "Prairie Plan" // another provider's
	n.file.mapped[2].Trips[0].Provider = "PRAIRIE  rides"
	n.file.mapped[2].Trips[0].FundingSource = "prairie plan"
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	want := []string{"A fix", "B fix", "C booked", "D booked"}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	codes := []string{n.reporter.rows[0].Problems[0].Code, n.reporter.rows[1].Problems[0].Code}
	if diff := cmp.Diff([]string{"provider-unknown", "funding-source-unknown"}, codes); diff != "" {
		t.Errorf("codes (-want +got)\n%s", diff)
	}
	trip := n.reporter.rows[2].Trips[0].Trip
	if trip.Provider != "Prairie Rides" || trip.FundingSource != "Prairie Plan" {
		t.Errorf("the pair is %q, %q: not as the service writes it", trip.Provider, trip.FundingSource)
	}
}

// A copy that the checker finds in the second pass is left out, though the plan
// counted it as a linked trip.
func TestCopyFoundInSecondPass(t *testing.T) {
	n := newFixture("A@x", "B@x", "B@x", "C@y", "D@y", "D!@y")
	n.file.mapped[2].Trips[0].Provider = "Nobody's Cabs" // which is not looked up
	seen := func(m *importer.Mapped) {
		if m.Row.Num == 4 || m.Row.Num == 7 {
			m.LeftOut = "a copy of row 3"
		}
	}
	n.check = seen
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	want := []string{"A booked", "B booked", "B left_out", "C booked", "D booked", "D left_out"}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := n.reporter.rows[2].Problems; len(got) != 0 {
		t.Errorf("the copy has the problems %+v", got)
	}
}

// The service's own GUID of another trip proves nothing about this one.
func TestGUIDTaken(t *testing.T) {
	n := newFixture("A", "B+C")
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "B" {
			return importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: "GUID-a"}
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	want := []string{"A booked", "B unknown, C held"}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	o := n.reporter.outcome(t, "B")
	if o.GUID != "" || !strings.Contains(o.Reason, "GUID-a") {
		t.Errorf("the outcome is %+v", o)
	}
	if got := n.gate.reports[1]; got != importer.ReplyForeign {
		t.Errorf("the gate was given %v, want foreign", got)
	}
}

// A doubtful ledger has the effects of answers that are recorded.
type doubtful struct {
	*memoryLedger
	effects []importer.Effect
}

func (l *doubtful) Trip(_ context.Context, number int64) (importer.Known, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return importer.Known{Trips: []importer.Standing{l.trips[number-1].Standing}}, true, nil
}

func (l *doubtful) Record(_ context.Context, effects ...importer.Effect) error {
	l.effects = append(l.effects, effects...)
	return nil
}

// If the service is asked about two trips at once and gives both one GUID, one of its answers was the other's: both wait.
func TestOneGUIDForTwoAtOnce(t *testing.T) {
	for _, workers := range []int{1, 2} {
		n := newFixture("A", "B")
		l := &doubtful{memoryLedger: &memoryLedger{}}
		n.ledger, n.workers = l, workers
		var both sync.WaitGroup
		both.Add(workers)
		n.service.insert = func(id string, _ int) importer.Reply {
			if both.Done(); workers == 2 {
				both.Wait()
			} else {
				both.Add(1)
			}
			for id == "B" && len(l.booked()) == 0 { // the other one is recorded first
				time.Sleep(time.Millisecond)
			}
			return importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: "guid-a"}
		}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if len(l.effects) != workers-1 || workers == 2 && (l.effects[0].Answer.Trip != l.booked()[0] || l.effects[0].State != importer.TripUnclear) {
			t.Errorf("%d workers: %+v", workers, l.effects)
		}
	}
}

// A trip that was being sent when the program failed may be booked.
func TestFailureWhileSending(t *testing.T) {
	n := newFixture("A", "B", "C")
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "B" {
			panic("no answer")
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err == nil {
		t.Fatal("the failure is not told")
	}
	if diff := cmp.Diff([]string{"A booked", "B unknown", "C not_sent"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A panic while rows are read or mapped, in whichever pass, is told with where it happened, and without what it says.
func TestPanicWhileReading(t *testing.T) {
	n := newFixture("A", "B", "C")
	n.checks = true
	r := n.plan(t)
	n.file.fail = func(_, row int) error {
		if row == 2 {
			panic("Ada Example, 12 Alder Ct")
		}
		return nil
	}
	_, doErr := r.Do(t.Context(), importer.RunStart{})
	if diff := cmp.Diff([]string{"A ready", "B ready"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for pass, err := range map[string]error{"the plan": r.MakePlan(t.Context()), "the check": doErr} {
		told, ok := errors.AsType[*run.ProgramError](err)
		if !ok || !strings.Contains(told.Stack, "TestPanicWhileReading.func1") || strings.Contains(told.Stack, "Ada") {
			t.Errorf("%s: %v", pass, err)
		}
	}
}

// A mapping that gives a row more trips than in the plan can't be accounted
// for, and the run says so.
func TestImbalanceFailsTheRun(t *testing.T) {
	n := newFixture("A", "B")
	run := n.plan(t)
	n.file.mapped[1] = parseRow("B+C", 1)
	n.file.mapped[1].Trips[0].Leg = importer.OnlyLeg
	n.file.rowsOf = func(int) []importer.Mapped { return newFile("", "A", "B").mapped } // the rows themselves are the same
	_, err := run.Do(t.Context(), importer.RunStart{})
	if err == nil || !strings.Contains(err.Error(), "control total does not balance") {
		t.Fatalf("got %v, want the imbalance", err)
	}
	if !strings.Contains(err.Error(), "2 rows and 2 trips were read, 2 rows and 3 trips have an outcome") {
		t.Errorf("the message has no figures: %v", err)
	}
	if n.reporter.ends != 1 {
		t.Error("the results were not ended")
	}
}

// Each row and each trip is counted once, by its state.
func TestTotals(t *testing.T) {
	n := newFixture("A+B", "C!", "-D", "E", "F", "G+H")
	n.service.insert = func(id string, _ int) importer.Reply {
		switch id {
		case "B":
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		case "E":
			return importer.Reply{Kind: importer.ReplyUnclear, Status: 500}
		case "F":
			return importer.Reply{Kind: importer.ReplyCreatedNoGUID, Status: 200}
		}
		return booked(id)
	}
	end, err := n.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	want := importer.Totals{RowsRead: 6, TripsRead: 8, HalfBooked: 1, GUIDMissing: 1}
	want.Rows[importer.Refused], want.Rows[importer.Fix], want.Rows[importer.LeftOut] = 1, 1, 1
	want.Rows[importer.Unknown], want.Rows[importer.Booked] = 1, 2
	want.Trips[importer.Booked], want.Trips[importer.Refused], want.Trips[importer.Fix] = 4, 1, 1
	want.Trips[importer.LeftOut], want.Trips[importer.Unknown] = 1, 1
	want.Urgencies = [...]int{importer.NoAction: 4, importer.ToSend: 2, importer.Listed: 1, importer.ActNow: 1}
	if diff := cmp.Diff(want, end.Totals); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var errDisk = errors.New("disk full")
