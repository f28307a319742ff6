package app

import (
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// TestTakenBackSince enters from a lost run's results that an answer was corrected: the ledger has only a person's word that the
// trip is booked, and the run, which began later, had it as missing or maybe booked. What is held, what was proved, and what a
// person said after the run began stay as they are.
func TestTakenBackSince(t *testing.T) {
	began := time.Date(2026, 12, 1, 17, 37, 0, 0, time.UTC)
	r := lostRun{RunInfo: importer.RunInfo{Started: began}}
	for _, c := range []struct {
		name   string
		state  importer.State
		proved bool
		said   time.Duration // since the run began
		taken  bool
	}{
		{"to fix", importer.Fix, false, -time.Hour, true},
		{"refused", importer.Refused, false, -time.Hour, true},
		{"not sent", importer.NotSent, false, -time.Hour, true},
		{"maybe booked", importer.Unknown, false, -time.Hour, true},
		{"held", importer.Held, false, -time.Hour, false},
		{"booked", importer.BookedEarlier, false, -time.Hour, false},
		{"proved", importer.Fix, true, -time.Hour, false},
		{"said later", importer.Fix, false, time.Hour, false},
	} {
		s := &importer.Standing{State: importer.TripBooked, Proved: c.proved, Said: &importer.StandingAnswer{Verdict: importer.There, At: began.Add(c.said)}}
		sent := &returned.SentTrip{}
		sent.State = c.state
		if said, ok := r.saidOf(s, sent); ok != c.taken || ok && said.Verdict != importer.NotThere {
			t.Errorf("%s: %v, %v", c.name, said.Verdict, ok)
		}
	}
}
