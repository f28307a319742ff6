package run_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// People are told once of a pause that is not short, however many workers wait.
func TestPauseIsTold(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pause time.Duration
		want  []time.Duration
	}{
		{name: "none"},
		{name: "a short one", pause: 3 * time.Second},
		{name: "a long one", pause: 35 * time.Second, want: []time.Duration{35 * time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newFixture("A", "B", "C", "D", "E")
				n.workers = 8
				var told []time.Duration
				n.paused = func(left time.Duration) { told = append(told, left) }
				end := time.Now().Add(tt.pause)
				n.gate.rest = func() time.Duration { return time.Until(end) }
				n.gate.wait = func() { time.Sleep(time.Until(end)) }
				if _, err := n.do(t.Context(), t); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(told, tt.want) {
					t.Errorf("told %v, want %v", told, tt.want)
				}
			})
		})
	}
}
