package importer_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
)

// visit is a trip of one rider to a clinic.
func visit(change func(*importer.Trip)) importer.Trip {
	t := importer.Trip{
		ID: "T1", RiderID: "R-0042", Type: importer.Appointment,
		Pickup:  importer.Event{Address1: "12 Elm St", Address2: "Apt 2", City: "Springfield", State: "IL", Zip: "62704", PickupTime: at("2026-12-02 08:30")},
		Dropoff: importer.Event{Address1: "400 Oak Ave", Address2: "Suite 5", City: "Springfield", State: "IL", Zip: "62701", Appt: at("2026-12-02 09:00")},
	}
	change(&t)
	return t
}

// Which trips may be the same, and which may not.
func TestIdentity(t *testing.T) {
	tests := map[string]struct {
		change func(*importer.Trip)
		want   bool
	}{
		"the same":                        {func(*importer.Trip) {}, true},
		"another id":                      {func(t *importer.Trip) { t.ID = "T2" }, true},
		"another type":                    {func(t *importer.Trip) { t.Type = importer.Return }, true},
		"a rider spelt otherwise":         {func(t *importer.Trip) { t.RiderID = "r 0042" }, true},
		"another rider":                   {func(t *importer.Trip) { t.RiderID = "R-0043" }, false},
		"15 minutes later":                {func(t *importer.Trip) { t.Pickup.PickupTime = at("2026-12-02 08:45") }, true},
		"an hour later, one appointment":  {func(t *importer.Trip) { t.Pickup.PickupTime = at("2026-12-02 09:30") }, true},
		"no pickup time, one appointment": {func(t *importer.Trip) { t.Pickup.PickupTime = importer.DateTime{} }, true},
		"both times 16 minutes later": {func(t *importer.Trip) {
			t.Pickup.PickupTime, t.Dropoff.Appt = at("2026-12-02 08:46"), at("2026-12-02 09:16")
		}, false},
		"another day": {func(t *importer.Trip) {
			t.Pickup.PickupTime, t.Dropoff.Appt = at("2026-12-03 08:30"), at("2026-12-03 09:00")
		}, false},
		"no time":           {func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = importer.DateTime{}, importer.DateTime{} }, false},
		"another clinic":    {func(t *importer.Trip) { t.Dropoff.Address1 = "500 Oak Ave" }, false},
		"another apartment": {func(t *importer.Trip) { t.Pickup.Address2 = "Apt 9" }, false},
		"another suite":     {func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 6" }, false},
		"no suite":          {func(t *importer.Trip) { t.Dropoff.Address2 = "" }, true},
		"a suite, respelt":  {func(t *importer.Trip) { t.Dropoff.Address2 = "SUITE  #5" }, true},
		"the way back":      {func(t *importer.Trip) { t.Pickup, t.Dropoff = t.Dropoff, t.Pickup }, false},
		"an address, on one line": {func(t *importer.Trip) {
			t.Pickup = importer.Event{CompleteAddress: "12 ELM ST., Springfield, IL 62704-1234", PickupTime: t.Pickup.PickupTime}
		}, true},
		"a suite by another word":    {func(t *importer.Trip) { t.Dropoff.Address2 = "#5" }, true},
		"a suite on the street line": {func(t *importer.Trip) { t.Dropoff.Address1, t.Dropoff.Address2 = "400 Oak Ave Ste 5", "" }, true},
		"a state by its name":        {func(t *importer.Trip) { t.Pickup.State = "Illinois" }, true},
		"no state":                   {func(t *importer.Trip) { t.Pickup.State = "" }, true},
		"a ZIP+4":                    {func(t *importer.Trip) { t.Pickup.Zip = "62704-1234" }, true},
		"a will call":                {func(t *importer.Trip) { t.Type = importer.WillCall }, false},
	}
	for name, test := range tests {
		a, b := visit(func(*importer.Trip) {}), visit(test.change)
		first, _ := a.Identity()
		second, _ := b.Identity()
		if first.MayBe(second, 15) != test.want || second.MayBe(first, 15) != test.want {
			t.Errorf("%s: may be one trip: %v, want %v", name, !test.want, test.want)
		}
	}
}

