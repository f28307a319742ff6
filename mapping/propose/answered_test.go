package propose

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/mappingtest"
)

// officeAnswers are by what the choices begin that an office takes where no column is the answer, by
// words of the question.
func officeAnswers() map[string]map[string]string {
	return map[string]map[string]string{
		"access2care":              {"identifies the rider": `no column: by "Name"`},
		"access2care-v2":           {"identifies the rider": "what stands before the colon"},
		"isi":                      {"identifies a trip": "no column: the rider's id", "has the space type": "the largest of the seats"},
		"routegenie":               {"identifies a trip": "no column: the rider's id"},
		"logisticare":              {"identifies the rider": `no column: by "Name" (D) and "DOB"`},
		"serials-repeated-headers": {"identifies the rider": `no column: by "Name"`},
		"veyo":                     {"identifies the rider": `no column: by "Member Name"`},
	}
}

// answered answers the questions of a draft as an office would: with its names, as officeAnswers says, and
// otherwise with the first choice. Nobody writes YAML. A question without choices stays open.
func answered(name string, p *Proposal, d Draft) string {
	text := d.Text
	for {
		open := slices.DeleteFunc(d.Open(text), func(q Question) bool { // nobody knows
			return strings.HasSuffix(q.Ask, `"Wheel chair XL"?`) || strings.HasPrefix(q.Ask, "times end in ")
		})
		if len(open) == 0 {
			return text
		}
		answered, again := p.Answer(text, &open[0], answerOf(name, &open[0]))
		if again != "" {
			return text
		}
		text = answered
	}
}

// answerOf returns the answer of an office to a question.
func answerOf(name string, q *Question) string {
	if _, code, isCode := strings.Cut(q.Ask, "which space type is "); isCode {
		of := map[string]string{
			`"P"?`: "WCH", `"ParaTran / WC Van"?`: "WCH", `"Paralift"?`: "WCH", `"Wheel Chair"?`: "WCH", `"W"?`: "WCH", `"W/C"?`: "WCH", `"BW"?`: "WCH", `"power chair"?`: "WCH",
			`"GURNEY"?`: "STR", `"VS"?`: "STR", `"BS"?`: "STR", `"Stretcher Van"?`: "STR",
		}
		return map[string]string{"": "1", "WCH": "2", "STR": "3"}[of[code]]
	}
	for words, choice := range officeAnswers()[name] {
		for i, c := range q.Choices {
			if strings.Contains(q.Ask, words) && strings.HasPrefix(c.Text, choice) {
				return strconv.Itoa(i + 1)
			}
		}
	}
	switch {
	case strings.Contains(q.Ask, "provider"):
		return "Lakeshore Transit"
	case strings.Contains(q.Ask, "funding"):
		return "Lakeshore Health Plan"
	case q.field == importer.FieldState:
		return "OR"
	}
	return "1"
}

// TestAnsweredDrafts proposes mappings for the layouts of templates and samples as though
// there were no template, answers the questions, and compares the trips with those of
// the template: each of a layout with a template is the same, without a line of YAML that somebody
// writes. Of the others none is wrong in silence.
func TestAnsweredDrafts(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		compareTrips(t, name, layout(t, name))
	}
	for _, name := range []string{"two-leg-rows", "single-datetime", "round-trip-rows"} {
		compareTrips(t, name, mappingtest.ReadCSV(t, "../../testdata/samples/"+name+".csv"))
	}
	compareTrips(t, "serials-repeated-headers", serialRows())
}

