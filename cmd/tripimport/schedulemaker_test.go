package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tripimport/importer"
)

// A scheduleMaker makes the schedule of an invented office in Milwaukee. Its riders,
// streets and phones (555-01xx) do not exist; its towns, ZIP codes and coordinates pass
// every check.
type scheduleMaker struct {
	random     *rand.Rand
	day        importer.Date
	facilities []site
	riders     []scheduleRider
	rows       []plainRow
}

// A site is an address with its coordinates.
type site struct {
	name, street, unit, city, zip, phone string
	latitude, longitude                  float64
}

type scheduleRider struct {
	id, phone, space string
	home             site
	amb, wch         float64
	provider, source string
}

// makeSchedule returns the rows of the schedule, by day and time. They depend on the
// seed alone.
func makeSchedule(seed uint64) []plainRow {
	day, _ := importer.NewDate(2026, 12, 2)
	n := &scheduleMaker{random: rand.New(rand.NewPCG(seed, seed)), day: day, facilities: facilities()}
	for i := range 176 {
		n.riders = append(n.riders, n.rider(i))
	}
	n.addTrips()
	slices.SortStableFunc(n.rows, byTime)
	for i, row := range n.rows {
		row["Trip ID"] = fmt.Sprintf("LK-%d", 1001+i)
	}
	return n.rows
}

// addTrips adds the trips of every rider: 200 rows, 290 trips.
func (n *scheduleMaker) addTrips() {
	for i, r := range n.riders {
		there := n.trip(r, i)
		switch {
		case i < 62: // a round trip with a return time
			there["Round Trip"], there["Return Time"] = "Yes", n.after(there, 150, 270)
		case i < 90: // a round trip whose return is a will call
			there["Round Trip"] = "Yes"
		case i < 114: // two legs on rows of their own
			n.addReturn(r, there, i%3 == 0)
		case i < 140: // an outbound alone
		case i < 160: // a return alone
			n.swapEnds(there)
			there["Pickup Time"] = n.after(there, 90, 240)
			delete(there, "Appointment Time")
		default: // a will call alone
			n.swapEnds(there)
			n.callsWhenReady(there)
		}
		if i%16 == 15 {
			there["Date"] = n.day.AddDays(1)
		}
		n.rows = append(n.rows, there)
	}
}

// trip returns a trip of a rider to one of the facilities, with an appointment.
func (n *scheduleMaker) trip(r scheduleRider, i int) plainRow {
	to := n.facilities[n.random.IntN(len(n.facilities))]
	row := plainRow{
		"Date": n.day, "Rider ID": r.id, "Rider Phone": r.phone, "Space Type": r.space,
		"Provider": r.provider, "Funding Source": r.source,
		"Appointment Time": clockAt(6+n.random.IntN(10), 15*n.random.IntN(4)),
	}

	n.setEnd(row, "Pickup", r.home)
	n.setEnd(row, "Dropoff", to)
	if r.amb > 0 {
		row["Additional AMB"] = r.amb
	}

	if r.wch > 0 {
		row["Additional WCH"] = r.wch
	}

	miles := roadMiles(r.home, to)
	if n.chance(70) {
		row["Pickup Time"] = minutesAfter(row["Appointment Time"], -25-5*int(miles/2.5)-5*n.random.IntN(3))
	}

	if n.chance(40) {
		row["Distance"] = miles
	}
	if n.chance(30) {
		row["Pickup Notes"] = n.pick("Ring the side bell", "Ramp at the back of the house", "Carries an oxygen bottle", "Daughter answers the phone",
			"Hard of hearing: knock loudly", "Wait at the gate, code 0 4 4 1", "Uses a walker", "Dog in the yard, friendly")
	}

	if i%9 == 0 {
		row["Dropoff Notes"] = n.pick("Entrance B", "Take the rider to the desk", "Third floor, elevator on the left")
	}
	return row
}

// setEnd sets the pickup or the dropoff of a row.
func (n *scheduleMaker) setEnd(row plainRow, end string, s site) {
	for part, value := range map[string]string{
		"Name": s.name, "Address": s.street, "Address 2": s.unit, "City": s.city, "State": "WI", "ZIP": s.zip, "Phone": s.phone,
	} {
		if value != "" {
			row[end+" "+part] = value
		}
	}
	row[end+" Latitude"], row[end+" Longitude"] = s.latitude, s.longitude
}

