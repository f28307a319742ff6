package serve

import (
	"strings"
	"testing"
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
