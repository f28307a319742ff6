package propose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/mapping"
	"tripimport/mapping/mappingtest"
)

// TestColumnsAreNamed checks that a question names the columns that may answer it by header and
// letter, and one without a header by its letter.
func TestColumnsAreNamed(t *testing.T) {
	const layout = `Trip ID,%,Mode,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Date,Pickup Time,Appointment Time
T-1,10001,AMB,12 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,12/2/2026,8:30 AM,9:15 AM
T-2,10002,AMB,13 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,12/2/2026,8:30 AM,9:15 AM
`
	for header, want := range map[string]string{
		"":      "column B, such as 10001, 10002",
		"Xq No": `the column "Xq No" (B), such as 10001, 10002`,
	} {
		rows := mappingtest.Rows(t, "night.csv", strings.Replace(layout, "%", header, 1))
		p := Mapping(rows, rows, nil)
		draft := p.Draft("night", Names{})
		named := func(q Question) bool {
			return slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Text == want })
		}
		if !slices.ContainsFunc(draft.Questions, named) {
			t.Errorf("%q: %+v\n%s", header, draft.Questions, draft.Text)
		}
	}
}

// TestQuotesInQuestions checks that a question of a template may have quotes.
func TestQuotesInQuestions(t *testing.T) {
	p := Proposal{sheet: &Sheet{}}
	d := p.DraftOf("trip:\n  # provider: {const: X}   # open: who drives \"AMB\" trips?\n")
	if len(d.Questions) != 1 || d.Questions[0].Ask != `who drives "AMB" trips?` {
		t.Fatalf("questions: %+v", d.Questions)
	}
	want := "trip:\n  provider: {const: \"Lakeshore\"}\n"
	if got, _ := p.Answer(d.Text, &d.Questions[0], "Lakeshore"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRivalsAreAsked has two columns for one field: neither is taken without a question, and the likelier is
// the first choice.
func TestRivalsAreAsked(t *testing.T) {
	rows := mappingtest.Rows(t, "trips.csv", "Trip #,Medicaid ID,Member ID,Trip Date,Service Date,Requested PU,Promised PU,Appt,PU Address,DO Address,Mode\n"+
		"T1,MC1,MB1,12/22/2026,12/22/2026,8:30 AM,8:45 AM,9:15 AM,\"11 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n"+
		"T2,MC2,MB2,12/22/2026,12/22/2026,,8:45 AM,9:15 AM,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",AMB\n")
	p := Mapping(rows, rows, nil)
	var got []string
	for _, q := range p.Draft("trips", Names{}).Questions {
		if q.Column && q.Free == "" {
			got = append(got, q.Choices[0].line, q.Choices[1].line)
		}
	}
	want := "rider_id: Member ID; rider_id: Medicaid ID; date: Trip Date; date: Service Date; pickup_time: Promised PU; pickup_time: Requested PU"
	if all := strings.Join(strings.Fields(strings.Join(got, "; ")), " "); all != want {
		t.Errorf("%s, want %s", all, want)
	}
}

// TestOffsetsAreAsked asks what times with an offset from UTC mean, and nothing where they have none.
func TestOffsetsAreAsked(t *testing.T) {
	const file = "Trip,Rider,Pickup At,Appt At,From,To\nT-1,R-1,2026-12-15T13:30:00%[1]s,2026-12-15T14:30:00%[1]s,\"12 Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\"\n"
	for offset, answers := range map[string]map[string]string{
		"Z":      {"1": "offsets: keep", "2": "zone: America/New_York", "no: it is turned into Pacific time": "zone: America/Los_Angeles"},
		"-05:00": {"1": "offsets: keep", "3": "zone: America/Chicago"},
		"":       nil,
	} {
		rows := mappingtest.Rows(t, "night.csv", fmt.Sprintf(file, offset))
		p := Mapping(rows, rows, nil)
		draft := p.Draft("night", Names{})
		i := slices.IndexFunc(draft.Questions, func(q Question) bool { return strings.HasPrefix(q.Ask, "times end in "+offset) })
		if (i >= 0) != (answers != nil) {
			t.Errorf("%q: asked: %v\n%s", offset, i >= 0, draft.Text)
			continue
		}
		if strings.Contains(draft.Text, "\n  offsets:") {
			t.Errorf("%q: nobody was asked:\n%s", offset, draft.Text)
		}
		for typed, want := range answers {
			text, again := p.Answer(draft.Text, &draft.Questions[i], typed)
			m, err := mapping.Parse("night.yaml", []byte(text), nil)
			if again != "" || err != nil || !strings.Contains(text, want+"\n") || strings.Contains(want, "zone") != strings.Contains(text, "offsets: convert") {
				t.Errorf("%q answered with %q: %s, %v, %v\n%s", offset, typed, again, err, m != nil, text)
			}
		}
	}
}

// TestWhoIsAsked answers the questions about an export whose headers say little, by header, by letter and by
// choice: a column that can't be the answer is refused, a time that is the appointment's is asked about.
func TestWhoIsAsked(t *testing.T) {
	var file strings.Builder
	file.WriteString("Ref,Who,Pers,Day,Seat at,Lives,Goes to,Chair?,Remarks,Wake\n")
	for i := range 12 {
		fmt.Fprintf(&file, "W%d,Mia Sandoval,P%d,12/%d/2026,%d:15,\"%d Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",%s,%s,%d:20\n",
			i, i, 13+i, 7+i, 10+i, []string{"wheelchair", "", "bed"}[i%3], []string{"", "ring twice", ""}[i%3], 8+i)
	}
	rows := mappingtest.Rows(t, "monday.csv", file.String())
	p := Mapping(rows, rows, nil)
	d := p.Draft("monday", Names{})
	text := d.Text
	for _, step := range []struct{ ask, typed, again string }{
		{"which column identifies the rider?", "h", `"h" is not one of the answers`},
		{"which column identifies the rider?", "C", ""},
		{"which column has the time of the pickup?", `no column: "Seat at" (E) is the time of the appointment`, ""},
		{"which column has the space type: who walks, who needs a wheelchair or a stretcher?", "=H", ""},
		{`in "Chair?", which space type is "bed"?`, "STR: stretcher", ""},
	} {
		open := d.Open(text)
		i := slices.IndexFunc(open, func(q Question) bool { return q.Ask == step.ask })
		if i < 0 {
			t.Fatalf("%s: nobody asks that:\n%s", step.ask, text)
		}
		next, again := p.Answer(text, &open[i], step.typed)
		if again != step.again {
			t.Errorf("%s %s: %q, not %q", step.ask, step.typed, again, step.again)
		}
		text = next
	}
	for _, want := range []string{"  rider_id: Pers\n", "    appt_time: Seat at\n", "      bed: STR\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if _, err := mapping.Parse("monday.yaml", []byte(text), nil); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestStatusWordsThatAreAsked checks that a draft books no row whose status says that the trip was denied,
// is on hold or is over, and leaves out none: such rows wait. A word that most rows have books, and one that
// a mapping would take for any text is in no list.
func TestStatusWordsThatAreAsked(t *testing.T) {
	const head = "Trip ID,Rider ID,Request Status,Pickup Address,Dropoff Address,Date,Pickup Time,Appointment Time\n"
	for words, want := range map[string]string{
		"Approved,Denied,Approved,Cancelled":  "book: [Approved], cancelled: [cancelled, canceled]",
		"Assigned,HOLD,Pending,No Show":       "book: [Assigned], cancelled: [cancelled, canceled, No Show]",
		"Scheduled,Completed,Declined,Cancel": "book: [Scheduled], cancelled: [cancelled, canceled, Cancel]",
		"Filled,Filled,Open,Canceled":         "book: [Filled, Open], cancelled: [cancelled, canceled]",
		"filled,filled,Open,Canceled":         "book: [Open], cancelled: [cancelled, canceled]",
	} {
		text := head
		for i, word := range strings.Split(words, ",") {
			text += fmt.Sprintf("T-%d,R-%d,%s,\"%d Alder Ct, Westfield, MI 48111\",\"700 Bay Rd, Westfield, MI 48111\",12/2/2026,8:30 AM,9:15 AM\n", i, i, word, i+12)
		}
		rows := mappingtest.Rows(t, "night.csv", text)
		p := Mapping(rows, rows, nil)
		if got := p.Draft("night", Names{}).Text; !strings.Contains(got, "  Request Status: {"+want+"}") {
			t.Errorf("%s: want %s\n%s", words, want, got)
		}
	}
}

// TestOrderOfDatesIsShown checks that who is asked about the order of dates sees some.
func TestOrderOfDatesIsShown(t *testing.T) {
	const file = "Trip ID,Date,Pickup Time\nT-1,12/2/2026,8:30 AM\nT-2,12/3/2026,8:30 AM\nT-3,12/2/2026,9:30 AM\n"
	rows := mappingtest.Rows(t, "night.csv", file)
	p := Mapping(rows, rows, nil)
	for _, q := range p.Draft("night", Names{}).Questions {
		if strings.Contains(q.Ask, "3/4/2026") && strings.Join(q.Values, " ") == "12/2/2026 12/3/2026" {
			return
		}
	}
	t.Error("the question has no dates of the file")
}

// TestColumnsThatIdentifyTogether answers the question about the trip's id with two columns, none of which is one alone.
func TestColumnsThatIdentifyTogether(t *testing.T) {
	const layout = `Grp,Seg,Member ID,Phone,Mode,Pickup Address,Dropoff Address,Date,Pickup Time,Appointment Time
S1,X1,10001,414-555-0121,AMB,"12 Alder Ct, Westfield, MI 48111","700 Bay Rd, Westfield, MI 48111",12/2/2026,8:30 AM,9:15 AM
S1,X2,10001,414-555-0121,AMB,"700 Bay Rd, Westfield, MI 48111","12 Alder Ct, Westfield, MI 48111",12/2/2026,10:30 AM,11:15 AM
`
	rows := mappingtest.Rows(t, "night.csv", layout)
	p := Mapping(rows, rows, nil)
	d := p.Draft("night", Names{})
	i := slices.IndexFunc(d.Questions, func(q Question) bool { return strings.HasPrefix(q.Ask, "which column identifies a trip") })
	if i < 0 {
		t.Fatal(d.Text)
	}
	for typed, want := range map[string][2]string{
		"Grp + Seg":   {"\n  trip_id: [Grp, Seg]\n", ""},
		"a+B":         {"", `"a" is not a column of the file`},
		"A + B":       {"\n  trip_id: [Grp, Seg]\n", ""},
		"Grp+Segs":    {"", `"Segs" is not a column of the file`},
		"Seg + Phone": {"", `"Phone" (D) has phones, and these identify nothing`},
	} {
		text, again := p.Answer(d.Text, &d.Questions[i], typed)
		if again != want[1] || !strings.Contains(text, want[0]) {
			t.Errorf("%s: %q\n%s", typed, again, text)
		}
	}
}

// TestZIPThatNoColumnHas joins the parts of an address of which no column is sure to have the ZIP. Approval asks about
// one of numbers that may have it.
func TestZIPThatNoColumnHas(t *testing.T) {
	rows := mappingtest.Rows(t, "trips.csv", "Trip ID,Rider ID,Date,PU Time,PU Address,PU City,PU State,DO Address,DO City,DO State,LOS,Post\n"+
		"T1,R1,12/22/2026,8:30 AM,12 Alder Ct,Westfield,MI,700 Bay Rd,Westfield,MI,AMB,48111\n"+
		"T2,R2,12/22/2026,8:45 AM,14 Alder Ct,Westfield,MI,90 Mill St,Westfield,MI,WCH,48207\n")
	p := Mapping(rows, rows, nil)
	d := p.Draft("trips", Names{})
	for _, want := range []string{"    address: [PU Address, PU City, PU State] ", "    address: [DO Address, DO City, DO State] "} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("%q is not in\n%s", want, d.Text)
		}
	}
	if asked := askedAtApproval(t, &p, d.Text); asked["Post"] != "part of an address" {
		t.Errorf("asked about: %v", asked)
	}
}
