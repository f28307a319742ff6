package places_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/places"

	"github.com/google/go-cmp/cmp"
)

func reopen(t *testing.T, path string) *places.Store {
	t.Helper()
	s, err := places.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStore keeps what a geocoder answered, without any address in clear, and asks again
// about what it did not know.
func TestStore(t *testing.T) {
	s := start(t)
	path := filepath.Join(t.TempDir(), "new", "places")
	known, unknown := line("12 Alder Way, Dearborn, MI 48124"), line("3 Nowhere Ln, Dearborn, MI 48124")
	run := func() *places.Places {
		t.Helper()
		p := places.New(reopen(t, path), geocoders(t, s)["census"], agree).Hurry()
		prepare(t, p, known, unknown)
		return p
	}
	first, _ := placed(run(), known)
	before := s.addresses()
	p := run()
	if got, _ := placed(p, known); got != first || !got.IsSet() || got.Source != "census" {
		t.Errorf("%v, then %v", first, got)
	}
	if n := s.addresses() - before; n != 1 {
		t.Errorf("second run: asked about %d", n)
	}
	if got, _ := placed(looking(reopen(t, path)), known); got != first {
		t.Errorf("an address that was never wanted is at %v", got)
	}
	for _, file := range reopen(t, path).Files() {
		info, err := os.Stat(file)
		if err != nil || !places.Private(info) {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, clear := range []string{"alder", "nowhere", "dearborn", "48124"} {
		if strings.Contains(strings.ToLower(string(text)), clear) {
			t.Errorf("%q stands in the store:\n%s", clear, text)
		}
	}
}

// TestNothingIsMade holds that looking in a store that is not there makes no file.
func TestNothingIsMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "places")
	p := looking(reopen(t, path))
	prepare(t, p, line("12 Alder Way, Dearborn, MI 48124"))
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

func TestForget(t *testing.T) {
	list := header + `12 Alder Way,Dearborn,MI,48124,42.1001,-83.1
12 Alder Way Apt 3,Dearborn,MI,48124,42.2001,-83.1
14 Alder Way,Dearborn,MI,48124,42.1001,-83.1
`
	for address, want := range map[string]int{
		"12 alder way apt 3, Dearborn, MI 48124": 1,
		"12 Alder Way, Dearborn, MI 48124":       2,
		"12 Alder Way, Dearborn, MI":             0,
		"12 Alder Way Apt 9, Dearborn, MI 48124": 1,
		"99 Alder Way, Dearborn, MI 48124":       0,
		"12 Alder Way":                           0,
	} {
		s := store(t, list)
		n, err := s.Forget(address)
		if n != want || err != nil {
			t.Errorf("%s: forgot %d, %v", address, n, err)
		}
		if again := reopen(t, s.Files()[0]); again.Len() != 3-want {
			t.Errorf("%s: %d left", address, again.Len())
		}
	}
}

// TestForgetUnused holds that what a run needed stays, and what none needed since goes.
func TestForgetUnused(t *testing.T) {
	s := store(t, header+"12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n14 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n")
	later := time.Now().AddDate(0, 1, 0)
	s.SetClock(func() time.Time { return later })
	prepare(t, looking(s), line("12 Alder Way Apt 7, Dearborn, MI 48124"))
	if n, err := s.ForgetUnused(importer.DateOf(later.AddDate(0, -2, 0))); n != 0 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := s.ForgetUnused(importer.DateOf(later)); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if got, _ := placed(looking(reopen(t, s.Files()[0])), line("12 Alder Way, Dearborn, MI 48124")); !got.IsSet() {
		t.Error("what a run needed is forgotten")
	}
}

// TestSeveralProcesses holds that a change keeps what another process has changed meanwhile.
func TestSeveralProcesses(t *testing.T) {
	first := store(t, header+"12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n")
	path := first.Files()[0]
	second := reopen(t, path)
	if _, err := second.Add(write(t, "list.csv", header+"14 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n")); err != nil {
		t.Fatal(err)
	}
	if n, err := first.Forget("12 Alder Way, Dearborn, MI 48124"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := second.Forget("12 Alder Way, Dearborn, MI 48124"); n != 0 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if again := reopen(t, path); again.Len() != 1 {
		t.Errorf("%d left", again.Len())
	}
}

func TestDamagedStore(t *testing.T) {
	s := store(t, office)
	path := s.Files()[0]
	for _, damage := range []string{"something else\n", "", `{"Form":"tripimport places 1"}`} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		var input *importer.InputError
		if _, err := places.Open(path); !errors.As(err, &input) || input.Fix == "" {
			t.Errorf("%q: %v", damage, err)
		}
	}
}

func TestListInOtherForms(t *testing.T) {
	want := line("12 Alder Way, Dearborn, MI 48124")
	for name, text := range map[string]string{
		"BOM":           "\ufeffname,address1,city,state,zip,latitude,longitude\n,12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n",
		"semicolons":    "name;address1;city;state;zip;latitude;longitude\n;12 Alder Way;Dearborn;MI;48124;42.1001;-83.1\n",
		"tabs":          "name\taddress1\tcity\tstate\tzip\tlatitude\tlongitude\n\t12 Alder Way\tDearborn\tMI\t48124\t42.1001\t-83.1\n",
		"order, case":   "Zip,Note,LONGITUDE,Latitude,State,City,Address1\n48124,x,-83.1,42.1001,MI,Dearborn,12 Alder Way\n",
		"CRLF, blanks":  header + "\r\n,,,,,\r\n 12 Alder Way , Dearborn,MI,48124, 42.1001 ,-83.1\r\n",
		"short lines":   "address1,city,state,zip,latitude,longitude,trips\n12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n",
		"one column":    header + "\"12 Alder Way, Dearborn, MI 48124\",,,,42.1001,-83.1\n",
		"Windows-1252":  "name,address1,city,state,zip,latitude,longitude\nCl\xednica,12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n",
		"waiting lines": header + "9 Birch St,Dearborn,MI,48124,,\n12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n",
	} {
		p := looking(store(t, text))
		if got, problems := placed(p, want); got.Latitude != 42.1001 || got.Longitude != -83.1 {
			t.Errorf("%s: %v, %v", name, got, problems)
		}
		if got, _ := placed(p, line("9 Birch St, Dearborn, MI 48124")); got.IsSet() {
			t.Errorf("%s: a line without coordinates is a place", name)
		}
	}
}

// TestFaultyLists holds that nothing of a list is added if one line of it can't be used,
// and that all such lines are named.
func TestFaultyLists(t *testing.T) {
	const good = "9 Elm St,Reno,NV,89501,39.5001,-119.8\n"
	for _, tc := range []struct {
		text string
		row  int
		want string
	}{
		{header + good + "1 A St,Reno,NV,89501,x,-119\n", 0, `x, -119 are not numbers`},
		{header + good + "1 A St,Reno,NV,89501,39.5,\n", 0, "only one of latitude"},
		{header + good + "1 A St,Reno,NV,89501,0,0\n", 0, "not a real location"},
		{header + good + "1 A St,Reno,NV,89501,-119.8,39.5\n", 0, "exchanged"},
		{header + good + "1 A St,Reno,NV,89501,39.5,119.8\n", 0, "outside the United States"},
		{header + good + "1 A St,Reno,NV,89501,42.3001,-83.2\n", 0, "outside the state"},
		{header + good + "1 A St,Reno,,89501,42.3001,-83.2\n", 0, "outside the state"},
		{header + good + "1 A St,Reno,NV,89501,NaN,39.5\n", 0, "outside the United States"},
		{header + good + ",Reno,NV,89501,39.5001,-119.8\n", 0, "there is no address1"},
		{header + good + "1 A St,Reno,NV,89501,x,-119\n2 A St,Reno,NV,89501,39,y\n", 0, "line 4: the coordinates 39, y"},
		{header + good + "\"1 A\" St,Reno,NV,89501,39.0001,-119\n", 3, "quotes"},
		{"name,address,city,state,zip,lat,lng\n", 1, "no column address1"},
		{"", 1, "no column"},
		{"PK\x03\x04 a workbook", 0, "is a workbook"},
	} {
		s := empty(t)
		_, err := s.Add(write(t, "places.csv", tc.text))
		var input *importer.InputError
		if !errors.As(err, &input) || input.At.Row != tc.row || !strings.Contains(input.Reason, tc.want) || input.Fix == "" {
			t.Errorf("%q: %v", tc.text, err)
		}
		if s.Len() != 0 {
			t.Errorf("%q: %d added", tc.text, s.Len())
		}
	}
	if _, err := empty(t).Add(filepath.Join(t.TempDir(), "none.csv")); err == nil || !strings.Contains(err.Error(), "no such list") {
		t.Error(err)
	}
}

// TestUnits holds that an address has the position of its unit, or else that of the whole house.
func TestUnits(t *testing.T) {
	p := looking(store(t, header+`7 Oak St Apt 1,Reno,NV,89501,39.7001,-119.81
7 Oak St Apt 2,Reno,NV,89501,39.8001,-119.81
9 Oak St,Reno,NV,89501,39.9001,-119.81
9 Oak St Bldg B,Reno,NV,89501,39.8001,-119.81
9 Oak St,Sparks,NV,89501,39.6001,-119.81
`))
	for _, tc := range []struct {
		address string
		lat     float64
	}{
		{"7 Oak St, Reno, NV 89501", 0},
		{"7 Oak St #2, Reno, NV 89501", 39.8001},
		{"7 Oak St #3, Reno, NV 89501", 0},
		{"9 Oak St Bldg B, Reno, NV 89501", 39.8001},
		{"9 Oak St Bldg C, Reno, NV 89501", 39.9001},
		{"9 Oak St, Sparks, NV 89501", 39.6001},
		{"9 Oak St, 89501", 0},
	} {
		got, problems := placed(p, line(tc.address))
		if got.Latitude != tc.lat || (tc.lat == 0) != (len(problems) == 1) {
			t.Errorf("%s: %v, %v", tc.address, got, problems)
		}
	}
}

func TestAdd(t *testing.T) {
	s := store(t, header+"12 Alder Way,Dearborn,MI,48124,42.1001,-83.1\n")
	const good = `9 Elm St,Reno,NV,89501,39.5001,-119.8
10 Elm St,Reno,NV,89501,39.5001,-119.7
12 Alder Way,Dearborn,MI,48124,42.1001,-83.1
12 Alder Way Apt 3,Dearborn,MI,48124,42.3001,-83.1
11 Elm St,Reno,NV,89501,,
`
	_, err := s.Add(write(t, "apart.places.csv", header+good+"12 ALDER WY,Dearborn,MI,48124,42.9001,-83.1\n9 Elm St,Reno,NV,89501,39.9001,-119.8\n"))
	const apart = "the same place is known at 42.1001, -83.1; line 8: the same place is known at 39.5001, -119.8"
	if err == nil || !strings.Contains(err.Error(), apart) || s.Len() != 1 {
		t.Errorf("%d places, %v", s.Len(), err)
	}
	got, err := s.Add(write(t, "night.places.csv", header+good))
	want := places.Added{Added: 3, Waiting: 1}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
	p := looking(reopen(t, s.Files()[0]))
	for address, lat := range map[string]float64{
		"12 Alder Way, Dearborn, MI 48124": 42.1001, "12 Alder Way #3, Dearborn, MI 48124": 42.3001,
		"9 Elm St, Reno, NV 89501": 39.5001, "10 Elm St, Reno, NV 89501": 39.5001,
	} {
		if at, problems := placed(p, line(address)); at.Latitude != lat {
			t.Errorf("%s: %v, %v", address, at, problems)
		}
	}
}

// TestAListReplacesAGeocoder holds that what a person wrote counts, whether before or after a
// geocoder answered.
func TestAListReplacesAGeocoder(t *testing.T) {
	s := start(t)
	kept := empty(t)
	e := line("12 Alder Way, Dearborn, MI 48124")
	prepare(t, places.New(kept, geocoders(t, s)["geocodio"], agree).Hurry(), e)
	if added, err := kept.Add(write(t, "list.csv", header+"12 Alder Way,Dearborn,MI,48124,42.5001,-83.5\n")); added.Added != 1 || err != nil || kept.Len() != 1 {
		t.Errorf("%+v, %v", added, err)
	}
	if at, _ := placed(looking(kept), e); at.Latitude != 42.5001 || at.Source != "places list" {
		t.Errorf("at %v", at)
	}
}
