package mapping

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// wordsMapping is a mapping with rules to be tested; rules are put before its
// trip.
func wordsMapping(rules, spaceType, more string) string {
	if spaceType == "" {
		spaceType = "{const: AMB}"
	}
	return `mapping: 1
name: words
read: {dates: mdy}
` + rules + `
trip:
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  trip_id: Trip
  rider_id: {const: R-1}
  date: {const: 2026-12-02}
  space_type: ` + spaceType + `
  pickup: {address: From, pickup_time: Time}
  dropoff: {address: {const: "700 Bay Rd, Westfield, MI 48111"}}
  pickup_only: return
` + more
}

// wordRow makes a row of Trip, From, Time and the cells of further columns.
func wordRow(num int, cells ...string) importer.Row {
	row := importer.Row{File: "night.csv", Num: num, Width: len(cells)}
	for _, text := range cells {
		cell := importer.Cell{Type: importer.Text, Text: text}
		if text == "" {
			cell = importer.Cell{}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// TestNewWords tests which words of a row nobody knows, by the rule that reads
// their column and by the list of the mapping.
func TestNewWords(t *testing.T) {
	cancelled := "cancelled: {cancelled: {column: Status, is: [CANCELED, CANCELLED]}}"
	listed := cancelled + "\nwords: [{column: Status, book: [VALID, UPDATED, NO ESCORT]}]"
	notes := "cancelled: {cancelled: {column: Status, matches: '(?i)member canceled'}}\nwords: [{column: Status, free_text: true}]"
	roundTrip := `
round_trip:
  when: 'upper(row["Status"]) == "YES"'
  trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}
  return: {pickup: {pickup_time: {const: "15:00"}}}
`
	tests := []struct {
		name, rules, space, more string
		time                     string // where the pickup time comes from, if not from Time
		cell                     string
		leftOut                  string
		want                     string // the new word; empty for none
	}{
		{name: "a word of the list", rules: listed, cell: "VALID"},
		{name: "case and spaces", rules: listed, cell: " no  Escort "},
		{name: "spaces left out", rules: listed, cell: "NoEscort"},
		{name: "a new word", rules: listed, cell: "CANCELLED-MBR", want: "CANCELLED-MBR"},
		{name: "a new word that is no cancellation", rules: listed, cell: "PENDING", want: "PENDING"},
		{name: "nothing, where there was always something", rules: listed, cell: "", want: "(empty)"},
		{name: "a number", rules: listed, cell: "17", want: "(number)"},
		{name: "a date", rules: listed, cell: "12/2/2026", want: "(date)"},
		{name: "a time", rules: listed, cell: "8:30 AM", want: "(time)"},
		{name: "a rule leaves it out", rules: listed, cell: "canceled", leftOut: "cancelled"},
		{name: "parts of the list", rules: listed, cell: "VALID; UPDATED"},
		{name: "a new part", rules: listed, cell: "VALID; HOLD", want: "VALID; HOLD"},
		{name: "a part that leaves a row out where it stands alone", rules: listed, cell: "VALID, CANCELLED", want: "VALID, CANCELLED"},
		{name: "left out by the list", rules: cancelled + "\nwords: [{column: Status, book: [VALID], leave_out: [Hold]}]", cell: "HOLD", leftOut: "Status says HOLD"},
		{name: "kinds of the list", rules: cancelled + "\nwords: [{column: Status, book: [(time), (empty)]}]", cell: "9:15"},
		{name: "a kind of the list, empty", rules: cancelled + "\nwords: [{column: Status, book: [(time), (empty)]}]", cell: ""},
		{name: "codes that are numbers", rules: "cancelled: {cancelled: {column: Status, is: 3}}\nwords: [{column: Status, book: [1, 2]}]", cell: "7", want: "7"},
		{name: "known codes that are numbers", rules: "cancelled: {cancelled: {column: Status, is: 3}}\nwords: [{column: Status, book: [1, 2]}]", cell: "2"},
		{name: "notes", rules: notes, cell: "Ring twice, hold the door, cancer center"},
		{name: "notes that look like a cancellation", rules: notes, cell: "MBR CXL 11/30 per Ada", want: "MBR CXL 11/30 per Ada"},
		{name: "notes that are approved", rules: strings.Replace(notes, "free_text: true", `free_text: true, book: ["call, do not cancel"]`, 1), cell: "Call, do not cancel"},

		{name: "an expression", rules: `skip: {x: 'row["Status"] == "CANCELED"'}` + "\nwords: [{column: Status, book: [VALID]}]", cell: "CANCELLED-MBR", want: "CANCELLED-MBR"},
		{name: "words of an expression", rules: `skip: {x: 'row["Status"] in ["A", "B"] and row["Time"] == "x"'}` + "\nwords: [{column: Status, book: [VALID]}]", cell: "B"},
		{name: "the header is no word of an expression", rules: `skip: {x: 'row["Status"] == "A"'}` + "\nwords: [{column: Status, book: [VALID]}]", cell: "Status", want: "Status"},
		{name: "a number of an expression", rules: `skip: {x: 'number(row["Status"]) > 3'}`, cell: "2"},
		{name: "a condition of several", rules: "cancelled: {x: {all: [{column: Status, is: X}, {not: {column: Status, is: Y}}]}}\nwords: [{column: Status, book: [VALID]}]", cell: "Z", want: "Z"},
		{name: "live", rules: cancelled + "\nlive: {any: [{column: Status, is: VALID}, {column: Time, empty: false}]}\nwords: [{column: Status, book: [UPDATED]}]", cell: "HOLD", want: "HOLD"},
		{name: "live by one list of words", rules: "live: {column: Status, is: [VALID]}", cell: "VALID"},
		{name: "whether anything stands there", rules: "cancelled: {x: {column: Status, empty: false}}", cell: ""},
		{name: "whether nothing stands there", rules: "skip: {x: {column: Status, empty: true}}", cell: "A-17"},
		{name: "round trip", rules: "words: [{column: Status, book: [No]}]", more: roundTrip, cell: "Y", want: "Y"},
		{name: "round trip by a word of the rule", rules: "words: [{column: Status, book: [No]}]", more: roundTrip, cell: "Yes"},
		{name: "round trip by a flag", more: strings.Replace(roundTrip, `'upper(row["Status"]) == "YES"'`, "{flag: Status}", 1), cell: "Yes"},
		{name: "will call", rules: "words: [{column: Status, book: [Timed]}]", more: "  will_call: {when: {column: Status, is: WC}}\n", cell: "W/C ready", want: "W/C ready"},
		{name: "space type by a condition", rules: "words: [{column: Status, book: [Van]}]", space: "{first: [{const: WCH, when: {column: Status, is: Chair}}, {const: AMB}]}", cell: "Power chair", want: "Power chair"},
		{name: "space type as it is", rules: "words: [{column: Status, book: [AMB, WCH]}]", space: "Status", cell: "GURNEY", want: "GURNEY"},
		{name: "space type by a table", space: "{column: Status, table: {Van: AMB}}", cell: "Van"},
		{name: "a word that says what a time means", rules: "words: [{column: Status, book: [T]}]", more: "  will_call: {when: {column: Status, is: F}}\n", time: "{column: Time, when: {column: Status, is: T}}", cell: "WC", want: "WC"},
		{name: "an id", rules: "cancelled: {x: {column: Trip, matches: '(?i)canc'}}", cell: "x"},
		{name: "a time", rules: "skip: {x: {column: Time, is: none}}", cell: "x"},
		{name: "a place", rules: "skip: {x: {column: From, is: EXAMPLE}}", cell: "x"},
		{name: "a column that no rule reads", cell: "CANCELLED"},
	}

	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := wordsMapping(test.rules, test.space, test.more)
			if test.time != "" {
				text = strings.Replace(text, "pickup_time: Time", "pickup_time: "+test.time, 1)
			}
			m, err := Parse("words.yaml", []byte(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			header := wordRow(1, "Trip", "From", "Time", "Status")
			mapped := bind(t, m, []importer.Row{header}).Map(wordRow(2, "N-1", "12 Alder Ct, Westfield, MI 48111", "8:30 AM", test.cell), nil)
			if mapped.LeftOut != test.leftOut || mapped.Cancelled != (test.leftOut != "") {
				t.Errorf("left out %q, cancelled %t", mapped.LeftOut, mapped.Cancelled)
			}
			var got []string
			for _, w := range mapped.NewWords {
				if w.Cell.A1() != "D2" || w.Cell.Header != "Status" {
					t.Errorf("%q at %v", w.Text, w.Cell)
				}
				got = append(got, w.Text)
			}
			if want := slices.DeleteFunc([]string{test.want}, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
				t.Errorf("new words %q, want %q", got, want)
			}
		})
	}
}

// TestShiftedCellsAreNoWords checks that a row with a field too many has a fault,
// and no new words.
func TestShiftedCellsAreNoWords(t *testing.T) {
	m, err := Parse("words.yaml", []byte(wordsMapping("cancelled: {x: {column: Status, is: C}}\nwords: [{column: Status, book: [VALID], leave_out: [HOLD]}]", "", "")), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := bind(t, m, []importer.Row{wordRow(1, "Trip", "From", "Time", "Status")})
	for _, shifted := range []string{"8:30 AM", "HOLD"} {
		mapped := b.Map(wordRow(2, "N-1", "12 Alder Ct", "Westfield", shifted, "VALID"), nil)
		if len(mapped.NewWords) > 0 || mapped.LeftOut != "" || !importer.Faulty(mapped.Problems) {
			t.Errorf("%q: left out %q, new words %v, problems %v", shifted, mapped.LeftOut, mapped.NewWords, mapped.Problems)
		}
	}
}

// TestCancellations tests which texts look like a cancellation in notes.
func TestCancellations(t *testing.T) {
	for text, want := range map[string]bool{
		"CANCELLED-MBR": true, "MBR_CANCELED": true, "MemberCancelled": true, "cancled by facility": true, "CANC": true, "cxl": true,
		"CX per mbr": true, "No-Show": true, "NOSHOW": true, "turned back": true, "TURN BACK": true, "deleted": true, "voided": true,
		"put on hold by plan": true, "HOLD": true, "HOLD - auth": true, "VOID": true, "Do not send": true,

		"Hold oxygen tank": false, "hold door": false, "avoid highway": false, "cancer center": false, "undeleted": false, "": false,
		"CXR at 9": false, "show me": false, "scancode": false, "do not ring": false, "unable to void": false,
	} {
		if LooksCancelled(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// TestTemplatesKnowTheirWords checks that a template asks about no word of its
// layout's export, and that no column of its rules is without a list.
func TestTemplatesKnowTheirWords(t *testing.T) {
	exports := map[string]string{"round-trip-rows": "samples", "two-leg-rows": "samples", "single-datetime": "samples"}
	for _, name := range mappingtest.Layouts() {
		exports[name] = "layouts"
	}
	for name, folder := range exports {
		m := decided(t, name)
		rows := mappingtest.ReadCSV(t, filepath.Join("..", "testdata", folder, name+".csv"))
		b := bind(t, m, rows)
		if unlisted := b.WithoutWords(); len(unlisted) > 0 {
			t.Errorf("%s: no list of %v", name, unlisted)
		}
		for _, row := range rows[1:] {
			if words := b.Map(row, nil).NewWords; len(words) > 0 {
				t.Errorf("%s: %v", name, words)
			}
		}
	}
	if b := bind(t, template(t, "plain"), mappingtest.ReadCSV(t, "../testdata/schedule.csv")); len(b.WithoutWords()) > 0 {
		t.Errorf("plain: no list of %v", b.WithoutWords())
	}
}

// TestWithWords checks that lists are added to the text of a mapping, and that
// nothing else of the mapping changes.
func TestWithWords(t *testing.T) {
	cell := func(header string) text { return text{header, position{1, 1}} }
	lists := []WordList{
		{Column: ColumnRef{header: cell(`The "status"`)}, Book: []string{"VALID", "(empty)", `say "ja"`, "naïve: 7"}},
		{Column: ColumnRef{header: cell("Comments"), nth: 2}, FreeText: true},
		{Column: ColumnRef{letter: cell("F"), header: cell("Kind"), under: cell("Ride")}, Book: nil},
	}
	rules := `cancelled: {x: [{column: 'The "status"', is: C}, {column: Comments, nth: 2, is: C}, {letter: F, column: Kind, under: Ride, is: C}, {column: Other, is: C}]}`
	for _, before := range []string{"", "words:\n  - {column: Other, book: [A]}", "words:   # those we know\n- {column: Other, book: [A]}"} {
		for _, end := range []string{"", "\n", "\n# the end\n"} {
			text := wordsMapping(rules+"\n"+before, "", "") + strings.TrimPrefix(end, "\n")
			if end == "" {
				text = strings.TrimSuffix(text, "\n")
			}
			m, err := Parse("words.yaml", []byte(WithWords(text, lists)), nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, WithWords(text, lists))
			}
			var got []string
			for _, w := range m.doc.Words {
				var book []string
				for _, word := range w.Book {
					book = append(book, word.Value)
				}
				got = append(got, fmt.Sprint(w.ref(), book, w.FreeText))
			}
			want := []string{`"The \"status\"" [VALID (empty) say "ja" naïve: 7] false`, `"Comments" number 2 [] true`, `"Kind" under "Ride" [] false`}
			if before != "" {
				want = append(want, `"Other" [A] false`)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", diff, WithWords(text, lists))
			}
		}
	}
	if text := "mapping: 1\nname: x\n"; WithWords(text, nil) != text {
		t.Errorf("without lists: %q", WithWords(text, nil))
	}
}
