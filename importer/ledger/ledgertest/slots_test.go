package ledgertest

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer/ledger"
)

// testSlots notes what came of slots, and reads it in its order after a crash.
func testSlots(t *testing.T, f fixture) {
	ctx := context.Background()
	event := func(minutes int, kind, detail string) ledger.SlotEvent {
		return ledger.SlotEvent{
			At: Noon().Add(time.Duration(minutes) * time.Minute), Slot: "2026-12-01T21:30 import", Kind: kind, Broker: "Lakeshore", Input: "abc", Detail: detail,
		}
	}
	all := []ledger.SlotEvent{event(0, "begun", ""), event(5, "file", `{"name":"Planted, Pat.csv"}`), event(5, "alarm", "late"), event(4, "alarm", "clock set back")}
	before := f.Ledger.Number()
	for _, e := range all {
		must(t, f.Ledger.NoteSlot(ctx, e))
	}
	if f.Ledger.Number() <= before {
		t.Error("the ledger's number has not grown")
	}

	for name, content := range f.Stored(t) {
		if bytes.Contains(content, []byte("Planted")) {
			t.Errorf("%s has the detail in clear", name)
		}
	}
	if err := f.ReadOnly(t).NoteSlot(ctx, all[0]); err == nil {
		t.Error("a ledger that is open for reading alone takes an event")
	}
	l := f.Crash(t)
	for from, want := range map[int][]ledger.SlotEvent{0: all, 1: all[1:], 5: all[1:3], 6: nil} {
		got, err := l.SlotEvents(ctx, Noon().Add(time.Duration(from)*time.Minute))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("from minute %d: %v %s", from, err, diff)
		}
	}
}
