package propose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/mappingtest"
)

// TestCodesOfAWayAreAsked requires a question about a column of short codes that distinguishes the legs, or its use.
func TestCodesOfAWayAreAsked(t *testing.T) {
	const columns = "Trip Date,Member ID,Member Name,Phone,Mobility,From Street,From City,From State,From Zip,Pickup Time,To Street,To City,To State,To Zip,Appt Time"
	row := func(n int) string {
		return fmt.Sprintf("12/%d/2026,%d,Pat Muster,313-555-01%02d,Wheelchair,%d Oak St,Dearborn,MI,48124,%d:15 AM,9 Bay Rd,Detroit,MI,48226,%d:15 AM", 13+n%5, 70000+n, n, 10+n, 6+n%4, 7+n%4)
	}
	var legs strings.Builder
	legs.WriteString("Journey,Leg," + columns + "\n")
	for n := range 20 {
		fmt.Fprintf(&legs, "J-%d,%s,%s\n", n/2, []string{"A", "B"}[n%2], row(n))
	}

	rows := mappingtest.Rows(t, "trips.csv", legs.String())
	p := Mapping(rows, rows, nil)
	draft := p.Draft("trips", Names{})
	used := strings.Contains(draft.Text, "column: Leg") || strings.Contains(draft.Text, ", Leg]")
	if !used && askedAtApproval(t, &p, draft.Text)["Leg"] != "a return or a second way" {
		t.Errorf("it is not used, and nobody is asked:\n%s", draft.Text)
	}
}

// TestColumnsThatOnlyValuesTell has columns whose headers say nothing. Codes that are mostly space types
// are space types, and a word for a cancellation marks a status. Times that may be the return's are asked about.
func TestColumnsThatOnlyValuesTell(t *testing.T) {
	const columns = "Ref,Svc Dt,Pt Nm,Mbr #,Origin,Dest,Rdy Time,Chair Time,RT?,Mob Cd,State,Payor"
	for name, test := range map[string]struct {
		headers   string
		back, out string // of the other columns, in rows of round trips and others
		want      []string
		asked     []string
	}{
		"the return":  {",Ride Home", ",%d:30", ",", []string{"column: Mob Cd", "W/C: WCH", "# BARI: AMB"}, []string{"Ride Home"}},
		"all rows":    {",Ride Home", ",%d:30", ",%d:35", nil, []string{"Ride Home"}},
		"two of them": {",Ride Home,Ride Out", ",%d:30,1%[1]d:40", ",,", nil, []string{"Ride Home", "Ride Out"}},
	} {
		var file strings.Builder
		file.WriteString(columns + test.headers + "\n")
		for n := range 30 {
			code := []string{"AMB", "W/C", "WCH", "STR"}[n%4]
			if n == 29 {
				code = "BARI"
			}
			way, more := "Y", test.back
			if n%3 == 0 {
				way, more = "N", test.out
			}
			if strings.Contains(more, "%") {
				more = fmt.Sprintf(more, 1+n%8)
			}
			fmt.Fprintf(&file, `R-%d,12/2/2026,"Muster, Pat",M%d,"%d Oak St, Dearborn, MI 48124","9 Bay Rd, Detroit, MI 48226",%d:15,%d:15,%s,%s,%s,County%s`+"\n",
				n, 7000+n, 10+n, 6+n%4, 7+n%4, way, code, []string{"Sched", "Canc"}[n%5/4], more)
		}
		rows := mappingtest.Rows(t, "trips.csv", file.String())
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{}).Text
		for _, want := range append(test.want, "State: {book: [Sched], cancelled: [cancelled, canceled, Canc]}") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in the draft:\n%s", name, want, text)
			}
		}
		asked := askedAtApproval(t, &p, text)
		for _, header := range test.asked {
			if asked[header] != "times" {
				t.Errorf("%s: %q looks like %q", name, header, asked[header])
			}
		}
	}
}

