package propose

import (
	"fmt"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// messyColumns are columns that each file of TestMessyColumns has, without an address.
const messyColumns = "Trip ID,Client ID,Trip Date,Space,Fund,Vendor"

// TestMessyColumns proposes mappings for files that have several things in one cell, words
// among times, or people in columns of names. The questions are answered with their first
// choice. The trips are as a person would write them, or their row has a fault.
func TestMessyColumns(t *testing.T) {
	const to = "DO Street,DO City,DO State,DO Zip"
	const there = "2200 Foundry St,Milwaukee,WI,53204"
	for name, c := range map[string]struct {
		columns string
		rows    []string // without messyColumns and the drop-off
		want    []string // substrings of each row's trip; "faulty"
	}{
		"city, state and ZIP": {
			"PU Time,PU Street,PU City/ST/Zip",
			[]string{`8:15,31 Alder Ct,"Milwaukee, WI 53211"`, `8:20,12 Bay Rd,West Allis WI 53214-1234`, `8:30,14 Bay Rd,"O'Fallon, WI, 53213"`, `8:40,16 Bay Rd,St. Francis WI 53235`, `8:45,18 Bay Rd,Milwaukee`, `8:50,19 Bay Rd,Milwaukee WI 53211`, `8:55,20 Bay Rd,Milwaukee WI 53211`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis WI 53214-1234", "14 Bay Rd, O'Fallon, WI 53213", "16 Bay Rd, St. Francis WI 53235", "18 Bay Rd, Milwaukee"},
		},
		"city and state, ZIP apart, under a header that says city": {
			"PU Time,PU Street,PU City,PU Zip",
			[]string{`8:15,31 Alder Ct,"Milwaukee, WI",53211`, `8:20,12 Bay Rd,West Allis WI,53214`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis WI, 53214"},
		},
		"city and state in one cell, and the state apart": {
			"PU Time,PU Street,PU City,PU State,PU Zip",
			[]string{`8:15,31 Alder Ct,"Milwaukee, WI",WI,53211`, `8:20,12 Bay Rd,"West Allis, WI",WI,53214`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis, WI 53214"},
		},
		"a facility and its town, and no street": {
			"PU Time,PU Facility Name,PU City/State/Zip",
			[]string{`8:15,Harbor Kidney,"Milwaukee, WI 53211"`, `8:20,Lakeview Clinic,"West Allis, WI 53214"`},
			[]string{"faulty", "faulty"},
		},
		"house number, street and unit without state and ZIP": {
			"PU Time,PU House No,PU Street,PU Apt,\"PU City, Town\"",
			[]string{`8:15,31,Alder Ct,Apt 4,Milwaukee`, `8:20,12,Bay Rd,,West Allis`},
			[]string{"31 Alder Ct, Milwaukee, OR, Apt 4", "12 Bay Rd, West Allis, OR {"},
		},
		"state and ZIP": {
			"PU Time,PU Street,PU Town,PU St/Zip",
			[]string{`8:15,31 Alder Ct,Milwaukee,WI 53211`, `8:20,12 Bay Rd,West Allis,WI 53214`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis, WI 53214"},
		},
		"the city below the street in a second line": {
			"PU Time,PU Address 1,PU Address 2",
			[]string{`8:15,31 Alder Ct,"Milwaukee, WI 53211"`, `8:20,12 Bay Rd,"West Allis, WI 53214"`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis, WI 53214"},
		},
		"a second line that is a unit stays one": {
			"PU Time,PU Address 1,PU Address 2,PU City,PU State,PU Zip",
			[]string{`8:15,31 Alder Ct,Apt 4,Milwaukee,WI,53211`, `8:20,12 Bay Rd,Unit 7,West Allis,WI,53214`},
			[]string{"31 Alder Ct Apt 4, Milwaukee, WI 53211", "12 Bay Rd Unit 7, West Allis, WI 53214"},
		},
		"one line without ZIP, and the ZIP apart": {
			"PU Time,PU Address,PU Zip",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI",53211`, `8:20,"12 Bay Rd, West Allis, WI",53214`},
			[]string{"31 Alder Ct, Milwaukee, WI 53211", "12 Bay Rd, West Allis, WI 53214"},
		},
		"one line with no ZIP anywhere": {
			"PU Time,PU Address",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI"`, `8:20,"12 Bay Rd, West Allis, WI"`},
			[]string{"31 Alder Ct, Milwaukee, WI", "12 Bay Rd, West Allis, WI"},
		},
		"parts without a ZIP go on one line": {
			"PU Time,PU Street,PU City,PU State",
			[]string{`8:15,31 Alder Ct,Milwaukee,WI`, `8:20,12 Bay Rd,West Allis,WI`},
			[]string{"31 Alder Ct, Milwaukee, WI", "12 Bay Rd, West Allis, WI"},
		},
		"positions with a slash": {
			"PU Time,PU Address,PU Lat/Lng",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI 53211",43.05 / -87.97`, `8:20,"12 Bay Rd, West Allis, WI 53214",43.06 / -87.9`},
			[]string{"{43.05 -87.97 true true", "{43.06 -87.9 true true"},
		},
		"positions in brackets, the longitude first": {
			"PU Time,PU Address,Geo PU",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI 53211","(-87.97, 43.05)"`, `8:20,"12 Bay Rd, West Allis, WI 53214","(-87.9,43.06)"`},
			[]string{"{43.05 -87.97 true true", "{43.06 -87.9 true true"},
		},
		"words for a will call": {
			"PU Time,PU Address",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI 53211"`, `W/C,"1 Bay Rd, West Allis, WI 53214"`, `TBD,"2 Bay Rd, West Allis, WI 53214"`, `call,"3 Bay Rd, West Allis, WI 53214"`, `2359,"4 Bay Rd, West Allis, WI 53214"`, `0930,"5 Bay Rd, West Allis, WI 53214"`, `ASAP,"5 Bay Rd, West Allis, WI 53214"`},
			[]string{"Return", "willcall", "willcall", "willcall", "willcall", "Return", "faulty"},
		},
		"a count, a flag and the names of the same people": {
			"PU Time,PU Address,# Attend.,PCA Y/N,Escort name",
			[]string{`8:15,"31 Alder Ct, Milwaukee, WI 53211",1,Y,Pat Muster`, `8:20,"1 Bay Rd, West Allis, WI 53214",2,Y,"Lee Doe, Kim Doe"`, `8:20,"1 Bay Rd, West Allis, WI 53214",0,N,`},
			[]string{"[{AMB 1}]", "[{AMB 2}]", "AMB[]"},
		},
	} {
		var file strings.Builder
		fmt.Fprintf(&file, "%s,%s,%s\n", messyColumns, c.columns, to)
		for i, row := range c.rows {
			fmt.Fprintf(&file, "T-%d,C%d,12/%d/2026,Ambulatory,County,Lakeshore Transit,%s,%s\n", 100+i, 200+i, 13+i%3, row, there)
		}
		rows := mappingtest.Rows(t, "messy.csv", file.String())
		p := Mapping(rows, rows, nil)
		text := answered(name, &p, p.Draft("messy", Names{}))
		bound, err := bindText("messy.yaml", text, rows)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		for i, want := range c.want {
			if got := mappedAs(bound.Map(rows[i+1], nil)); !strings.Contains(got, want) {
				t.Errorf("%s: row %d is %s, not %s\n%s", name, i+2, got, want, text)
			}
		}
	}
}

// mappedAs writes what a driver notices about a row's first trip.
func mappedAs(m importer.Mapped) string {
	if m.Faulty() || incomplete(&m) {
		return "faulty"
	}
	t := &m.Trips[0]
	return fmt.Sprint(t.SpaceType, t.AdditionalRiders, t.Type, t.Pickup.PickupTime, " ", t.Pickup.Address(), " ", t.Pickup.Position)
}
