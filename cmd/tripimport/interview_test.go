package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
	"tripimport/mapping/propose"
)

// TestInterview feeds answers: a text of one's own, a wrong number, the way back, a number,
// and nothing.
func TestInterview(t *testing.T) {
	rows := mappingtest.ReadCSV(t, "../../testdata/layouts/isi.csv")
	p := propose.Mapping(rows, rows, nil)
	d := p.Draft("isi", propose.Names{Providers: []string{"Lakeshore Transit", "Bayview Rides"}})
	if len(d.Questions) < 4 {
		t.Fatalf("%d questions", len(d.Questions))
	}

	var out bytes.Buffer
	answers := "9\n2\nHarborview Health\nb\nb\n1\nCounty Plan\n\n"
	text := interview{in: bufio.NewReader(strings.NewReader(answers)), out: &out}.answer(d)
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
}
