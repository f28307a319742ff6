package ledgertest

import (
	"errors"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// conform runs the conformance tests, each on a new ledger in which the run "run-1" is open.
func conform(t *testing.T, open func(testing.TB) fixture) {
	for name, test := range map[string]func(*testing.T, fixture){
		"Words":        testWords,
		"SameReading":  testSameReading,
		"OlderArrival": testOlderArrival,
		"Gone":         testGone,
		"GoneAsOf":     testGoneAsOf,
		"TellsFrom":    testTellsFrom,
		"TwiceInAFile": testTwiceInAFile,
		"RepeatedIDs":  testRepeatedIDs,
		"BrokenFile":   testBrokenFile,
		"WordsModel":   testWordsModel,
		"Arrivals":     testArrivals,
		"Schedule":     testSchedule,

		"Look":      testLook,
		"Keys":      testKeys,
		"Unseen":    testUnseen,
		"Identity":  testIdentity,
		"RawCells":  testRawCells,
		"Meanwhile": testMeanwhile,
		"Together":  testTogether,

		"Booked":       testBooked,
		"Refused":      testRefused,
		"SeenOfWord":   testSeenOfWord,
		"GUIDTaken":    testGUIDTaken,
		"ProofInDoubt": testProofInDoubt,
		"SettledOnce":  testSettledOnce,
		"Changes":      testChanges,
		"ChangedTime":  testChangedTime,
		"Unsettled":    testUnsettled,
		"TripsModel":   testTripsModel,

		"Answers":      testAnswers,
		"AllOrNothing": testAllOrNothing,
		"RowAnswers":   testRowAnswers,
		"Meant":        testMeant,
		"LateReply":    testLateReply,

		"Find":       testFind,
		"Unresolved": testUnresolved,
		"Events":     testEvents,
		"Runs":       testRuns,
		"Facts":      testFacts,
		"Accounts":   testAccounts,
		"Rekey":      testRekey,
		"Services":   testServices,
		"ReadOnly":   testReadOnly,
		"Verify":     testVerify,
		"Private":    testPrivate,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			Begin(t, f.Ledger, "run-1")
			test(t, f)
		})
	}
}

// wantMeanwhile wants a step refused because of what happened since.
func wantMeanwhile(tb testing.TB, l ledger.Ledger, what string, s importer.Step) {
	tb.Helper()
	if _, err := l.Claim(tb.Context(), s); !errors.Is(err, importer.ErrMeanwhile) {
		tb.Errorf("%s: the claim ended with %v", what, err)
	}
}

// word returns the word of the row itself.
func word(tb testing.TB, l ledger.Ledger, row *importer.Mapped) importer.Word {
	tb.Helper()
	known := Look(tb, l, row)
	w := known.Word()
	if w == nil {
		tb.Fatalf("the ledger has no word about the row %s", row.Key.ID)
	}
	return *w
}

// moved returns the row with another pickup time.
func moved(row *importer.Mapped, minutes int) *importer.Mapped {
	again := *row
	again.Trips = append([]importer.Trip(nil), row.Trips...)
	again.Trips[0].Pickup.PickupTime.Minute = minutes
	return &again
}

// cancelled returns the row as its broker cancelled it.
func cancelled(row *importer.Mapped) *importer.Mapped {
	again := *row
	again.LeaveOut("cancelled")
	return &again
}
