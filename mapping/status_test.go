package mapping

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
	"tripimport/mapping/values"
)

// statusMapping is a mapping with lines to be tested before its trip.
func statusMapping(lines string) string {
	return `mapping: 1
broker: words
read: {dates: mdy, blank: [n/a]}
` + lines + `
trip:
  trip_id: Trip
  date: Date
  pickup: {address: From, pickup_time: Time}
  pickup_only: return
`
}

// statusHeader and statusRow are a row of Trip, Date, From, Time, Status and Reason.
func statusHeader() importer.Row {
	return textRows([]string{"Trip", "Date", "From", "Time", "Status", "Reason"})[0]
}

func statusRow(cells ...string) importer.Row {
	row := textRows(nil, append([]string{"N-1", "12/2/2026", "12 Alder Ct, Westfield, MI 48111", "8:30 AM"}, cells...))[1]
	return row
}

// TestStatus checks what the words of status columns make of a row.
func TestStatus(t *testing.T) {
	const (
		status = "status: {Status: {book: [VALID, NO ESCORT], cancelled: [CANCELED, Turn Back], skip: [Done]}}"
		both   = "status: {Status: {book: [VALID, (empty)], skip: Done}, Reason: {book: (empty), cancelled: filled}}"
		notes  = "status: {Reason: {book: filled, cancelled: [told to cancel]}}"
		named  = "status: {Status: {book: [Filled, Open], skip: Done}}"
		rules  = "status: {Status: {book: [VALID, HOLD], skip: Done}}\nskip: {a test: {column: Trip, is: N-1}}\ncancelled: {by the notes: {column: Reason, matches: '(?i)cancel'}}"
	)
	for _, test := range []struct {
		name, lines string
		cells       []string
		leftOut     string // with ! for a cancellation
		waits       string // the new words
	}{
		{"a word that books", status, []string{"VALID", ""}, "", ""},
		{"case and spaces", status, []string{" no  Escort ", ""}, "", ""},
		{"spaces left out", status, []string{"NoEscort", ""}, "", ""},
		{"a word that cancels", status, []string{"turn  back", ""}, "!Status says turn back", ""},
		{"a word that leaves out", status, []string{"DONE", ""}, "Status says DONE", ""},
		{"a new word", status, []string{"CANCELED-MBR", ""}, "", "CANCELED-MBR"},
		{"a word with more", status, []string{"VALID; HOLD", ""}, "", "VALID; HOLD"},
		{"a number", status, []string{"17", ""}, "", "17"},
		{"a blank cell that is in no list", status, []string{"", ""}, "", "(empty)"},
		{"a text that means nothing", status, []string{"N/A", ""}, "", "(empty)"},
		{"a blank cell of the list", both, []string{"", ""}, "", ""},
		{"filled", both, []string{"VALID", "in hospital"}, "!Reason is filled", ""},
		{"a cancellation and a word to leave out", both, []string{"Done", "in hospital"}, "!Reason is filled", ""},
		{"a cancellation and a new word", both, []string{"HOLD", "in hospital"}, "!Reason is filled", ""},
		{"notes", notes, []string{"", "ring twice"}, "", ""},
		{"a word among notes", notes, []string{"", "Told to cancel"}, "!Reason says Told to cancel", ""},
		{"notes that look like a cancellation, in no list", notes, []string{"", "mbr cxl, see fax"}, "", "mbr cxl, see fax"},
		{"notes that look like one, in a list", "status: {Reason: {book: filled, cancelled: [mbr cxl]}}", []string{"", "MBR CXL"}, "!Reason says MBR CXL", ""},
		{"a word that is Filled", named, []string{"FILLED", ""}, "", ""},
		{"another word beside Filled", named, []string{"VOIDED BY PLAN", ""}, "", "VOIDED BY PLAN"},
		{"a new word beside Filled", named, []string{"Terminated", ""}, "", "Terminated"},
		{"no notes, which nobody has listed", notes, []string{"", ""}, "", "(empty)"},
		{"a rule of cancelled before one of skip", rules, []string{"VALID", "mbr cancelled"}, "!by the notes", ""},
		{"a rule of cancelled before a word", rules, []string{"Done", "mbr cancelled"}, "!by the notes", ""},
		{"a word before a rule of skip", rules, []string{"Done", ""}, "Status says Done", ""},
		{"notes that look like a cancellation", "cancelled: {by the notes: {column: Reason, matches: 'told'}}", []string{"", "mbr cxl, see fax"}, "", "mbr cxl, see fax"},
		{"notes that do not", "cancelled: {by the notes: {column: Reason, matches: 'told'}}", []string{"", "cancer center"}, "", ""},
		{"a rule of skip", rules, []string{"HOLD", ""}, "a test", ""},
		{"a rule of skip and a new word", rules, []string{"NEW", ""}, "a test", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			mapped := bind(t, parsed(t, statusMapping(test.lines)), []importer.Row{statusHeader()}).Map(statusRow(test.cells...), nil)
			leftOut := mapped.LeftOut
			if mapped.Cancelled {
				leftOut = "!" + leftOut
			}
			if leftOut != test.leftOut {
				t.Errorf("left out %q, want %q", leftOut, test.leftOut)
			}
			var waits []string
			for _, w := range mapped.NewWords {
				if w.Cell.A1() != "E2" && w.Cell.A1() != "F2" || w.Cell.Header == "" || w.Column == "" {
					t.Errorf("%+v", w)
				}
				waits = append(waits, w.Text)
			}
			if strings.Join(waits, "|") != test.waits {
				t.Errorf("waits for %q, want %q", waits, test.waits)
			}
		})
	}
}

