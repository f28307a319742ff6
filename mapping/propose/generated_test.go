package propose

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
)

// An exportColumn is a column of a generated export: its field, or "" for one that no trip needs.
type exportColumn struct {
	header string
	field  importer.Field
	value  func(row int) string
}

// A generatedExport is an export as a broker's program might write it.
type generatedExport struct {
	columns []exportColumn
	rows    []importer.Row
	header  int // the number of the row with the headers
	last    int // the number of the last row with a trip
}

// generate makes an export: other words for headers, another order, titles, blank rows, a row that
// groups the headers, totals, one name or two, one address or its parts, and several forms of dates and times.
func generate(seed uint64) *generatedExport {
	random := rand.New(rand.NewPCG(seed, 36)) //nolint:gosec // repeatable
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	var g generatedExport
	add := func(field importer.Field, header string, value func(int) string) {
		g.columns = append(g.columns, exportColumn{header, field, value})
	}
	of := func(values ...string) func(int) string { return func(i int) string { return values[i%len(values)] } }

	prefix, first := one("", "T", "LG-", "26"), 100000+random.IntN(800000)
	add(importer.FieldTripID, one("Trip ID", "Trip No", "Trip Number", "Ride #", "Reservation Number", "Booking ID", "Trip #"),
		func(i int) string { return fmt.Sprintf("%s%d", prefix, first+3*i) })
	add(importer.FieldRiderID, one("Member ID", "Medicaid ID", "Rider ID", "Client ID", "Passenger ID", "Patient ID", "Member Number"),
		func(i int) string { return fmt.Sprintf("M%07d", 1000+i%17) })
	firsts, lasts := of("Odette", "Casimir", "Calista", "Evander", "Philippa"), of("Marchbanks", "Thornbury", "Moorehouse", "Ashdown")
	who := one("Member ", "Patient ", "Rider ", "")
	if random.IntN(2) == 0 {
		add(importer.FieldPickup.Of(importer.FieldEventName), who+"First Name", firsts)
		add("", who+"Last Name", lasts)
	} else {
		add(importer.FieldPickup.Of(importer.FieldEventName), one("Passenger Name", "Member Name", "Client Name", "Patient Name", "Rider Name"),
			func(i int) string { return lasts(i) + ", " + firsts(i) })
	}
	add(importer.FieldPhone, one("Phone", "Phone Number", "Member Phone", "Passenger Phone", "Home Phone"),
		func(i int) string { return fmt.Sprintf("(414) 555-01%02d", i) })
	dates := one("12/%d/2026", "2026-12-%02d", "12/%02d/26")
	add(importer.FieldDate, one("Trip Date", "Date of Service", "Service Date", "Date", "Pickup Date"),
		func(i int) string { return fmt.Sprintf(dates, 14+i%9) })
	clock := one("3:04 PM", "15:04", "1504")
	at := func(hour int) func(int) string {
		return func(i int) string {
			h, m := hour+i%6, 5*(i%12)
			switch clock {
			case "15:04":
				return fmt.Sprintf("%02d:%02d", h, m)
			case "1504":
				return fmt.Sprintf("%02d%02d", h, m)
			}
			return fmt.Sprintf("%d:%02d %s", (h+11)%12+1, m, []string{"AM", "PM"}[h/12])
		}
	}
	sides := [][2]string{{"PU ", "DO "}, {"Pickup ", "Dropoff "}, {"Pick Up ", "Drop Off "}, {"Origin ", "Destination "}, {"From ", "To "}}[random.IntN(5)]
	add(importer.PickupTime, one("Pickup Time", "PU Time", "Pick Up Time", "Scheduled Pickup Time"), at(7))
	add(importer.DropoffAppt, one("Appt Time", "Appointment Time", "Appt. Time", "Appointment"), at(9))
	whole := random.IntN(2) == 0
	for side, event := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		street := func(i int) string {
			return fmt.Sprintf("%d %s", 100*(side+1)+7*(i%23), of("Alder Ct", "Bay Rd", "Goldenrod Ct", "Mill St")(i))
		}
		city, zip := of("Westfield", "Milwaukee", "West Allis"), of("53211", "53214", "53018")
		if whole {
			add(event.Of("address"), sides[side]+"Address", func(i int) string { return street(i) + ", " + city(i) + ", WI " + zip(i) })
			continue
		}
		add(event.Of(importer.FieldAddress1), sides[side]+one("Address", "Street", "Street Address"), street)
		add(event.Of(importer.FieldCity), sides[side]+"City", city)
		add(event.Of(importer.FieldState), sides[side]+one("State", "ST"), of("WI"))
		add(event.Of(importer.FieldZip), sides[side]+one("Zip", "Zip Code", "ZIP"), zip)
	}
	add(importer.FieldSpaceType, one("Mobility", "Vehicle Type", "Space Type", "Mobility Type"), [](func(int) string){of("Ambulatory", "Wheelchair", "Ambulatory", "Stretcher"), of("AMB", "WCH", "STR", "AMB")}[random.IntN(2)])
	if random.IntN(2) == 0 {
		add(importer.FieldProvider, one("Transportation Provider", "Provider", "Provider Name"), of("Lakeshore Transit", "Bayview Rides"))
	}
	if random.IntN(2) == 0 {
		add(importer.FieldFundingSource, one("Payer", "Funding Source", "Payor"), of("Harborview Health", "County Plan"))
	}
	for _, noise := range []exportColumn{
		{"Miles", importer.FieldBillableDistance, func(i int) string { return fmt.Sprintf("%d.%d", 3+i%20, i%10) }},
		{"DOB", "", func(i int) string { return fmt.Sprintf("%d/%d/19%d", 1+i%12, 1+i%28, 30+i%60) }},
		{"Gender", "", of("F", "M")},
		{"Driver Name", "", of("", "Driver Nine")},
		{"County", "", of("Wayne", "Washtenaw")},
		{"Fare", "", func(i int) string { return fmt.Sprintf("%d.50", 20+i%30) }},
	} {
		if random.IntN(3) == 0 {
			g.columns = append(g.columns, noise)
		}
	}
	random.Shuffle(len(g.columns), func(i, k int) { g.columns[i], g.columns[k] = g.columns[k], g.columns[i] })
	g.write(random)
	return &g
}

