package ledgertest

import (
	"testing"

	"tripimport/importer"
)

// testRaised: an item is raised once the run that raised it has ended, until a
// person answers about its attempt.
func testRaised(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	claimed := Send(t, l, Claim("run-1", Trip("1"), 2), Settlement(importer.Unknown, ""))
	sent := importer.Item{Kind: "unknown", Attempt: claimed.Attempt}
	unsent := importer.Item{Kind: "half_booked", Trip: "Lakeshore Transit 2"}
	require := func(when string, want map[importer.Item]bool) {
		t.Helper()
		for item, want := range want {
			if got, err := l.Raised(ctx, item); err != nil || got != want {
				t.Errorf("%s: %+v is raised: %v, %v", when, item, got, err)
			}
		}
	}

	l = f.Crash(t)
	require("after a run that was broken off", map[importer.Item]bool{sent: false, unsent: false})
	Begin(t, l, "run-2")
	must(t, l.End(ctx, "run-2", importer.Totals{}, Noon(), "finished", sent, unsent))
	Begin(t, l, "run-3")
	must(t, l.End(ctx, "run-3", importer.Totals{}, Noon(), "finished", sent))
	require("after a run that ended", map[importer.Item]bool{
		sent: true, unsent: true,
		{Kind: "guid_missing", Attempt: claimed.Attempt}:   false,
		{Kind: "unknown", Attempt: claimed.Attempt + 1}:    false,
		{Kind: "half_booked", Trip: "Lakeshore Transit 3"}: false,
	})

	must(t, l.Resolve(ctx, resolution(claimed.Attempt, importer.There, "g-there", 0)))
	require("after an answer", map[importer.Item]bool{sent: false, unsent: true})
}
