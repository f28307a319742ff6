package check

import (
	"fmt"
	"math"
	"strconv"

	"tripimport/importer"
)

// position holds an event's coordinates against the globe, the mapping's area
// and the state that the address names.
func (f *finder) position(e *importer.Event, at importer.Field) {
	p := e.Position
	if !p.Known() {
		f.noPosition(e, at)
		return
	}
	code, message, fix := f.misplaced(e)
	if code == "" || f.unplaced(at) {
		return
	}
	if p.Source != "" {
		// The row is not to blame: its address is where a person can look.
		f.report(code, message+" ("+p.Source+")", "correct the coordinates in the places list, or the address", at)
		return
	}
	f.report(code, message, fix, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
}

func (f *finder) noPosition(e *importer.Event, at importer.Field) {
	p := e.Position
	if f.unplaced(at) {
		return
	}
	lat, lng := at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude)
	switch {
	case p.HasLatitude:
		f.report(positionIncomplete, "there is a latitude, but no longitude", "write both, or neither", lng, lat)
	case p.HasLongitude:
		f.report(positionIncomplete, "there is a longitude, but no latitude", "write both, or neither", lat, lng)
	case e.HasAddress():
		f.report(positionMissing, "no coordinates for "+shown(e.Address()),
			"add the address with its coordinates to the places list", at)
	default:
		f.report(positionMissing, "there are no coordinates", "write the address, or its latitude and longitude", at)
	}
}

// misplaced gives the first thing that is wrong with known coordinates, the
// most telling one first; an empty code where nothing is.
func (f *finder) misplaced(e *importer.Event) (code, message, fix string) {
	p, area := e.Position, f.rules.Area
	switch {
	case !finite(p.Latitude) || !finite(p.Longitude):
		return positionRange, "the coordinates " + spot(p) + " are no numbers", "write latitude and longitude in degrees"
	case p.Latitude == 0 || p.Longitude == 0:
		return positionZero, "the coordinates " + spot(p) + " stand for no place",
			"write the real ones, or leave both cells empty"
	case swapped(p, area):
		return positionSwapped, "the coordinates " + spot(p) + " seem to be exchanged",
			"write the latitude as the latitude and the longitude as the longitude"
	case math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180:
		return positionRange, "the globe has no coordinates " + spot(p),
			"write latitude and longitude in degrees, such as 42.2951 and -83.2480"
	case !area.Contains(p.Latitude, p.Longitude):
		fix = "correct the coordinates, or the mapping's area"
		if area.Contains(p.Latitude, -p.Longitude) {
			fix = "write the longitude with its minus: " + degrees(-p.Longitude)
		}
		return positionArea, "the coordinates " + spot(p) + " lie outside the area of the schedule", fix
	}
	state := e.State
	if e.CompleteAddress != "" {
		state = tailState(e.CompleteAddress)
	}
	if box, known := stateArea(state); known && !box.Contains(p.Latitude, p.Longitude) {
		return positionState, "the coordinates " + spot(p) + " lie outside " + state + ", where the address is",
			"correct the coordinates, or the address"
	}
	return "", "", ""
}

// swapped reports whether the position is wrong as it stands and right with its
// two numbers exchanged.
func swapped(p importer.Position, area importer.Area) bool {
	if (importer.Area{}) == area {
		return math.Abs(p.Latitude) > 90 && math.Abs(p.Latitude) <= 180 && math.Abs(p.Longitude) <= 90
	}
	return !area.Contains(p.Latitude, p.Longitude) && area.Contains(p.Longitude, p.Latitude)
}

// journey holds the billable distance against the straight line.
func (f *finder) journey() {
	miles := f.trip.BillableDistance
	field := importer.FieldBillableDistance
	bad := miles.Given && (!finite(miles.Value) || miles.Value < 0)
	if bad && !f.faulty(field) {
		f.report(distanceInvalid, degrees(miles.Value)+" is not a distance in miles",
			"write the miles, or leave the cell empty for the service to calculate them", field)
	}
	from, to := f.trip.Pickup.Position, f.trip.Dropoff.Position
	if !from.Known() || !to.Known() || f.unplaced(importer.FieldPickup) || f.unplaced(importer.FieldDropoff) {
		return
	}
	line := straightMiles(from, to)
	const sameSpot = 0.01 // miles: one building
	if line < sameSpot {
		f.report(positionSame, "pickup and drop-off are at one spot", "look whether both addresses are meant",
			importer.FieldPickup, importer.FieldDropoff)
	}
	if miles.Given && !bad {
		f.distance(miles.Value, line, field)
	}
}

// distance allows for the two miles that one-way streets and large grounds can
// add to any journey, and for coordinates that are not exact to a few hundred
// yards.
func (f *finder) distance(miles, line float64, field importer.Field) {
	const slack, blur = 2, 0.5 // miles
	switch {
	case f.rules.MaxDistanceRatio > 0 && miles > f.rules.MaxDistanceRatio*line+slack:
		f.report(distanceLong, fmt.Sprintf("%s miles are too many: the straight line is %.1f miles", degrees(miles), line),
			"correct the distance or the coordinates, or leave the distance empty", field)
	case miles < line-blur:
		f.report(distanceShort, fmt.Sprintf("%s miles are too few: the straight line is %.1f miles", degrees(miles), line),
			"correct the distance or the coordinates, or leave the distance empty", field)
	}
}

// straightMiles is the distance over the globe, by the haversine formula.
func straightMiles(a, b importer.Position) float64 {
	const earth, rad = 3958.8, math.Pi / 180 // miles; radians a degree
	sinLat := math.Sin((b.Latitude - a.Latitude) * rad / 2)
	sinLng := math.Sin((b.Longitude - a.Longitude) * rad / 2)
	h := sinLat*sinLat + math.Cos(a.Latitude*rad)*math.Cos(b.Latitude*rad)*sinLng*sinLng
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}

// unplaced reports whether the event's coordinates are at fault.
func (f *finder) unplaced(at importer.Field) bool {
	if len(f.trip.Problems) == 0 && len(f.row.Problems) == 0 {
		return false
	}
	return f.faulty(at, at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude))
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func spot(p importer.Position) string { return degrees(p.Latitude) + ", " + degrees(p.Longitude) }