// write writes the rows of the export.
func (g *generatedExport) write(random *rand.Rand) {
	line := func(texts ...string) {
		row := madeRow(len(g.rows)+1, append(texts, make([]string, max(0, len(g.columns)-len(texts)))...))
		g.rows = append(g.rows, row)
	}
	for range random.IntN(3) {
		switch random.IntN(3) {
		case 0:
			line("Harborview Health - Trip Manifest")
		case 1:
			line("Run date", "12/13/2026", "Page 1")
		case 2:
			line("")
		}
	}
	if random.IntN(4) == 0 { // a line that groups the headers
		groups := make([]string, len(g.columns))
		for i, c := range g.columns {
			if event, part := c.field.Split(); part == importer.FieldAddress1 {
				groups[i] = map[importer.Field]string{importer.FieldPickup: "PICKUP", importer.FieldDropoff: "DROPOFF"}[event]
			}
		}
		line(groups...)
	}
	var headers []string
	for _, c := range g.columns {
		headers = append(headers, c.header)
	}
	line(headers...)
	g.header = len(g.rows)
	for i := range 24 {
		if i == 12 && random.IntN(4) == 0 {
			line("")
		}
		var texts []string
		for _, c := range g.columns {
			texts = append(texts, c.value(i))
		}
		line(texts...)
	}
	g.last = len(g.rows)
	if random.IntN(2) == 0 {
		line("Total trips: 24")
	}
}

// column returns the column with the field; nil if the export has none.
func (g *generatedExport) column(field importer.Field) *exportColumn {
	if i := slices.IndexFunc(g.columns, func(c exportColumn) bool { return c.field == field }); i >= 0 {
		return &g.columns[i]
	}
	return nil
}

// answers answers a question as one who knows the export.
func (g *generatedExport) answer(p *Proposal, q *Question, text string) string {
	typed := "1"
	switch c := g.column(q.field); {
	case c != nil:
		typed = c.header
	case q.field == importer.FieldProvider:
		typed = "Lakeshore Transit"
	case q.field == importer.FieldFundingSource:
		typed = "Harborview Health"
	}
	text, _ = p.Answer(text, q, typed)
	return text
}