// Will calls of one day between the same locations may be one trip, whatever
// their times; minutes allowed for others do not reach into the next day.
func TestIdentityOfWillCalls(t *testing.T) {
	call := func(day string) importer.Identity {
		trip := visit(func(t *importer.Trip) {
			t.Type, t.Dropoff.Appt = importer.WillCall, importer.DateTime{}
			t.Pickup.PickupTime = importer.WillCallOn(at(day + " 00:00").Date)
		})
		id, ok := trip.Identity()
		if !ok {
			t.Fatal("no identity")
		}
		return id
	}
	if !call("2026-12-02").MayBe(call("2026-12-02"), 0) {
		t.Error("two of one day are not taken for one")
	}
	if call("2026-12-02").MayBe(call("2026-12-03"), 24*60) {
		t.Error("two of two days are taken for one")
	}
}

// For a will call only the day counts, even if its pickup time is not 23:59.
func TestIdentityOfWillCallAtATime(t *testing.T) {
	call := func(pickup string) importer.Identity {
		trip := visit(func(t *importer.Trip) {
			t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, at(pickup)
		})
		id, _ := trip.Identity()
		return id
	}
	if !call("2026-12-02 08:00").MayBe(call("2026-12-02 23:59"), 15) {
		t.Error("two will calls of one day are not taken for one")
	}
}

// A kind of time has a code of its own, by which it is found again; ledgers store
// it.
func TestTimeKindCodes(t *testing.T) {
	for kind, code := range map[importer.TimeKind]string{importer.ByPickup: "pickup", importer.ByAppointment: "appointment", importer.ByDay: "day"} {
		if got, ok := importer.ParseTimeKind(code); kind.Code() != code || got != kind || !ok {
			t.Errorf("kind %d has the code %q, and %q is kind %d, %v", kind, kind.Code(), code, got, ok)
		}
	}
	for _, code := range []string{"", "none", "Day"} {
		if kind, ok := importer.ParseTimeKind(code); ok {
			t.Errorf("%q is taken for the code of kind %d", code, kind)
		}
	}
}

// A trip that does not say who goes where has no identity.
func TestNoIdentity(t *testing.T) {
	for name, change := range map[string]func(*importer.Trip){
		"no rider":   func(t *importer.Trip) { t.RiderID = " - " },
		"no pickup":  func(t *importer.Trip) { t.Pickup = importer.Event{PickupTime: t.Pickup.PickupTime} },
		"no dropoff": func(t *importer.Trip) { t.Dropoff = importer.Event{Appt: t.Dropoff.Appt} },
	} {
		trip := visit(change)
		if _, ok := trip.Identity(); ok {
			t.Errorf("%s: it has an identity", name)
		}
	}
}

