package run

import (
	"strings"
	"testing"

	"tripimport/importer"
)

// TestNotListed: a name that the service does not list, or lists twice, is named with those that it lists.
func TestNotListed(t *testing.T) {
	county, again := importer.FundingSource{ID: 1, Name: "County"}, importer.FundingSource{ID: 3, Name: "county "}
	a := &AccountResolver{Access: importer.Access{Providers: []importer.Provider{{Name: "Prairie", FundingSources: []importer.FundingSource{county, again}}}}}
	for pair, says := range map[importer.Pair]string{
		{Provider: "Prairie", FundingSource: "County"}: `Prairie has no funding source "County"`,
		{Provider: "Prairie", FundingSource: "Cash"}:   `Prairie has no funding source "Cash"`,
		{Provider: "Valley", FundingSource: "Cash"}:    `has no transportation provider "Valley"`,
	} {
		if reason, fix := a.Explain(pair); !strings.Contains(reason, says) || !strings.Contains(fix, "use one of") {
			t.Errorf("%v: %s; %s", pair, reason, fix)
		}
	}
	if fix := useOneOf(strings.Fields("A B C D E F G")); !strings.Contains(fix, "A, B, C, D, E, others, or") {
		t.Error(fix)
	}
}