// askedAtApproval returns what the columns look like that a draft does not use, by header.
func askedAtApproval(t *testing.T, p *Proposal, text string) map[string]string {
	t.Helper()
	m, err := mapping.Parse("trips.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range m.Fields() {
		for _, ref := range f.Columns {
			used[ref.Header()] = true
		}
	}
	var unused []mapping.UnusedColumn
	for _, c := range p.sheet.columns {
		if !used[c.Header] {
			unused = append(unused, mapping.UnusedColumn{Column: c.Column})
		}
	}
	looks := map[string]string{}
	for _, u := range unused {
		looks[u.Header] = p.sheet.looksLike(u.Num, unused)
	}
	return looks
}

// TestTheReturnsOwnDay has returns on the day after, in a column of their own: they are not driven a day early.
func TestTheReturnsOwnDay(t *testing.T) {
	for columns, want := range map[string]string{
		"Trip Date,PU Time":   "pickup: {pickup_time: [{first: [Return Date, Trip Date]}, Return Time]}",
		"PU Date,Pickup Time": "pickup: {pickup_time: [{first: [Return Date, PU Date]}, Return Time]}",
		"Ref 2,PU Date/Time":  `pickup: {pickup_time: [{first: [Return Date, PU Date/Time]}, Return Time]}`,
	} {
		first, when := "12/22/2026", "8:30 AM"
		if columns == "Ref 2,PU Date/Time" {
			first, when = "", "12/22/2026 8:30 AM"
		}
		rows := mappingtest.Rows(t, "trips.csv", "Trip ID,Rider ID,"+columns+",Appt,Return Date,Return Time,PU Address,DO Address,LOS\n"+
			"T1,R1,"+first+","+when+",9:15 AM,12/23/2026,6:00 PM,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
			"T2,R2,"+first+","+when+",9:15 AM,,,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n")
		p := Mapping(rows, rows, nil)
		if text := p.Draft("trips", Names{}).Text; !strings.Contains(text, want) {
			t.Errorf("%s: %q is not in the draft:\n%s", columns, want, text)
		}
	}
}

// TestTimesAreNoZIPs has four digits that may be a ZIP without its zero: they are asked about as times.
func TestTimesAreNoZIPs(t *testing.T) {
	rows := mappingtest.Rows(t, "trips.csv", "Trip ID,Rider ID,Trip Date,PU Time,Appt,Promised DO,PU Address,DO Address,LOS\n"+
		"T1,R1,12/22/2026,0830,0915,0905,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
		"T2,R2,12/22/2026,0845,0930,0920,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n")
	p := Mapping(rows, rows, nil)
	if looks := askedAtApproval(t, &p, p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text)["Promised DO"]; looks != "times" {
		t.Errorf("it looks like %q", looks)
	}
}

// TestOneTimeOfTwoWays has legs with one time, which is the appointment on the way there and the pickup on the
// way back, unless its header says which of the two it is.
func TestOneTimeOfTwoWays(t *testing.T) {
	for header, want := range map[string]string{
		"Time":          "pickup_time: {column: Time, when: {column: Leg, is: [B]}}; appt_time: {column: Time, when: {not: {column: Leg, is: [B]}}}",
		"Pickup Time":   "pickup_time: Pickup Time",
		"Drop-off Time": "appt_time: Drop-off Time",
	} {
		rows := mappingtest.Rows(t, "trips.csv", "Trip #,Leg,Rider ID,Trip Date,"+header+",PU Address,DO Address,LOS\n"+
			"T1,A,R1,12/22/2026,8:30 AM,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
			"T1,B,R1,12/22/2026,1:00 PM,\"700 Bay Rd, Westfield, MI 48111\",\"11 Alder Ct, Westfield, MI 48111\",AMB\n")
		p := Mapping(rows, rows, nil)
		var got []string
		for line := range strings.Lines(p.Draft("trips", Names{}).Text) {
			if line, _, _ = strings.Cut(line, "  #"); strings.Contains(line, "_time: ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", header, strings.Join(got, "; "), want)
		}
	}
}

