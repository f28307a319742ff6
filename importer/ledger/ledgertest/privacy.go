package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

// planted gives a trip, and everything in it that no file of a ledger may hold.
func planted() (*importer.Trip, []string) {
	var words []string
	plant := func(word string) string {
		words = append(words, word)
		return word
	}
	trip := ledgertest.Trip("70411")
	trip.RiderID = plant("RIDER-8841-QX")
	trip.FundingSource = plant("Quillwort Payers")
	trip.Phone = plant("312-555-0177")
	trip.Link = plant("Ottoline Vantongeren 1931-04-05")
	trip.Pickup.Name = plant("Ottoline Vantongeren")
	trip.Pickup.Comment = plant("oxygen at the side door")
	trip.Pickup.Address1 = plant("4711 Larkspur Terrace")
	trip.Pickup.Address2 = plant("Unit 9Q")
	trip.Pickup.City = plant("Brambleford")
	trip.Pickup.Zip = plant("60699")
	trip.Pickup.Phone = plant("312-555-0188")
	trip.Pickup.Position.Latitude, trip.Pickup.Position.Longitude = 41.778812, -88.332211
	words = append(words, "41.7788", "88.3322")
	trip.Dropoff.CompleteAddress = plant("77 Hyssop Court, Fernhollow, IL 60688")
	trip.Dropoff.LocationName = plant("Juniper Dialysis")
	trip.Dropoff.Phone = plant("312-555-0199")
	trip.Row.Sheet = plant("Sheet of Dr. Quince")
	return trip, words
}

// TestNothingInClear does everything that a ledger can do with a trip, and
// searches the bytes of all files that it leaves, while it is open and after.
func TestNothingInClear(t *testing.T) {
	l := newLedger(t)
	ctx := context.Background()
	trip, words := planted()
	run := ledgertest.Run("run-1")
	run.Inputs = []importer.InputInfo{{Name: "Wisteria Plumworth.csv", Hash: "aa11"}}
	account := ledgertest.Lakeshore()
	account.Key = importer.NewSecret("api-key-9f8e7d6c")
	words = append(words, run.Inputs[0].Name, account.Key.Reveal(), "Peregrine Fitzwilliam")

	must(t, l.Begin(ctx, run))
	c := ledgertest.Claim("run-1", trip, 2)
	c.Account = account
	claimed, err := l.Claim(ctx, c)
	must(t, err)
	must(t, l.Settle(ctx, claimed, ledgertest.Settlement(importer.Unknown, "")))
	_, _, err = l.Find(ctx, account, trip)
	must(t, err)
	_, err = l.Similar(ctx, account, trip, 15)
	must(t, err)
	if isNew, err := l.NewRider(ctx, "run-1", account, trip.RiderID); err != nil || !isNew {
		t.Fatalf("the rider is not there to be searched for: new %v, %v", isNew, err)
	}
	must(t, l.Resolve(ctx, ledger.Resolution{
		Attempt: claimed.Attempt, Verdict: ledger.There, GUID: "g1", Who: "dana",
		When: ledgertest.Noon().Add(time.Hour), Note: "Peregrine Fitzwilliam says it is there",
	}))
	account.Key = importer.NewSecret("renewed-key-1a2b3c")
	words = append(words, account.Key.Reveal())
	must(t, l.Rekey(ctx, account, ledger.Person{Who: "dana"}))
	dest := filepath.Join(filepath.Dir(l.path), "copy.db")
	must(t, l.backup(ctx, dest))

	search(t, filepath.Dir(l.path), words, "70411") // the id is there, so the search finds things
	must(t, l.Close())
	search(t, filepath.Dir(l.path), words, "70411")
	if e := entryOf(t, reopen(t, l.path), "70411"); !strings.HasPrefix(e.Note, "Peregrine") {
		t.Errorf("the note came back as %q", e.Note)
	}
}

// search wants none of the words in any file of the folder, and present in some.
func search(t *testing.T, folder string, words []string, present string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	found := false
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		found = found || bytes.Contains(content, []byte(present))
		content = bytes.ToLower(content)
		for _, word := range words {
			word = strings.ToLower(word)
			if bytes.Contains(content, []byte(word)) || bytes.Contains(content, wide(word)) {
				t.Errorf("%s holds %q", filepath.Base(file), word)
			}
		}
	}
	if !found {
		t.Errorf("no file of %v holds %q", files, present)
	}
}

func wide(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// TestFaultsHoldNoRows makes the ledger refuse a trip full of names, and reads
// what it says.
func TestFaultsHoldNoRows(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	trip, words := planted()
	c := ledgertest.Claim("run-1", trip, 2)
	ledgertest.Send(t, l, c, ledgertest.Settlement(importer.Unknown, ""))
	words = append(words, "70411", c.Account.Key.Reveal())
	c.Account.Key = importer.NewSecret("renewed-key-1a2b3c")
	words = append(words, c.Account.Key.Reveal())
	_, changed := l.Claim(ctx, c)
	_, again := l.Claim(ctx, ledgertest.Claim("run-1", trip, 2))
	breakCommit(t, l)
	_, broken := l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("2"), 3))
	for _, err := range []error{changed, again, broken} {
		if err == nil {
			t.Fatal("nothing was refused")
		}
		for ; err != nil; err = errors.Unwrap(err) {
			for _, word := range words {
				if strings.Contains(fmt.Sprintf("%v %+v", err, err), word) {
					t.Errorf("%v holds %q", err, word)
				}
			}
		}
	}
}

// TestHashesAreBound proves that equal values leave different hashes, so that
// the file alone does not show who rides with whom.
func TestHashesAreBound(t *testing.T) {
	h := newHashers(bytes.Repeat([]byte{1}, keySize))
	other := newHashers(bytes.Repeat([]byte{2}, keySize))
	a, b := ledgertest.Trip("1"), ledgertest.Trip("2")
	b.RiderID = a.RiderID
	if h.fingerprint(a).byKey()["rider_id"] == h.fingerprint(b).byKey()["rider_id"] {
		t.Error("two trips of one rider have one hash")
	}
	if h.fingerprint(a).byKey()["rider_id"] == other.fingerprint(a).byKey()["rider_id"] {
		t.Error("two ledgers have one hash")
	}
	if bytes.Equal(h.rider(1, a.RiderID), h.rider(2, a.RiderID)) {
		t.Error("a rider has one hash with two providers")
	}
	if bytes.Equal(h.rider(1, a.RiderID), other.rider(1, a.RiderID)) {
		t.Error("two ledgers have one hash of a rider")
	}
	day := ledgertest.Night()
	if bytes.Equal(h.journey(a, day), h.journey(a, day.AddDays(1))) {
		t.Error("a journey has one hash on two days")
	}
}