// addReturn adds the return of a trip as a row of its own.
func (n *scheduleMaker) addReturn(r scheduleRider, there plainRow, calls bool) {
	row := plainRow{}
	for header, value := range there {
		row[header] = value
	}
	n.swapEnds(row)
	if calls {
		n.callsWhenReady(row)
	} else {
		row["Pickup Time"] = n.after(there, 90, 240)
		delete(row, "Appointment Time")
	}
	n.rows = append(n.rows, row)
}

// swapEnds exchanges the pickup and the dropoff of a row.
func (n *scheduleMaker) swapEnds(row plainRow) {
	for _, part := range []string{"Name", "Address", "Address 2", "City", "State", "ZIP", "Phone", "Notes", "Latitude", "Longitude"} {
		from, to := "Pickup "+part, "Dropoff "+part
		row[from], row[to] = row[to], row[from]
		for _, header := range []string{from, to} {
			if row[header] == nil {
				delete(row, header)
			}
		}
	}
}

// callsWhenReady makes a row a will call.
func (n *scheduleMaker) callsWhenReady(row plainRow) {
	row["Will Call"] = "Yes"
	delete(row, "Pickup Time")
	delete(row, "Appointment Time")
}

// after returns a time some minutes after the trip's appointment.
func (n *scheduleMaker) after(row plainRow, least, most int) importer.TimeOfDay {
	return minutesAfter(row["Appointment Time"], least+15*n.random.IntN((most-least)/15))
}

func minutesAfter(at any, minutes int) importer.TimeOfDay {
	t := at.(importer.TimeOfDay)
	minutes += t.Hour*60 + t.Minute
	return clockAt(minutes/60, minutes%60)
}

// rider returns the rider of that number.
func (n *scheduleMaker) rider(i int) scheduleRider {
	r := scheduleRider{
		id:       fmt.Sprintf("00%08d", 48_213_377+i*7_919),
		phone:    fmt.Sprintf("(%d) 555-01%02d", []int{414, 262, 920}[i/80], 20+i%80), // below 20 are the facilities
		home:     n.home(i),
		space:    "AMB",
		provider: "Lakeshore Transit",
		source:   "County Medicaid Plan",
	}

	switch p := n.random.IntN(100); {
	case p < 27:
		r.space = "WCH"
	case p < 34:
		r.space = "STR"
	}

	if n.chance(22) {
		r.amb = float64(1 + n.random.IntN(2))
	} else if n.chance(4) {
		r.wch = 1
	}

	switch p := n.random.IntN(100); {
	case p < 11:
		r.provider = "Prairie Wheels"
	case p < 35:
		r.source = "Harborview Health"
	case p < 45:
		r.source = "Private Pay"
	}
	return r
}

// home returns an invented address in one of the towns.
func (n *scheduleMaker) home(i int) site {
	towns := []site{
		{city: "Milwaukee", zip: "53204", latitude: 43.019, longitude: -87.928},
		{city: "Milwaukee", zip: "53208", latitude: 43.048, longitude: -87.964},
		{city: "Milwaukee", zip: "53212", latitude: 43.072, longitude: -87.909},
		{city: "Milwaukee", zip: "53215", latitude: 43.001, longitude: -87.944},
		{city: "Milwaukee", zip: "53218", latitude: 43.112, longitude: -87.993},
		{city: "West Allis", zip: "53214", latitude: 43.019, longitude: -88.013},
		{city: "Wauwatosa", zip: "53213", latitude: 43.052, longitude: -88.002},
		{city: "Greenfield", zip: "53220", latitude: 42.967, longitude: -87.991},
		{city: "Oak Creek", zip: "53154", latitude: 42.886, longitude: -87.902},
		{city: "Waukesha", zip: "53186", latitude: 43.011, longitude: -88.222},
	}

	s := towns[n.random.IntN(len(towns))]
	s.latitude = round(s.latitude+n.random.Float64()*0.024-0.012, 4)
	s.longitude = round(s.longitude+n.random.Float64()*0.024-0.012, 4)
	s.street = fmt.Sprintf("%d %s%s %s", 101+n.random.IntN(7800),
		n.pick("Lark", "Copper", "Juniper", "Quarry", "Heron", "Lantern", "Marigold", "Thistle", "Saddle", "Bramble", "Tinder", "Clover"),
		n.pick("moor", "leaf", "bend", "hollow", "gate", "field", "brook", "stone"),
		n.pick("Ave", "St", "Ct", "Ln", "Dr", "Pl"))

	switch i % 10 {
	case 0, 3, 7:
		s.unit = fmt.Sprintf("Apt %d%s", 1+n.random.IntN(12), n.pick("", "A", "B", "C"))
	case 5:
		s = n.residence()
	}
	return s
}

