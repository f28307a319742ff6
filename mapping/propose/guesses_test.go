package propose

import (
	"fmt"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestStandingOrders has orders from one day to another, on some weekdays: none is booked on its first day alone
// without a question. An end of a time, and the weekday of a trip, are none of that.
func TestStandingOrders(t *testing.T) {
	const rest = `,8:00 AM,9:00 AM,"11 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111",AMB` + "\n"
	for columns, test := range map[string]struct {
		values [2]string
		asked  bool // which column is the day
		risk   string
	}{
		"Start Date,End Date,Kind":            {[2]string{"12/21/2026,03/21/2027,A", "12/22/2026,03/21/2027,B"}, true, ""},
		"Effective Date,Expiration Date,Kind": {[2]string{"12/21/2026,03/21/2027,A", "12/22/2026,03/21/2027,B"}, true, ""},
		"Start Date,Days of Week":             {[2]string{"12/21/2026,MWF", "12/22/2026,Tu/Th/Sa"}, false, "Days of Week"},
		"Start Date,Mon,Tue":                  {[2]string{"12/21/2026,X,", "12/22/2026,,X"}, false, "Mon"},
		"Trip Date,End Time,Day":              {[2]string{"12/21/2026,10:00 AM,M", "12/22/2026,11:00 AM,Tuesday"}, false, ""},
	} {
		rows := mappingtest.Rows(t, "trips.csv", "Order,Member ID,"+columns+",Pickup Time,Appt Time,Pickup Address,Dropoff Address,Mobility\n"+
			"S1,M1,"+test.values[0]+rest+"S2,M2,"+test.values[1]+rest)
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
		if asked := strings.Contains(text, "# date: "); asked != test.asked {
			t.Errorf("%s: asked %t:\n%s", columns, asked, text)
		}
		for header, looks := range askedAtApproval(t, &p, text) {
			if standing := strings.Contains(looks, "standing orders"); standing != (header == test.risk || test.risk == "Mon" && header == "Tue") {
				t.Errorf("%s: %s looks like %q", columns, header, looks)
			}
		}
	}
}

// TestPlacesWithoutSides has places whose headers do not say which is the pickup: it is asked.
func TestPlacesWithoutSides(t *testing.T) {
	const line = `Order,Member ID,Trip Date,Ready Time,Mobility,Way,Home Address,Facility Address
S1,M1,12/21/2026,8:00 AM,AMB,To,"11 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
S2,M1,12/21/2026,2:00 PM,AMB,From,"11 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
S3,M2,12/21/2026,2:00 PM,AMB,To,"12 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
S4,M2,12/21/2026,2:00 PM,AMB,From,"12 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
S5,M3,12/21/2026,2:00 PM,AMB,Twice,"12 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111"
`
	const parts = `Order,Member ID,Trip Date,Ready Time,Mobility,Way,Home Street,Home City,Home State,Home Zip,Clinic Name,Clinic Street,Clinic City,Clinic State,Clinic Zip
S1,M1,12/21/2026,8:00 AM,AMB,A,11 Alder Ct,Westfield,MI,48111,Harbor Dialysis,700 Bay Rd,Westfield,MI,48111
S2,M1,12/21/2026,2:00 PM,AMB,B,11 Alder Ct,Westfield,MI,48111,Harbor Dialysis,700 Bay Rd,Westfield,MI,48111
`
	const houses = `Order,Member ID,Trip Date,Ready Time,Mobility,Way,Clinic Street,Clinic City,Clinic State,Clinic Zip,Home House No,Clinic House No,Home Street,Home City,Home State,Home Zip
S1,M1,12/21/2026,8:00 AM,AMB,A,Bay Rd,Westfield,MI,48111,11,700,Alder Ct,Westfield,MI,48111
S2,M1,12/21/2026,2:00 PM,AMB,B,Bay Rd,Westfield,MI,48111,11,700,Alder Ct,Westfield,MI,48111
`
	const joined = `Order,Member ID,Trip Date,Ready Time,Mobility,Way,Home Street,Home City/State/Zip,Clinic Street,Clinic City/State/Zip
S1,M1,12/21/2026,8:00 AM,AMB,A,11 Alder Ct,"Westfield, MI 48111",700 Bay Rd,"Westfield, MI 48111"
S2,M1,12/21/2026,2:00 PM,AMB,B,11 Alder Ct,"Westfield, MI 48111",700 Bay Rd,"Westfield, MI 48111"
`
	for _, test := range []struct{ file, choice, want string }{
		{joined, "1", "11>700 11>700"},
		{strings.ReplaceAll(strings.ReplaceAll(line, "Facility Address", "Clinic Street,Clinic City,Clinic State,Clinic Zip"), `"700 Bay Rd, Westfield, MI 48111"`, "700 Bay Rd,Westfield,MI,48111"), "1", "11>700 11>700 12>700 12>700 12>700"},
		{houses, "1", "11>700 11>700"},
		{line, "1", "11>700 11>700 12>700 12>700 12>700"},
		{line, "2", "700>11 700>11 700>12 700>12 700>12"},
		{parts, "1", "11>Harbor Dialysis700 11>Harbor Dialysis700"},
		{parts, "2", "Harbor Dialysis700>11 Harbor Dialysis700>11"},
	} {
		rows := mappingtest.Rows(t, "trips.csv", test.file)
		p := Mapping(rows, rows, nil)
		d := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}})
		text := d.Text
		for open := d.Open(text); len(open) > 0; open = d.Open(text) {
			typed := "1"
			if strings.Contains(open[0].Ask, "picked up at") {
				typed = test.choice
			}
			text, _ = p.Answer(text, &open[0], typed)
		}
		bound, err := bindText("draft.yaml", text, rows)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var got []string
		for _, row := range rows[1:] {
			m := bound.Map(row, nil)
			number := func(e *importer.Event) string {
				first, _, _ := strings.Cut(e.Address1, " ")
				return e.LocationName + first
			}
			got = append(got, number(&m.Trips[0].Pickup)+">"+number(&m.Trips[0].Dropoff))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("choice %s: %v, not %s\n%s", test.choice, got, test.want, text)
		}
	}
}

