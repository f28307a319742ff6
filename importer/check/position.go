package check

import (
	"math"
	"strconv"

	"tripimport/importer"
)

// checkPosition checks that an event has coordinates, and that they are on the
// globe, in the country and in the state of the address.
func (tc *tripCheck) checkPosition(e *importer.Event, at importer.Field) {
	p := e.Position
	if !p.IsSet() {
		tc.reportNoPosition(e, at)
		return
	}

	code, message, fix := tc.findPositionProblem(e)
	if code == "" || tc.hasPositionFault(at) {
		return
	}

	if p.Source != "" {
		// The coordinates are not from the row, so the problem is at its address.
		tc.trip.Report(code, message+" ("+p.Source+")", "have the address forgotten and add it to the office's places with other coordinates, or correct the address", at)
		return
	}
	tc.trip.Report(code, message, fix, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
}

func (tc *tripCheck) reportNoPosition(e *importer.Event, at importer.Field) {
	p := e.Position
	if tc.hasPositionFault(at) {
		return
	}

	lat, lng := at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude)
	switch {
	case p.HasLatitude:
		tc.trip.Report("position-wrong", "there is a latitude, but no longitude", "write both, or neither", lng, lat)
	case p.HasLongitude:
		tc.trip.Report("position-wrong", "there is a longitude, but no latitude", "write both, or neither", lat, lng)
	case e.HasAddress():
		tc.trip.Report("position-missing", "no coordinates for "+quoted(e.Address()),
			"add the address with its coordinates to the office's places", at)
	default:
		tc.trip.Report("position-missing", "there are no coordinates", "write the address, or its latitude and longitude", at)
	}
}

// findPositionProblem returns the first problem of known coordinates, the most
// specific one first. The code is empty if there is none.
func (tc *tripCheck) findPositionProblem(e *importer.Event) (code, message, fix string) {
	p := e.Position
	switch {
	case !isFinite(p.Latitude) || !isFinite(p.Longitude):
		return "position-wrong", "the coordinates " + degreesText(p) + " are not numbers", "write latitude and longitude in degrees"
	case p.Latitude == 0 || p.Longitude == 0:
		return "position-wrong", "the coordinates " + degreesText(p) + " are not a real location",
			"write the real coordinates, or leave both cells empty"
	case !inCountry(p.Latitude, p.Longitude) && inCountry(p.Longitude, p.Latitude):
		return "position-wrong", "the coordinates " + degreesText(p) + " seem to be swapped",
			"write the latitude in the latitude column, and the longitude in the longitude column"
	case math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180:
		return "position-wrong", "the coordinates " + degreesText(p) + " do not exist: a latitude is at most 90 degrees, a longitude 180",
			"write latitude and longitude in degrees, such as 42.2951 and -83.2480"
	case !inCountry(p.Latitude, p.Longitude):
		fix = "correct the coordinates"
		if inCountry(p.Latitude, -p.Longitude) {
			fix = "write the longitude with its minus: " + degrees(-p.Longitude)
		}
		return "position-wrong", "the coordinates " + degreesText(p) + " are outside the United States", fix
	}

	state := e.State
	if e.CompleteAddress != "" {
		state = tailState(e.CompleteAddress)
	}

	if in, known := stateOf(state); known && !in.Contains(p.Latitude, p.Longitude) {
		return "position-wrong", "the coordinates " + degreesText(p) + " are outside " + state + ", where the address is",
			"correct the coordinates, or the address"
	}
	return "", "", ""
}

// inCountry reports whether a position is in the range of the fifty states, American Samoa,
// Puerto Rico and the Virgin Islands.
func inCountry(latitude, longitude float64) bool {
	return -14.7 <= latitude && latitude <= 71.6 && -179.3 <= longitude && longitude <= -64.4
}

// hasPositionFault reports whether the event's coordinates, or its address, have
// a fault already.
func (tc *tripCheck) hasPositionFault(at importer.Field) bool {
	if len(tc.trip.Problems) == 0 && len(tc.row.Problems) == 0 {
		return false
	}
	return tc.hasFault(at, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func degreesText(p importer.Position) string {
	return degrees(p.Latitude) + ", " + degrees(p.Longitude)
}
