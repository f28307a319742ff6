package places_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/places"

	"github.com/google/go-cmp/cmp"
)

// write writes a file to a folder of its own and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const header = "address1,city,state,zip,latitude,longitude\n"

// store returns a new store that has the lines of a list.
func store(t testing.TB, list string) *places.Store {
	t.Helper()
	s, err := places.Open(filepath.Join(t.TempDir(), "places"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(path); err != nil {
		t.Fatal(err)
	}
	return s
}

func looking(s *places.Store) *places.Places { return places.New(s, nil, nil) }

const office = header + `12 Alder Way,Dearborn,MI,48124,42.2901,-83.24
900 Forge St,Detroit,MI,48226,42.3301,-83.04
7 Ibis Sq,Round Rock,TX,78664,30.5101,-97.66
`

func line(s string) importer.Event { return importer.Event{CompleteAddress: s} }

func parts(street, unit, city, state, zip string) importer.Event {
	return importer.Event{Address1: street, Address2: unit, City: city, State: state, Zip: zip}
}

// placed returns the position and the problems of a trip with the pickup.
func placed(p *places.Places, e importer.Event) (importer.Position, []importer.Problem) {
	t := importer.Trip{Pickup: e, Dropoff: importer.Event{Position: importer.Position{HasLatitude: true, HasLongitude: true}}}
	p.Place(&t)
	return t.Pickup.Position, t.Problems
}

func TestPlace(t *testing.T) {
	p := looking(store(t, office))
	for _, tc := range []struct {
		event importer.Event
		lat   float64
	}{
		{line("12 Alder Way, Dearborn, MI 48124"), 42.2901},
		{line("12 Alder Way Dearborn MI 48124-1234"), 42.2901},
		{line("12 Alder Way, Dearborn, MI 48124 Apt 2B"), 42.2901},
		{line("Copper Clinic, 900 Forge Street, Detroit, Michigan 48226"), 42.3301},
		{line("Copper Clinic, 900 Forge Street, Detroit, Michigan"), 0},
		{parts("7 Ibis Sq , Apt . 303", "//", "Round Rock", "TX", "78664"), 30.5101},
		{parts("Copper Clinic", "900 Forge St.", "Detroit", "MI", "48226"), 42.3301},
		{importer.Event{LocationName: "Copper Clinic", CompleteAddress: "1 Elm St, Detroit, MI 48226"}, 0},
		{line("15 Elm, Detroit"), 0},
		{line("12 Alder Way"), 0},
	} {
		got, problems := placed(p, tc.event)
		if got.Latitude != tc.lat || got.IsSet() != (tc.lat != 0) || (len(problems) == 0) != got.IsSet() {
			t.Errorf("%+v: at %v, problems %v", tc.event, got, problems)
		}
		if got.IsSet() && got.Source != "places list" {
			t.Errorf("%+v: from %q", tc.event, got.Source)
		}
	}
}

// TestZerosComeBack holds that a ZIP code of the list and one of a row are equal if
// a spreadsheet has dropped the zeros of one.
func TestZerosComeBack(t *testing.T) {
	p := looking(store(t, header+`5 Calle Sol,Ponce,PR,730,18.0101,-66.61
5 Calle Luna,Ponce,PR,00730,18.0201,-66.61
7 Elm St,Somerville,MA,2145,42.3901,-71.1
9 Elm St,Hartford,CT,06011,41.7001,-72.7
`))
	for _, tc := range []struct {
		event importer.Event
		lat   float64
	}{
		{parts("5 Calle Sol", "", "Ponce", "PR", "00730"), 18.0101},
		{line("5 Calle Sol, Ponce, PR 00730-1234"), 18.0101},
		{parts("5 Calle Luna", "", "Ponce", "Puerto Rico", "730"), 18.0201},
		{parts("5 Calle Luna", "", "Ponce", "PR", "7301234"), 18.0201},
		{parts("5 Calle Luna", "", "Ponce", "PR", "7300"), 0},
		{parts("7 Elm St", "", "Somerville", "MA", "02145"), 42.3901},
		{parts("7 Elm St", "", "Somerville", "MA", "145"), 0},
		{parts("9 Elm St", "", "Hartford", "PR", "6011"), 0},
	} {
		if got, problems := placed(p, tc.event); got.Latitude != tc.lat {
			t.Errorf("%s: at %v, problems %v", tc.event.Address(), got, problems)
		}
	}
}

func TestPlaceLeavesWhatTheRowHas(t *testing.T) {
	e := line("12 Alder Way, Dearborn, MI 48124")
	e.Position = importer.Position{Latitude: 1, HasLatitude: true}
	if got, problems := placed(looking(store(t, office)), e); got != e.Position || problems != nil {
		t.Errorf("%v, %v", got, problems)
	}
}

func TestUnplaced(t *testing.T) {
	p := looking(empty(t))
	for _, e := range []importer.Event{
		line("12 Alder Way, Dearborn, MI 48124"),
		line("12 ALDER WAY APT 3, DEARBORN, MI 48124"),
		parts("12 Alder Way", "Apt 4", "Dearborn", "MI", "48124-0001"),
		line("15 Elm, Detroit"),
		line("P.O. Box 88, Austin, TX 78701"),
		{LocationName: "Copper Clinic"},
	} {
		p.Want(&importer.Trip{Pickup: e})
	}
	path := filepath.Join(t.TempDir(), "night.csv.places.csv")
	if err := places.WriteUnplaced(path, p.Unplaced()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `address1,city,state,zip,latitude,longitude,trips
12 Alder Way,Dearborn,MI,48124,,,3
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(path); err != nil || !places.Private(info) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	filled := strings.ReplaceAll(string(got), "48124,,,", "48124,42.1001,-83.1,")
	again := looking(store(t, filled))
	for _, e := range []importer.Event{line("12 Alder Way Apt 9, Dearborn MI 48124")} {
		if got, problems := placed(again, e); !got.IsSet() {
			t.Errorf("%+v: %v", e, problems)
		}
	}
}

// TestNoRidersName holds that the list to fill in has no name, wherever rows have one.
func TestNoRidersName(t *testing.T) {
	p := looking(empty(t))
	for _, address := range []string{
		"12 Alder Way, Dearborn, MI 48124", "Quill residence, 14 Alder Way, Dearborn, MI 48124",
		"16 Alder Way c/o Quill, Dearborn, MI 48124", "18 Alder Way ask for QUILL, Dearborn, MI 48124", "home of O. Quill",
	} {
		e := line(address)
		e.Name, e.LocationName = "Quill, Orla", "Quill"
		p.Want(&importer.Trip{Pickup: e, Dropoff: line("9 Elm St, Dearborn, MI 48124")})
	}
	path := filepath.Join(t.TempDir(), "night.csv.places.csv")
	if err := places.WriteUnplaced(path, p.Unplaced()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(strings.ToLower(string(text)), "quill") {
		t.Errorf("%s, %v", text, err)
	}
	for _, want := range []string{"12 Alder", "14 Alder", "16 Alder", "9 Elm St"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestFilledInList holds that a list that somebody may have filled in is left alone, and that the same addresses make
// the same list.
func TestFilledInList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "night.csv.places.csv")
	open := []places.Unplaced{{Address1: "12 Alder Way", City: "Dearborn", State: "MI", Zip: "48124"}}
	for range 2 {
		if err := places.WriteUnplaced(path, open); err != nil {
			t.Fatal(err)
		}
	}
	const filled = "note,zip,address1,city,state,latitude,longitude\nours,48124,12 Alder Way,Dearborn,MI,42.1001,-83.1\n"
	if err := os.WriteFile(path, []byte(filled), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := places.WriteUnplaced(path, open); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); string(text) != filled || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
