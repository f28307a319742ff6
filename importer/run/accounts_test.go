package run

import (
	"strings"
	"testing"

	"tripimport/importer"
)

// TestListedTwice: a name that the service lists twice is not said to be missing.
func TestListedTwice(t *testing.T) {
	county, harbor := importer.FundingSource{ID: 1, Name: "County"}, importer.FundingSource{ID: 2, Name: "Harbor"}
	again := importer.FundingSource{ID: 3, Name: "county "}
	a := &AccountResolver{Access: importer.Access{Providers: []importer.Provider{
		{Name: "Lakeshore", FundingSources: []importer.FundingSource{county}},
		{Name: "LAKESHORE", FundingSources: []importer.FundingSource{harbor}},
		{Name: "Prairie", FundingSources: []importer.FundingSource{county, harbor, again}},
	}}}
	for pair, says := range map[importer.Pair]string{
		{Provider: "Lakeshore", FundingSource: "County"}: `lists "Lakeshore" 2 times`,
		{Provider: "Prairie", FundingSource: "County"}:   `lists "County" 2 times`,
		{Provider: "Prairie", FundingSource: "Cash"}:     `Prairie has no funding source "Cash"`,
		{Provider: "Valley", FundingSource: "Cash"}:      `has no transportation provider "Valley"`,
	} {
		reason, fix := a.Explain(pair)
		twice := strings.Contains(says, "lists")
		if !strings.Contains(reason, says) || strings.Contains(fix, "use one of") == twice {
			t.Errorf("%v: %s; %s", pair, reason, fix)
		}
	}
}
