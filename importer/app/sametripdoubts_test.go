package app_test

import (
	"tripimport/importer/app"
)

// similarSessions are those with two trips that may be the same.
func similarSessions() []nightSession {
	suites := []string{"R1|Pickup Address 2=Suite 100", "R2|Pickup Address 2=Suite 200"}
	twice := []string{"R1|Pickup Address 2=Suite 100", "R2|Pickup Address 2=Ste 100"}
	sent := []string{"R1 R-1 12 Alder Ct 2026-12-02 09:00", "R2 R-1 12 Alder Ct 2026-12-02 09:00"}
	return []nightSession{
		{name: "two suites", steps: []nightStep{allBooked(suites, sent, "R1 booked", "R2 booked"), {rows: suites, outcomes: []string{"R1 booked_earlier", "R2 booked_earlier"}}}},
		{name: "two suites on two nights", steps: []nightStep{allBooked(suites[:1], sent[:1], "R1 booked"), allBooked(suites[1:], sent[1:], "R2 booked")}},
		{name: "one suite", steps: []nightStep{
			{rows: twice, outcomes: []string{"R1 held double_booking", "R2 held double_booking"}, status: app.FixRows},
			{fix: []string{"R1|What we found=meant", "R2|What we found=meant"}, posted: sent, outcomes: []string{"R1 booked", "R2 booked"}},
			{
				rows:   []string{"R3|Date=12/4/2026|Pickup Address 2=Suite 100", "R4|Date=12/4/2026|Pickup Address 2=Suite 100"},
				posted: []string{"R3 R-1 12 Alder Ct 2026-12-04 09:00", "R4 R-1 12 Alder Ct 2026-12-04 09:00"}, outcomes: []string{"R3 booked", "R4 booked"},
			},
		}},
		{name: "one suite on two nights", steps: []nightStep{
			allBooked(twice[:1], sent[:1], "R1 booked"),
			{rows: twice[1:], outcomes: []string{"R2 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{fix: []string{"R2|What we found=meant"}, posted: sent[1:], outcomes: []string{"R2 booked"}},
		}},
	}
}

// halfBookedSessions are those of which one leg is refused.
func halfBookedSessions() []nightSession {
	first := nightStep{rows: []string{"R9" + both}, posted: []string{r9A, r9B}, outcomes: []string{"R9-A booked, R9-B refused: half booked"}, status: app.FixRows}
	fixed := "|Dropoff Address=702 Bay Rd"
	want := []string{"R9-A change_by_hand (dropoff.event_location.address1), R9-B booked"}
	sent := []string{"R9-B R-1 702 Bay Rd 2026-12-02 13:00"}
	return []nightSession{
		{name: "half booked, the address fixed in the results", refuse: []string{"R9-B"}, steps: []nightStep{
			first, {fix: []string{"R9" + fixed}, posted: sent, outcomes: want, status: app.Listed},
		}},
		{name: "half booked, the address fixed in the schedule", refuse: []string{"R9-B"}, steps: []nightStep{
			first,
			{rows: []string{"R9" + both + fixed}, posted: sent, outcomes: want, status: app.Listed},
			{rows: []string{"R9" + both + fixed}, outcomes: []string{"R9-A change_by_hand (dropoff.event_location.address1), R9-B booked_earlier"}, status: app.Listed},
		}},
		{name: "half booked, then one way", refuse: []string{"R9-B"}, steps: []nightStep{
			first,
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + both}, posted: []string{r9B}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
		}},
		{name: "half booked, then the way back alone", refuse: []string{"R9-B"}, steps: []nightStep{
			first, {rows: []string{"R9|" + backAgain}, posted: []string{"R9 R-1 700 Bay Rd 2026-12-02 13:00"}, outcomes: []string{"R9 booked, R9-A cancel_by_hand"}, status: app.Listed},
		}},
		{name: "half booked, then cancelled", refuse: []string{"R9-B"}, steps: []nightStep{
			first,
			{rows: []string{"R9|Cancelled=Yes" + both}, outcomes: []string{"R9-A cancel_by_hand, R9-B left_out"}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9-A left_out, R9-B left_out"}, status: app.Listed},
			{rows: []string{"R9" + both}, outcomes: []string{"R9-A reinstate_by_hand, R9-B held: half booked"}, status: app.NeedsPerson},
			{fix: []string{"R9|What we found=outbound: done by hand"}, posted: []string{r9B}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
		}},
		{name: "half booked, and both shared addresses fixed", refuse: []string{"R9-B"}, steps: []nightStep{
			first, {
				fix:    []string{"R9|Dropoff Address=702 Bay Rd|Pickup Address=14 Alder Ct"},
				posted: []string{"R9-B R-1 702 Bay Rd 2026-12-02 13:00"}, status: app.Listed,
				outcomes: []string{"R9-A change_by_hand (pickup.event_location.address1 dropoff.event_location.address1), R9-B booked"},
			},
		}},
		{name: "half booked, and its times fixed", refuse: []string{"R9-B"}, steps: []nightStep{
			first, {
				fix: []string{"R9|Return Time=2:30 PM" + later}, posted: []string{"R9-B R-1 700 Bay Rd 2026-12-02 14:30"}, status: app.Listed,
				outcomes: []string{"R9-A change_by_hand" + moved + ", R9-B booked"},
			},
		}},
		{name: "half booked, the outbound not proved", lose: []string{"R9-A"}, steps: []nightStep{
			{rows: []string{"R9" + both}, posted: []string{"R9-A R-1 12 Alder Ct 2026-12-02 09:00"}, outcomes: []string{"R9-A unknown, R9-B held"}, status: app.NeedsPerson},
			{rows: []string{"R9" + both + fixed}, outcomes: []string{"R9-A unknown, R9-B held"}, status: app.NeedsPerson},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 unknown"}, status: app.NeedsPerson},
		}},
	}
}

// reassignedSessions are those whose trips have another rider, payer or provider.
func reassignedSessions() []nightSession {
	return []nightSession{
		{name: "another rider", steps: []nightStep{oneWay(), {rows: []string{"R9|Rider ID=R-2"}, outcomes: []string{"R9 held rider"}, status: app.FixRows, says: "GUID"}}},
		{name: "another payer", steps: []nightStep{oneWay(), {rows: []string{"R9|Funding Source=Union Aid"}, outcomes: []string{"R9 change_by_hand (funding_source_name)"}, status: app.Listed, says: "GUID"}}},
		{name: "another provider", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9|Provider=Prairie Wheels" + later}, outcomes: []string{"R9 held reassigned"}, status: app.FixRows, says: "Lakeshore Transit"},
			{fix: []string{"R9|What we found=cancelled there"}, posted: []string{"R9 R-1 12 Alder Ct 2026-12-02 09:20"}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9|Provider=Prairie Wheels" + later}, outcomes: []string{"R9 booked_earlier"}},
		}},
		{name: "another provider under a new id, later", steps: []nightStep{
			oneWay(),
			{rows: []string{"R10|Provider=Prairie Wheels" + later}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson, says: "Lakeshore Transit"},
			{rows: []string{"R9", "R10|Provider=Prairie Wheels" + later}, posted: []string{"R10 R-1 12 Alder Ct 2026-12-02 09:20"}, outcomes: []string{"R9 booked_earlier", "R10 booked"}},
		}},
		{name: "another provider, and each way on a row of its own, later", steps: []nightStep{
			roundTrip(),
			{
				rows:     []string{"R9|Provider=Prairie Wheels" + later, "R10|Provider=Prairie Wheels|" + backAgain + "|Pickup Time=1:20 PM"},
				outcomes: []string{"R9 held reassigned, R9-B cancel_by_hand: half booked", "R10 held double_booking"}, status: app.NeedsPerson, says: "GUID",
			},
		}},
		{name: "another provider, a round trip", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9|Provider=Prairie Wheels" + both}, outcomes: []string{"R9-A held reassigned, R9-B held reassigned"}, status: app.FixRows, says: "GUID"},
			{fix: []string{"R9|What we found=cancelled there"}, posted: []string{r9A, r9B}, outcomes: []string{"R9-A booked, R9-B booked"}},
		}},
		{name: "the same provider in other letters", steps: []nightStep{oneWay(), {rows: []string{"R9|Provider=LAKESHORE  TRANSIT"}, outcomes: []string{"R9 booked_earlier"}}}},
	}
}

// namedSessions are those whose mappings name rows and brokers in another way.
func namedSessions() []nightSession {
	rowID := []string{"  trip_id: Trip ID\n", "  trip_id: Row Number\n"}
	broker := func(name string) []string {
		return []string{"broker: The plain workbook that comes with tripimport\n", "broker: " + name + "\n"}
	}
	return []nightSession{
		{name: "two brokers with the same ids", steps: []nightStep{
			{mapping: broker("Alpha"), rows: []string{"R9"}, posted: []string{"R9 R-1 12 Alder Ct 2026-12-02 09:00"}, outcomes: []string{"R9 booked"}},
			{mapping: broker("Beta"), rows: []string{"R9|Rider ID=R-2|Pickup Address=31 Fern St|Date=12/3/2026"}, outcomes: []string{"R9 booked"}, posted: []string{"R9 R-2 31 Fern St 2026-12-03 09:00"}},
			{rows: []string{"R9|Cancelled=Yes|Rider ID=R-2"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"09|Rider ID=R-2|Pickup Address=31 Fern St", "R-9|Pickup Time=4:00 PM|Appointment Time=5:00 PM"}, posted: []string{"09 R-2 31 Fern St 2026-12-02 09:00"}, outcomes: []string{"09 booked", "R-9 fix"}, status: app.FixRows},
		}},
		{name: "a broker renamed", steps: []nightStep{
			{mapping: broker("Alpha"), rows: []string{"R9"}, posted: []string{r9}, outcomes: []string{"R9 booked"}},
			{mapping: broker("Alpha Health"), rows: []string{"R9" + later}, status: app.NotSetUp, says: "another broker"},
			{mapping: broker("ALPHA"), rows: []string{"R9" + later}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
		}},
		{name: "rows named otherwise while trips are ahead", steps: []nightStep{
			oneWay(), {mapping: rowID, rows: []string{"X9|Row Number=71" + later}, status: app.NotSetUp},
		}},
	}
}

// twoDoubtsSessions are those in which two things change at once.
func twoDoubtsSessions() []nightSession {
	const elsewhere = "|Pickup Address=14 Alder Ct|Dropoff Address=710 Bay Rd"
	const bare = "|only=|Cancelled=Yes"
	cancelled := nightStep{rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand"}, status: app.Listed}
	done := nightStep{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 left_out"}, status: app.Listed}
	limited := func(s nightStep) nightStep {
		s.limit = 1
		return s
	}
	return []nightSession{
		{name: "an id and a rider's id without their zeros", steps: []nightStep{
			allBooked([]string{"00701|Rider ID=00042"}, []string{"00701 00042 12 Alder Ct 2026-12-02 09:00"}, "00701 booked"),
			{rows: []string{"701|Rider ID=42" + later}, outcomes: []string{"701 held rider"}, status: app.FixRows, says: "GUID"},
			{rows: []string{"701|Rider ID=42" + both}, outcomes: []string{"701-A held rider, 701-B held"}, status: app.FixRows, says: "GUID"},
			{rows: []string{"00701|Rider ID=00042"}, outcomes: []string{"00701 change_by_hand"}, status: app.Listed, says: "if dispatch was told"},
		}},
		{name: "a rider's id without its zeros under a new id", steps: []nightStep{
			allBooked([]string{"R9|Rider ID=00042"}, []string{"R9 00042" + r9[6:]}, "R9 booked"),
			{rows: []string{"R10|Rider ID=42" + later}, outcomes: []string{"R10 held double_booking"}, status: app.NeedsPerson, says: "GUID"},
			{rows: []string{"R9|Rider ID=00042", "R11|Rider ID=420" + later}, posted: []string{"R11 420 12 Alder Ct 2026-12-02 09:20"}, outcomes: []string{"R9 booked_earlier", "R11 booked"}},
		}},
		{name: "an id without zeros, of another rider elsewhere", steps: []nightStep{
			allBooked([]string{"00701"}, []string{"00701" + r9[2:]}, "00701 booked"),
			{rows: []string{"701|Rider ID=R-2|Pickup Address=31 Fern St"}, outcomes: []string{"701 held rider"}, status: app.FixRows},
		}},
		{name: "two ids that differ in zeros, of two riders of one house", steps: []nightStep{
			allBooked([]string{"00701"}, []string{"00701" + r9[2:]}, "00701 booked"),
			{rows: []string{"00701", "701|Rider ID=R-2"}, outcomes: []string{"00701 booked_earlier", "701 held rider"}, status: app.FixRows},
		}},
		{name: "spelt otherwise, cancelled, without a rider", steps: []nightStep{
			allBooked([]string{"00701"}, []string{"00701" + r9[2:]}, "00701 booked"),
			{rows: []string{"701|Cancelled=Yes|Rider ID="}, outcomes: []string{"701 cancel_by_hand"}, status: app.Listed},
			{rows: []string{"00701", "701|Cancelled=Yes|Rider ID="}, outcomes: []string{"00701 change_by_hand", "701 left_out"}, status: app.Listed},
			{rows: []string{"7010|Cancelled=Yes|Rider ID="}, outcomes: []string{"7010 left_out"}, status: app.Listed},
		}},
		{name: "one way that may be either way of a round trip", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9" + elsewhere}, outcomes: []string{"R9 held way"}, status: app.FixRows},
			{fix: []string{"R9|What we found=cancelled there"}, outcomes: []string{"R9 held way"}, status: app.FixRows, says: "R9-B"},
			{fix: []string{"R9|What we found=cancelled there"}, posted: []string{"R9 R-1 14 Alder Ct 2026-12-02 09:00"}, outcomes: []string{"R9 booked"}},
		}},
		{name: "one way that is one of a round trip", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9|Pickup Address=14 Alder Ct"}, outcomes: []string{"R9 change_by_hand (pickup.event_location.address1), R9-B cancel_by_hand"}, status: app.Listed},
		}},
		{name: "left cancelled, and changed since", steps: []nightStep{
			oneWay(), cancelled, done,
			{rows: []string{"R9"}, outcomes: []string{"R9 reinstate_by_hand"}, status: app.NeedsPerson},
			{fix: []string{"R9|What we found=leave it"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"R9"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 left_out"}, status: app.Listed, raised: true},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 left_out"}, status: app.Listed},
		}},
		{name: "one row in two shapes in one file", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9", "R9" + both}, outcomes: []string{"R9 booked_earlier", "R9-A booked_earlier, R9-B fix: half booked"}, status: app.FixRows},
		}},
		{name: "one row in two shapes in one file, and nothing booked", steps: []nightStep{
			{rows: []string{"R9", "R9" + both}, outcomes: []string{"R9 fix", "R9-A fix, R9-B fix"}, status: app.FixRows},
		}},
		{name: "rows with the ids that legs had", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9" + both, "R9-A" + later}, outcomes: []string{"R9-A booked_earlier, R9-B booked_earlier", "R9-A held way"}, status: app.FixRows},
		}},
		{name: "live and cancelled in two shapes", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9" + both + "|Cancelled=Yes", "R9"}, outcomes: []string{"R9-A left_out, R9-B left_out", "R9 change_by_hand, R9-B cancel_by_hand"}, status: app.Listed, says: "GUID"},
		}},
		{name: "cancelled with its row id alone", steps: []nightStep{
			roundTrip(),
			{rows: []string{"R9" + bare}, outcomes: []string{"R9 left_out, R9-A cancel_by_hand, R9-B cancel_by_hand"}, status: app.Listed, says: "GUID"},
		}},
		{name: "not proved, and limited", lose: []string{"R9"}, steps: []nightStep{
			limited(nightStep{rows: []string{"R9", "R8|Rider ID=R-2"}, posted: []string{r9}, outcomes: []string{"R9 unknown", "R8 not_sent"}, status: app.NeedsPerson}),
			limited(nightStep{
				rows: []string{"R9" + later, "R8|Rider ID=R-2"}, posted: []string{"R8 R-2 12 Alder Ct 2026-12-02 09:00"},
				outcomes: []string{"R9 unknown", "R8 booked"}, status: app.NeedsPerson,
			}),
		}},
	}
}

