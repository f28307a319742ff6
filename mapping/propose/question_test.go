package propose

import (
	"slices"
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
)

// TestColumnsAreNamed checks that a question names the columns that may answer it by header and
// letter, and one without a header by its letter.
func TestColumnsAreNamed(t *testing.T) {
	const layout = `Trip ID,%,Mode,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Date,Pickup Time,Appointment Time
T-1,10001,AMB,12 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,12/2/2026,8:30 AM,9:15 AM
T-2,10002,AMB,13 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,12/2/2026,8:30 AM,9:15 AM
`
	for header, want := range map[string][2]string{
		"":      {"perhaps column B with ", "column B, such as 10001, 10002"},
		"Xq No": {`perhaps "Xq No" (B) with `, `the column "Xq No" (B), such as 10001, 10002`},
	} {
		rows := mappingtest.Rows(t, "night.csv", strings.Replace(layout, "%", header, 1))
		p := Mapping(rows, rows, nil)
		draft := p.Draft("night", Names{})
		named := func(q Question) bool {
			return slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Text == want[1] })
		}
		if !strings.Contains(draft.Text, want[0]) || !slices.ContainsFunc(draft.Questions, named) {
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
