package ledgertest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"tripimport/importer"
)

// testNothingInClear does everything that a ledger can do with a trip, and
// searches the bytes that it stored, while it is open and after.
func testNothingInClear(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	trip, words := PrivateTrip()
	run := Run("run-2")
	run.Inputs = []importer.InputInfo{{Name: "Wisteria Plumworth.csv", Hash: "aa11"}}
	account := Lakeshore()
	account.Key = importer.NewSecret("api-key-9f8e7d6c")
	words = append(words, run.Inputs[0].Name, account.Key.Reveal(), "Peregrine Fitzwilliam")

	key := importer.RowKey{Broker: "Wrenfield Brokerage", ID: "Wisteria Plumworth 70411", TripID: "70411"}
	run.RowIDs = importer.RowIDs{Broker: key.Broker, Columns: "order+rider"}
	words = append(words, key.Broker, key.ID, importer.IDSpellings(key.ID)[0], "4711larkspurterrace", "77hyssopcourt")

	must(t, l.Begin(ctx, run))
	c := Claim("run-2", trip, 2)
	c.Account, c.Key, c.Within = account, key, 15
	claimed := Send(t, l, c, Settlement(importer.Unknown, ""))
	r, _, err := l.Find(ctx, account, trip)
	must(t, err)
	if !slices.Contains(l.RowMarks(key), r.RowMark) {
		t.Fatalf("the row is not there to be searched for: %q", r.RowMark)
	}
	_, err = l.Similar(ctx, account, trip, 15)
	must(t, err)
	if isNew, err := l.NewRider(ctx, "run-2", account, trip.RiderID); err != nil || !isNew {
		t.Fatalf("the rider is not there to be searched for: new %v, %v", isNew, err)
	}

	there := resolution(claimed.Attempt, importer.There, "g1", time.Hour)
	there.Note = "Peregrine Fitzwilliam says it is there"
	must(t, l.Resolve(ctx, there))
	noted, changed := *trip, *trip
	noted.Dropoff.Name, changed.Pickup.Name, changed.RiderID = "Zebulon Thistlewick", "Marigold Quennell", "RIDER-7730-ZK"
	changed.Dropoff.CompleteAddress = "19 Yarrow Close, Fernhollow, IL 60688"
	words = append(words, noted.Dropoff.Name, changed.Pickup.Name, changed.Dropoff.CompleteAddress, changed.RiderID, "19yarrowclose")
	must(t, l.NoteSchedule(ctx, key, &noted))
	for _, state := range []importer.State{importer.ChangeUnknown, importer.Updated} {
		SendChange(t, l, Change("run-2", claimed.Attempt, &changed, "pickup.event_name", "dropoff.complete_address"), state)
	}
	words = append(words, "Hospice ward")
	must(t, l.Decide(ctx, importer.Decision{Key: key, Trip: trip}, importer.LeaveIt, dana()))
	must(t, l.Decide(ctx, importer.Decision{Question: importer.AskWord, Key: key, Column: "Note", Word: "Hospice ward"}, importer.Book, dana()))
	account.Key = importer.NewSecret("renewed-key-1a2b3c")
	words = append(words, account.Key.Reveal())
	must(t, l.Rekey(ctx, account, "", dana()))

	search(t, f.Stored(t), words, "70411") // the id is there, so the search finds things
	l = f.Crash(t)
	search(t, f.Stored(t), words, "70411")
	if e := entryOf(t, l, "run-2", "70411"); !strings.HasPrefix(e.Note, "Peregrine") {
		t.Errorf("the note came back as %q", e.Note)
	}
}

// search wants none of the words in what is stored, in any spelling of their
// letters' case and in UTF-16 as well, and present somewhere in it.
func search(t *testing.T, stored map[string][]byte, words []string, present string) {
	t.Helper()
	found := false
	for name, content := range stored {
		found = found || bytes.Contains(content, []byte(present))
		content = bytes.ToLower(content)
		for _, word := range words {
			word = strings.ToLower(word)
			if bytes.Contains(content, []byte(word)) || bytes.Contains(content, wide(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}

	if !found {
		t.Errorf("nothing that is stored holds %q", present)
	}
}

func wide(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// testErrorsHoldNoRows makes the ledger refuse a trip full of names, and reads
// what it says.
func testErrorsHoldNoRows(t *testing.T, f fixture) {
	trip, words := PrivateTrip()
	c := Claim("run-1", trip, 2)
	Send(t, f.Ledger, c, Settlement(importer.Unknown, ""))
	words = append(words, "70411", c.Account.Key.Reveal())
	c.Account.Key = importer.NewSecret("renewed-key-1a2b3c")
	words = append(words, c.Account.Key.Reveal())
	_, changed := f.Ledger.Claim(t.Context(), c)
	_, again := f.Ledger.Claim(t.Context(), Claim("run-1", trip, 2))
	for _, err := range []error{changed, again} {
		if err == nil {
			t.Fatal("nothing was refused")
		}
		WantNone(t, err, words)
	}
}
