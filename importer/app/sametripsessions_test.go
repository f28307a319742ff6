package app_test

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer/app"
)

const (
	r9   = "R9 R-1 12 Alder Ct 2026-12-02 09:00"
	r9A  = "R9-A R-1 12 Alder Ct 2026-12-02 09:00"
	r9B  = "R9-B R-1 700 Bay Rd 2026-12-02 13:00"
	both = "|Round Trip=Yes|Return Time=1:00 PM"
	// later is twenty minutes later.
	later = "|Pickup Time=9:20 AM|Appointment Time=10:20 AM"
	// moved are the properties of a trip that is twenty minutes later.
	moved = " (pickup.pickup_time dropoff.appt_time)"
)

// nightSessions are all sessions.
func nightSessions() []nightSession {
	return slices.Concat(shapeSessions(), spellingSessions(), streetSessions(), repeatedSessions(), replacedSessions(),
		cancelledSessions(), similarSessions(), twoDoubtsSessions(), halfBookedSessions(), reassignedSessions(), namedSessions(), doubtSessions())
}

// allBooked is the first night, on which every trip is booked.
func allBooked(rows []string, posted []string, outcomes ...string) nightStep {
	return nightStep{rows: rows, posted: posted, outcomes: outcomes}
}

func oneWay() nightStep { return allBooked([]string{"R9"}, []string{r9}, "R9 booked") }

func roundTrip() nightStep {
	return allBooked([]string{"R9" + both}, []string{r9A, r9B}, "R9-A booked, R9-B booked")
}

