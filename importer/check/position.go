package check

import (
	"strconv"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// checkPosition checks that an event has coordinates, and that they are on the
// globe, in the country and in the state of the address, whose code is given too.
func (tc *tripCheck) checkPosition(e *importer.Event, at importer.Field, code string, state usps.State) {
	p := e.Position
	if !p.IsSet() {
		tc.reportNoPosition(e, at)
		return
	}

	what, fix := usps.WrongPosition(p.Latitude, p.Longitude)
	if what == "" && state.HasArea() && !state.Contains(p.Latitude, p.Longitude) {
		what, fix = "are outside "+code+", where the address is", "correct the coordinates, or the address"
	}
	if what == "" || tc.hasPositionFault(at) {
		return
	}
	message := "the coordinates " + degrees(p.Latitude) + ", " + degrees(p.Longitude) + " " + what
	if p.Source != "" {
		// The coordinates are not from the row, so the problem is at its address.
		tc.trip.Report("position-wrong", message+" ("+p.Source+")", "have the address forgotten and add it to the office's places with other coordinates, or correct the address", at)
		return
	}
	tc.trip.Report("position-wrong", message, fix, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
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

// hasPositionFault reports whether the event's coordinates, or its address, have
// a fault already.
func (tc *tripCheck) hasPositionFault(at importer.Field) bool {
	return tc.hasFault(at, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