// TestCrossedOut checks which names and notes, of which the mapping makes use, make a row wait as cancelled.
func TestCrossedOut(t *testing.T) {
	b := bind(t, parsed(t, strings.Replace(statusMapping(""), "{address", "{event_name: Status, event_comment: Reason, address", 1)), []importer.Row{statusHeader()})
	for text, waits := range map[string]bool{
		"CANCELLED per member 12/10": true, "** canceled **": true, "cxl by facility": true, "Marchbanks, Odette - CANCELLED": true, "Muster, Pat (CXL)": true, "Pat Muster *Cancelled*": true,

		"Marchbanks, Odette": false, "call to cancel if she is late": false, "the earlier trip was cancelled": false, "Cancel, Maria": false, "no show last week": false, "hold door": false, "cancer center": false,
	} {
		for _, cells := range [][]string{{text, ""}, {"", text}} {
			if m := b.Map(statusRow(cells...), nil); len(m.NewWords) != importer.One(waits) || m.LeftOut != "" {
				t.Errorf("%q: waits for %v", cells, m.NewWords)
			}
		}
	}
}

// TestStatusIsNoFault checks that a row with a new word has no fault because of it, and that
// a cell that shows an error has one.
func TestStatusIsNoFault(t *testing.T) {
	b := bind(t, parsed(t, statusMapping("status: {Status: {book: VALID}}")), []importer.Row{statusHeader()})
	if m := b.Map(statusRow("HOLD", ""), nil); m.Faulty() {
		t.Errorf("%v", m.AllProblems())
	}
	row := statusRow("HOLD", "")
	row.Cells[4] = importer.Cell{Type: importer.ErrorCell, Text: "#N/A"}
	if m := b.Map(row, nil); !m.Faulty() || m.NewWords != nil {
		t.Errorf("%v, waits for %v", m.AllProblems(), m.NewWords)
	}
}

// TestShiftedCellsAreNoWords checks that a row with a field too many has a fault,
// and is neither left out nor asked about.
func TestShiftedCellsAreNoWords(t *testing.T) {
	b := bind(t, parsed(t, statusMapping("status: {Status: {book: [VALID], cancelled: [HOLD]}}")), []importer.Row{statusHeader()})
	for _, shifted := range []string{"8:30 AM", "HOLD"} {
		row := textRows(nil, []string{"N-1", "12/2/2026", "12 Alder Ct", "Westfield", shifted, "VALID", ""})[1]
		mapped := b.Map(row, nil)
		if len(mapped.NewWords) > 0 || mapped.LeftOut != "" || !importer.Faulty(mapped.Problems) {
			t.Errorf("%q: left out %q, new words %v, problems %v", shifted, mapped.LeftOut, mapped.NewWords, mapped.Problems)
		}
	}
}

// TestOptionalStatus checks that a file may lack an optional status column, and no other.
func TestOptionalStatus(t *testing.T) {
	header := textRows([]string{"Trip", "Date", "From", "Time"})
	row := textRows(nil, []string{"N-1", "12/2/2026", "12 Alder Ct, Westfield, MI 48111", "8:30 AM"})[1]
	if m := bind(t, parsed(t, statusMapping("status: {Status: {book: VALID, optional: true}}")), header).Map(row, nil); m.NewWords != nil || m.Faulty() {
		t.Errorf("%v %v", m.NewWords, m.AllProblems())
	}
	if _, err := parsed(t, statusMapping("status: {Status: {book: VALID}}")).bind(header, "x.csv"); err == nil {
		t.Error("a file without the status column is taken")
	}
}

// TestCancellations tests which texts look like a cancellation.
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
		if short := len(text) <= 24; isWordForCancelled(text) != (want && short) {
			t.Errorf("%q in a column that is not used: %t", text, !want)
		}
	}
}

// TestTemplatesKnowTheirWords checks that a template asks about no word of its
// layout's export.
func TestTemplatesKnowTheirWords(t *testing.T) {
	exports := map[string]string{"round-trip-rows": "samples", "two-leg-rows": "samples", "single-datetime": "samples"}
	for _, name := range mappingtest.Layouts() {
		exports[name] = "layouts"
	}
	for name, folder := range exports {
		rows := mappingtest.ReadCSV(t, filepath.Join("..", "testdata", folder, name+".csv"))
		b := bind(t, decided(t, name), rows)
		for _, row := range rows[1:] {
			if words := b.Map(row, nil).NewWords; len(words) > 0 {
				t.Errorf("%s: %v", name, words)
			}
		}
	}
}

// TestPartsOfCancellation checks that no text which the expression matches is told apart by its letters.
func TestPartsOfCancellation(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"cancel", "CANCL", "canc", "cncl", "CXL", "cx", "cxd", "no", "show", "-", " ", "_", "turn", "ed", "back", "delete", "d", "VOID", "void",
		"on", "hold", "Hold", "do", "not", "book", "send", "  ", "x", "/", "é", "mbr", "rider",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 1, 6).Draw(t, "pieces"), "")
		if whole := cancellation.MatchString(strings.ReplaceAll(values.FoldCase(text), "_", " ")); whole != LooksCancelled(text) {
			t.Fatalf("%q: %t", text, !whole)
		}
	})
}