// shapeSessions are those whose rows make another number of trips.
func shapeSessions() []nightSession {
	bothMoved := "R9|Pickup Address=14 Alder Ct|Dropoff Address=710 Bay Rd"
	const r10 = "R10 R-1 700 Bay Rd 2026-12-02 13:20"
	const bothLater = "|Round Trip=Yes|Return Time=1:20 PM"
	each := func(outbound string) []string {
		return []string{outbound + later, "R10|" + backAgain + "|Pickup Time=1:20 PM"}
	}
	whole := []string{"read:\n", "complete: day\nread:\n"}
	return []nightSession{
		{name: "one way again", steps: []nightStep{oneWay(), {rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}}}},
		{name: "a round trip again, moved", steps: []nightStep{roundTrip(), {
			rows: []string{"R9" + both + later}, outcomes: []string{"R9-A change_by_hand" + moved + ", R9-B booked_earlier"}, status: app.Listed,
		}}},
		{name: "to a round trip, moved", steps: []nightStep{oneWay(), {
			rows: []string{"R9" + both + later}, posted: []string{r9B}, outcomes: []string{"R9-A change_by_hand" + moved + ", R9-B booked"}, status: app.Listed,
		}}},
		{name: "to a round trip and back", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9" + both}, posted: []string{r9B}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier, R9-B cancel_by_hand"}, status: app.Listed, says: "GUID"},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B change_by_hand"}, status: app.Listed, says: "GUID"},
		}},
		{name: "to a round trip, one place corrected", steps: []nightStep{oneWay(), {
			rows: []string{"R9|Pickup Address=14 Alder Ct" + both}, posted: []string{r9B[:5] + "R-1 700 Bay Rd 2026-12-02 13:00"},
			outcomes: []string{"R9-A change_by_hand (pickup.event_location.address1), R9-B booked"}, status: app.Listed,
		}}},
		{name: "to a round trip, both places corrected, cancelled there", steps: []nightStep{
			oneWay(),
			{rows: []string{bothMoved + both}, outcomes: []string{"R9-A held way, R9-B held way"}, status: app.FixRows},
			{
				fix:      []string{"R9|What we found=cancelled there"},
				posted:   []string{"R9-A R-1 14 Alder Ct 2026-12-02 09:00", "R9-B R-1 710 Bay Rd 2026-12-02 13:00"},
				outcomes: []string{"R9-A booked, R9-B booked"},
			},
		}},
		{name: "changed, done by hand", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9" + later}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
		}},
		{name: "changed, left", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9" + later}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
			{fix: []string{"R9|What we found=leave it"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 booked_earlier"}},
		}},
		{name: "to one way and then cancelled", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier, R9-B cancel_by_hand"}, status: app.Listed},
			{rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 left_out, R9-A cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A reinstate_by_hand, R9-B reinstate_by_hand"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 reinstate_by_hand (trip_id pickup.pickup_time dropoff.appt_time)"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9|" + backAgain}, outcomes: []string{"R9 reinstate_by_hand (trip_id)"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "to a round trip whose first way is the one that is booked second", steps: []nightStep{oneWay(), {
			rows:   []string{"R9|" + backAgain + "|Pickup Time=7:00 AM|Appointment Time=8:00 AM|Round Trip=Yes|Return Time=9:00 AM"},
			posted: []string{"R9-A R-1 700 Bay Rd 2026-12-02 07:00"}, outcomes: []string{"R9-A booked, R9-B change_by_hand (trip_type dropoff.appt_time)"}, status: app.Listed,
		}}},
		{name: "to a round trip with a suite more", steps: []nightStep{oneWay(), {
			rows: []string{"R9|Pickup Address 2=Apt 4" + both}, posted: []string{r9B}, outcomes: []string{"R9-A change_by_hand (pickup.event_location.address2), R9-B booked"}, status: app.Listed,
		}}},
		{name: "both ways on two rows become one row", steps: []nightStep{
			allBooked([]string{"R9", "R10|" + backAgain}, []string{"R10 R-1 700 Bay Rd 2026-12-02 13:00", r9}, "R9 booked", "R10 booked"),
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B held double_booking: half booked"}, status: app.NeedsPerson, says: "GUID"},
			{fix: []string{"R9|What we found=return: leave it"}, outcomes: []string{"R9-A booked_earlier, R9-B left_out"}},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B left_out"}},
		}},
		{name: "each way on a row of its own, later", steps: []nightStep{
			roundTrip(),
			{rows: each("R9"), outcomes: []string{"R9 change_by_hand" + moved + ", R9-B cancel_by_hand", "R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9", each("")[1]}, outcomes: []string{"R9 booked_earlier, R9-B cancel_by_hand", "R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{fix: []string{"R9|What we found=done by hand", "R10|What we found=cancelled there"}, posted: []string{r10}, outcomes: []string{"R9 booked_earlier", "R10 booked"}},
			{rows: []string{"R9", each("")[1]}, outcomes: []string{"R9 booked_earlier", "R10 booked_earlier"}},
		}},
		{name: "each way on a row of its own, later, in a whole export", steps: []nightStep{
			{mapping: whole, rows: roundTrip().rows, posted: roundTrip().posted, outcomes: roundTrip().outcomes},
			{rows: each("R9"), outcomes: []string{"R9 change_by_hand" + moved + ", R9-B cancel_by_hand", "R10 held replaced"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "each way on a new row, later", steps: []nightStep{
			roundTrip(),
			{rows: each("R11"), outcomes: []string{"R11 held double_booking", "R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "both ways on two rows become one row, later", steps: []nightStep{
			allBooked([]string{"R9", "R10|" + backAgain}, []string{"R10 R-1 700 Bay Rd 2026-12-02 13:00", r9}, "R9 booked", "R10 booked"),
			{rows: []string{"R9" + later + bothLater}, outcomes: []string{"R9-A change_by_hand" + moved + ", R9-B held double_booking: half booked"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "both ways on two rows, and the way back once more", steps: []nightStep{
			allBooked([]string{"R9", "R10|" + backAgain}, []string{"R10 R-1 700 Bay Rd 2026-12-02 13:00", r9}, "R9 booked", "R10 booked"),
			{rows: []string{"R9" + bothLater, "R10|" + backAgain}, posted: []string{"R9-B R-1 700 Bay Rd 2026-12-02 13:20"}, outcomes: []string{"R9-A booked_earlier, R9-B booked", "R10 booked_earlier"}},
		}},
		{name: "to one way", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9" + later}, outcomes: []string{"R9 change_by_hand" + moved + ", R9-B cancel_by_hand"}, status: app.Listed, says: "GUID"},
		}},
		{name: "to one way, done by hand, and back", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier, R9-B cancel_by_hand"}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B reinstate_by_hand"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "to the way back alone", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9|" + backAgain}, outcomes: []string{"R9 booked_earlier, R9-A cancel_by_hand"}, status: app.Listed},
		}},
		{name: "the way back on a row of its own", steps: []nightStep{oneWay(), {
			rows: []string{"R9", "R10|" + backAgain}, posted: []string{"R10 R-1 700 Bay Rd 2026-12-02 13:00"}, outcomes: []string{"R9 booked_earlier", "R10 booked"},
		}}},
	}
}

// spellingSessions are those whose ids come back in another spelling.
func spellingSessions() []nightSession {
	all := []nightSession{
		{name: "two letters of one id", steps: []nightStep{
			allBooked([]string{"R10A", "R10B|" + backAgain}, []string{"R10A R-1 12 Alder Ct 2026-12-02 09:00", "R10B R-1 700 Bay Rd 2026-12-02 13:00"}, "R10A booked", "R10B booked"),
			{rows: []string{"R10A", "R10B|" + backAgain}, outcomes: []string{"R10A booked_earlier", "R10B booked_earlier"}},
		}},
		{name: "another rider's id with a zero more", steps: []nightStep{oneWay(), {
			rows: []string{"R9", "R09|Rider ID=R-2|Pickup Address=31 Fern St"}, outcomes: []string{"R9 booked_earlier", "R09 held rider"}, status: app.FixRows,
		}}},
		{name: "an id with a zero more on another day", steps: []nightStep{oneWay(), {
			rows: []string{"R09|Date=12/4/2026"}, outcomes: []string{"R09 held other_day"}, status: app.FixRows,
		}}},
	}
	unique := oneWay()
	unique.mapping = []string{"read:\n", "ids: unique\nread:\n"}
	all = append(all, nightSession{name: "an id spelt otherwise and moved to another day", steps: []nightStep{
		unique,
		{rows: []string{"R09|Date=12/4/2026"}, outcomes: []string{"R09 change_by_hand" + moved}, status: app.Listed, says: "GUID"},
		{rows: []string{"R09|Date=12/4/2026" + both}, outcomes: []string{"R09-A change_by_hand" + moved + ", R09-B held: half booked"}, status: app.FixRows},
		{rows: []string{"R09|Date=12/4/2026|Cancelled=Yes"}, outcomes: []string{"R09 cancel_by_hand"}, status: app.Listed},
		{rows: []string{"R09|Date=12/4/2026|Rider ID=R-2"}, outcomes: []string{"R09 held rider"}, status: app.FixRows},
		{rows: []string{"R-9|Date=12/14/2026"}, outcomes: []string{"R-9 change_by_hand" + moved}, status: app.Listed},
		{rows: []string{"R9", "R.9|Date=12/3/2026"}, outcomes: []string{"R9 change_by_hand", "R.9 change_by_hand" + moved}, status: app.Listed},
	}})
	spelt := [][2]string{
		{"00701", "701"}, {"702", "00702"}, {"ab-703", "AB-703"}, {"AB-704", "AB704"}, {"AB-705", "AB 705"}, {"AB-0706", "AB-706"}, {"A.B_707", "ab707"}, {"1-0028", "1-28"},
	}
	var first, again, moves, flips, back nightStep
	for i, ids := range spelt {
		rider := fmt.Sprint("P-", i)
		add := func(s *nightStep, status app.Status, row, outcome string) {
			s.rows, s.outcomes, s.status, s.says = append(s.rows, row+"|Rider ID="+rider), append(s.outcomes, outcome), status, "GUID"
		}
		first.posted = append(first.posted, ids[0]+" "+rider+" 12 Alder Ct 2026-12-02 09:00")
		add(&first, app.Done, ids[0], ids[0]+" booked")
		add(&again, app.Done, ids[1], ids[1]+" booked_earlier")
		add(&moves, app.Listed, ids[1]+later, ids[1]+" change_by_hand"+moved)
		add(&flips, app.Listed, ids[1]+later+both, ids[1]+"-A change_by_hand"+moved+", "+ids[1]+"-B booked")
		flips.posted = append(flips.posted, ids[1]+"-B "+rider+" 700 Bay Rd 2026-12-02 13:00")
		add(&back, app.Listed, ids[0]+later, ids[0]+" change_by_hand"+moved+", "+ids[1]+"-B cancel_by_hand")
	}
	slices.Sort(first.posted)
	slices.Sort(flips.posted)
	all = append(all, nightSession{name: "ids spelt otherwise", steps: []nightStep{first, again, moves, flips, back}})
	return all
}

// streetSessions are those whose streets come back in another spelling.
func streetSessions() []nightSession {
	const spelt = "|Pickup Address=12 ALDER COURT|Dropoff Address=700 Bay Road"
	whole := oneWay()
	whole.mapping = []string{"read:\n", "complete: day\nread:\n"}
	lines := "    address1: Pickup Address\n    address2: {column: Pickup Address 2, optional: true}\n    city: Pickup City\n    state: Pickup State\n    zip: Pickup ZIP\n"
	line := oneWay()
	line.mapping = []string{lines, "    complete_address: Pickup Address\n"}
	line.rows, line.posted = []string{"R9|Pickup Address=12 North Alder Court Apartment 4, Westfield, MI 48111"}, []string{"R9 R-1  2026-12-02 09:00"}
	return []nightSession{
		{name: "a street spelt otherwise", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9" + spelt}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R10" + spelt}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9" + spelt + both}, posted: []string{"R9-B R-1 700 Bay Road 2026-12-02 13:00"}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B booked_earlier"}},
		}},
		{name: "a street spelt otherwise under a new id", steps: []nightStep{
			whole, {rows: []string{"R10" + spelt + later}, outcomes: []string{"R10 held replaced"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "a street spelt otherwise on one line", steps: []nightStep{
			line,
			{rows: []string{"R9|Pickup Address=12 N. Alder Ct #4 Westfield 48111-1234"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R10|Pickup Address=12 N. Alder Ct #4 Westfield 48111-1234"}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson},
			{rows: []string{"R9|Pickup Address=12 N. Alder Ct #5 Westfield 48111"}, outcomes: []string{"R9 change_by_hand (pickup.complete_address)"}, status: app.Listed},
		}},
		{name: "a street spelt otherwise in one file", steps: []nightStep{
			{rows: []string{"R9", "R10" + spelt}, outcomes: []string{"R9 held double_booking", "R10 held double_booking"}, status: app.FixRows},
		}},
		{name: "a unit spelt otherwise", steps: []nightStep{
			{rows: []string{"R9|Pickup Address 2=Apt 4-B", "R8|Rider ID=R-2|Pickup Address=12 Alder Ct Apt 4-B"}, posted: []string{"R8 R-2 12 Alder Ct Apt 4-B 2026-12-02 09:00", r9}, outcomes: []string{"R9 booked", "R8 booked"}},
			{rows: []string{"R9|Pickup Address 2=#4B", "R8|Rider ID=R-2|Pickup Address=12 Alder Ct # 4 B"}, outcomes: []string{"R9 booked_earlier", "R8 booked_earlier"}},
			{
				rows:     []string{"R10|Pickup Address 2=4 B", "R11|Rider ID=R-2|Pickup Address=12 Alder Ct Apt 4B"},
				outcomes: []string{"R10 held double_booking", "R11 held double_booking"}, status: app.NeedsPerson, says: "GUID",
			},
			{rows: []string{"R9|Pickup Address 2=Apt 4B" + both}, posted: []string{r9B}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
			{rows: []string{"R12|Pickup Address 2=Apt 4-C"}, posted: []string{"R12 R-1 12 Alder Ct 2026-12-02 09:00"}, outcomes: []string{"R12 booked"}},
			{rows: []string{"R9|Pickup Address 2=Apt 5B"}, outcomes: []string{"R9 change_by_hand (pickup.event_location.address2), R9-B cancel_by_hand"}, status: app.Listed},
		}},
		{name: "another street", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9|Pickup Address=12 Alder St"}, outcomes: []string{"R9 change_by_hand (pickup.event_location.address1)"}, status: app.Listed},
			// One house number and one ZIP code are one place, whatever the street is called.
			{rows: []string{"R10|Pickup Address=12 Alder St"}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R11|Pickup Address=14 Alder St"}, posted: []string{"R11 R-1 14 Alder St 2026-12-02 09:00"}, outcomes: []string{"R11 booked"}},
			{rows: []string{"R12|Pickup Address=12 Alder St|Pickup ZIP=48112"}, posted: []string{"R12 R-1 12 Alder St 2026-12-02 09:00"}, outcomes: []string{"R12 booked"}},
		}},
	}
}

// repeatedSessions are those whose ids are used again.
func repeatedSessions() []nightSession {
	const after = "read:\n"
	repeat, unique := []string{after, "ids: repeat\n" + after}, []string{after, "ids: unique\n" + after}
	dated := append([]string{"  trip_id: Trip ID\n", "  trip_id: \"{Trip ID}-{date}\"\n"}, repeat...)
	column := []string{"  trip_id: Trip ID\n", "  trip_id: \"{Trip ID}-{Date}\"\n"}
	first := nightStep{mapping: repeat, rows: []string{"R9"}, posted: []string{"R9-20261202" + r9[2:]}, outcomes: []string{"R9 booked"}}
	wednesday := "R9-20261204 R-1 12 Alder Ct 2026-12-04 09:00"

	all := []nightSession{
		{name: "repeated ids", steps: []nightStep{
			first,
			{rows: []string{"R9|Date=12/4/2026"}, posted: []string{wednesday}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9" + later, "R9|Date=12/4/2026"}, outcomes: []string{"R9 change_by_hand" + moved, "R9 booked_earlier"}, status: app.Listed},
			{rows: []string{"R9|Date=12/4/2026" + both}, posted: []string{"R9-20261204-B R-1 700 Bay Rd 2026-12-04 13:00"}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
			{rows: []string{"R9|Date=12/4/2026|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed},
			{rows: []string{"R9"}, outcomes: []string{"R9 change_by_hand"}, status: app.Listed, says: "was listed with another pickup time"},
		}},
		{name: "unique ids, moved to another day", steps: []nightStep{
			{mapping: unique, rows: []string{"R9"}, posted: []string{r9}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 change_by_hand (pickup.pickup_time dropoff.appt_time)"}, status: app.Listed, says: "GUID"},
		}},
		{name: "unsaid, one id on another day, meant", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 held other_day"}, status: app.FixRows, says: "GUID"},
			{fix: []string{"R9|What we found=meant"}, posted: []string{wednesday}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9|Date=12/4/2026" + later}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
		}},
		{name: "unsaid, one id on another day, cancelled there", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 held other_day"}, status: app.FixRows},
			{fix: []string{"R9|What we found=cancelled there"}, posted: []string{wednesday}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 booked_earlier"}},
		}},
		{name: "unsaid, a round trip on another day, meant", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9|Date=12/4/2026" + both}, outcomes: []string{"R9-A held other_day, R9-B held other_day"}, status: app.FixRows, says: "GUID"},
			{
				fix:      []string{"R9|What we found=meant"},
				posted:   []string{"R9-A-20261204 R-1 12 Alder Ct 2026-12-04 09:00", "R9-B-20261204 R-1 700 Bay Rd 2026-12-04 13:00"},
				outcomes: []string{"R9-A booked, R9-B booked"},
			},
			{rows: []string{"R9|Date=12/4/2026" + both + later}, outcomes: []string{"R9-A change_by_hand" + moved + ", R9-B booked_earlier"}, status: app.Listed},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A booked_earlier, R9-B booked_earlier"}},
			{rows: []string{"R9|Date=12/4/2026|Cancelled=Yes" + both}, outcomes: []string{"R9-A cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed},
			{rows: []string{"R9|Cancelled=Yes" + both}, outcomes: []string{"R9-A cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed},
		}},
		{name: "unsaid, a round trip on another day as one way", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9|Date=12/4/2026"}, outcomes: []string{"R9 held other_day"}, status: app.FixRows},
		}},
		{name: "unsaid, a standing order", steps: []nightStep{
			allBooked([]string{"R1|Rider ID=R-1", "R2|Rider ID=R-2", "R3|Rider ID=R-3"},
				[]string{"R1 R-1 12 Alder Ct 2026-12-02 09:00", "R2 R-2 12 Alder Ct 2026-12-02 09:00", "R3 R-3 12 Alder Ct 2026-12-02 09:00"}, "R1 booked", "R2 booked", "R3 booked"),
			{rows: []string{"R1|Rider ID=R-1|Date=12/4/2026", "R2|Rider ID=R-2|Date=12/4/2026", "R3|Rider ID=R-3|Date=12/4/2026"}, status: app.NotSetUp, says: "other days"},
			{
				mapping: repeat, rows: []string{"R1|Rider ID=R-1|Date=12/4/2026", "R2|Rider ID=R-2|Date=12/4/2026", "R3|Rider ID=R-3|Date=12/4/2026", "R1|Rider ID=R-1"},
				posted: []string{
					"R1-20261204 R-1 12 Alder Ct 2026-12-04 09:00", "R2-20261204 R-2 12 Alder Ct 2026-12-04 09:00",
					"R3-20261204 R-3 12 Alder Ct 2026-12-04 09:00",
				},
				outcomes: []string{"R1 booked", "R2 booked", "R3 booked", "R1 booked_earlier"},
			},
		}},
	}
	for name, mapping := range map[string][]string{"{date}": dated, "the date's column": column} {
		suffix := map[string][2]string{"{date}": {"-20261202", "-20261204"}, "the date's column": {"-12/2/2026", "-12/4/2026"}}[name]
		row := suffix // what the row is called has the cells of trip_id, and not {date}
		if name == "{date}" {
			row = [2]string{}
		}
		all = append(all, nightSession{name: "the date is added by " + name, steps: []nightStep{
			oneWay(),
			{mapping: mapping, rows: []string{"R9" + later}, outcomes: []string{"R9" + row[0] + " change_by_hand" + moved}, status: app.Listed},
			{
				rows: []string{"R9|Date=12/4/2026" + later}, posted: []string{"R9" + suffix[1] + " R-1 12 Alder Ct 2026-12-04 09:20"},
				outcomes: []string{"R9" + row[1] + " booked"},
			},
			{rows: []string{"R9|Cancelled=Yes", "R9|Date=12/4/2026" + later}, outcomes: []string{"R9" + row[0] + " cancel_by_hand", "R9" + row[1] + " booked_earlier"}, status: app.Listed},
		}})
	}
	slices.SortFunc(all, func(a, b nightSession) int { return strings.Compare(a.name, b.name) })
	return all
}

// replacedSessions are those whose trips have a new id.
func replacedSessions() []nightSession {
	whole := func() nightStep {
		s := oneWay()
		s.mapping = []string{"read:\n", "complete: day\nread:\n"}
		return s
	}
	const r10 = "R10|Pickup Time=9:50 AM|Appointment Time=10:50 AM"
	const sent = "R10 R-1 12 Alder Ct 2026-12-02 09:50"
	asked := nightStep{rows: []string{r10}, outcomes: []string{"R10 held replaced"}, status: app.NeedsPerson, says: "GUID"}
	return []nightSession{
		{name: "replaced, meant", steps: []nightStep{
			whole(), asked,
			{fix: []string{"R10|What we found=meant"}, posted: []string{"R10 R-1 12 Alder Ct 2026-12-02 09:50"}, outcomes: []string{"R10 booked"}},
			{rows: []string{r10}, outcomes: []string{"R10 booked_earlier"}, status: app.Listed}, // R9 is gone
			{rows: []string{r10, "R9"}, outcomes: []string{"R10 booked_earlier", "R9 change_by_hand"}, status: app.Listed},
		}},
		{name: "replaced, cancelled there", steps: []nightStep{
			whole(), asked,
			{fix: []string{"R10|What we found=cancelled there"}, posted: []string{sent}, outcomes: []string{"R10 booked"}},
			{rows: []string{r10}, outcomes: []string{"R10 booked_earlier"}},
			{rows: []string{r10, "R9"}, outcomes: []string{"R10 booked_earlier", "R9 reinstate_by_hand"}, status: app.NeedsPerson, says: "GUID"},
		}},
		{name: "replaced, left", steps: []nightStep{
			whole(), asked,
			{fix: []string{"R10|What we found=leave it"}, outcomes: []string{"R10 left_out"}, status: app.Listed},
		}},
		{name: "replaced, left, and changed since", steps: []nightStep{
			whole(), asked,
			{fix: []string{"R10|What we found=leave it"}, outcomes: []string{"R10 left_out"}, status: app.Listed},
			{rows: []string{r10}, outcomes: []string{"R10 left_out"}, status: app.Listed},
			{rows: []string{"R10|Pickup Time=11:00 AM|Appointment Time=12:00 PM"}, outcomes: []string{"R10 left_out"}, status: app.NeedsPerson},
		}},
		{name: "replaced, booked by hand", steps: []nightStep{
			whole(), asked,
			{fix: []string{"R10|What we found=booked by hand"}, outcomes: []string{"R10 booked_earlier"}},
			{rows: []string{r10}, outcomes: []string{"R10 booked_earlier"}, status: app.Listed}, // R9 is gone
			{rows: []string{r10 + "|Cancelled=Yes"}, outcomes: []string{"R10 cancel_by_hand"}, status: app.Listed},
		}},
		{name: "replaced by a round trip", steps: []nightStep{
			whole(),
			{rows: []string{r10 + both}, outcomes: []string{"R10-A held replaced, R10-B held"}, status: app.NeedsPerson},
			{
				fix: []string{"R10|What we found=cancelled there"}, posted: []string{"R10-A R-1 12 Alder Ct 2026-12-02 09:50", "R10-B R-1 700 Bay Rd 2026-12-02 13:00"},
				outcomes: []string{"R10-A booked, R10-B booked"},
			},
		}},
		{name: "a round trip replaced", steps: []nightStep{
			{mapping: whole().mapping, rows: []string{"R9" + both}, posted: []string{r9A, r9B}, outcomes: []string{"R9-A booked, R9-B booked"}},
			{rows: []string{r10 + "|Round Trip=Yes|Return Time=2:00 PM"}, outcomes: []string{"R10-A held replaced, R10-B held replaced"}, status: app.NeedsPerson},
			{
				fix: []string{"R10|What we found=meant"}, posted: []string{sent[:3] + "-A" + sent[3:], "R10-B R-1 700 Bay Rd 2026-12-02 14:00"},
				outcomes: []string{"R10-A booked, R10-B booked"},
			},
		}},
		{name: "replaced, by a will call", steps: []nightStep{
			whole(), {rows: []string{"R10|Will Call=Yes|Pickup Time=|Appointment Time="}, outcomes: []string{"R10 held replaced"}, status: app.NeedsPerson},
		}},
		{name: "not replaced: the old one was cancelled by hand", steps: []nightStep{
			whole(),
			{rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand"}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{r10}, posted: []string{sent}, outcomes: []string{"R10 booked"}},
		}},
		{name: "not replaced: both are there", steps: []nightStep{
			whole(), {rows: []string{"R9", r10}, posted: []string{sent}, outcomes: []string{"R9 booked_earlier", "R10 booked"}},
		}},
		{name: "not replaced: the old one is cancelled", steps: []nightStep{
			whole(), {rows: []string{"R9|Cancelled=Yes", r10}, outcomes: []string{"R9 cancel_by_hand", "R10 held replaced"}, status: app.NeedsPerson},
		}},
		{name: "not replaced: the other way", steps: []nightStep{
			whole(), {rows: []string{"R10|" + backAgain}, posted: []string{"R10 R-1 700 Bay Rd 2026-12-02 13:00"}, outcomes: []string{"R10 booked"}, status: app.Listed},
		}},
		{name: "not replaced: another rider", steps: []nightStep{
			whole(), {rows: []string{r10 + "|Rider ID=R-2"}, posted: []string{"R10 R-2 12 Alder Ct 2026-12-02 09:50"}, outcomes: []string{"R10 booked"}, status: app.Listed},
		}},
		{name: "not replaced: the export is not whole", steps: []nightStep{
			oneWay(), {rows: []string{r10}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson},
		}},
	}
}

// cancelledSessions are those whose rows are cancelled.
func cancelledSessions() []nightSession {
	var all []nightSession
	changes := []string{
		"", "|Funding Source=", "|Provider=", "|Provider=Prairie Wheels", "|Provider=Nobody", "|Rider ID=P-99", "|Pickup Address=1 Elm St|Dropoff Address=2 Elm St",
		"|Pickup Time=|Appointment Time=", "|Space Type=Gurney", "|Rider ID=", "|Pickup ZIP=x|Dropoff City=", "|Will Call=Yes", "|Pickup Time=11:00 PM|Appointment Time=",
	}
	var booked, cancels, never, trips, tripsCancelled nightStep
	for i, cells := range changes {
		id, rider := fmt.Sprint("C", i), fmt.Sprint("P-", i)
		row, sent := id+"|Rider ID="+rider, " "+rider+" 12 Alder Ct 2026-12-02 09:00"
		add := func(s *nightStep, status app.Status, row, outcome string, posted ...string) {
			s.rows, s.outcomes, s.posted, s.status = append(s.rows, row), append(s.outcomes, outcome), append(s.posted, posted...), status
		}
		add(&booked, app.Done, row, id+" booked", id+sent)
		add(&cancels, app.Listed, row+"|Cancelled=Yes"+cells, id+" cancel_by_hand")
		add(&never, app.Listed, row+"|Cancelled=Yes"+cells, id+" left_out")
		add(&trips, app.Done, row+both, id+"-A booked, "+id+"-B booked", id+"-A"+sent, id+"-B "+rider+" 700 Bay Rd 2026-12-02 13:00")
		add(&tripsCancelled, app.Listed, row+both+"|Cancelled=Yes"+cells, id+"-A cancel_by_hand, "+id+"-B cancel_by_hand")
	}
	for _, s := range []*nightStep{&booked, &trips} {
		slices.Sort(s.posted)
	}
	cancels.says, tripsCancelled.says = "GUID", "GUID"
	all = append(all,
		nightSession{name: "cancelled", steps: []nightStep{booked, cancels}},
		nightSession{name: "never booked, and cancelled", steps: []nightStep{never}},
		nightSession{name: "a round trip, cancelled", steps: []nightStep{trips, tripsCancelled}})

	all = append(all, nightSession{name: "one way booked, cancelled as a round trip", steps: []nightStep{
		oneWay(), {rows: []string{"R9|Cancelled=Yes" + both}, outcomes: []string{"R9-A left_out, R9-B left_out, R9 cancel_by_hand"}, status: app.Listed, says: "GUID"},
	}}, nightSession{name: "a round trip booked, cancelled as one way", steps: []nightStep{
		roundTrip(), {rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 left_out, R9-A cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed, says: "GUID"},
	}})

	cancelled := nightStep{rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand"}, status: app.Listed}
	answered := nightStep{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 left_out"}, status: app.Listed}
	again := nightStep{rows: []string{"R9"}, outcomes: []string{"R9 reinstate_by_hand"}, status: app.NeedsPerson, says: "GUID"}
	return append(all,
		nightSession{name: "cancelled by hand", steps: []nightStep{
			oneWay(), cancelled, answered,
			{rows: []string{"R9|Cancelled=Yes", "R8|Rider ID=R-2"}, posted: []string{"R8 R-2 12 Alder Ct 2026-12-02 09:00"}, outcomes: []string{"R9 left_out", "R8 booked"}},
		}},
		nightSession{name: "reinstated by hand", steps: []nightStep{
			oneWay(), cancelled, answered, again, again,
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}},
		}},
		nightSession{name: "reinstated, moved and in another shape", steps: []nightStep{
			oneWay(), cancelled, answered,
			{rows: []string{"R9" + later}, outcomes: []string{"R9 reinstate_by_hand" + moved}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9|Provider=Prairie Wheels"}, outcomes: []string{"R9 booked"}, says: "GUID", posted: []string{"R9 R-1 12 Alder Ct 2026-12-02 09:00"}},
			{rows: []string{"R9|Rider ID=R-2"}, outcomes: []string{"R9 held reassigned"}, status: app.NeedsPerson, says: "GUID"},
		}},
		nightSession{name: "reinstated under another GUID", steps: []nightStep{
			oneWay(), cancelled, answered, again,
			{fix: []string{"R9|What we found=done by hand 3f2504e0-4f89-11d3-9a0c-0305e82c3301"}, outcomes: []string{"R9 booked_earlier"}, says: "3f2504e0"},
			cancelled, answered, again,
		}},
		nightSession{name: "not to be reinstated", steps: []nightStep{
			oneWay(), cancelled, answered, again,
			{fix: []string{"R9|What we found=leave it"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"R9"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 left_out"}, status: app.NeedsPerson},
		}},
		nightSession{name: "cancelled and booked anew", steps: []nightStep{
			oneWay(), {
				rows:     []string{"R9|Cancelled=Yes", "R12" + later + "|Pickup Time=11:00 AM|Appointment Time=11:45 AM"},
				outcomes: []string{"R9 cancel_by_hand", "R12 held double_booking"}, status: app.NeedsPerson,
			},
		}},
	)
}