// A location is the same however its address is written, and so is its unit.
func TestLocation(t *testing.T) {
	clinic := importer.Event{Address1: "12 Elm St.", Address2: "Suite 4", City: "Springfield", State: "IL", Zip: "62704-1234"}
	location, unit := clinic.Location()
	if location != "12elmstspringfield62704" || unit != "4" {
		t.Errorf("the location is %q, unit %q", location, unit)
	}
	for name, e := range map[string]importer.Event{
		"on one line":        {CompleteAddress: "12 ELM ST, Suite 4, Springfield, IL 62704"},
		"with ZIP+4":         {CompleteAddress: "12 Elm St Suite 4, Springfield, IL 62704-9999 "},
		"without ZIP+4":      {Address1: "12  elm st", Address2: "SUITE #4", City: "SPRINGFIELD", State: "il", Zip: "62704"},
		"ZIP in nine digits": {Address1: "12 Elm St", Address2: "4", City: "Springfield", Zip: "627041234"},
		"unit on the street": {Address1: "12 Elm St Unit 4", City: "Springfield", State: "Illinois", Zip: "62704"},
	} {
		if got, of := e.Location(); got != location || of != unit {
			t.Errorf("%s: %q, unit %q", name, got, of)
		}
	}
	for text, want := range map[string]string{
		"Apt 4B": "4b", "# 4b": "4b", "Bldg 2 Apt 7": "2 7", "apt 7, building 2": "2 7", "Rear": "rear", "Apt B": "b", "gate code in notes": "", "": "",
	} {
		e := importer.Event{Address1: "12 Suite Rd", Address2: text, City: "Springfield", Zip: "62704"}
		if got, of := e.Location(); got != "12suiterdspringfield62704" || of != want {
			t.Errorf("%q: %q, unit %q, want %q", text, got, of, want)
		}
	}
	for _, other := range []string{
		"12 Elm St, Suite 4, Springfield, IL 62704-123", "12 Elm St, Suite 4, Springfield, IL 62704-12345",
		"12 Elm St, Suite 4, Springfield, IL 6270X-1234", "12 Elm St, Suite 4, Springfield, IL 62704-123X",
	} {
		if got, _ := (&importer.Event{CompleteAddress: other}).Location(); got == location {
			t.Errorf("%q is taken for an address with a ZIP+4", other)
		}
	}

	near := importer.Event{Position: importer.Position{Latitude: 39.78001, Longitude: -89.65, HasLatitude: true, HasLongitude: true}}
	if got, _ := near.Location(); got != "39.7800,-89.6500" {
		t.Errorf("a location without an address is %q", got)
	}
	near.Address2 = "Apt 4"
	if got, unit := near.Location(); got != "39.7800,-89.6500" || unit != "4" {
		t.Errorf("a location with a unit alone is %q, unit %q", got, unit)
	}
	if got, unit := (&importer.Event{LocationName: "Copper Clinic", Address2: "Apt 4"}).Location(); got != "copperclinic" || unit != "4" {
		t.Errorf("a location with a name and a unit is %q, unit %q", got, unit)
	}
	near.Address2, near.State = "", "IL" // a constant of the mapping
	if got, _ := near.Location(); got != "39.7800,-89.6500" {
		t.Errorf("a location with a state alone is %q", got)
	}
	if got, _ := (&importer.Event{LocationName: "Copper Clinic"}).Location(); got != "copperclinic" {
		t.Errorf("a location with a name alone is %q", got)
	}
	if got, _ := (&importer.Event{}).Location(); got != "" {
		t.Errorf("nothing is the location %q", got)
	}
}

// Spaces and punctuation around an address, in any text, make no difference.
func FuzzLocation(f *testing.F) {
	for _, seed := range []string{"12 Elm St, Springfield, IL 62704-1234", "-1234", "12345-1234", "", "éÉ ß", "\xff-1234", "apt # 4", "unit unit"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		location, unit := (&importer.Event{CompleteAddress: address}).Location()
		again, same := (&importer.Event{CompleteAddress: " ," + address + ". "}).Location()
		if again != location || same != unit {
			t.Errorf("%q is %q, unit %q, and with punctuation %q, unit %q", address, location, unit, again, same)
		}
	})
}