// TestTypesThatSayWillCall has will calls in a column of types, beside times that nobody waits for.
func TestTypesThatSayWillCall(t *testing.T) {
	rows := mappingtest.Rows(t, "trips.csv", "Trip ID,Rider ID,Trip Date,PU Time,Appt,Trip Type,PU Address,DO Address,LOS\n"+
		"T1,R1,12/22/2026,8:30 AM,9:15 AM,Appointment,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
		"T2,R1,12/22/2026,5:00 PM,,Will-Call,\"700 Bay Rd, Westfield, MI 48111\",\"11 Alder Ct, Westfield, MI 48111\",AMB\n")
	p := Mapping(rows, rows, nil)
	text := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
	if want := "  will_call:\n    - {when: {column: Trip Type, is: [Will-Call]}}\n"; !strings.Contains(text, want) {
		t.Errorf("%q is not in the draft:\n%s", want, text)
	}
	without, _, _ := strings.Cut(text, "  will_call:")
	if looks := askedAtApproval(t, &p, without)["Trip Type"]; looks != "a will call" {
		t.Errorf("left out, the column looks like %q", looks)
	}

	rows = mappingtest.Rows(t, "round.csv", "Trip ID,Rider ID,Trip Date,PU Time,Appt,B Leg,Round Trip,PU Address,DO Address,LOS\n"+
		"T1,R1,12/22/2026,8:30 AM,9:15 AM,Will Call,Yes,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
		"T2,R2,12/22/2026,8:40 AM,9:15 AM,Timed,No,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n")
	p = Mapping(rows, rows, nil)
	text = p.Draft("round", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
	if looks := askedAtApproval(t, &p, text)["B Leg"]; strings.Contains(text, "column: B Leg") || looks != "a will call" {
		t.Errorf("the way there is a will call because the way back is one, or nobody is asked: it looks like %q\n%s", looks, text)
	}
}

// TestAWayIsNoRoundTrip has rows of one way each, with a flag on the way back: it makes no second trip of them, and
// is asked about unless it tells the trips apart.
func TestAWayIsNoRoundTrip(t *testing.T) {
	for columns, want := range map[string]string{
		"Trip,Other,IsReturn": "", "Trip,Leg,Return": "", "Trip,Other,Round Trip": "round_trip:\n  when: {flag: Round Trip}",
	} {
		var file strings.Builder
		file.WriteString(columns + ",Rider ID,Trip Date,PU Time,Appt,PU Address,DO Address,LOS\n")
		for n := range 4 {
			fmt.Fprintf(&file, "T%d,A,N,R%d,12/22/2026,8:30 AM,9:15 AM,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n", n, n)
			again := map[bool]int{true: n, false: n + 4}[columns == "Trip,Leg,Return"]
			fmt.Fprintf(&file, "T%d,B,Y,R%d,12/22/2026,1:00 PM,,\"700 Bay Rd, Westfield, MI 48111\",\"11 Alder Ct, Westfield, MI 48111\",AMB\n", again, n)
		}
		rows := mappingtest.Rows(t, "trips.csv", file.String())
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{Providers: []string{"P"}, FundingSources: []string{"F"}}).Text
		if strings.Contains(text, "round_trip:") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%s: %q is not what the draft has:\n%s", columns, want, text)
		}
		header := columns[strings.LastIndex(columns, ",")+1:]
		if looks := askedAtApproval(t, &p, text)[header]; want == "" && looks != "a return or a second way" {
			t.Errorf("%s looks like %q", header, looks)
		}
	}
}

