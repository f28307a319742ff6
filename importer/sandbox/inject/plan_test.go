package inject

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer/sandbox"
)

func TestParseInjectionPlan(t *testing.T) {
	plan, err := Parse([]byte(`
faults:
  - trip: T-1001
    kind: timeout
    commit: after
    times: 1
  - at: [1, 250]
    kind: 429
    retry_after: 7
  - on: change
    kind: moved
    metres: 450
  - every: 10
    on: access
    kind: 307
    to: http://127.0.0.1:9000/elsewhere
    delay: 1.5s
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Fault{
		{Trip: "T-1001", Kind: "timeout", Commit: "after", Times: 1},
		{At: []int{1, 250}, Kind: "429", RetryAfter: "7"},
		{On: sandbox.Change, Kind: "moved", Metres: 450},
		{Every: 10, On: sandbox.Access, Kind: "307", To: "http://127.0.0.1:9000/elsewhere", Delay: 1500 * time.Millisecond},
	}
	if diff := cmp.Diff(want, plan.Faults); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"{}", `{"faults":[{"kind":"eof"}]}`} {
		if _, err := Parse([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPlansThatMeanNothing(t *testing.T) {
	for text, says := range map[string]string{
		"faults:\n  - kind: resett":                      `entry 1 can't happen: its kind is "resett"`,
		"faults:\n  - kind: eof\n  - trip: T-1":          "entry 2 can't happen",
		"faults:\n  - kind: 200":                         `its kind is "200"`,
		"faults:\n  - kind: 101":                         `its kind is "101"`,
		"faults:\n  - kind: 600":                         `its kind is "600"`,
		"faults:\n  - kind: 500\n    commit: later":      `its commit "later"`,
		"faults:\n  - kind: 400\n    commit: after":      `its kind is "400", and its commit "after"`,
		"faults:\n  - kind: 429\n    commit: after":      `its kind is "429", and its commit "after"`,
		"faults:\n  - kind: no-guid\n    commit: before": `its kind is "no-guid", and its commit "before"`,
		"faults:\n  - kind: eof\n    tims: 1":            "line 3",
		"faults:\n  - kind: [":                           "the fault plan can't be read",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %v, want %q", text, err, says)
		}
	}
}

// Which requests fail: by trip, by number, by every nth, and how often.
func TestWhichRequestsFail(t *testing.T) {
	plan := &Plan{Faults: []Fault{
		{Trip: "A", Kind: "500", Times: 2},
		{At: []int{3, 5}, Kind: "502"},
		{Every: 4, Kind: "503"},
		{On: sandbox.Access, Kind: "401", At: []int{2}},
		{On: sandbox.Change, Trip: "G", Kind: "403"},
	}}
	var got []string
	for i, trip := range []string{"A", "B", "C", "D", "A", "A", "E", "F"} {
		if i == 4 {
			for _, ids := range [][]string{{"F", "H"}, {"G", "guid"}, {"guid", "G"}} { // the trip's id or its GUID
				if f := plan.next(sandbox.Change, ids...); f != nil {
					got = append(got, "change of "+ids[0])
				}
			}
			for range 3 {
				if f := plan.next(sandbox.Access, ""); f != nil {
					got = append(got, "access "+f.Kind)
				}
			}
		}
		if f := plan.next(sandbox.Insert, trip); f != nil {
			got = append(got, fmt.Sprint(i+1, " ", f.Kind))
		}
	}
	want := []string{
		"1 500", "3 502", "4 503", "change of G", "change of guid",
		"access 401", "5 500", "8 503",
	}
	if !slices.Equal(got, want) {
		t.Errorf("failed %q, want %q", got, want)
	}
}

// Every kind can come before or after the trip is booked.
func TestKindsAreKnown(t *testing.T) {
	for _, name := range Kinds() {
		if k, _ := kindOf(name); k.when&either == 0 || k.serve == nil {
			t.Errorf("%s can't happen", name)
		}
	}
}
