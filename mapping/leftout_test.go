package mapping

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestTripsTakenForTotals checks three things: a trip waits for an answer if a rule takes
// it for a line of totals because of the rider's name; lines of totals are left out; and a rule
// that chooses among trips leaves out the trips that it names.
func TestTripsTakenForTotals(t *testing.T) {
	const (
		asDrafted = `totals: {column: Name, matches: '(?i)^(grand |sub ?)?(total|count|page|end of|generated|printed|report)'}`
		anywhere  = `footer: {column: Name, matches: '(?i)total|count|grand|page|summary'}`
		blank     = `totals: {all: [{column: Name, matches: '(?i)total|page'}, {column: From, empty: true}]}`
		others    = `others: {column: Status, is_not: VALID}`
		tests     = `tests: {column: Name, matches: '(?i)^t(est|raining)'}`
		alder     = "12 Alder Ct, Westfield, MI 48111"
		bay       = "700 Bay Rd, Westfield, MI 48111"
	)
	trip := func(name, status string) []string {
		return []string{"N-1", name, alder, bay, "12/2/2026", "8:30", status}
	}
	for name, test := range map[string]struct {
		rules   string
		cells   []string
		asks    string // the text; empty for a row about which nothing is asked
		leftOut string
	}{
		"Page":                   {asDrafted, trip("Page, Walter", "VALID"), "Page, Walter", ""},
		"Count":                  {asDrafted, trip("Count, Ida", "VALID"), "Count, Ida", ""},
		"Total":                  {asDrafted, trip("Total", "VALID"), "Total", ""},
		"a longer name":          {asDrafted, trip("Countess, Ida", "VALID"), "Countess, Ida", ""},
		"Grand, and a rule":      {asDrafted, trip("Grand, Ann", "VALID"), "", ""},
		"Grand, anywhere":        {anywhere, trip("Ann Grand", "VALID"), "Ann Grand", ""},
		"Summary, anywhere":      {anywhere, trip("Summary, Al", "VALID"), "Summary, Al", ""},
		"a name that is a word":  {`totals: {column: Name, is: [Total, Page]}`, trip("Page", "VALID"), "Page", ""},
		"an expression":          {`totals: 'lower(row["Name"]) contains "total"'`, trip("Totally, Ike", "VALID"), "Totally, Ike", ""},
		"one rule of two":        {"either: {any: [{column: Name, matches: '^Total|^Page'}, {column: Status, is: X}]}", trip("Page, Walter", "VALID"), "Page, Walter", ""},
		"an id":                  {`totals: {column: Trip, matches: '^(Total|N)'}`, trip("Dunn, Ada", "VALID"), "N-1", ""},
		"cancelled as well":      {asDrafted + "\ncancelled: {cancelled: {column: Status, is: CANCELED}}", trip("Page, Walter", "CANCELED"), "", "cancelled"},
		"left out by a choice":   {asDrafted + "\n  " + others, trip("Page, Walter", "GIVEN"), "", "others"},
		"listed to book":         {asDrafted + "\nwords: [{column: Name, book: ['page, walter']}]", trip("Page, Walter", "VALID"), "", ""},
		"listed to leave out":    {asDrafted + "\nwords: [{column: Name, leave_out: ['page, walter']}]", trip("Page, Walter", "VALID"), "", "Name has a text that looks like a cancellation"},
		"a rider like others":    {asDrafted, trip("Dunn, Ada", "VALID"), "", ""},
		"a rule for blank cells": {blank, trip("Page, Walter", "VALID"), "", ""},

		"no dropoff":            {asDrafted, []string{"N-1", "Page, Walter", alder, "", "12/2/2026", "8:30", "VALID"}, "Page, Walter", ""},
		"no pickup":             {asDrafted, []string{"N-1", "Page, Walter", "", bay, "12/2/2026", "8:30", "VALID"}, "Page, Walter", ""},
		"a day that is unclear": {asDrafted, []string{"N-1", "Page, Walter", alder, "Lakeshore Clinic", "12/2 or 3", "8:30", "VALID"}, "Page, Walter", ""},
		"no day":                {asDrafted, []string{"N-1", "Page, Walter", alder, bay, "", "8:30", "VALID"}, "Page, Walter", ""},
		"no id and no day":      {asDrafted, []string{"", "Page, Walter", alder, bay, "", "8:30", "VALID"}, "Page, Walter", ""},
		"no day for its id":     {asDrafted + "\n# dated", []string{"N-1", "Page, Walter", alder, "Lakeshore Clinic", "12/2 or 3", "8:30", "VALID"}, "Page, Walter", ""},
		"no id":                 {asDrafted, []string{"", "Page, Walter", alder, bay, "12/2/2026", "8:30", "VALID"}, "Page, Walter", ""},

		"a line of totals":           {asDrafted, []string{"", "Total: 20"}, "", "totals"},
		"with sums":                  {asDrafted, []string{"20", "Total", "", "", "", "", "12"}, "", "totals"},
		"merged over all cells":      {asDrafted, []string{"Total: 20", "Total: 20", "Total: 20", "Total: 20", "Total: 20", "Total: 20", "Total: 20"}, "", "totals"},
		"of a day":                   {asDrafted, []string{"20", "Total", "", "", "12/2/2026", "8:30"}, "", "totals"},
		"of a day, for a dated id":   {asDrafted + "\n# dated", []string{"", "Total", alder, "", "12/2/2026", "8:30"}, "", "totals"},
		"with one place":             {asDrafted, []string{"20", "Total", "Westfield", "", "12/2/2026", "8:30"}, "", "totals"},
		"counts of all columns":      {asDrafted, []string{"20", "Total", "20", "20", "20", "20", "20"}, "", "totals"},
		"of a day and two towns":     {asDrafted, []string{"", "Total", "Westfield", "Portage", "12/2/2026", "8:30"}, "", "totals"},
		"of a street":                {asDrafted, []string{"20", "Total", alder, "", "", "8:30"}, "", "totals"},
		"merged, with its day":       {asDrafted, []string{"Total: 20", "Total: 20", "Total: 20", "Total: 20", "12/2/2026"}, "", "totals"},
		"other headers":              {`headers: {column: Name, matches: '^(Name|Total)'}`, []string{"No.", "Name of rider", "Pickup", "Dropoff", "Day", "At", "State"}, "", "headers"},
		"by what every line lacks":   {`no trip: {column: Trip, matches: '^\D'}`, trip("Dunn, Ada", "VALID"), "", "no trip"},
		"with a blank cell's rule":   {blank, []string{"", "Total"}, "", "totals"},
		"a choice by a status":       {others, trip("Page, Walter", "GIVEN"), "", "others"},
		"a choice by a first letter": {`closed: {column: Status, matches: '^(C|T|P)'}`, trip("Page, Walter", "Closed"), "", "closed"},
		"a choice by words":          {`given: {column: Status, is: [GIVEN, Other Transit]}`, trip("Total", "GIVEN"), "", "given"},
		"a choice by either":         {"either: {any: [{column: Name, matches: '^Total'}, {column: Status, is: X}]}", trip("Dunn, Ada", "X"), "", "either"},
		"a choice by a place":        {`far: {column: From, matches: '(?i)westfield'}`, trip("Page, Walter", "VALID"), "", "far"},
		"test riders":                {tests, trip("Test, Page", "VALID"), "", "tests"},
	} {
		t.Run(name, func(t *testing.T) {
			id := "Trip"
			if strings.Contains(test.rules, "# dated") {
				id = `{template: "{Trip}-{date}"}`
			}
			m, err := Parse("left.yaml", []byte(`
mapping: 1
name: left
read: {dates: mdy}
skip:
  `+test.rules+`
trip:
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  trip_id: `+id+`
  rider_id: {const: R-1}
  space_type: {const: AMB}
  date: Date
  pickup: {event_name: Name, address: From, pickup_time: Time}
  dropoff: {address: To}
  pickup_only: return
`), nil)
			if err != nil {
				t.Fatal(err)
			}
			for len(test.cells) < 7 {
				test.cells = append(test.cells, "")
			}
			row := wordRow(2, test.cells...)
			before := strings.Join(test.cells, "|")
			mapped := bind(t, m, []importer.Row{wordRow(1, "Trip", "Name", "From", "To", "Date", "Time", "Status")}).Map(row, nil)
			asks, rule := "", ""
			for _, w := range mapped.NewWords {
				if w.Rule != "" {
					asks, rule = w.Text, w.Rule
				}
			}
			if asks != test.asks || mapped.LeftOut != test.leftOut {
				t.Errorf("asks about %q, left out %q", asks, mapped.LeftOut)
			}
			if asks != "" && !strings.HasPrefix(test.rules, rule+":") {
				t.Errorf("the rule is %q", rule)
			}
			var after []string
			for _, c := range row.Cells {
				after = append(after, c.Text)
			}
			if strings.Join(after, "|") != before {
				t.Errorf("the row is changed: %q", after)
			}
		})
	}
}

// TestTemplatesChooseTrips checks that no rule of a template takes a trip that it leaves out for
// a line of totals.
func TestTemplatesChooseTrips(t *testing.T) {
	for template, cells := range map[string]map[string]string{"kaizen": {"Status": "Completed"}, "veyo": {"Rescue Provider": "Y"}} {
		rows := mappingtest.ReadCSV(t, "../testdata/layouts/"+template+".csv")
		b := bind(t, decided(t, template), rows)
		row := rows[1].Clone()
		for i, header := range rows[0].Cells {
			if text, ok := cells[header.Text]; ok {
				row.Cells[i] = importer.Cell{Type: importer.Text, Text: text}
			}
		}
		if m := b.Map(row, nil); m.LeftOut == "" || m.NewWords != nil {
			t.Errorf("%s: left out %q, asks %v", template, m.LeftOut, m.NewWords)
		}
	}
}
