package places_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/places"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

func TestListInOtherForms(t *testing.T) {
	want := line("12 Alder Way, Dearborn, MI 48124")
	for name, text := range map[string]string{
		"BOM":           "\ufeffname,address1,city,state,zip,latitude,longitude\n,12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n",
		"semicolons":    "name;address1;city;state;zip;latitude;longitude\n;12 Alder Way;Dearborn;MI;48124;42.1;-83.1\n",
		"tabs":          "name\taddress1\tcity\tstate\tzip\tlatitude\tlongitude\n\t12 Alder Way\tDearborn\tMI\t48124\t42.1\t-83.1\n",
		"order, case":   "Zip,Note,LONGITUDE,Latitude,State,City,Address1\n48124,x,-83.1,42.1,MI,Dearborn,12 Alder Way\n",
		"CRLF, blanks":  "address1,city,state,zip,latitude,longitude\r\n\r\n,,,,,\r\n 12 Alder Way , Dearborn,MI,48124, 42.1 ,-83.1\r\n",
		"short lines":   "address1,city,state,zip,latitude,longitude,name_is_enough\n12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n",
		"one column":    "address1,city,state,zip,latitude,longitude\n\"12 Alder Way, Dearborn, MI 48124\",,,,42.1,-83.1\n",
		"Windows-1252":  "name,address1,city,state,zip,latitude,longitude\nCl\xednica,12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n",
		"waiting lines": "address1,city,state,zip,latitude,longitude\n9 Birch St,Dearborn,MI,48124,,\n12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n",
	} {
		p := places.New(open(t, text))
		if got, problems := placed(p, want); got.Latitude != 42.1 || got.Longitude != -83.1 {
			t.Errorf("%s: %v, %v", name, got, problems)
		}
		if got, _ := placed(p, line("9 Birch St, Dearborn, MI 48124")); got.IsSet() {
			t.Errorf("%s: a line without coordinates is a place", name)
		}
	}
}

