package seal

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tripimport/importer"
)

func testRecord() RunRecord {
	column := importer.Column{Num: 1, Header: "Trip"}
	return RunRecord{
		Run: "r-0001", Ledger: "ledger-1", Fresh: "tripimport runs results r-0001 --input night.csv", Rows: 3,
		Mapping: MappingInfo{Name: "Lakeshore", Path: "lakeshore.yaml", Hash: "abc"},
		Input: Input{
			InputInfo: importer.InputInfo{Name: "night.csv", Hash: "5ee1"}, Path: "/schedules/night.csv",
			Head:    []importer.Row{{File: "night.csv", Num: 3, Width: 1, Cells: []importer.Cell{text("Trip")}}},
			Columns: []importer.Column{column},
			Shown:   []string{"Trip"},
		},
	}
}

// decoded returns the JSON of an encoded record.
func decoded(t *testing.T, text string) string {
	t.Helper()
	body, _, _ := strings.Cut(text, ".")
	data, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecordSurvives(t *testing.T) {
	want := testRecord()
	key := NewSealer(testSecret(), "r-0001")
	text, err := want.Encode(key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(RunRecord{})); diff != "" {
		t.Error(diff)
	}
	if data := decoded(t, text); !strings.Contains(data, `"Type":"text"`) || !strings.HasPrefix(data, `{"Version":8,`) {
		t.Errorf("types of cells are not stored by name, or the version is not: %s", data)
	}
	if !got.Genuine(key) || got.Genuine(NewSealer(testSecret(), "r-0002")) {
		t.Error("the seal does not prove the record, or it proves another run's")
	}
	changed, err := DecodeRecord(text[:len(text)-1] + "~")
	if err != nil || changed.Genuine(key) {
		t.Errorf("a changed record is taken for genuine (%v)", err)
	}
}

// Records of other versions are refused by name.
func TestRecordOfAnotherVersion(t *testing.T) {
	const old = `{"Version":1,"Run":"r-0001","Ledger":"l","Input":{"Name":"a","Head":[{"Num":1,"Cells":[{"Type":1,"Text":"Trip"}]}]}}`
	for _, text := range []string{old, strings.Replace(old, `"Version":1`, `"Version":7`, 1)} {
		if _, err := DecodeRecord(base64.RawStdEncoding.EncodeToString([]byte(text))); !errors.Is(err, ErrVersion) {
			t.Errorf("%.20s: %v", text, err)
		}
	}
	base := base64.RawStdEncoding.EncodeToString
	for _, text := range []string{
		"", "~", `"`, `"x"`, base([]byte("{}")), base([]byte("[]")), base([]byte(`{"Version":8}`)),
		base([]byte(`{"Version":8,"Run":"r","Input":{"Columns":[{"Num":1}]}}`)),
	} {
		if _, err := DecodeRecord(text); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
