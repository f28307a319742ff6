package mapping

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

const lakeshore = `mapping: 1
broker: Lakeshore
files: ["lakeshore_*.csv", "LHP*"]
read: {dates: mdy}
trip:
  provider: {const: Lakeshore Transit}
  funding_source: Payer
  trip_id: Trip Number
  rider_id: Member ID
  space_type: {column: Mobility, table: {Ambulatory: AMB, Wheelchair: WCH}}
  date: Trip Date
  pickup: {address: PU Address, pickup_time: Pickup Time}
  dropoff: {address: DO Address, appt_time: Appt Time}
`

const lakeshoreHead = "Payer,Trip Number,Member ID,Mobility,Trip Date,PU Address,Pickup Time,DO Address,Appt Time\n"

func parsed(t testing.TB, text string) *Mapping {
	t.Helper()
	m, err := Parse("lakeshore.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMissingColumns checks that a changed layout is reported column by column,
// with the nearest header.
func TestMissingColumns(t *testing.T) {
	rows := mappingtest.Rows(t, "lakeshore_1.csv", strings.NewReplacer("Member ID", "Member Id Number", "Appt Time", "Arrive By", "Payer", "Payer,Region").Replace(lakeshoreHead))
	_, err := parsed(t, lakeshore).Bind(rows, "lakeshore_1.csv")
	var input *importer.InputError
	if !errors.As(err, &input) {
		t.Fatalf("%v", err)
	}
	want := `"Appt Time" is not there; "Member ID" is not there; there is "Member Id Number". ` +
		`Columns that the mapping does not use: "Region" (B), "Member Id Number" (D), "Arrive By" (J)`
	if input.File != "lakeshore_1.csv" || !strings.HasSuffix(input.Reason, want) || input.Fix == "" {
		t.Errorf("%+v", input)
	}
}

// TestMatch checks for which files a mapping may be chosen.
func TestMatch(t *testing.T) {
	m := parsed(t, lakeshore)
	rows := mappingtest.Rows(t, "x.csv", lakeshoreHead)
	short := mappingtest.Rows(t, "x.csv", strings.Replace(lakeshoreHead, ",Appt Time", "", 1))
	for _, c := range []struct {
		file    string
		rows    []importer.Row
		ok      bool
		missing int
	}{
		{"lakeshore_2026-12-02.csv", rows, true, 0},
		{"LAKESHORE_1.CSV", rows, true, 0},
		{"lhp export.xlsx", rows, true, 0},
		{"harbor_1.csv", rows, false, 0}, // the same columns, another payer's file
		{"lakeshore_1.csv", short, false, 1},
		{"lakeshore_1.csv", nil, false, 9}, // as on a sheet without rows
	} {
		got := m.Match(c.rows, c.file)
		if got.OK != c.ok || len(got.Missing) != c.missing || got.Named != 9 {
			t.Errorf("%s: %+v", c.file, got)
		}
	}
	free := parsed(t, strings.NewReplacer("{const: Lakeshore Transit}", "Payer", `files: ["lakeshore_*.csv", "LHP*"]`+"\n", "").Replace(lakeshore))
	if !free.Match(rows, "anything.csv").OK {
		t.Error("a mapping without constants needs no file name")
	}
}

// TestUnused checks that a column which the mapping does not use is told, whatever else the
// file has.
func TestUnused(t *testing.T) {
	b := bind(t, parsed(t, lakeshore), mappingtest.Rows(t, "x.csv", "Region,"+lakeshoreHead))
	if diff := cmp.Diff([]UnusedColumn{{Column: importer.Column{Num: 1, Header: "Region"}, Name: "Region"}}, b.Unused()); diff != "" {
		t.Error(diff)
	}
}

// TestColumns checks that all columns are returned, those without a header too,
// and the header row.
func TestColumns(t *testing.T) {
	rows := mappingtest.Rows(t, "lakeshore_1.csv", "Lakeshore Health Plan\n\n"+strings.Replace(lakeshoreHead, "Payer,", "Payer,,", 1))
	b := bind(t, parsed(t, lakeshore), rows)
	if b.HeaderRow() != 3 {
		t.Errorf("the headers are found in row %d", b.HeaderRow())
	}
	columns := b.Columns()
	if len(columns) != 10 || columns[1] != (importer.Column{Num: 2}) || columns[2].Header != "Trip Number" {
		t.Errorf("%+v", columns)
	}
}

// TestMeaning checks that what a mapping means depends on what it says and on its lists.
func TestMeaning(t *testing.T) {
	hash := func(text, riders string) string {
		text = strings.Replace(text, "Member ID", "{list: riders.csv, by: {name: Member ID}, value: id}", 1)
		m, err := Parse("lakeshore.yaml", []byte(text), openText(map[string]string{"riders.csv": riders}))
		if err != nil {
			t.Fatal(err)
		}
		return m.Meaning()
	}
	first := hash(lakeshore, "name,id\na,1\n")
	if len(first) != 64 || first != hash(lakeshore, "name,id\na,1\n") {
		t.Error("the hash of one mapping differs")
	}
	if first != hash(lakeshore+"#\n", "name,id\na,1\n") {
		t.Error("a comment has a meaning")
	}
	if first == hash(strings.Replace(lakeshore, "mdy", "dmy", 1), "name,id\na,1\n") || first == hash(lakeshore, "name,id\na,2\n") {
		t.Error("two mappings have one hash")
	}
}

// TestListOfExcel reads a list as Excel saves it in Europe: in Windows-1252, with
// semicolons. A name in it is the one that the schedule has.
func TestListOfExcel(t *testing.T) {
	text := strings.Replace(lakeshore, "Member ID", "{list: riders.csv, by: {name: Member ID}, value: id}", 1)
	m, err := Parse("lakeshore.yaml", []byte(text), openText(map[string]string{"riders.csv": "name;id\nJos\xe9 N\xfa\xf1ez;R-1\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if l := m.lists["riders.csv"]; len(l.lines) != 1 || l.lines[0].cells[0] != "José Núñez" || l.lines[0].cells[1] != "R-1" {
		t.Errorf("%+v", l.lines)
	}
}

// TestListWithoutOrder finds riders by birth dates in a mapping that does not say in which order dates are.
func TestListWithoutOrder(t *testing.T) {
	text := strings.NewReplacer("Member ID", "{list: riders.csv, by: {born: Member ID}, value: id}", "mdy", "YYYYMMDD").Replace(lakeshore)
	m, err := Parse("lakeshore.yaml", []byte(text), openText(map[string]string{"riders.csv": "born,id\n1/12/1950,R-1\n1950-06-17,R-2\n"}))
	if err != nil {
		t.Fatal(err)
	}
	row := func(born string) string {
		return "P,1," + born + ",Ambulatory,20261202,\"1 Elm St, Reno, NV 89501\",8:00,\"9 Oak St, Reno, NV 89501\",9:00\n"
	}
	rows := mappingtest.Rows(t, "lakeshore_1.csv", lakeshoreHead+row("1/12/1950")+row("11/2/1950")+row("19500617"))
	b := bind(t, m, rows)
	for i, want := range []string{"R-1", "", "R-2"} {
		if got := b.Map(rows[i+1], nil).Trips[0].RiderID; got != want {
			t.Errorf("the rider of row %d is %q, not %q", i+2, got, want)
		}
	}
}

// TestLint checks the findings of mappings that are valid but should not be used
// every night.
func TestLint(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing wrong", lakeshore, ""},
		{"a constant provider for any file", strings.Replace(lakeshore, `files: ["lakeshore_*.csv", "LHP*"]`+"\n", "", 1), `"Lakeshore Transit" is the same for every file`},
		{"something open", strings.Replace(lakeshore, "  rider_id: Member ID\n", "", 1), "the trip has no rider_id: which column identifies the rider?"},
	} {
		findings := Lint(parsed(t, c.text))
		if c.want == "" && len(findings) > 0 || c.want != "" && (len(findings) != 1 || !strings.Contains(findings.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, findings)
		}
	}
	for _, name := range []string{"plain", "round-trip-rows", "two-leg-rows", "serials-repeated-headers", "single-datetime"} {
		if findings := Lint(template(t, name)); len(findings) > 0 {
			t.Errorf("%s: %v", name, findings)
		}
	}
}

// TestNoPassengers checks that no keys mean no passengers.
func TestNoPassengers(t *testing.T) {
	rows := mappingtest.Rows(t, "lakeshore_1.csv", lakeshoreHead+"Payer,7,0045,Wheelchair,12/02/2026,1 Elm St,08:30,9 Oak Ave,09:30\n")
	b := bind(t, parsed(t, lakeshore+"  additional_passengers: {}\n"), rows)
	if riders := b.Map(rows[1], nil).Trips[0].AdditionalRiders; len(riders) > 0 {
		t.Errorf("%v come along", riders)
	}
}

// TestConstants checks what a mapping says about itself.
func TestConstants(t *testing.T) {
	m := parsed(t, lakeshore)
	provider, source := m.Constants()
	if provider != "Lakeshore Transit" || source != "" || m.Name() != "Lakeshore" || m.File() != "lakeshore.yaml" ||
		m.FilePattern() != "lakeshore_*.csv, LHP*" {
		t.Errorf("%q %q %q %q", provider, source, m.Name(), m.FilePattern())
	}
	read := parsed(t, lakeshore[:strings.Index(lakeshore, "read:")]+"read: {sheet: Trips, encoding: windows-1252, delimiter: tab, header: none}\n"+
		strings.NewReplacer("Payer", "=A", "Trip Number", "=B", "Member ID", "=C", "{column: Mobility,", "{column: =D,", "Trip Date", "=E",
			"PU Address", "=F", "Pickup Time", "=G", "DO Address", "=H", "Appt Time", "=I").Replace(lakeshore[strings.Index(lakeshore, "trip:"):])).Read()
	if diff := cmp.Diff(Read{Sheet: "Trips", Encoding: "windows-1252", Delimiter: "tab", HeaderRow: -1}, read); diff != "" {
		t.Error(diff)
	}
}

// TestRules checks that what a mapping says reaches the checks.
func TestRules(t *testing.T) {
	rules := bind(t, parsed(t, lakeshore+"zone: America/Detroit\ncomplete: day\n"), mappingtest.Rows(t, "lakeshore_1.csv", lakeshoreHead)).Rules()
	if rules.Location.String() != "America/Detroit" || !rules.Complete {
		t.Errorf("%+v", rules)
	}
}

// TestMapConcurrently checks that many goroutines may use a bound mapping at
// once.
func TestMapConcurrently(t *testing.T) {
	rows := mappingtest.ReadCSV(t, "../testdata/samples/round-trip-rows.csv")
	b := bind(t, template(t, "round-trip-rows"), rows)
	want := make([][]string, len(rows))
	for i, row := range rows {
		want[i] = sentences(b.Map(row, nil))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				for i, row := range rows {
					if got := sentences(b.Map(row, nil)); !slices.Equal(got, want[i]) {
						t.Errorf("%q", got)
					}
				}
			}
		})
	}
	all.Wait()
}
