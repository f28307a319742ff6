package keyed

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

func newHashes(tb testing.TB, fill byte) *Hashes {
	tb.Helper()
	h, err := New(bytes.Repeat([]byte{fill}, KeySize))
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// TestDiffersNamesTheChange changes any properties of a trip, and wants just
// those named.
func TestDiffersNamesTheChange(t *testing.T) {
	h := newHashes(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		before, after := ledgertest.Trip("1"), ledgertest.Trip("1")
		for _, target := range []*string{
			&after.RiderID, &after.SpaceType, &after.Phone, &after.Pickup.Comment, &after.Dropoff.Name,
			&after.Pickup.CompleteAddress, &after.Dropoff.City,
		} {
			if rapid.Bool().Draw(t, "change") {
				*target = rapid.StringN(0, 12, -1).Draw(t, "value")
			}
		}
		for _, trip := range []*importer.Trip{before, after} {
			if rapid.Bool().Draw(t, "placed") { // not by the row
				trip.Pickup.Position.Source = "the places list"
			}
		}
		var want []string
		old, now := values(before), values(after)
		for key := range union(old, now) {
			if old[key] != now[key] && key != "pickup.event_location.latitude" && key != "pickup.event_location.longitude" {
				want = append(want, key)
			}
		}
		got := h.Fingerprint(after).Differs(h.Fingerprint(before))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("named %v, want %v", got, want)
		}
	})
}

// TestForms compares values in several forms: those in different ones are no
// difference, and not the same either.
func TestForms(t *testing.T) {
	h := newHashes(t, 1)
	const city = "pickup.event_location.city"
	now, before := ledgertest.Trip("1"), ledgertest.Trip("1")
	before.Pickup.City, before.Pickup.Zip = "Shelbyville", "62799"
	newer := func(f Fingerprint) Fingerprint {
		f.Keys = strings.Replace(f.Keys, city+"#1", storedKey(&importer.Property{Key: city, Form: 2}), 1)
		return f
	}
	without := ledgertest.Trip("1")
	without.Pickup.City = ""
	zip := "pickup.event_location.zip"
	for name, c := range map[string]struct {
		f, g Fingerprint
		want []string
	}{
		"one form":          {h.Fingerprint(now), h.Fingerprint(before), []string{city, zip}},
		"one newer form":    {newer(h.Fingerprint(now)), newer(h.Fingerprint(before)), []string{city, zip}},
		"the other newer":   {newer(h.Fingerprint(now)), h.Fingerprint(before), []string{zip}},
		"the other older":   {h.Fingerprint(now), newer(h.Fingerprint(before)), []string{zip}},
		"no value":          {newer(h.Fingerprint(now)), h.Fingerprint(without), []string{city}},
		"no value any more": {h.Fingerprint(without), newer(h.Fingerprint(now)), []string{city}},
		"only the form":     {newer(h.Fingerprint(now)), h.Fingerprint(now), nil},
	} {
		if got := c.f.Differs(c.g); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: differs in %v, want %v", name, got, c.want)
		}
	}
	if f := h.Fingerprint(now); f.Same(newer(f), city) || !f.Same(f, city, "pickup.event_name") || f.Same(h.Fingerprint(before), zip) {
		t.Error("values in two forms are the same, or those in one form are not")
	}

	// A change in a newer form is accepted.
	accepted := h.Fingerprint(before).With(newer(h.Fingerprint(now, city)))
	if got := newer(h.Fingerprint(now)).Differs(accepted); !slices.Equal(got, []string{zip}) || storedKey(&importer.Property{Key: city}) != city {
		t.Errorf("after the change it differs in %v", got)
	}
}

// TestParts takes fingerprints apart and joins them.
func TestParts(t *testing.T) {
	h := newHashes(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		trip, before := ledgertest.Trip("1"), ledgertest.Trip("1")
		before.Pickup.City, before.Dropoff.Name, before.SpaceType = "Elsewhere", "", "WCH"
		before.Pickup.Name = "Home"
		all := h.Fingerprint(trip)
		keys := rapid.SliceOfNDistinct(rapid.SampledFrom(all.PropertyKeys()), 1, -1, rapid.ID).Draw(t, "keys")
		part := h.Fingerprint(trip, keys...)
		if rest := all.Without(part); !reflect.DeepEqual(rest.With(part), all) || !reflect.DeepEqual(part.With(rest), all) {
			t.Fatalf("the parts are %v and %v", part.PropertyKeys(), rest.PropertyKeys())
		}
		mixed := h.Fingerprint(before).With(part)
		for _, key := range append(all.PropertyKeys(), "pickup.event_name") {
			sent := slices.Contains(keys, key)
			if sent && !mixed.Same(all, key) || !sent && !mixed.Same(h.Fingerprint(before), key) {
				t.Fatalf("%s is not that of the right one", key)
			}
		}
	})
}