// TestStreetWords compares addresses of one street in several spellings, and addresses of
// different streets.
func TestStreetWords(t *testing.T) {
	same := [][]string{
		{"12 Alder Court", "12 Alder Ct", "12 alder ct.", "12 ALDER CRT"},
		{"12 North Alder Street", "12 N Alder St", "12 N. Alder Str"},
		{"12 Alder Street Northeast", "12 Alder St NE", "12 Alder St. N.E."},
		{"700 Saint James Avenue", "700 St James Ave", "700 St. James Av"},
		{"700 First Street", "700 1st St"},
		{"5 Mount Hope Drive", "5 Mt Hope Dr"},
		{"5 Fort Wayne Boulevard", "5 Ft. Wayne Blvd"},
		{"100 County Road 7", "100 County Rd 7", "100 CR 7", "100 Co Rd 7"},
		{"100 Highway 9", "100 Hwy 9"},
		{"12 North Court Street", "12 N Court St"},
		{"12 Alder Ct Apartment 4", "12 Alder Court Apt 4", "12 Alder Ct #4", "12 Alder Ct, Unit 4"},
	}
	for i, spellings := range same {
		for _, spelling := range spellings {
			line := importer.Event{CompleteAddress: spelling + ", Saint Ignace, MI 49781"}
			parts := importer.Event{Address1: spelling, City: "St. Ignace", State: "MI", Zip: "49781-1234"}
			want := importer.Event{CompleteAddress: spellings[0] + ", Saint Ignace, MI 49781"}
			location, unit := want.Location()
			for _, e := range []importer.Event{line, parts} {
				if got, of := e.Location(); got != location || of != unit {
					t.Errorf("%q is %q %q, and %q is %q %q", spelling, got, of, spellings[0], location, unit)
				}
			}
			for k, others := range same {
				other := importer.Event{CompleteAddress: others[0] + ", Saint Ignace, MI 49781"}
				if got, of := other.Location(); k != i && got == location && of == unit {
					t.Errorf("%q and %q are one place", spelling, others[0])
				}
			}
		}
	}

	for _, streets := range [][2]string{
		{"12 Court St", "12 St Court"},
		{"12 Alder Ct", "12 Alder St"},
		{"12 N Alder St", "12 S Alder St"},
		{"12 N Alder St", "12 Alder St"},
		{"12 N Alder St", "12 Alder St N"},
		{"12 S St", "12 South St"},
		{"12 Avenue E", "12 Avenue East"},
		{"12 Alder Ct", "12 Alder Cts"},
		{"12 State Road 7", "12 County Road 7"},
		{"12 Alder Ct", "14 Alder Ct"},
		{"12 1st St", "12 2nd St"},
		{"12 Alder Dr", "12 Alder Rd"},
	} {
		a, b := importer.Event{CompleteAddress: streets[0] + " Westfield"}, importer.Event{CompleteAddress: streets[1] + " Westfield"}
		from, _ := a.Location()
		to, _ := b.Location()
		if from == to {
			t.Errorf("%q and %q are one place: %s", streets[0], streets[1], from)
		}
	}
}

// TestStreetsOfAnySpelling draws streets, and spells each of their words in any way:
// the places are equal exactly where the streets are.
func TestStreetsOfAnySpelling(t *testing.T) {
	words := map[string][]string{
		"n": {"N", "north", "North", "N."}, "sw": {"SW", "Southwest", "S.W."}, "st": {"St", "Street", "STR"}, "ct": {"Ct", "Court", "crt."},
		"ave": {"Ave", "Avenue", "av"}, "dr": {"Dr", "Drive"}, "alder": {"Alder", "ALDER"}, "birch": {"Birch", "birch,"}, "mt": {"Mt", "Mount", "mt."}, "3rd": {"3rd", "Third"},
	}
	street := rapid.Custom(func(t *rapid.T) []string {
		return slices.Concat(
			rapid.SampledFrom([][]string{{}, {"n"}, {"sw"}}).Draw(t, "before"),
			rapid.SampledFrom([][]string{{"alder"}, {"birch"}, {"mt", "alder"}, {"3rd"}, {"ct"}, {"alder", "ct"}}).Draw(t, "name"),
			rapid.SampledFrom([][]string{{"st"}, {"ct"}, {"ave"}, {"dr"}}).Draw(t, "suffix"),
			rapid.SampledFrom([][]string{{}, {"n"}, {"sw"}}).Draw(t, "after"))
	})
	rapid.Check(t, func(t *rapid.T) {
		place := func(street []string) string {
			text := "12"
			for _, word := range street {
				text += " " + rapid.SampledFrom(words[word]).Draw(t, "spelling")
			}
			e := importer.Event{CompleteAddress: text + ", Westfield, MI 48111"}
			location, _ := e.Location()
			return location
		}
		a, b := street.Draw(t, "one street"), street.Draw(t, "another")
		one, again, other := place(a), place(a), place(b)
		if one != again || (one == other) != slices.Equal(a, b) {
			t.Errorf("%q is at %q and %q, %q at %q", a, one, again, b, other)
		}
	})
}
