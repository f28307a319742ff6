package importer_test

import (
	"strings"
	"testing"

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
		"no time":            {func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = importer.DateTime{}, importer.DateTime{} }, false},
		"another clinic":     {func(t *importer.Trip) { t.Dropoff.Address1 = "500 Oak Ave" }, false},
		"another house":      {func(t *importer.Trip) { t.Pickup.Address1 = "14 Elm St" }, false},
		"another ZIP":        {func(t *importer.Trip) { t.Pickup.Zip = "62707" }, false},
		"a street respelt":   {func(t *importer.Trip) { t.Pickup.Address1 = "12 Elmm Street" }, true},
		"a building as well": {func(t *importer.Trip) { t.Pickup.Address2 = "Bldg C Apt 2" }, true},
		"another apartment":  {func(t *importer.Trip) { t.Pickup.Address2 = "Apt 9" }, false},
		"another suite":      {func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 6" }, false},
		"no suite":           {func(t *importer.Trip) { t.Dropoff.Address2 = "" }, true},
		"a suite, respelt":   {func(t *importer.Trip) { t.Dropoff.Address2 = "SUITE  #5" }, true},
		"the way back":       {func(t *importer.Trip) { t.Pickup, t.Dropoff = t.Dropoff, t.Pickup }, false},
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
		if first.MayBe(second) != test.want || second.MayBe(first) != test.want {
			t.Errorf("%s: may be one trip: %v, want %v", name, !test.want, test.want)
		}
	}
}

