package importer_test

import (
	"strings"
	"testing"

	"tripimport/importer"
)

func TestParseGUID(t *testing.T) {
	const guid = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
	for _, text := range []string{
		guid, strings.ToUpper(guid), "{" + guid + "}", strings.ReplaceAll(guid, "-", ""),
	} {
		if got, ok := importer.ParseGUID(text); !ok || got != guid || !importer.SameGUID(text, guid) {
			t.Errorf("%q is the GUID %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "g1", " " + guid, guid + "\n", "{" + guid, guid + "}", guid[1:], guid + "0", "urn:uuid:" + guid, strings.Replace(guid, "-", "", 1),
		strings.Replace(guid, "3", "g", 1), "00000000-0000-0000-0000-000000000000", "3-f2504e04f8911d39a0c0305e82c3301",
	} {
		if got, ok := importer.ParseGUID(text); ok {
			t.Errorf("%q is the GUID %q", text, got)
		}
	}
}

func TestSameGUID(t *testing.T) {
	for a, b := range map[string]string{
		"1-23": "12-3", "trip-1": "trip1", "a": "", "": "{}", "3F2504E0-4F89-11D3-9A0C-0305E82C3301": "3F2504E0-4F89-11D3-9A0C-0305E82C3302",
	} {
		if importer.SameGUID(a, b) {
			t.Errorf("%q and %q are taken for one GUID", a, b)
		}
	}
	if !importer.SameGUID(" {3F2504E0-4F89-11D3-9A0C-0305E82C3301}\n", "3f2504e04f8911d39a0c0305e82c3301") {
		t.Error("a GUID that is written in two ways is two")
	}
	if !importer.SameGUID("G1", " {g1} ") {
		t.Error("a text in two cases is two")
	}
}

func FuzzGUIDKey(f *testing.F) {
	for _, seed := range []string{"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "", "{}", " a ", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key := importer.GUIDKey(text)
		if importer.GUIDKey(key) != key || importer.GUIDKey("{"+text+"}") != key {
			t.Errorf("%q became %q, which is not in its last form", text, key)
		}
	})
}

// Wherever its hyphens stand, a GUID is the same one.
func TestGUIDKeyWithoutHyphens(t *testing.T) {
	const want = "3f2504e04f8911d39a0c0305e82c3301"
	for _, text := range []string{"3F2504E0-4F89-11D3-9A0C-0305E82C3301", "3f2504e0-4f8911d39a0c0305e82c3301", "{3f2504e04f8911d39a0c0305e82c3301}"} {
		if got := importer.GUIDKey(text); got != want {
			t.Errorf("%q has the key %q", text, got)
		}
	}
}