// TestColumnsOfHalfATrip has a column that a draft does not use and that decides about the trips: approval asks.
func TestColumnsOfHalfATrip(t *testing.T) {
	for header, test := range map[string]struct{ some, others, want string }{
		"PU Window":     {"08:15-08:45", "9:00 AM - 9:30 AM", "times"},
		"AM/PM":         {"AM", "PM", "times"},
		"Bariatric":     {"Y", "N", "a wheelchair or a stretcher, which decides the space type"},
		"Floor":         {"2-3", "4", ""},
		"Service Dog":   {"Y", "N", ""},
		"Vendor Letter": {"A", "P", ""},
		"Change":        {"ADDED", "REMOVED", "a status, by which trips are cancelled"},
		"Changed By":    {"Dana", "Lou", ""},
		"DO Appt Time":  {"07h15", "8h15", "times"},
		"Wait Time":     {"10 min", "15 min", ""},
	} {
		p := Mapping(exportWith(t, header, test.some, test.others))
		if asked := askedAtApproval(t, &p, p.Draft("trips", Names{}).Text)[header]; asked != test.want {
			t.Errorf("%s looks like %q", header, asked)
		}
	}
}

// exportWith has trips with one more column, of which a few rows have other values.
func exportWith(t *testing.T, header, value, others string) (head, rows []importer.Row, known *mapping.Headers) {
	t.Helper()
	file := "Trip ID,Trip Date,Member ID,Member Name,Phone,Mobility,Pickup Address,Dropoff Address,Pickup Time,Appt Time," + header + "\n"
	for n := range 20 {
		more := value
		if n%7 == 3 {
			more = others
		}
		file += fmt.Sprintf("T-%d,12/%d/2026,M%d,Pat Muster,313-555-01%02d,Wheelchair,\"%d Oak St, Dearborn, MI 48124\",\"9 Bay Rd, Detroit, MI 48226\",%d:15,%d:15,%s\n", n, 13+n%5, 70000+n, n, 10+n, 6+n%4, 7+n%4, more)
	}
	rows = mappingtest.Rows(t, "trips.csv", file)
	return rows, rows, nil
}

// TestDeniedIsAStatus has a column without the word status in which a few requests are denied: their rows wait.
func TestDeniedIsAStatus(t *testing.T) {
	for _, word := range []string{"DENIED", "Withdrawn"} {
		p := Mapping(exportWith(t, "Authorization", "AUTHORIZED", word))
		if text := p.Draft("trips", Names{}).Text; !strings.Contains(text, "\n  Authorization: {book: [AUTHORIZED], cancelled: [cancelled, canceled]}") {
			t.Error(text)
		}
	}
}

// TestReturnOfOneRow has a column Return of yes and no and no time of a return: such a row may be two trips or the
// way back alone, and a person says which.
func TestReturnOfOneRow(t *testing.T) {
	p := Mapping(exportWith(t, "Return", "N", "Y"))
	d := p.Draft("trips", Names{})
	i := slices.IndexFunc(d.Questions, func(q Question) bool { return strings.Contains(q.Ask, "there and back") })
	if i < 0 || strings.Contains(d.Text, "\nround_trip:") {
		t.Fatal(d.Text)
	}
	one, _ := p.Answer(d.Text, &d.Questions[i], "2")
	two, _ := p.Answer(d.Text, &d.Questions[i], "1")
	if strings.Contains(one, "round_trip:") || !strings.Contains(two, "\nround_trip:\n  when: {flag: Return}") || len(d.Open(two)) != len(d.Open(one))+1 {
		t.Errorf("%s\n%s", one, two)
	}
	p = Mapping(exportWith(t, "Service", "Wait & Return", "One Way"))
	if text := p.Draft("trips", Names{}).Text; !strings.Contains(text, "\nround_trip:\n  when: {column: Service, ") {
		t.Error(text)
	}
}

// TestSeatsInColumns has a column for each space type with numbers: an answer takes it from them.
func TestSeatsInColumns(t *testing.T) {
	head, rows, _ := exportWith(t, "Amb,W/C,STR", "1,0,0", "0,1,0")
	for _, row := range rows { // without the column of words
		row.Cells[5] = importer.Cell{}
	}
	p := Mapping(head, rows, nil)
	d := p.Draft("trips", Names{})
	i := slices.IndexFunc(d.Questions, func(q Question) bool { return strings.Contains(q.Ask, "has the space type") })
	if i < 0 || len(d.Questions[i].Choices) != 1 {
		t.Fatal(d.Text)
	}
	text, _ := p.Answer(d.Text, &d.Questions[i], "1")
	if !strings.Contains(text, "{const: WCH, when: {column: W/C, above: 0}}") || !strings.Contains(text, "additional_passengers") {
		t.Error(text)
	}
}

