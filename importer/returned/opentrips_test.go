package returned

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/results"
)

func TestOpenTripsComeBack(t *testing.T) {
	list := []results.OpenTrip{
		{TripID: "70411-A", Date: "2026-12-02", Leg: "outbound", Status: "may be booked: look first", Service: "https://trips.example", Provider: "Lakeshore Transit"},
		{TripID: "=70412", Date: "2026-12-02", Leg: "", Service: "https://trips.example", Provider: "O'Brien, \"Cars\"\nand more", Answer: "not there"},
		{TripID: "-70413", Service: "https://trips.example", Answer: "5f0c1234-0000-4000-8000-00000000abcd"},
		{TripID: "70414", Answer: "who knows"},
	}
	var b bytes.Buffer
	if err := results.WriteOpenTrips(&b, list); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\n=") || strings.Contains(b.String(), "\r\n=70412") {
		t.Errorf("a formula got out:\n%s", b.String())
	}
	got, err := ReadOpenTrips("list.csv", &b)
	if err != nil {
		t.Fatal(err)
	}
	want := []AnsweredTrip{
		{list[1], 3, importer.NotThere, ""},
		{list[2], 5, importer.There, "5f0c1234-0000-4000-8000-00000000abcd"},
		{list[3], 6, importer.NoVerdict, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFaultyLists(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "no header",
		"trip id,service,provider\n": `no column "what we found"`,
		"trip id,service,provider,what we found,trip id\n":        "there twice",
		"trip id,service,provider,what we found\na,b,c\n":         "line 2",
		"trip id,service,provider,what we found\na,b,c,\"d\n\n\n": "line 2",
	} {
		_, err := ReadOpenTrips("list.csv", strings.NewReader(text))
		var in *importer.InputError
		if !errors.As(err, &in) || !strings.Contains(in.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	// Excel in much of Europe writes semicolons.
	got, err := ReadOpenTrips("list.csv", strings.NewReader("\uFEFFTrip  ID;Service;Provider;What we found\n7;s;p;not there\n"))
	if err != nil || len(got) != 1 || got[0].TripID != "7" || got[0].Verdict != importer.NotThere {
		t.Errorf("%v %v", got, err)
	}
}

func FuzzOpenTrips(f *testing.F) {
	f.Add("trip id,service,provider,what we found\n7,s,p,no\n")
	f.Add("\uFEFFtrip id;service;provider;what we found\n7;s;p;\"no\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadOpenTrips("list.csv", strings.NewReader(text))
		var in *importer.InputError
		if err != nil && !errors.As(err, &in) {
			t.Errorf("%v", err)
		}
		for _, r := range list {
			if r.Verdict == importer.NoVerdict && r.GUID != "" || r.Line < 2 {
				t.Errorf("%+v", r)
			}
		}
	})
}