func compareTrips(t *testing.T, name string, rows []importer.Row) {
	t.Helper()
	p := Mapping(rows, rows, nil)
	draft := p.Draft(name, Names{})
	text := answered(name, &p, draft)
	content, err := os.ReadFile("../../templates/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	want, err := bindText(name+".yaml", answered(name, &p, p.DraftOf(string(content))), rows)
	if err != nil {
		t.Errorf("%s: the template: %v", name, err)
		return
	}
	got, err := bindText("draft.yaml", text, rows)
	if err != nil {
		t.Errorf("%s: blocked: %v", name, err)
		return
	}

	same, blocked := 0, 0
	for _, row := range rows {
		if row.Num <= want.HeaderRow() {
			continue
		}
		a, b := want.Map(row, nil), got.Map(row, nil)
		switch d := differences(&a, &b); {
		case d == "":
			same++
		case b.Faulty() || incomplete(&b):
			blocked++
		default:
			t.Errorf("%s row %d: wrong in silence: %s", name, row.Num, d)
		}
	}
	if blocked > 0 && slices.Contains(mappingtest.Layouts(), name) {
		t.Errorf("%s: %d rows that are sound have faults", name, blocked)
	}
	t.Logf("%s: %d questions, %d rows the same, %d with a fault", name, len(draft.Questions), same, blocked)
}

func bindText(name, text string, rows []importer.Row) (*mapping.Bound, error) {
	m, err := mapping.Parse(name, []byte(text), mappingtest.OpenIn("../../testdata/layouts"))
	if err != nil {
		return nil, err
	}
	return m.Bind(rows, name)
}

// differences returns the differences between two readings of a row that a driver would
// notice; empty if there are none.
func differences(a, b *importer.Mapped) string {
	if (a.LeftOut == "") != (b.LeftOut == "") {
		return fmt.Sprintf("left out %q, not %q", b.LeftOut, a.LeftOut)
	}
	if a.LeftOut != "" {
		return ""
	}
	if len(a.Trips) != len(b.Trips) {
		return fmt.Sprintf("%d trips, not %d", len(b.Trips), len(a.Trips))
	}
	for i := range a.Trips {
		if x, y := noticed(&a.Trips[i]), noticed(&b.Trips[i]); x != y {
			return fmt.Sprintf("trip %d is\n\t%s, not\n\t%s", i, y, x)
		}
	}
	return ""
}

// incomplete reports whether a check finds something missing in a trip.
func incomplete(m *importer.Mapped) bool {
	for i := range m.Trips {
		t := &m.Trips[i]
		for _, e := range []*importer.Event{&t.Pickup, &t.Dropoff} {
			if e.CompleteAddress == "" && (e.Address1 == "" || e.City == "" || e.State == "" || e.Zip == "") {
				return true
			}
		}
		if t.ID == "" || t.RiderID == "" || t.SpaceType == "" || t.Type == importer.NoType || t.Date().IsZero() {
			return true
		}
	}
	return false
}

// noticed writes what a driver notices about a trip.
func noticed(t *importer.Trip) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" ,.", r) {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	return fmt.Sprint(t.RiderID, t.SpaceType, t.AdditionalRiders, t.Type, t.Phone,
		t.Pickup.PickupTime, letters(t.Pickup.Address()), t.Pickup.Position, t.Dropoff.Appt, letters(t.Dropoff.Address()), t.Dropoff.Position)
}

// serialRows are the rows of the sample whose cells are dates and times.
func serialRows() []importer.Row {
	headers := []string{
		"Logisticare Code", "Trip IDs", "Date of trip", "LOS", "Name", "Days of Week", "Type of address", "Address 1", "Address 2", "City", "State", "Zip code", "Phone number",
		"Time of pickup", "Drop off address type", "Drop off address 1", "DO address 2", "City", "State", "DO Zip code", "Phone", "Appointment time", "DOB", "Age", "Sex", "Phone", "Comments", "Comments", "Comments",
	}
	rows := []importer.Row{madeRow(1, headers)}
	for i, texts := range [][]string{
		{"TX04", "1-48213-A", "2026-12-02", "W", "MARCHBANKS, ODETTE", "W", "Residence", "512 Bluebonnet Trl", "", "Austin", "TX", "78745", "5125550161", "07:15:00", "Pecan Creek Clinic", "1700 E Juniper St", "Bldg. D", "Austin", "TX", "78702-4490", "5125550162", "08:30:00", "1948-03-09", "78", "F", "5125550161", "PCA : 1", "AEsc : 0", ""},
		{"TX04", "1-48213-B", "2026-12-02", "W", "MARCHBANKS, ODETTE", "W", "Pecan Creek Clinic", "1700 E Juniper St", "Bldg. D", "Austin", "TX", "78702-4490", "5125550162", "10:45:00", "Lakeway Lab", "800 Ranch Rd 620 S", "Ste 9", "Lakeway", "TX", "78734", "5125550163", "11:30:00", "1948-03-09", "78", "F", "5125550161", "PCA : 1", "*", ""},
		{"TX04", "1-48213-C", "2026-12-02", "W", "MARCHBANKS, ODETTE", "W", "Lakeway Lab", "800 Ranch Rd 620 S", "Ste 9", "Lakeway", "TX", "78734", "5125550163", "00:00:00", "Residence", "512 Bluebonnet Trl", "//", "Austin", "TX", "78745", "5125550161", "00:00:00", "1948-03-09", "78", "F", "5125550161", "PCA : 1", "Call when ready", ""},
	} {
		row := madeRow(i+2, texts)
		for col, kind := range map[int]importer.CellType{3: importer.DateCell, 14: importer.TimeCell, 22: importer.TimeCell, 23: importer.DateCell} {
			row.Cells[col-1].Type = kind
		}
		rows = append(rows, row)
	}
	return rows
}