// TestGeneratedExports drafts mappings for exports that were generated, answers what they leave open, and
// reads every row as the export has it.
func TestGeneratedExports(t *testing.T) {
	const exports = 200
	var sum score
	var questions []int
	confused := map[string]int{}
	for seed := range uint64(exports) {
		g := generate(seed)
		truth := layoutCase{name: fmt.Sprint("export ", seed), rows: g.rows, truth: map[importer.Field][]string{}}
		for i, c := range g.columns {
			if c.field != "" {
				truth.truth[c.field] = []string{importer.ColumnName(i + 1)}
			}
		}
		p := Mapping(g.rows, g.rows, nil)
		s := compare(truth, &p, confused)
		sum.fields, sum.right, sum.surelyWrong = sum.fields+s.fields, sum.right+s.right, sum.surelyWrong+s.surelyWrong
		if p.HeaderRow != g.header {
			t.Errorf("export %d: the headers are in row %d, not %d", seed, g.header, p.HeaderRow)
		}
		d := p.Draft("x", Names{})
		questions = append(questions, len(d.Questions))
		text := d.Text
		for i := range d.Questions {
			text = g.answer(&p, &d.Questions[i], text)
		}
		for i := range d.later {
			text = g.answer(&p, &d.later[i], text)
		}
		bound, err := bindText("x.yaml", text, g.rows)
		if err != nil {
			t.Errorf("export %d: %v\n%s", seed, err, text)
			continue
		}
		for row := range 24 {
			g.compareTrip(t, seed, row, g.rowOf(row), bound.Map)
		}
	}
	slices.Sort(questions)
	t.Logf("%d of %d columns right (%.1f %%), %d wrong and over 0.8 sure; %d questions at the median, %d at most", sum.right, sum.fields,
		100*float64(sum.right)/float64(sum.fields), sum.surelyWrong, questions[exports/2], questions[exports-1])
	for what, n := range confused {
		t.Logf("  %s (%d)", what, n)
	}
	if sum.right*100 < sum.fields*95 || sum.surelyWrong > 0 || questions[exports/2] > 6 {
		t.Error("less than was promised")
	}
}

// rowOf returns the row of the i-th trip.
func (g *generatedExport) rowOf(i int) importer.Row {
	trips := slices.DeleteFunc(slices.Clone(g.rows[g.header:g.last]), func(r importer.Row) bool {
		return !slices.ContainsFunc(r.Cells, func(c importer.Cell) bool { return c.Type != importer.Empty })
	})
	return trips[i]
}

// compareTrip compares what a mapping makes of the i-th trip with what the export has.
func (g *generatedExport) compareTrip(t *testing.T, seed uint64, i int, row importer.Row, mapRow func(importer.Row, []importer.Trip) importer.Mapped) {
	t.Helper()
	m := mapRow(row, nil)
	if m.LeftOut != "" || len(m.Trips) != 1 || m.Faulty() {
		t.Errorf("export %d, row %d: %q, %d trips, %v", seed, row.Num, m.LeftOut, len(m.Trips), m.AllProblems())
		return
	}
	trip := &m.Trips[0]
	for field, got := range map[importer.Field]string{
		importer.FieldTripID: trip.ID, importer.FieldRiderID: trip.RiderID,
		importer.FieldPickup.Of(importer.FieldAddress1): trip.Pickup.Address1, importer.FieldDropoff.Of(importer.FieldCity): trip.Dropoff.City,
	} {
		if c := g.column(field); c != nil && got != c.value(i) {
			t.Errorf("export %d, row %d: %s is %q, want %q", seed, row.Num, field, got, c.value(i))
		}
	}
	if want := []string{"AMB", "WCH", "AMB", "STR"}[i%4]; !strings.HasPrefix(g.column(importer.FieldSpaceType).value(0), "AMB") && trip.SpaceType != want {
		t.Errorf("export %d, row %d: space type %s, want %s", seed, row.Num, trip.SpaceType, want)
	}
}

// TestWrongAnswers gives answers that are none to each question of all layouts: they are asked again, or
// taken as the column that they name, and never for a text that is the same in all rows.
func TestWrongAnswers(t *testing.T) {
	asked, taken := 0, 0
	for _, c := range layoutCases(t) {
		p := proposeWithout(c)
		d := p.Draft("x", Names{Providers: []string{"Lakeshore Transit", "Bayview Rides"}})
		wrong := []string{"?", "??", "n/a?", "-1", "0", "99", "12", "y", "no", "x", "-", "lakeshore transit "}
		for _, column := range p.sheet.columns[:min(len(p.sheet.columns), 8)] {
			wrong = append(wrong, column.Header, strings.ToUpper(column.Header))
		}
		for i := range d.Questions {
			q := &d.Questions[i]
			for _, typed := range wrong {
				text, again := p.Answer(d.Text, q, strings.TrimSpace(typed))
				asked++
				if again != "" && text != d.Text {
					t.Errorf("%s: %q is asked again, and is in the draft", c.name, typed)
				}
				if again == "" {
					taken++
				}
				isName := strings.EqualFold(strings.TrimSpace(typed), "lakeshore transit") || q.field != importer.FieldProvider && strings.HasPrefix(typed, "Lake")
				if !isName && strings.Contains(text, `{const: "`+typed) {
					t.Errorf("%s: %s: %q is for all rows", c.name, q.Ask, typed)
				}
			}
		}
	}
	t.Logf("%d wrong answers, %d of them taken as a column or a choice", asked, taken)
	if asked < 1000 || taken == 0 {
		t.Error("too few to prove anything")
	}
}