// TestGuessesThatBookWrong has columns that were taken for something else, or left out, without a question.
func TestGuessesThatBookWrong(t *testing.T) {
	for _, test := range []struct{ name, columns, first, second, has, hasNot, asked string }{
		{
			"a time of both", "Appt/PU Time,Way,PU Address,DO Address", `8:00 AM,Outbound,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `2:00 PM,Inbound,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"pickup_time: {column: Appt/PU Time, when: {column: Way, is: [Inbound]}}", "", "",
		},
		{
			"a will call", "Pickup Time,WC,Kind of Ride,PU Address,DO Address", `8:00 AM,N,Std,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `2:00 PM,Y,Std,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"", "const: WCH", "WC",
		},
		{
			"house numbers", "Pickup Time,Origin No,Origin Street,Origin City,Origin State,Origin Zip,DO Address", `8:00 AM,1,Elm St,Reno,NV,89501,"9 Oak St, Reno, NV 89501"`, `2:00 PM,2,Elm St,Reno,NV,89501,"9 Oak St, Reno, NV 89501"`,
			"", "", "Origin No",
		},
		{
			"the ZIP of the rider's home", "Pickup Time,Member Zip,PU Address,PU City,PU State,DO Address", `8:00 AM,48111,1 Elm St,Reno,NV,"9 Oak St, Reno, NV 89501"`, `2:00 PM,48112,7 Elm St,Reno,NV,"9 Oak St, Reno, NV 89501"`,
			"address: [PU Address, PU City, PU State]", "", "Member Zip",
		},
		{
			"whole addresses", "Pickup Time,Orig Street,Dest Street", `8:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `2:00 PM,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"    address: Orig Street", "", "",
		},
		{
			"a time that may be the appointment's", "Requested Time,PU Address,DO Address", `8:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `2:00 PM,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"# pickup_time: ", "    pickup_time: ", "",
		},
		{
			"the ZIP for letters", "Pickup Time,Mailing Zip,PU Address,PU City,PU State,DO Address,DO Zip", `8:00 AM,48111,1 Elm St,Reno,NV,9 Oak St,89501`, `2:00 PM,48112,7 Elm St,Reno,NV,9 Oak St,89501`,
			"", "zip: Mailing Zip", "",
		},
		{
			"a time is no name of a place", "Leave Home,Appt,PU Address,DO Address", `8:00 AM,9:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `2:00 PM,3:00 PM,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"", "location_name", "Leave Home",
		},
		{
			"a day with a time is no street", "Pickup,Start Street,DO Address", `14-Dec-26 8:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `14-Dec-26 2:00 PM,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"pickup_time: Pickup", "address: Pickup ", "",
		},
		{
			"midnight in small letters", "PU Time,Appt,PU Address,DO Address", `8:00am,9:00am,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501"`, `12:00am,,"9 Oak St, Reno, NV 89501","1 Elm St, Reno, NV 89501"`,
			"does a time of 0:00 stand for a will call?", "", "",
		},
		{
			"times are no ZIP", "Pickup Time,Window,PU Address,PU City,PU State,DO Address", `0800,0900,1 Elm St,Reno,NV,"9 Oak St, Reno, NV 89501"`, `1400,1500,7 Elm St,Reno,NV,"9 Oak St, Reno, NV 89501"`,
			"address: [PU Address, PU City, PU State]", "", "Window",
		},
	} {
		mobility := ",LOS"
		if strings.Contains(test.columns, "Kind of Ride") {
			mobility = ",Mobility"
		}
		rows := mappingtest.Rows(t, "trips.csv", "Order,Member ID,Trip Date,"+test.columns+mobility+"\nS1,M1,12/21/2026,"+test.first+",A\nS2,M2,12/21/2026,"+test.second+",A\n")
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
		if !strings.Contains(text, test.has) || test.hasNot != "" && strings.Contains(text, test.hasNot) {
			t.Errorf("%s:\n%s", test.name, text)
		}
		if looks := askedAtApproval(t, &p, text); test.asked != "" && looks[test.asked] == "" {
			t.Errorf("%s: %v", test.name, looks)
		}
	}
}