func TestListAsWorkbook(t *testing.T) {
	book := excelize.NewFile()
	zip, err := book.NewStyle(&excelize.Style{CustomNumFmt: ptr("00000")})
	if err != nil {
		t.Fatal(err)
	}
	two, err := book.NewStyle(&excelize.Style{NumFmt: 2})
	if err != nil {
		t.Fatal(err)
	}
	for cell, value := range map[string]any{
		"A1": "name", "B1": "address1", "C1": "city", "D1": "state", "E1": "zip", "F1": "latitude", "G1": "longitude", "H1": "name_is_enough",
		"A3": "Elm Clinic", "B3": "4 Elm St", "C3": "Boston", "D3": "MA", "E3": 2114, "F3": 42.36251, "G3": -71.06912, "H3": "Yes",
	} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(book.SetCellStyle("Sheet1", "E3", "E3", zip), book.SetCellStyle("Sheet1", "F3", "G3", two)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "places.xlsx")
	if err := book.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	list, err := places.OpenList(path)
	if err != nil {
		t.Fatal(err)
	}
	p := places.New(list)
	for _, e := range []importer.Event{line("4 Elm Street, Boston, MA 02114"), {LocationName: "elm clinic"}} {
		if got, problems := placed(p, e); got.Latitude != 42.36251 || got.Longitude != -71.06912 {
			t.Errorf("%v, %v", got, problems)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestFaultyLists(t *testing.T) {
	const header = "name,address1,city,state,zip,latitude,longitude,name_is_enough\n"
	for _, tc := range []struct {
		text string
		row  int
		want string
	}{
		{header + ",1 A St,Reno,NV,89501,x,-119\n", 2, `the latitude "x" is not a number`},
		{header + ",1 A St,Reno,NV,89501,39.5,\n", 2, "there is no longitude"},
		{header + ",1 A St,Reno,NV,89501,0,0\n", 2, "stands for no place"},
		{header + ",1 A St,Reno,NV,89501,-119.8,39.5\n", 2, "exchanged"},
		{header + ",1 A St,Reno,NV,89501,NaN,39.5\n", 2, "not a number"},
		{header + "\n\n\"El\nm\",1 A St,Reno,NV,89501,39,-119,\n,1 A St,Reno,NV,89501,39,-119,perhaps\n", 6, "should be yes or no"},
		{header + "Elm,,,,,39.5,-119.8,\n", 2, "there is no address1"},
		{header + ",,,,,39.5,-119.8,yes\n", 2, "there is no name"},
		{header + ",1 A St,Reno,NV,89501,x,-119\n,2 A St,Reno,NV,89501,39,y\n", 2, `line 3: the longitude "y"`},
		{header + ",\"1 A\" St,Reno,NV,89501,39,-119\n", 2, "quotes"},
		{"name,address,city,state,zip,lat,lng\n", 1, "no column address1, latitude, longitude"},
		{"", 1, "no column"},
		{"PK\x03\x04 but no workbook", 0, "workbook can't be read"},
	} {
		_, err := places.OpenList(write(t, "places.csv", tc.text))
		var input *importer.InputError
		if !errors.As(err, &input) || input.At.Row != tc.row || !strings.Contains(input.Reason, tc.want) || input.Fix == "" {
			t.Errorf("%q: %v", tc.text, err)
		}
	}
	if _, err := places.OpenList(filepath.Join(t.TempDir(), "none.csv")); err == nil || !strings.Contains(err.Error(), "no such places list") {
		t.Error(err)
	}
}

func TestSeveralPlaces(t *testing.T) {
	p := places.New(open(t, `name,address1,city,state,zip,latitude,longitude,name_is_enough
North Gate,1 Campus Dr,Reno,NV,89501,39.50,-119.80,
South Gate,1 Campus Drive,Reno,NV,89501,39.40,-119.80,
Chain Clinic,5 Oak St,Reno,NV,89501,39.51,-119.81,yes
Chain Clinic,6 Oak St,Reno,NV,89501,39.61,-119.81,yes
,7 Oak St Apt 1,Reno,NV,89501,39.7,-119.81,
,7 Oak St Apt 2,Reno,NV,89501,39.8,-119.81,
,8 Oak St Apt 1,Reno,NV,89501,39.7,-119.81,
,8 Oak St Apt 2,Reno,NV,89501,39.7,-119.81,
,9 Oak St,Reno,NV,89501,39.9,-119.81,
,9 Oak St Bldg B,Reno,NV,89501,39.8,-119.81,
`))
	south := parts("1 Campus Dr", "", "Reno", "NV", "89501")
	south.LocationName = "south gate"
	for _, tc := range []struct {
		event importer.Event
		lat   float64
	}{
		{line("1 Campus Dr, Reno, NV 89501"), 0},
		{south, 39.40},
		{importer.Event{LocationName: "Chain Clinic"}, 0},
		{line("7 Oak St, Reno, NV 89501"), 0},
		{line("7 Oak St #2, Reno, NV 89501"), 39.8},
		{line("8 Oak St, Reno, NV 89501"), 39.7},
		{line("9 Oak St Bldg B Apt 4, Reno, NV 89501"), 39.8},
		{line("9 Oak St Bldg C, Reno, NV 89501"), 39.9},
	} {
		got, problems := placed(p, tc.event)
		if got.Latitude != tc.lat {
			t.Errorf("%s: %v, %v", tc.event.Address(), got, problems)
		}
		if tc.lat == 0 && (len(problems) != 1 || problems[0].Code != "position-ambiguous" ||
			!strings.Contains(problems[0].Message, "line ") || !strings.Contains(problems[0].Message, " and line ")) {
			t.Errorf("%s: %v", tc.event.Address(), problems)
		}
	}
}

func TestClashes(t *testing.T) {
	got := open(t, `address1,city,state,zip,latitude,longitude
12 Alder Way,Dearborn,MI,48124,42.1,-83.1
12 ALDER WY,Dearborn,MI,48124,42.2,-83.1
12 Alder Way Apt 3,Dearborn,MI,48124,42.3,-83.1
12 Alder Way,Dearborn,MI,48124,42.1,-83.1
"no, street",,,,42.1,-83.1
"no, street at all",,,,42.2,-83.1
`).Clashes()
	var lines [][2]int
	for _, c := range got {
		lines = append(lines, [2]int{c.First.Num, c.Second.Num})
	}
	if diff := cmp.Diff([][2]int{{2, 3}, {3, 5}}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestAdd(t *testing.T) {
	const before = "note,Address1,City,State,Zip,Latitude,Longitude\nours,12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n"
	list := write(t, "places.csv", before)
	filled := write(t, "night.places.csv", `name,address1,city,state,zip,latitude,longitude,name_is_enough,trips
,14 Alder Way,Dearborn,MI,48124,42.2,-83.2,,3
,12 ALDER WAY,Dearborn,MI,48124-1234,42.1,-83.1,,1
,16 Alder Way,Dearborn,MI,48124,,,,1
,14 Alder Wy,Dearborn,MI,48124,42.2,-83.2,,1
`)
	got, err := places.Add(list, filled)
	if diff := cmp.Diff(places.Added{Added: 1, Known: 2, Waiting: 1}, got); diff != "" || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	after, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before+",14 Alder Way,Dearborn,MI,48124,42.2,-83.2\n", string(after)); diff != "" {
		t.Error(diff)
	}

	fresh := filepath.Join(t.TempDir(), "fresh.csv")
	if got, err := places.Add(fresh, filled); got.Added != 2 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if l, err := places.OpenList(fresh); err != nil || l.Len() != 2 {
		t.Errorf("%v", err)
	}
}

func TestAddAddsTheOthersWherePlacesClash(t *testing.T) {
	const before = "address1,city,state,zip,latitude,longitude\n12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n"
	list := write(t, "places.csv", before)
	got, err := places.Add(list, write(t, "night.places.csv", `address1,city,state,zip,latitude,longitude
12 Alder Way,Dearborn,MI,48124,42.9,-83.1
9 Elm St,Reno,NV,89501,39.5,-119.8
9 Elm St,Reno,NV,89501,39.9,-119.8
10 Elm St,Reno,NV,89501,39.5,-119.7
`))
	if err != nil || got.Added != 2 || len(got.Clashes) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if c := got.Clashes[0]; c.First.Num != 2 || c.First.Latitude != 42.1 || c.Second.Num != 2 || c.InFile {
		t.Errorf("%+v", c)
	}
	if c := got.Clashes[1]; c.First.Num != 3 || c.Second.Num != 4 || !c.InFile {
		t.Errorf("%+v", c)
	}
	after, err := os.ReadFile(list)
	if want := before + "9 Elm St,Reno,NV,89501,39.5,-119.8\n10 Elm St,Reno,NV,89501,39.5,-119.7\n"; string(after) != want || err != nil {
		t.Errorf("the list has become %q, %v", after, err)
	}
}

func TestAddChangesNothingWhereSomethingIsWrong(t *testing.T) {
	const before = "address1,city,state,zip,latitude,longitude\n12 Alder Way,Dearborn,MI,48124,42.1,-83.1\n"
	const header = "name,address1,city,state,zip,latitude,longitude\n"
	for text, want := range map[string]string{
		header + ",9 Elm St,Reno,NV,89501,39.5,-119.8\n,10 Elm St,Reno,NV,89501,39.5,\n": "there is no longitude",
	} {
		list := write(t, "places.csv", before)
		_, err := places.Add(list, write(t, "night.places.csv", text))
		var input *importer.InputError
		if !errors.As(err, &input) || input.At.Row != 3 || !strings.Contains(input.Reason, want) {
			t.Errorf("%v", err)
		}
		if after, err := os.ReadFile(list); string(after) != before || err != nil {
			t.Errorf("the list has become %q", after)
		}
	}
}
