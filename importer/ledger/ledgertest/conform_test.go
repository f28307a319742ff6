package ledgertest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// A fixture is one ledger under test.
type fixture struct {
	Ledger ledger.Ledger
	// Crash takes the ledger away from its process without warning, as a crash does, and
	// gives it to the next process.
	Crash func(testing.TB) ledger.Ledger
	// ReadOnly opens the ledger for reading only, as another process does beside
	// the one that writes.
	ReadOnly func(testing.TB) ledger.Ledger
	// Stored returns the bytes of all that is stored of the ledger at this moment,
	// backups among them, by the name of their file or table.
	Stored func(testing.TB) map[string][]byte
	// Beside opens the ledger as a second process does that writes at the same time; nil
	// where there can be none.
	Beside func(testing.TB) ledger.Ledger
	// Together calls functions whose jobs the ledger then writes in one transaction; nil
	// if the test can't bring that about.
	Together func(tb testing.TB, jobs ...func())

	another func(testing.TB) fixture
}

// conform tests that the ledgers of a store do what importer.Ledger and ledger.Ledger
// promise. empty makes a new and empty ledger for each test.
func conform(t *testing.T, empty func(testing.TB) fixture) {
	for name, test := range map[string]func(*testing.T, fixture){
		"nothing known":          testNothingKnown,
		"identity and keys":      testIdentityAndKeys,
		"states":                 testStates,
		"crash":                  testCrash,
		"sent again":             testSentAgain,
		"accounts":               testAccounts,
		"provider keys":          testProviderKeys,
		"provider renamed":       testProviderRenamed,
		"a provider moved":       testProviderMoved,
		"a service moved":        testServiceMoved,
		"another system":         testOtherSystem,
		"the old address again":  testBackToTheOldAddress,
		"many moves":             testManyMoves,
		"rows of two systems":    testRowsOfTwoSystems,
		"trips ahead":            testAhead,
		"rows":                   testRows,
		"a row's record":         testFindRow,
		"a row's trips":          testRowTrips,
		"a row's trip":           testRowRecord,
		"rows on other days":     testRowsOnOtherDays,
		"rows elsewhere":         testRowsOfOtherSystems,
		"respelt":                testRespelt,
		"outdated":               testOutdated,
		"lacks":                  testLacks,
		"ids and riders":         testTripsOfIDAndRider,
		"same day":               testSameDay,
		"row marks":              testRowMarks,
		"row ids":                testRowIDs,
		"row collisions":         testRowCollisions,
		"shapes of a row":        testShapes,
		"in one transaction":     testOneTransaction,
		"claims within":          testClaimWithin,
		"GUIDs":                  testGUIDs,
		"GUID missing":           testGUIDMissing,
		"differs":                testDiffers,
		"placed before":          testPlacedBefore,
		"other trip":             testOtherTrip,
		"similar":                testSimilar,
		"similar by state":       testSimilarStates,
		"similar by definition":  testSimilarIsMayBe,
		"settled once":           testSettledOnce,
		"runs":                   testRuns,
		"run history":            testRunHistory,
		"trips of a run":         testTrips,
		"raised":                 testRaised,
		"new riders":             testNewRider,
		"an account's riders":    testNewRiderOfAccount,
		"riders, read only":      testNewRiderReadOnly,
		"unresolved":             testUnresolved,
		"there":                  testResolveThere,
		"not there":              testResolveNotThere,
		"not there, early":       testResolveEarly,
		"proved":                 testResolveProved,
		"corrected":              testResolveCorrected,
		"done by hand":           testResolveByHand,
		"booked by hand":         testBookedByHand,
		"decided":                testDecided,
		"decided before":         testDecidedBefore,
		"left as tried":          testLeftAsTried,
		"left, forgotten":        testForgetLeft,
		"taken back":             testResolveTakenBack,
		"no answer taken":        testResolveRefuses,
		"read only":              testReadOnly,
		"cancelled":              testCancelled,
		"closed":                 testClosed,
		"one claim wins":         testOneClaimWins,
		"one GUID wins":          testOneGUIDWins,
		"concurrent":             testConcurrent,
		"a model":                testModel,
		"no secrets in records":  testNoSecrets,
		"nothing in clear":       testNothingInClear,
		"changes":                testChanges,
		"the values of changes":  testChangeSame,
		"changes granted":        testClaimChange,
		"changes settled":        testSettleChange,
		"one change wins":        testOneChangeWins,
		"a change that was seen": testSeenChange,
		"changes, crash":         testChangeCrash,
		"changed times":          testChangedTimes,
		"changed places":         testChangedPlaces,
		"changes answered":       testAnswerChange,
		"changes forgotten":      testAcceptedForgotten,
		"hold":                   testHold,
		"hold refused":           testHoldRefuses,
		"private ids":            testPrivateIDs,
		"ids that were in clear": testIDsInClear,
		"fixed":                  testFixed,
		"fixed rows":             testFixedRows,
		"changed by hand":        testChangedByHand,
		"trips of a day":         testTripsOfDay,
		"the latest stamp":       testLatestStamp,
		"histories":              testHistories,
		"slots":                  testSlots,
		"verified":               testVerify,
		"errors hold no rows":    testErrorsHoldNoRows,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := empty(t)
			f.another = empty
			Begin(t, f.Ledger, "run-1")
			test(t, f)
		})
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatalf("prepare: %v (%v)", err, errors.Unwrap(err))
	}
}

