package main

import (
	"bytes"
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
	"tripimport/mapping/propose"
)

// TestInterview feeds answers: a wrong number, a number, a text of one's own, and nothing.
func TestInterview(t *testing.T) {
	rows := mappingtest.ReadCSV(t, "../../testdata/layouts/isi.csv")
	p := propose.Mapping(rows, rows, nil)
	d := p.Draft("isi", propose.Names{Providers: []string{"Lakeshore Transit", "Bayview Rides"}})
	if len(d.Questions) < 4 {
		t.Fatalf("%d questions", len(d.Questions))
	}

	var out bytes.Buffer
	answers := "9\n1\nCounty Plan\n\n"
	var kept string
	keep := func(text string) error { kept = text; return nil }
	text, err := interview{environment: environment{In: typed{strings.NewReader(answers)}, Out: &out}, answer: p.Answer, keep: keep}.ask(d, d.Text)
	if err != nil || text != kept {
		t.Errorf("%v: %s was kept, want\n%s", err, kept, text)
	}
	for _, want := range []string{`provider: {const: "Lakeshore Transit"}`, `funding_source: {const: "County Plan"}`, "# trip_id: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, want := range []string{`"9" is not one of the answers`, "   2  Bayview Rides", "1 of "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}

	// The input ends, and the next interview goes on with what is open.
	ask := func(text, answers string) string {
		out.Reset()
		text, err := interview{environment: environment{In: typed{strings.NewReader(answers)}, Out: &out}, answer: p.Answer, keep: keep}.ask(d, text)
		if err != nil {
			t.Error(err)
		}
		return text
	}
	if text := ask(ask(d.Text, "2\n"), "County Plan\n"); !strings.Contains(text, `provider: {const: "Bayview Rides"}`) || !strings.Contains(text, `funding_source: {const: "County Plan"}`) {
		t.Errorf("what was answered before is lost:\n%s", text)
	}
	if strings.Contains(out.String(), "provider") {
		t.Errorf("asked again:\n%s", out.String())
	}
}