// residence returns an address in a house where several riders live.
func (n *scheduleMaker) residence() site {
	houses := []site{
		{"Fieldstone Manor", "260 Quarrymoor Ave", "", "Wauwatosa", "53213", "(414) 555-0108", 43.0561, -88.0077},
		{"Heron Point Assisted Living", "1100 Heronbend Dr", "", "Oak Creek", "53154", "(414) 555-0109", 42.8902, -87.9054},
		{"Juniper House", "39 Juniperbrook Ct", "", "Greenfield", "53220", "(414) 555-0107", 42.9633, -87.9962},
	}
	s := houses[n.random.IntN(len(houses))]
	s.unit = fmt.Sprintf("Room %d", 101+n.random.IntN(40))
	return s
}

func facilities() []site {
	return []site{
		{"Harbor Kidney Center", "2200 Foundrygate St", "Suite 110", "Milwaukee", "53204", "(414) 555-0110", 43.0231, -87.9266},
		{"Lakebluff Dialysis", "715 Quarryfield Ave", "", "Milwaukee", "53208", "(414) 555-0111", 43.0467, -87.9702},
		{"Northfield Dialysis", "6080 Bramblestone Rd", "", "Milwaukee", "53218", "(414) 555-0112", 43.1094, -87.9987},
		{"Copperleaf Heart Clinic", "48 Saddlebrook Pl", "Suite 300", "Wauwatosa", "53226", "(414) 555-0113", 43.0418, -88.0302},
		{"Thistle Street Wound Care", "1903 Thistlegate St", "", "West Allis", "53227", "(414) 555-0114", 42.9973, -88.0391},
		{"Greenfield Physical Therapy", "3311 Cloverbend Ave", "Suite 12", "Greenfield", "53220", "(414) 555-0115", 42.9651, -87.9804},
		{"Harborview Cancer Center", "500 Lanternfield Dr", "", "Milwaukee", "53215", "(414) 555-0116", 43.0042, -87.9511},
		{"Marigold Eye Associates", "77 Junipergate Ct", "Suite 2B", "Oak Creek", "53154", "(414) 555-0117", 42.8837, -87.9113},
		{"Fox Hollow Adult Day Center", "2940 Heronhollow Ln", "", "Waukesha", "53186", "(262) 555-0110", 43.0156, -88.2301},
		{"Waukesha Pain and Spine", "1210 Tinderstone Dr", "Suite 205", "Waukesha", "53188", "(262) 555-0111", 43.0213, -88.2507},
		{"Bayline Behavioral Health", "4425 Larkbend Ave", "", "Milwaukee", "53212", "(414) 555-0118", 43.0765, -87.9123},
		{"Quarry Park Dental", "86 Marigoldgate St", "", "West Allis", "53214", "(414) 555-0119", 43.0137, -88.0074},
	}
}

// roadMiles returns the miles by road between two sites: a third more than the straight
// line, to a tenth of a mile.
func roadMiles(a, b site) float64 {
	north := (a.latitude - b.latitude) * 69
	east := (a.longitude - b.longitude) * 69 * math.Cos(a.latitude*math.Pi/180)
	return max(round(math.Hypot(north, east)*1.33, 1), 0.3)
}

func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}

func (n *scheduleMaker) chance(percent int) bool { return n.random.IntN(100) < percent }

func (n *scheduleMaker) pick(of ...string) string { return of[n.random.IntN(len(of))] }

// byTime orders rows by day and by their first time. Will calls come last.
func byTime(a, b plainRow) int {
	return cmp.Or(a["Date"].(importer.Date).Compare(b["Date"].(importer.Date)), cmp.Compare(firstMinute(a), firstMinute(b)))
}

func firstMinute(row plainRow) int {
	for _, header := range []string{"Pickup Time", "Appointment Time"} {
		if at, ok := row[header].(importer.TimeOfDay); ok {
			return at.Hour*60 + at.Minute
		}
	}
	return 24 * 60
}
