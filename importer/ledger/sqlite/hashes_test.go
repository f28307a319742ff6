package sqlite

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// TestDiffersNamesTheChange changes any properties of a trip, and wants just
// those named.
func TestDiffersNamesTheChange(t *testing.T) {
	h := newHashers(bytes.Repeat([]byte{1}, keySize))
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
		var want []string
		old, now := values(before), values(after)
		for key := range union(old, now) {
			if old[key] != now[key] {
				want = append(want, key)
			}
		}
		got := h.fingerprint(after).differs(h.fingerprint(before))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("named %v, want %v", got, want)
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
	h := newHasher([]byte("key"), "test")
	seen := map[string][]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}, {""}} {
		sum := string(h.sum(nil, parts...))
		if other, known := seen[sum]; known {
			t.Errorf("%q and %q have one hash", parts, other)
		}
		seen[sum] = parts
	}
}

func FuzzGUIDKey(f *testing.F) {
	for _, seed := range []string{"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "", "{}", " a ", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, guid string) {
		key := guidKey(guid)
		if guidKey(key) != key || guidKey("{"+guid+"}") != key {
			t.Errorf("%q became %q, which is not in its last form", guid, key)
		}
	})
}

func FuzzKeyFile(f *testing.F) {
	good := newKeyFile("ABCDEFGHIJ")
	f.Add(good.bytes())
	f.Add(bytes.ReplaceAll(good.bytes(), []byte("\n"), []byte("\r\n")))
	f.Add([]byte(keyFileTitle + "\nledger \nkey "))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := parseKeyFile("ledger.db", text)
		if err == nil && (k.identity == "" || len(k.key) != keySize) {
			t.Errorf("%q gave %+v", text, k)
		}
	})
}

func TestCanonicalService(t *testing.T) {
	for _, group := range [][]string{
		{"https://api.example.test/v1", "https://api.example.test/v1/", "HTTPS://API.Example.TEST:443/v1", " https://api.example.test/v1 "},
		{"https://api.example.test/V1"},
		{"https://api.example.test:8443/v1"},
		{"http://127.0.0.1", "http://127.0.0.1:80/"},
		{"http://127.0.0.1:8080"},
		{"https://[::1]/v1", "https://[::1]:443/v1"},
		{"not an address", "not an address/"},
	} {
		for _, address := range group {
			if got, want := canonicalService(address), canonicalService(group[0]); got != want {
				t.Errorf("%s became %s, want %s", address, got, want)
			}
			if again := canonicalService(canonicalService(address)); again != canonicalService(address) {
				t.Errorf("%s is not in its last form: %s", address, again)
			}
		}
	}
}

func TestGUIDKey(t *testing.T) {
	for a, b := range map[string]string{"1-23": "12-3", "trip-1": "trip1", "a": "", "3F2504E0-4F89-11D3-9A0C-0305E82C3301": "3F2504E0-4F89-11D3-9A0C-0305E82C3302"} {
		if guidKey(a) == guidKey(b) {
			t.Errorf("%q and %q are taken for one GUID", a, b)
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
	id, _ := a.Identity()
	day := ledgertest.Night()
	if bytes.Equal(h.identity(id, day), h.identity(id, day.AddDays(1))) {
		t.Error("an identity has one hash on two days")
	}
}