// doubtSessions are those in which a row comes twice, or no answer proves that a trip is booked.
func doubtSessions() []nightSession {
	repeat := []string{"read:\n", "ids: repeat\nread:\n"}
	lost := nightStep{rows: []string{"R9"}, posted: []string{r9}, outcomes: []string{"R9 unknown"}, status: app.NeedsPerson}
	return []nightSession{
		{name: "one row live and cancelled", steps: []nightStep{
			{rows: []string{"R9|Cancelled=Yes", "R9"}, outcomes: []string{"R9 left_out", "R9 fix"}, status: app.FixRows},
			{rows: []string{"0801", "801|Cancelled=Yes"}, outcomes: []string{"0801 fix", "801 left_out"}, status: app.FixRows},
		}},
		{name: "fixed in the results, and corrected since", refuse: []string{"R9"}, steps: []nightStep{
			{rows: []string{"R9"}, posted: []string{r9}, outcomes: []string{"R9 refused"}, status: app.FixRows},
			{fix: []string{"R9" + later}, posted: []string{"R9 R-1 12 Alder Ct 2026-12-02 09:20"}, outcomes: []string{"R9 booked"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + later}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9"}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
			{rows: []string{"R9|Pickup Time=9:40 AM|Appointment Time=10:40 AM"}, outcomes: []string{"R9 change_by_hand" + moved}, status: app.Listed},
		}},
		{name: "one row live and cancelled, once it is booked", steps: []nightStep{
			oneWay(),
			{rows: []string{"R9", "R-9|Cancelled=Yes"}, outcomes: []string{"R9 change_by_hand", "R-9 left_out"}, status: app.Listed, says: "is cancelled on"},
			{fix: []string{"R9|What we found=leave it"}, outcomes: []string{"R9 booked_earlier", "R-9 left_out"}},
			{rows: []string{"R9", "R-9|Cancelled=Yes"}, outcomes: []string{"R9 booked_earlier", "R-9 left_out"}},
			{rows: []string{"R9" + later, "R9|Cancelled=Yes"}, outcomes: []string{"R9 change_by_hand" + moved, "R9 left_out"}, status: app.Listed, says: "is cancelled on"},
		}},
		{name: "not proved, and in another shape", lose: []string{"R9"}, steps: []nightStep{
			lost,
			{rows: []string{"R9" + both + later}, outcomes: []string{"R9-A unknown, R9-B held"}, status: app.NeedsPerson},
			{rows: []string{"R9|Cancelled=Yes"}, outcomes: []string{"R9 unknown"}, status: app.NeedsPerson},
			{rows: []string{"R9|Provider=Prairie Wheels"}, outcomes: []string{"R9 unknown"}, status: app.NeedsPerson},
		}},
		{name: "not proved, and there", lose: []string{"R9"}, steps: []nightStep{
			lost,
			{fix: []string{"R9|What we found=there"}, outcomes: []string{"R9 booked_earlier"}},
			{rows: []string{"R9" + both}, posted: []string{r9B}, outcomes: []string{"R9-A booked_earlier, R9-B booked"}},
		}},
		{name: "not proved, under another spelling", lose: []string{"R9"}, steps: []nightStep{
			lost, {rows: []string{"r-9" + later}, outcomes: []string{"r-9 unknown"}, status: app.Listed},
		}},
		{name: "a standing order, cancelled without a time", steps: []nightStep{
			{
				mapping: repeat, rows: []string{"R9", "R9|Date=12/4/2026"},
				posted:   []string{"R9-20261202 R-1 12 Alder Ct 2026-12-02 09:00", "R9-20261204 R-1 12 Alder Ct 2026-12-04 09:00"},
				outcomes: []string{"R9 booked", "R9 booked"},
			},
			{rows: []string{"R9|Date=12/4/2026|Pickup Time=|Appointment Time=|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand"}, status: app.Listed, says: "GUID"},
		}},
		{name: "a standing order, reinstated on one day", steps: []nightStep{
			{
				mapping: repeat, rows: []string{"R9", "R9|Date=12/4/2026"},
				posted:   []string{"R9-20261202 R-1 12 Alder Ct 2026-12-02 09:00", "R9-20261204 R-1 12 Alder Ct 2026-12-04 09:00"},
				outcomes: []string{"R9 booked", "R9 booked"},
			},
			{rows: []string{"R9|Date=12/4/2026|Cancelled=Yes"}, outcomes: []string{"R9 cancel_by_hand"}, status: app.Listed},
			{fix: []string{"R9|What we found=done by hand"}, outcomes: []string{"R9 left_out"}, status: app.Listed},
			{
				rows:     []string{"R9", "R9|Date=12/4/2026", "R9|Date=12/7/2026"},
				posted:   []string{"R9-20261207 R-1 12 Alder Ct 2026-12-07 09:00"},
				outcomes: []string{"R9 booked_earlier", "R9 reinstate_by_hand", "R9 booked"}, status: app.NeedsPerson,
			},
		}},
		{name: "another provider and another day", steps: []nightStep{
			oneWay(), {rows: []string{"R9|Provider=Prairie Wheels|Date=12/4/2026"}, outcomes: []string{"R9 held other_day"}, status: app.FixRows, says: "GUID"},
		}},
		{name: "another provider and another shape", steps: []nightStep{
			oneWay(), {rows: []string{"R9|Provider=Prairie Wheels" + both}, outcomes: []string{"R9-A held reassigned, R9-B held"}, status: app.FixRows, says: "GUID"},
		}},
		{name: "another provider and another id", steps: []nightStep{
			oneWay(), {rows: []string{"R-09|Provider=Prairie Wheels" + later}, outcomes: []string{"R-09 held reassigned"}, status: app.FixRows, says: "GUID"},
		}},
		{name: "another rider and another shape", steps: []nightStep{
			oneWay(), {rows: []string{"R9|Rider ID=R-2" + both}, outcomes: []string{"R9-A held rider, R9-B held"}, status: app.FixRows, says: "GUID"},
		}},
		{name: "a fault in a booked row that flips", steps: []nightStep{
			oneWay(), {rows: []string{"R9|Space Type=Gurney" + both}, outcomes: []string{"R9-A change_by_hand (space_type), R9-B fix: half booked"}, status: app.FixRows},
		}},
	}
}