// Will calls of one day between the same locations may be one trip, whatever
// their times.
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
	if !call("2026-12-02").MayBe(call("2026-12-02")) {
		t.Error("two of one day are not taken for one")
	}
	if call("2026-12-02").MayBe(call("2026-12-03")) {
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
	if !call("2026-12-02 08:00").MayBe(call("2026-12-02 23:59")) {
		t.Error("two will calls of one day are not taken for one")
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

// TestPlaces tells places apart by house number, ZIP code and unit: each line is one place in
// several spellings, and no two lines are the same.
func TestPlaces(t *testing.T) {
	one := [][]string{
		{
			"12 Elm St Ste 4, Springfield, IL 62704", "12 ELM ST., Suite 4, Springfield, IL 62704-1234", "12  elm street, ste 04, springfield il 62704", "12 Elm St #4, Springfield, Illinois 62704",
			"12 Elm St # 4 Springfield IL 62704", "12 Elm Str Unit 4, Springfield 62704", "Copper Clinic, 12 Elm St Suite #4, Springfield, IL 62704", "12 Elm St, Springfield, IL 62704, Ste. 4",
			"Ste 4, 12 Elm St, Springfield, IL 62704, USA", "12 Elm St (side door) Ste4, Springfield, IL 62704", "12 N Elm St Suite 0004, Springfield, IL 62704", "12 Ellm St, Suite No. 4, Springfieldd, IL 62704",
			"12 Elm St|Suite 4|Springfield|IL|62704", "12 Elm St|4|Springfield||627041234", "Copper Clinic|12 Elm St Ste 4|Springfield|IL|62704-1234", "12 Elm St Ste 4||SPRINGFIELD|Illinois|62704",
			"Copper Clinic 12 Elm St Ste 4 Springfield IL 62704", "Copper Clinic 12 Elm St|Ste 4|Springfield|IL|62704", "012 Elm St|Ste 4|Springfield|IL|62704",
		},
		{"12 Elm St Ste 5, Springfield, IL 62704", "12 Elm Street #5||Springfield|IL|62704"},
		{"14 Elm St Ste 4, Springfield, IL 62704", "14 Elm Street|Suite 4|Springfield|IL|62704"},
		{"12 Elm St Ste 4, Springfield, IL 62707"},
		{"12A Elm St, Springfield, IL 62704", "12a Elm Street||Springfield||62704", "12-A Elm St, Springfield, IL 62704"},
		{"12-14 Elm St, Springfield, IL 62704", "12-14 Elm Street, Springfield, IL 62704"},
		{"12 1/2 Elm St, Springfield, IL 62704", "12 1/2 Elm Street||Springfield|IL|62704"},
		{"12 Elm St, Westfield, MI", "12 Elm Street||Westfield|MI|", "12 ELM ST. WESTFIELD, MI"},
		{"12 Elm St, Eastfield, MI", "12 Elm Street||Eastfield|MI|"},
		{"Alder Way, Springfield, IL 62704", "Alder Wy||Springfield|IL|62704"},
		{"Birch Way, Springfield, IL 62704"},
		{"County Rd 12, Springfield, IL 62704", "County Road 12||Springfield|IL|62704"},
		{"N4512 Birch Way||Springfield|IL|62704"},
		{"N4514 Birch Way||Springfield|IL|62704"},
		{"PO Box 88, Springfield, IL 62704", "P.O. Box 88||Springfield|IL|62704"},
	}
	type place struct {
		location string
		unit     importer.Unit
	}
	placeOf := func(address string) place {
		e := importer.Event{CompleteAddress: address}
		if parts := strings.Split(address, "|"); len(parts) == 5 {
			e = importer.Event{Address1: parts[0], Address2: parts[1], City: parts[2], State: parts[3], Zip: parts[4]}
		}
		l := e.Location()
		return place{l.At, l.Unit}
	}
	pairs := 0
	for i, spellings := range one {
		want := placeOf(spellings[0])
		for _, spelling := range spellings[1:] {
			pairs++
			if got := placeOf(spelling); got != want {
				t.Errorf("%q is %q, and %q is %q", spelling, got, spellings[0], want)
			}
		}
		for _, other := range one[:i] {
			pairs++
			if got := placeOf(other[0]); got.location == want.location && !got.unit.Differs(want.unit) && got.unit != (importer.Unit{}) && want.unit != (importer.Unit{}) {
				t.Errorf("%q and %q are one place", other[0], spellings[0])
			}
		}
	}
	if pairs < 40 {
		t.Errorf("only %d pairs were compared", pairs)
	}
}

// An address without a ZIP code may be one with the same house number and city that has one; two that have ZIP codes are
// told apart by them.
func TestLocationWithoutZIP(t *testing.T) {
	locationOf := func(e importer.Event) importer.Location {
		l := e.Location()
		l.Town = e.Town()
		return l
	}
	of := func(line string) importer.Location { return locationOf(importer.Event{CompleteAddress: line}) }
	full := locationOf(importer.Event{Address1: "12 Elm St", City: "St. Louis", State: "MO", Zip: "63101"})
	for _, test := range []struct {
		other importer.Location
		may   bool
	}{
		{of("12 Elm Street, Saint Louis, MO"), true},
		{of("Copper Clinic, 12 Elm St #3, St Louis, MO"), true},
		{of("12 Elm St, Saint Louis, MO 63101-1234"), true},
		{of("12 Elm St, Saint Louis, MO 63102"), false},
		{of("14 Elm St, Saint Louis, MO"), false},
		{of("12 Elm St, Kansas City, MO"), false},
		{importer.Location{}, false},
	} {
		if full.MayBe(test.other) != test.may || test.other.MayBe(full) != test.may {
			t.Errorf("%+v and %+v", full, test.other)
		}
	}

	nowhere, without := importer.Location{}, locationOf(importer.Event{Address1: "12 Elm St", City: "St. Louis", State: "MO"})
	if nowhere.MayBe(without) || without.MayBe(nowhere) {
		t.Error("an event without a place is at one")
	}
	for _, zip := range []string{"", "63101"} { // a street whose name reads as a unit
		first := locationOf(importer.Event{Address1: "1200 No 4 Rd", City: "St. Louis", State: "MO", Zip: zip})
		if second := locationOf(importer.Event{Address1: "1300 No 4 Rd", City: "St. Louis", State: "MO"}); first.MayBe(second) || !first.MayBe(first) {
			t.Errorf("two houses are one: %+v and %+v", first, second)
		}
	}
}

// A unit that one of two addresses lacks may be any, and so may a building; two doors or two
// buildings that are given and differ are two places.
func TestUnits(t *testing.T) {
	unitOf := func(text string) importer.Unit {
		return (&importer.Event{Address1: "12 Suite Rd", Address2: text, City: "Springfield", Zip: "62704"}).Location().Unit
	}
	for _, pair := range []struct {
		a, b   string
		differ bool
	}{
		{"Apt 4B", "# 4b", false},
		{"Bldg 2 Apt 7", "apt 7, building 2", false},
		{"Bldg 2 Apt 7", "Apt 7", false},
		{"Bldg 2 Apt 7", "Bldg 3 Apt 7", true},
		{"Apt 7", "", false},
		{"Apt 7", "gate code in notes", false},
		{"Apt 7", "Apt 8", true},
		{"Ste 300 Fl 3", "Ste 300", false},
		{"Ste 300", "3rd Floor", false},
	} {
		if a, b := unitOf(pair.a), unitOf(pair.b); a.Differs(b) != pair.differ || b.Differs(a) != pair.differ {
			t.Errorf("%q is %+v, %q is %+v", pair.a, a, pair.b, b)
		}
	}
}

// A location without an address is told apart by its position, and without one by its name.
func TestLocationWithoutAddress(t *testing.T) {
	near := importer.Event{Position: importer.Position{Latitude: 39.78001, Longitude: -89.65, HasLatitude: true, HasLongitude: true}}
	named := importer.Event{LocationName: "Copper Clinic", Address2: "Apt 4"}
	of := func(e importer.Event) string { return e.Location().At }
	if got := of(near); got != "39.7800,-89.6500" {
		t.Errorf("a location without an address is %q", got)
	}
	near.State = "IL" // a constant of the mapping
	if got := of(near); got != "39.7800,-89.6500" {
		t.Errorf("a location with a state alone is %q", got)
	}
	if got := of(named); got != "copperclinic" {
		t.Errorf("a location with a name alone is %q", got)
	}
	if got := of(importer.Event{}); got != "" {
		t.Errorf("nothing is the location %q", got)
	}
}

// Spaces and punctuation around an address, in any text, make no difference.
func FuzzLocation(f *testing.F) {
	for _, seed := range []string{"12 Elm St, Springfield, IL 62704-1234", "-1234", "12345-1234", "", "éÉ ß", "\xff-1234", "apt # 4", "unit unit", "(", "c/o", ",,;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		location := (&importer.Event{CompleteAddress: address}).Location()
		again := (&importer.Event{CompleteAddress: " ," + address + ", "}).Location()
		if again != location {
			t.Errorf("%q is %q, and with punctuation %q", address, location, again)
		}
		_ = (&importer.Event{Address1: address, Address2: address, City: address, Zip: address}).Location()
	})
}