func testNothingKnown(t *testing.T, f fixture) {
	wantUnknown(t, f.Ledger, Trip("1"), Lakeshore())
	if r, err := f.Ledger.Similar(t.Context(), Lakeshore(), Trip("1"), 15); len(r) != 0 || err != nil {
		t.Errorf("similar %+v, %v", r, err)
	}
	if f.Ledger.Identity() == "" {
		t.Error("the ledger has no identity")
	}
}

// testStates settles a trip in every state, and looks at its record and at
// whether it may be sent again.
func testStates(t *testing.T, f fixture) {
	var last int64
	for i, c := range []struct {
		state importer.State
		free  bool
	}{
		{importer.Created, false}, {importer.Unknown, false}, {importer.Refused, true}, {importer.NotSent, true},
	} {
		trip := Trip(c.state.Code())
		s := Settlement(c.state, "guid-"+c.state.Code())
		claimed := Send(t, f.Ledger, Claim("run-1", trip, i+2), s)
		want := importer.Record{
			TripID: trip.ID, Account: importer.Account{Service: Lakeshore().Service, Provider: Lakeshore().Provider},
			Date: Night(), Time: trip.Time(), Attempt: claimed.Attempt, State: c.state, GUID: s.GUID, HTTPStatus: s.HTTPStatus, Code: s.Code,
			Run: "run-1", Attempts: 1, ClaimedAt: Noon(), SettledAt: s.At, MappingHash: "bb22",
		}
		got := Find(t, f.Ledger, trip)
		if got.Attempt <= last {
			t.Errorf("%s has the attempt %d, the one before had %d", c.state.Code(), got.Attempt, last)
		}
		last, want.Attempt = got.Attempt, got.Attempt
		if diff := cmp.Diff(want, got, secrets()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.state.Code(), diff)
		}
		_, err := f.Ledger.Claim(t.Context(), Claim("run-1", trip, i+2))
		if free := err == nil; free != c.free || !free && !errors.Is(err, importer.ErrClaimed) {
			t.Errorf("%s: claiming again gave %v", c.state.Code(), err)
		}
	}
}

// secrets lets records be compared: their accounts hold no key.
func secrets() cmp.Option {
	return cmp.Comparer(func(a, b importer.Secret) bool { return a.Reveal() == b.Reveal() })
}

// testCrash leaves a claim without a settlement behind.
func testCrash(t *testing.T, f fixture) {
	take(t, f.Ledger, Claim("run-1", Trip("1"), 2))
	if r := Find(t, f.Ledger, Trip("1")); !r.InFlight || r.State != importer.Unknown {
		t.Errorf("while it is being sent: %s, in flight %v", r.State.Code(), r.InFlight)
	}

	l := f.Crash(t)
	wantState(t, l, "after the crash", "1", importer.Unknown, "")
	Begin(t, l, "run-2")
	wantTaken(t, l, "what the crash left", Claim("run-2", Trip("1"), 2))
}

