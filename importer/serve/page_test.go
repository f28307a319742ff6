package serve

import (
	"strings"
	"testing"

	"tripimport/importer/app"
)

// TestRehearsalBooksNothing shows a rehearsal and a booking that go on: only of one it says that trips are booked.
func TestRehearsalBooksNothing(t *testing.T) {
	p := &page{}
	if err := p.parse(); err != nil {
		t.Fatal(err)
	}
	for says, run := range map[string]*oneRun{
		"3 trips would be booked": {Rehearsal: true, Of: 4, Booked: 3}, "3 trips booked": {Of: 4, Booked: 3}, "nothing is sent yet": {},
	} {
		var text strings.Builder
		if err := p.screens["problem"].ExecuteTemplate(&text, "run", view{Run: run}); err != nil || !strings.Contains(text.String(), says) {
			t.Errorf("not %q: %s, %v", says, text.String(), err)
		}
	}
}

// TestLocksWhileTheMachineSleeps compares times of the wall: those of Go's other clock stand still in a machine that sleeps, and
// whoever wakes it would be in.
func TestLocksWhileTheMachineSleeps(t *testing.T) {
	s, err := newServer(nil, &door{}, Config{}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := s.gate.now().String(); strings.Contains(at, " m=") {
		t.Errorf("the gate's time is %s", at)
	}
}

// The button says that a yes may book more than its number: what waits for a position, for one.
func TestButton(t *testing.T) {
	start := app.Start{}
	start.New = 5
	for want, p := range map[string]*planned{
		"Book 3 trips":                        {Plan: &app.Plan{Start: start}, Waiting: 2},
		"Book 3 trips, and what has your yes": {Plan: &app.Plan{Start: start, Asks: []app.Ask{{}}}, Waiting: 2},
		"Rehearse 5 trips":                    {Plan: &app.Plan{Start: start, Asks: []app.Ask{{}}}, Rehearse: true},
		"Go on":                               {Plan: &app.Plan{Start: start, Asks: []app.Ask{{}}}, Waiting: 5},
	} {
		if got := p.Button(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
