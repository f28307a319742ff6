package check

import (
	"math"

	"tripimport/importer"
)

// checkDistance checks that the billable distance is a number of miles.
func (tc *tripCheck) checkDistance() {
	miles := tc.trip.BillableDistance
	field := importer.FieldBillableDistance
	if miles.Given && (math.IsNaN(miles.Value) || math.IsInf(miles.Value, 0) || miles.Value < 0) && !tc.hasFault(field) {
		tc.trip.Report("distance-wrong", degrees(miles.Value)+" is not a distance in miles",
			"write the miles, or leave the cell empty for the service to calculate them", field)
	}
}