func values(trip *importer.Trip) map[string]string {
	m := map[string]string{}
	for _, p := range trip.Properties() {
		m[p.Key] = p.Value
	}
	return m
}

func union(a, b map[string]string) map[string]bool {
	m := map[string]bool{}
	for key := range a {
		m[key] = true
	}
	for key := range b {
		m[key] = true
	}
	return m
}

// TestPartsAreKeptApart moves a letter from one part to the next.
func TestPartsAreKeptApart(t *testing.T) {
	h := newHasher([]byte("key"))
	seen := map[string][]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}, {""}} {
		sum := string(h.sum(nil, parts...))
		if other, known := seen[sum]; known {
			t.Errorf("%q and %q have one hash", parts, other)
		}
		seen[sum] = parts
	}
}

// TestHashesAreBound proves that equal values leave different hashes, so that
// the file alone does not show who rides with whom.
func TestHashesAreBound(t *testing.T) {
	h := newHashes(t, 1)
	other := newHashes(t, 2)
	a, b := ledgertest.Trip("1"), ledgertest.Trip("2")
	b.RiderID = a.RiderID
	if h.Fingerprint(a).byKey()["rider_id"] == h.Fingerprint(b).byKey()["rider_id"] {
		t.Error("two trips of one rider have one hash")
	}

	if h.Fingerprint(a).byKey()["rider_id"] == other.Fingerprint(a).byKey()["rider_id"] {
		t.Error("two ledgers have one hash")
	}

	if bytes.Equal(h.Rider(1, a.RiderID), h.Rider(2, a.RiderID)) {
		t.Error("a rider has one hash with two providers")
	}

	if bytes.Equal(h.Rider(1, a.RiderID), other.Rider(1, a.RiderID)) {
		t.Error("two ledgers have one hash of a rider")
	}

	id, _ := a.Identity()
	day := ledgertest.Night()
	if bytes.Equal(h.Identity(id, day), h.Identity(id, day.AddDays(1))) {
		t.Error("an identity has one hash on two days")
	}
}

func TestKeysOfPurposes(t *testing.T) {
	h := newHashes(t, 1)
	for _, purpose := range []string{"results", "api key", "check"} {
		key := h.Key(purpose)
		if len(key) != KeySize || !bytes.Equal(key, h.Key(purpose)) || bytes.Equal(key, h.Key(purpose+" ")) {
			t.Errorf("the key for %s is %x", purpose, key)
		}
		if bytes.Equal(key, h.derive(purpose)) || bytes.Equal(key, newHashes(t, 2).Key(purpose)) {
			t.Errorf("the key for %s is one of the ledger's own, or another ledger's", purpose)
		}
	}
}

func TestEncrypt(t *testing.T) {
	h := newHashes(t, 1)
	for _, text := range []string{"", "night.csv", "Wisteria Plumworth.xlsx"} {
		encrypted := h.Encrypt(text)
		if got, err := h.Decrypt(encrypted); got != text || err != nil {
			t.Errorf("%q came back as %q, %v", text, got, err)
		}
		if text != "" && bytes.Equal(encrypted, h.Encrypt(text)) {
			t.Errorf("%q is encrypted twice in one way: equal texts would show", text)
		}
		if _, err := newHashes(t, 2).Decrypt(encrypted); (err == nil) != (text == "") {
			t.Errorf("%q is decrypted with another key: %v", text, err)
		}
	}
}

// TestTimesComeBack writes the rows of a trip with times on two days, and reads
// them.
func TestTimesComeBack(t *testing.T) {
	trip := ledgertest.Trip("1")
	trip.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{Hour: 23, Minute: 50, Second: 7}
	trip.Dropoff.Appt.Date = trip.Pickup.PickupTime.AddDays(1)
	want, _ := trip.Identity()
	var got []importer.IdentityTime
	rows := newHashes(t, 1).IdentityRows(want)
	for _, r := range rows {
		times, err := ParseTimes(r.Times+" moonrise 1", r.Day)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, times...)
	}

	if len(rows) != 2 || !slices.Equal(got, want.Times) {
		t.Errorf("%d rows say %v, want %v", len(rows), got, want.Times)
	}

	if _, err := ParseTimes("pickup early", ledgertest.Night()); err == nil {
		t.Error("a time that is none was read")
	}
}
