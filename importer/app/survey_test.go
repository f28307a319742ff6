package app_test

import (
	"context"
	"strings"
	"testing"

	"tripimport/importer"
)

// TestSurveyWithoutCoordinates surveys a schedule that gives addresses alone, as most exports do.
func TestSurveyWithoutCoordinates(t *testing.T) {
	bare := goodRows
	for _, position := range []string{"42.301,-83.401", "42.305,-83.405", "42.322,-83.412"} {
		bare = strings.ReplaceAll(bare, position, ",")
	}
	o := newFixture(t, bare)
	o.newLedger()
	if _, err := o.app().Survey(context.Background(), "schedule.csv", []importer.Date{{Year: 2026, Month: 12, Day: 2}}); err != nil {
		t.Error(err)
	}
}
