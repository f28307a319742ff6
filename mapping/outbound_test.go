package mapping

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// twoLegs has a return that copies nearly all of the outbound, with texts of its own.
const twoLegs = lakeshore + `  phone: Phone
  linked_by: Member ID
  billable_distance: Miles
  additional_passengers: {AMB: Escorts, WCH: Chairs}
round_trip:
  when: {flag: Round}
  return:
    phone: {first: [Second Phone, Phone]}
    space_type: {column: Way Back, table: {Ambulatory: AMB, Wheelchair: WCH}}
    pickup: {pickup_time: Back, event_comment: Notes}
    will_call: {says: (empty)}
`

// datedTimes has ids that repeat, and dates only in the cells of times.
var datedTimes = strings.Replace(twoLegs, "  date: Trip Date\n", "", 1) + "ids: repeat\n"

// elsewhere and moreMiles have a return that can copy nothing.
var (
	elsewhere = strings.Replace(twoLegs, "event_comment: Notes}", "address: {first: [Notes, DO Address]}}", 1)
	moreMiles = strings.Replace(twoLegs, "  return:\n", "  return:\n    billable_distance: Chairs\n", 1)
)

const twoLegsRows = `Payer,Trip Number,Member ID,Mobility,Trip Date,PU Address,Pickup Time,DO Address,Appt Time,Phone,Miles,Escorts,Chairs,Round,Way Back,Back,Notes,Third,Second Phone
Payer,7,0045,Wheelchair,12/02/2026,"12 Alder Ct, Apt 3, Dearborn, MI 48124",8:30,"2200 Bay St, Detroit, MI 48226",9:30,313-555-0110,4.5,1,,Yes,Wheelchair,13:45,walker,17:00,3135550111
Payer,8,0046,Ambulatory,12/02/2026,"1 Heron Sq, Dearborn, MI 48124",8:30,"2200 Bay St, Detroit, MI 48226",,(313) 555-0110,,,2,Yes,Ambulatory,,,,
`

// TestLegsCopyTheOutbound checks that a leg that copies the outbound equals the leg that is
// made of all its cells, whatever the row says, and that reused memory holds nothing of the
// row before.
func TestLegsCopyTheOutbound(t *testing.T) {
	for _, test := range []struct {
		name   string
		m      *Mapping
		rows   []importer.Row
		copies bool
	}{
		{"two legs", parsed(t, twoLegs), mappingtest.Rows(t, "lakeshore_1.csv", twoLegsRows), true},
		{"dated times", parsed(t, datedTimes), mappingtest.Rows(t, "lakeshore_1.csv", strings.NewReplacer(",8:30", ",12/02/2026 8:30", ",9:30", ",12/02/2026 9:30").Replace(twoLegsRows)), true},
		{"a return from elsewhere", parsed(t, elsewhere), mappingtest.Rows(t, "lakeshore_1.csv", twoLegsRows), false},
		{"a distance of its own", parsed(t, moreMiles), mappingtest.Rows(t, "lakeshore_1.csv", twoLegsRows), false},
		{"round-trip-rows", decided(t, "round-trip-rows"), mappingtest.ReadCSV(t, "../testdata/samples/round-trip-rows.csv"), true},
		{"routegenie", decided(t, "routegenie"), mappingtest.ReadCSV(t, "../testdata/layouts/routegenie.csv"), true},
		{"isi", decided(t, "isi"), mappingtest.ReadCSV(t, "../testdata/layouts/isi.csv"), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, alone := bind(t, test.m, test.rows), bind(t, test.m, test.rows)
			if b.legs[1].likeOutbound != test.copies {
				t.Errorf("the return takes over %v, want %v", b.legs[1].likeOutbound, test.copies)
			}
			for _, leg := range alone.legs {
				leg.likeOutbound = false
			}

			texts := []string{"", "Yes", "No", "x", "Wheelchair", "12/03/2026", "02/30/2026", "7:15 AM", "23:59", "12/02/2026 13:45", "2", "313-555-0112 x7", "5 Oak St, Boston, MA 2139", "9 Elm St"}
			var mapped importer.Mapped
			rapid.Check(t, func(t *rapid.T) {
				row := rapid.SampledFrom(test.rows[1:]).Draw(t, "row").Clone()
				for range rapid.IntRange(0, 4).Draw(t, "changes") {
					cell := importer.Cell{Text: rapid.SampledFrom(texts).Draw(t, "text"), Type: rapid.SampledFrom([]importer.CellType{importer.Text, importer.Text, importer.ErrorCell}).Draw(t, "type")}
					if cell.Text == "" {
						cell.Type = importer.Empty
					}
					row.Cells[rapid.IntRange(0, len(row.Cells)-1).Draw(t, "column")] = cell
				}
				mapped = b.Map(row, mapped.Trips)
				if diff := cmp.Diff(alone.Map(row, nil), mapped); diff != "" {
					t.Fatal(diff)
				}
			})
		})
	}
}
