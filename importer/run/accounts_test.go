package run

import (
	"strings"
	"testing"

	"tripimport/importer"
)

// TestNotListed: a name that the service does not list is named with those that it lists, and one that it lists twice is not
// said to be missing.
func TestNotListed(t *testing.T) {
	county, again := importer.FundingSource{ID: 1, Name: "County"}, importer.FundingSource{ID: 3, Name: "county "}
	a := &AccountResolver{Access: importer.Access{Providers: []importer.Provider{{Name: "Prairie", FundingSources: []importer.FundingSource{county, again}}}}}
	for pair, says := range map[importer.Pair]string{
		{Provider: "Prairie", FundingSource: "County"}: `lists "County" more than once`,
		{Provider: "Prairie", FundingSource: "Cash"}:   `Prairie has no funding source "Cash"`,
		{Provider: "Valley", FundingSource: "Cash"}:    `has no transportation provider "Valley"`,
	} {
		if reason, fix := a.Explain(pair); !strings.Contains(reason, says) || strings.Contains(fix, "use one of") == strings.Contains(says, "lists") {
			t.Errorf("%v: %s; %s", pair, reason, fix)
		}
	}
	if fix := useOneOf(strings.Fields("A B C D E F G")); !strings.Contains(fix, "A, B, C, D, E, others, or") {
		t.Error(fix)
	}
}
