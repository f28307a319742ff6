package run

import (
	"strings"
	"testing"
	"time"

	"tripimport/importer"
)

// TestNotThereNamesItsDay checks that a `not there` that has to wait says from which day and
// time on the trip is sent, also where that is the day after it was sent.
func TestNotThereNamesItsDay(t *testing.T) {
	sent := time.Date(2026, 12, 1, 23, 50, 0, 0, time.Local)
	o := RecordedOutcome(importer.Record{State: importer.Unknown, Answered: true, ClaimedAt: sent})
	if !strings.Contains(o.Reason, "a run that begins after 2026-12-02 00:05 ") {
		t.Errorf("got %q", o.Reason)
	}
}
