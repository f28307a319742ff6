package run_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// People are told within five seconds what a run waits for: a service that does not answer, and a
// pause. What answers in time is not told, and of many workers that wait one tells.
func TestWaitsAreTold(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers time.Duration // how long the service takes for each trip
		pause   time.Duration // how long each attempt waits
		want    []string
	}{
		{name: "in time", answers: 3 * time.Second},
		{name: "a service that does not answer", answers: 20 * time.Second, want: []string{"waiting for the service: it has not answered for 4s"}},
		{name: "a pause", pause: 35 * time.Second, want: []string{"the run pauses, because the service asked for it or can't be reached: it goes on in 31s"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newFixture("A", "B", "C", "D", "E")
				n.workers = 8
				began := time.Now()
				var told []string
				n.waits = &run.Waits{Say: func(text string) {
					told = append(told, text)
					if since := time.Since(began); since > 5*time.Second {
						t.Errorf("%q was told after %s", text, since)
					}
				}}
				n.service.insert = func(id string, _ int) importer.Reply {
					time.Sleep(tt.answers)
					return booked(id)
				}
				end := began.Add(tt.pause)
				n.gate.rest = func() time.Duration { return time.Until(end) }
				n.gate.wait = func() { time.Sleep(time.Until(end)) }
				if _, err := n.do(t.Context(), t); err != nil {
					t.Fatal(err)
				}
				if len(told) != len(tt.want) || len(told) > 0 && told[0] != tt.want[0] {
					t.Errorf("told %q, want %q", told, tt.want)
				}
			})
		})
	}
}
