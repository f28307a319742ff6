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
	if data := decoded(t, text); !strings.Contains(data, `"Type":"text"`) {
		t.Errorf("types of cells are not stored by name: %s", data)
	}
	if !got.Genuine(key) || got.Genuine(NewSealer(testSecret(), "r-0002")) {
		t.Error("the seal does not prove the record, or it proves another run's")
	}
	changed, err := DecodeRecord(text[:len(text)-1] + "~")
	if err != nil || changed.Genuine(key) {
		t.Errorf("a changed record is taken for genuine (%v)", err)
	}
}

// What is no record, or has columns that were not shown, is none.
func TestNoRecord(t *testing.T) {
	base := base64.RawStdEncoding.EncodeToString
	for _, text := range []string{
		"", "~", `"`, `"x"`, base([]byte("{}")), base([]byte("[]")),
		base([]byte(`{"Run":"r","Input":{"Columns":[{"Num":1}]}}`)),
	} {
		if _, err := DecodeRecord(text); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
