package check

import (
	"fmt"
	"math"

	"tripimport/importer"
)

// checkDistance checks the billable distance, and compares it with the straight
// line between the two positions.
func (tc *tripCheck) checkDistance() {
	miles := tc.trip.BillableDistance
	field := importer.FieldBillableDistance
	bad := miles.Given && (math.IsNaN(miles.Value) || math.IsInf(miles.Value, 0) || miles.Value < 0)
	if bad && !tc.hasFault(field) {
		tc.trip.Report("distance-wrong", degrees(miles.Value)+" is not a distance in miles",
			"write the miles, or leave the cell empty for the service to calculate them", field)
	}

	from, to := tc.trip.Pickup.Position, tc.trip.Dropoff.Position
	if !from.IsSet() || !to.IsSet() || tc.hasPositionFault(importer.FieldPickup) || tc.hasPositionFault(importer.FieldDropoff) {
		return
	}

	const elsewhere = 0.001 // degrees of latitude, 0.07 miles: certainly not the same coordinates
	if !miles.Given && math.Abs(from.Latitude-to.Latitude) > elsewhere {
		return
	}

	line := from.MilesTo(to)
	const sameBuilding = 0.01 // miles
	if line < sameBuilding {
		tc.trip.Report("position-same", "pickup and drop-off have the same coordinates", "check whether both addresses are meant",
			importer.FieldPickup, importer.FieldDropoff)
	}

	if miles.Given && !bad {
		tc.compareDistance(miles.Value, line)
	}
}

// compareDistance reports a billable distance that does not fit the straight line. It
// may be ten times as long. It allows 2 miles more, for one-way streets and large grounds, and half a mile less,
// because coordinates may be off by a few hundred yards.
func (tc *tripCheck) compareDistance(miles, line float64) {
	const mostRatio, detour, inexact = 10, 2, 0.5 // the latter two in miles
	switch {
	case miles > mostRatio*line+detour:
		tc.trip.Report("distance-wrong", fmt.Sprintf("%s miles is too long: the straight line is %.1f miles", degrees(miles), line),
			"correct the distance or the coordinates, or leave the distance empty", importer.FieldBillableDistance)
	case miles < line-inexact:
		tc.trip.Report("distance-too-short", fmt.Sprintf("%s miles is too short: the straight line is %.1f miles", degrees(miles), line),
			"correct the distance or the coordinates, or leave the distance empty", importer.FieldBillableDistance)
	}
}
