package propose

import (
	"slices"
	"strings"
	"testing"
)

// TestSources checks that each word names its sources, and that each layout among them
// has the word.
func TestSources(t *testing.T) {
	standards := []string{"TDS", "GTFS", "schema.org", "FHIR", "X12", "USPS", "NTD", "vCard", "english", "spanish"}
	headers := map[string][]string{}
	for _, line := range readTSV(t, "testdata/layouts.tsv") {
		for _, header := range line[1:] {
			headers[line[0]] = append(headers[line[0]], " "+strings.Join(wordsOf(header), " ")+" ")
		}
	}

	seen := map[string]string{}
	for _, r := range readTable(vocabularyFile) {
		if seen[r[1]] != "" {
			t.Errorf("%q is there twice", r[1])
		}
		seen[r[1]] = r[0]
		for source := range strings.FieldsSeq(r[2]) {
			has := slices.ContainsFunc(headers[source], func(h string) bool { return strings.Contains(h, " "+r[1]+" ") })
			if !slices.Contains(standards, source) && !has {
				t.Errorf("%q is no word of %s", r[1], source)
			}
		}
		if r[2] == "" {
			t.Errorf("%q has no source", r[1])
		}
	}
}

// TestConceptsOf splits headers: letters and digits, capitals, words written together, and explanations.
func TestConceptsOf(t *testing.T) {
	for header, want := range map[string]string{
		"DropOffZip":                          "dropoff zip",
		"PUCITY":                              "pickup city",
		"Member's First Name":                 "rider first name",
		"Recip DOB":                           "rider dob",
		"Patietn DOB":                         "?patietn dob",
		"P/U Time":                            "pickup time",
		"Phone #":                             "phone id",
		"# of Passengers":                     "count passengers",
		"Will call (Yes/No)":                  "willcall",
		"Site Name(orig)":                     "place pickup",
		"Appointment time (hh:mm) 24 hour":    "appointment time",
		"trip_ticket_id":                      "trip id",
		"Trip Nmbr":                           "trip id",
		"Hora de la cita":                     "time appointment",
		"Dirección de recogida":               "address pickup",
		"Dest Zp":                             "dropoff zip",
		"Frobnication Zwei":                   "?frobnication ?zwei",
		"Actual Drop-off Time":                "actual dropoff time",
		"Date Trip Bid Status Was Changed":    "date trip bid status meta",
		"Direct Estimated Duration (minutes)": "estimate estimate estimate estimate",
	} {
		if got := strings.Join(wholeVocabulary().conceptsOf(header), " "); got != want {
			t.Errorf("%s: %s, not %s", header, got, want)
		}
	}
}