// TestCancelledFlag has a column that says yes where a trip is cancelled. What is neither
// yes nor no is no trip.
func TestCancelledFlag(t *testing.T) {
	const line = `,12/21/2026,8:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501",AMB,`
	for header, words := range map[string][5]string{"Is Cancelled": {"N", "Y", "no", "", "perhaps"}, "Cancel Flag": {"0", "1", "0", "0", "perhaps"}} {
		var file strings.Builder
		file.WriteString("Order,Member ID,Trip Date,Pickup Time,PU Address,DO Address,LOS," + header + "\n")
		for i := range 20 {
			word := words[0]
			if i >= 15 {
				word = words[i-15]
			}
			fmt.Fprintf(&file, "S%d,M%d%s%s\n", i, i, line, word)
		}
		rows := mappingtest.Rows(t, "trips.csv", file.String())
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
		bound, err := bindText("draft.yaml", text, rows)
		if err != nil {
			t.Fatalf("%s: %v\n%s", header, err, text)
		}
		for i, row := range rows[16:] {
			m := bound.Map(row, nil)
			if cancelled, faulty := m.Cancelled, m.Faulty(); cancelled != (i == 1) || faulty != (i == 4) {
				t.Errorf("%s: %q: cancelled %t, faulty %t\n%s", header, words[i], cancelled, faulty, text)
			}
		}
	}
}

// TestDayThatIsAskedFor has a day under a header that nobody knows: the order of its date is found or asked as well.
func TestDayThatIsAskedFor(t *testing.T) {
	for day, want := range map[string]string{"22/12/2026": "  dates: dmy", "04/03/2027": "# dates: mdy"} {
		rows := mappingtest.Rows(t, "trips.csv", "Order,Member ID,Tag der Fahrt,PU Time,PU Address,DO Address,LOS\n"+
			"S1,M1,"+day+`,8:00 AM,"1 Elm St, Reno, NV 89501","9 Oak St, Reno, NV 89501",AMB`+"\n")
		p := Mapping(rows, rows, nil)
		if text := p.Draft("trips", Names{}).Text; !strings.Contains(text, "# date: ") || !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", day, text)
		}
	}
}