// testSentAgain corrects a refused trip and books it.
func testSentAgain(t *testing.T, f fixture) {
	trip := Trip("1")
	Send(t, f.Ledger, Claim("run-1", trip, 2), Settlement(importer.Refused, ""))
	Begin(t, f.Ledger, "run-2")
	trip.RiderID = "R-corrected"
	again := Claim("run-2", trip, 5)
	again.MappingHash = "cc33"
	Book(t, f.Ledger, again, "g1")
	r := Find(t, f.Ledger, trip)
	if r.Attempts != 2 || r.Run != "run-2" || r.Differs != nil || r.MappingHash != "cc33" || r.State != importer.Created {
		t.Errorf("got %+v", r)
	}
}

func testAccounts(t *testing.T, f fixture) {
	ctx := t.Context()
	trip := Trip("1")
	Book(t, f.Ledger, Claim("run-1", trip, 2), "g1")
	wantUnknown(t, f.Ledger, trip, prairie(), at(testHost))

	claimed := take(t, f.Ledger, under(prairie(), Claim("run-1", trip, 3)))
	if err := f.Ledger.Settle(ctx, claimed, Settlement(importer.Created, "G1")); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("the GUID of another provider's trip was taken: %v", err)
	}
	must(t, f.Ledger.Settle(ctx, claimed, Settlement(importer.Created, "g2")))

	renewed := provider("LAKESHORE  Transit", "another-key")
	if _, _, err := f.Ledger.Find(ctx, renewed, trip); err == nil {
		t.Error("a provider with another key was taken for a new one")
	}

	if _, err := f.Ledger.Claim(ctx, under(renewed, Claim("run-1", Trip("2"), 4))); err == nil || errors.Is(err, importer.ErrClaimed) {
		t.Errorf("claiming under another key gave %v", err)
	}

	Book(t, f.Ledger, Claim("run-1", Trip("2"), 4), "g3") // the ledger still works
}

// testRows claims trips of one row under several ids.
func testRows(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
	wantTaken(t, f.Ledger, "a row under a second id", Claim("run-1", Trip("2"), 2))
	for i, change := range []func(*importer.Claim){
		func(c *importer.Claim) { c.Trip.Leg = importer.ReturnLeg },
		func(c *importer.Claim) { c.Trip.Row.Sheet = "Tuesday" },
		func(c *importer.Claim) { c.Input = "dd44" },
		func(c *importer.Claim) { c.Row = 3 },
	} {
		c := Claim("run-1", Trip(fmt.Sprint("other-", i)), 2)
		change(&c)
		Book(t, f.Ledger, c, fmt.Sprint("other-", i))
	}

	Send(t, f.Ledger, Claim("run-1", Trip("refused"), 9), Settlement(importer.Refused, ""))
	Book(t, f.Ledger, Claim("run-1", Trip("corrected"), 9), "g9")
	wantTaken(t, f.Ledger, "the row's first id, beside its second", Claim("run-1", Trip("refused"), 9))
}

func testGUIDs(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "3F2504E0-4F89-11D3-9A0C-0305E82C3301")
	for i, guid := range []string{
		"3F2504E0-4F89-11D3-9A0C-0305E82C3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
		"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "3F2504E04F8911D39A0C0305E82C3301",
	} {
		trip := Trip(fmt.Sprint("again-", i))
		claimed := take(t, f.Ledger, Claim("run-1", trip, 10+i))
		if err := f.Ledger.Settle(t.Context(), claimed, Settlement(importer.Created, guid)); !errors.Is(err, importer.ErrGUIDTaken) {
			t.Errorf("%s was taken by two trips: %v", guid, err)
		}
		if r := Find(t, f.Ledger, trip); !r.InFlight {
			t.Errorf("something was written: %+v", r)
		}
		must(t, f.Ledger.Settle(t.Context(), claimed, Settlement(importer.Unknown, "")))
	}
}

func testGUIDMissing(t *testing.T, f fixture) {
	for i := range 2 {
		trip := Trip(fmt.Sprint(i))
		s := Settlement(importer.Created, "")
		s.GUIDMissing = true
		Send(t, f.Ledger, Claim("run-1", trip, i+2), s)
		if r := Find(t, f.Ledger, trip); !r.GUIDMissing || r.State != importer.Created || r.GUID != "" {
			t.Errorf("got %+v", r)
		}
	}
}

func testNoSecrets(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
	if r := Find(t, f.Ledger, Trip("1")); !r.Account.Key.Empty() {
		t.Error("a record holds the API key")
	}
}