// TestWordsOfAWay has one column of times, which is the appointment's on the way there and the pickup's on the way back.
func TestWordsOfAWay(t *testing.T) {
	for there, back := range map[string]string{"To Clinic": "From Clinic", "Going": "Coming", "To Appt": "To Home"} {
		_, rows, _ := exportWith(t, "Way", there, back)
		for i := range rows {
			rows[i].Cells[9] = importer.Cell{}
		}
		rows[0].Cells[8].Text = "Time"
		p := Mapping(rows, rows, nil)
		if text := p.Draft("trips", Names{}).Text; !strings.Contains(text, "pickup_time: {column: Time, when: {column: Way, is: ["+back+"]}}") {
			t.Error(text)
		}
	}
}

// TestNoTime has a word and zeros in place of some times: N/A is a blank cell, and a column of times with zeros is one.
func TestNoTime(t *testing.T) {
	for word, want := range map[string]string{
		"N/A": "\n  blank: [N/A]\n", "0": "appt_time: Appt Time",
	} {
		_, rows, _ := exportWith(t, "Note", "ring", "ring")
		for i := range rows {
			if i > 0 && i%2 == 0 {
				rows[i].Cells[9].Text = word
			}
		}
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{}).Text
		if !strings.Contains(text, want) || word == "N/A" && strings.Contains(text, "will_call") {
			t.Errorf("%s: %s", word, text)
		}
	}
}

// TestWCMayBeAWillCall has a column WC with yes beside riders who walk: it is asked about. Beside those who do not, it is
// the wheelchair's.
func TestWCMayBeAWillCall(t *testing.T) {
	for seat, used := range map[string]bool{"Ambulatory": false, "Wheelchair": true} {
		_, rows, _ := exportWith(t, "WC", "N", "Y")
		for i := range rows {
			if rows[i].Cells[10].Text == "Y" {
				rows[i].Cells[5].Text = seat
			}
		}
		p := Mapping(rows, rows, nil)
		text := p.Draft("trips", Names{}).Text
		if strings.Contains(text, "{flag: WC}") != used || (askedAtApproval(t, &p, text)["WC"] == "") != used {
			t.Error(text)
		}
	}
}

// TestServiceTypeOfSeats has the space types below Service Type, and below a header that says why the trip is made.
func TestServiceTypeOfSeats(t *testing.T) {
	for _, header := range []string{"Service Type", "Reason for Trip"} {
		_, rows, _ := exportWith(t, header, "Ambulatory", "Stretcher")
		for i := range rows {
			rows[i].Cells[5] = importer.Cell{}
		}
		p := Mapping(rows, rows, nil)
		d := p.Draft("trips", Names{})
		asked := slices.ContainsFunc(d.Questions, func(q Question) bool { return strings.Contains(q.Ask, "has the space type") && len(q.Choices) == 1 })
		if !strings.Contains(d.Text, "space_type:\n    column: "+header) && !asked || strings.Contains(d.Text, "event_name: "+header) {
			t.Error(d.Text)
		}
	}
}

// TestCarsAreNoSeats has numbers of cars, which are no space types, and kinds of cars, which are.
func TestCarsAreNoSeats(t *testing.T) {
	for first, isSeat := range map[string]bool{"Van 3": false, "Lift Van": true} {
		_, rows, _ := exportWith(t, "Vehicle", first, strings.Replace(first, "3", "7", 1))
		for i := range rows {
			rows[i].Cells[5] = importer.Cell{}
		}
		p := Mapping(rows, rows, nil)
		if text := p.Draft("trips", Names{}).Text; strings.Contains(text, "column: Vehicle") != isSeat {
			t.Error(text)
		}
	}
}
