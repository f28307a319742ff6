package propose

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

const footerHeaders = "Trip ID,Member Name,Member ID,Payer,Provider,Mobility,Date,Pickup,From,To\n"

// footerRiders have the names of lines that end lists.
const footerRiders = `T-1,"Page, Anna",M-1,Harborview,Lakeshore Transit,Ambulatory,12/02/2026,8:10 AM,"1 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
T-2,"Count, Mary",M-2,Harborview,Lakeshore Transit,Ambulatory,12/02/2026,8:20 AM,"2 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
T-3,"Total, Ike",M-3,Harborview,Lakeshore Transit,Ambulatory,12/02/2026,8:30 AM,"3 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
T-4,Printed Report,M-4,Harborview,Lakeshore Transit,Ambulatory,12/02/2026,8:40 AM,"4 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
`

// TestDraftLeavesOutFootersAlone checks that a draft leaves out lines that end the list, of
// any width and with their words in any column, and no rider whose name looks like such a
// line.
func TestDraftLeavesOutFootersAlone(t *testing.T) {
	for footers, want := range map[string]int{
		"":                                    0,
		"Total,4\n":                           1,
		",Total: 4 trips\n":                   1,
		"4 records,,,,,,,,,\nTrips: 4\n":      2,
		",\"Page 1 of 1\",,,,,,,,\n":          1,
		"Total,,,,,,,,,\nT-5,\"Page, Lou\"\n": 1, // the second is a trip that is cut off
	} {
		rows := mappingtest.Rows(t, "night.csv", footerHeaders+footerRiders+footers)
		p := Mapping(rows, rows, nil)
		draft := p.Draft("night", Names{}).Text
		if got := strings.Contains(draft, "\nskip:\n"); got != (want > 0) {
			t.Errorf("%q: the draft has skip: %v\n%s", footers, got, draft)
		}
		b, err := bindText("night.csv", draft, rows)
		if err != nil {
			t.Fatalf("%v\n%s", err, draft)
		}
		if err := b.Measure(func(yield func(importer.Row, error) bool) {
			for _, row := range rows[1:] {
				if !yield(row, nil) {
					return
				}
			}
		}); err != nil {
			t.Fatalf("%v\n%s", err, draft)
		}
		left := 0
		for _, row := range rows[1:] {
			m := b.Map(row, nil)
			if m.LeftOut != "" {
				left++
			}
			if name := row.Cell(2).Text; m.LeftOut != "" && (strings.Contains(name, ", ") || name == "Printed Report") {
				t.Errorf("%q: %s is left out", footers, name)
			}
		}
		if left != want {
			t.Errorf("%q: %d lines are left out, want %d\n%s", footers, left, want, draft)
		}
	}
}

// TestFootersChangeNothingElse checks that a line of totals adds a rule to a draft and changes
// nothing else in it: the columns that the rule reads may still distinguish legs, or be asked
// about.
func TestFootersChangeNothingElse(t *testing.T) {
	const layout = `Conf No,Leg,Stat,Client,Member ID,Svc Date,Appt,Ready,From Street,From City,From St,From Zip,To Street,To City,To St,To Zip,Mode
HA1,A,A,"Alder, Emil",20000000,11/24/2026,7:45 AM,,82 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48112,AMB
HA1,B,A,"Alder, Emil",20000000,11/24/2026,,11:45 AM,700 Bay Rd,Westfield,MI,48112,82 Alder Ct,Westfield,MI,48111,AMB
HA2,A,A,"Birch, Dora",20000137,11/24/2026,8:05 AM,,73 Dogwood Dr,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48112,W/C
HA2,B,C,"Birch, Dora",20000137,11/24/2026,,12:05 PM,700 Bay Rd,Westfield,MI,48112,73 Dogwood Dr,Westfield,MI,48111,W/C
`
	draft := func(text string) string {
		rows := mappingtest.Rows(t, "night.csv", text)
		p := Mapping(rows, rows, nil)
		return p.Draft("night", Names{}).Text
	}
	want := draft(layout)
	if !strings.Contains(want, "join: [Conf No, Leg]") {
		t.Fatalf("the legs have the same id:\n%s", want)
	}
	for _, total := range []string{"Total trips: 4", ",Total: 4", ",,Total: 4", "4,,,Total"} {
		got := draft(layout + total + strings.Repeat(",", 16-strings.Count(total, ",")) + "\n")
		before, rest, skips := strings.Cut(got, "skip:\n")
		_, after, _ := strings.Cut(rest, "\n")
		if !skips || before+after != want {
			t.Errorf("%q: got\n%s\nwant\n%s", total, got, want)
		}
	}
}
