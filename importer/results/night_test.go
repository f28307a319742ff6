package results

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tripimport/importer"
)

// The tests' schedule: invented people, one row a journey.
func nightColumns() []importer.Column {
	names := []string{
		"Order", "Trip Date", "Rider", "Member ID", "Phone", "Mobility",
		"PU Address", "PU City", "PU Zip", "PU Lat", "PU Lng", "Pickup",
		"DO Address", "City", "DO Zip", "Appt Time", "City", "Return Time", "", "Status",
	}
	columns := make([]importer.Column, len(names))
	for i, n := range names {
		columns[i] = importer.Column{Num: i + 1, Header: n}
	}
	return columns
}

// nightOrigin is where the night's fields come from.
type nightOrigin struct{}

func (nightOrigin) Columns(f importer.Field) []importer.Column {
	at := map[importer.Field][]int{
		importer.FieldTripID: {1}, importer.FieldRiderID: {4}, importer.FieldPhone: {5},
		importer.FieldSpaceType:                            {6},
		importer.FieldPickup:                               {7, 8, 9},
		importer.FieldPickup.Of(importer.FieldZip):         {9},
		importer.FieldPickup.Of(importer.FieldLatitude):    {10},
		importer.FieldPickup.Of(importer.FieldPickupTime):  {12, 2},
		importer.FieldDropoff.Of(importer.FieldZip):        {15},
		importer.FieldDropoff.Of(importer.FieldApptTime):   {16, 2},
		importer.FieldDropoff.Of(importer.FieldPickupTime): {18},
	}
	var columns []importer.Column
	for _, n := range at[f] {
		columns = append(columns, nightColumns()[n-1])
	}
	return columns
}

const nightFile, nightSheet = "lakeshore.xlsx", "Trips"

func text(s string) importer.Cell {
	if s == "" {
		return importer.Cell{}
	}
	return importer.Cell{Type: importer.Text, Text: s}
}

// nightRow is row n of the schedule; every fourth is a round trip.
func nightRow(n int) importer.Row {
	day := importer.Cell{Type: importer.DateCell, Text: "2026-12-02", Format: "m/d/yyyy"}
	clock := func(h, m int) importer.Cell {
		return importer.Cell{Type: importer.TimeCell, Text: fmt.Sprintf("%02d:%02d:00", h%24, m), Format: "h:mm AM/PM"}
	}
	back := importer.Cell{}
	if n%4 == 0 {
		back = clock(13+n%5, 45)
	}
	return importer.Row{File: nightFile, Sheet: nightSheet, Num: n, Cells: []importer.Cell{
		text(fmt.Sprintf("7%04d", n)), day, text(fmt.Sprintf("Rider Number%d", n)), text(fmt.Sprintf("%010d", 41000+n)),
		text(fmt.Sprintf("313-555-01%02d", n%100)), text([]string{"Ambulatory", "Wheelchair"}[n%2]),
		text(fmt.Sprintf("%d Elm St", 100+n)), text("Lansing"),
		{Type: importer.Number, Text: fmt.Sprintf("%05d", 2145+n), Format: "00000"},
		{Type: importer.Number, Text: fmt.Sprintf("42.33%04d1", n)},
		{Type: importer.Number, Text: fmt.Sprintf("-83.04%04d7", n)},
		clock(7+n%10, 5*(n%12)), text("1 Clinic Way"), text("Detroit"), text("48201"), clock(8+n%10, 5*(n%12)),
		text("East"), back, text(""), text("NEW"),
	}}
}

// nightTrips are the row's trips, all of one state.
func nightTrips(row importer.Row, state importer.State) []importer.TripResult {
	trip := func(leg importer.Leg, suffix string, hour int) importer.TripResult {
		t := importer.TripResult{Trip: importer.Trip{
			Leg: leg, ID: row.Cell(1).Text + suffix, RiderID: row.Cell(4).Text, SpaceType: "AMB", FundingSource: "Lakeshore",
			Row: row.Ref(0), Origin: nightOrigin{},
		}, Outcome: importer.Outcome{State: state}}
		t.Trip.Pickup.PickupTime = importer.DateTime{
			Date:      importer.Date{Year: 2026, Month: time.December, Day: 2},
			TimeOfDay: importer.TimeOfDay{Hour: hour % 24, Minute: 5},
		}
		if state == importer.Created || state == importer.AlreadyCreated {
			t.Outcome.GUID = fmt.Sprintf("5f0c%04d-0000-4000-8000-0000000000%02d", row.Num, leg)
			t.Outcome.HTTPStatus, t.Outcome.Attempts = 200, 1
			t.Outcome.SentAt = nightStart().Add(time.Duration(row.Num) * time.Second)
			t.Outcome.AnsweredAt = t.Outcome.SentAt.Add(120 * time.Millisecond)
		}
		return t
	}
	if row.Cell(18).Type == importer.Empty {
		return []importer.TripResult{trip(importer.OnlyLeg, "", 7+row.Num%10)}
	}
	return []importer.TripResult{
		trip(importer.OutboundLeg, "-A", 7+row.Num%10), trip(importer.ReturnLeg, "-B", 13+row.Num%5),
	}
}

// nightResult is the row with all its trips in one state.
func nightResult(n int, state importer.State) importer.RowResult {
	row := nightRow(n)
	return importer.RowResult{Row: row, State: state, Trips: nightTrips(row, state)}
}

// fault puts a fault of the field on all of the row's trips.
func withFault(r importer.RowResult, code string, f importer.Field, message, fix string) importer.RowResult {
	for i := range r.Trips {
		t := &r.Trips[i]
		t.Trip.Fault(code, message, fix, f)
		t.Outcome.State = importer.Invalid
		if i == 0 {
			r.Problems = append(r.Problems, t.Trip.Problems[len(t.Trip.Problems)-1])
			r.Problems[len(r.Problems)-1].Leg = importer.OnlyLeg
		}
	}
	r.State = importer.Invalid
	return r
}

// night is a run of n rows in which everything happens.
func night(n int) []importer.RowResult {
	var rows []importer.RowResult
	for i := 2; i < n+2; i++ {
		r := nightResult(i, importer.Created)
		switch i % 20 {
		case 3:
			r.Row.Cells[5] = text("Wheel chair XL")
			r = withFault(r, "space-type-unknown", importer.FieldSpaceType,
				`"Wheel chair XL" is not in the mapping's table of space types`, "correct the cell, or add it to the mapping")
		case 5:
			r = nightResult(i, importer.Unknown)
			r.Trips[0].Outcome.Message = "no answer within 60 seconds"
			r.Trips[0].Outcome.Attempts = 1
		case 8:
			r = nightResult(i, importer.Created)
			r.Trips[1].Outcome = importer.Outcome{State: importer.Refused, HTTPStatus: 400, Message: "rider is not eligible on this date", Attempts: 1}
			r.State, r.HalfBooked = importer.Refused, true
		case 11:
			r = nightResult(i, importer.AlreadyCreated)
			r.Trips[0].Outcome.BookedAt = nightStart().AddDate(0, 0, -1)
		case 13:
			r = nightResult(i, importer.Changed)
			r.Trips[0].Outcome.Changed = []string{"pickup.pickup_time", "pickup.event_location.city"}
			r.Trips[0].Outcome.GUID = fmt.Sprintf("aaaa%04d-0000-4000-8000-000000000000", i)
		case 15:
			r.Row.Cells[14] = importer.Cell{}
			r = withFault(r, "zip-missing", importer.FieldDropoff.Of(importer.FieldZip), "the dropoff has no ZIP code", "fill in the ZIP code")
		case 17:
			r = nightResult(i, importer.Skipped)
			r.LeftOut = "turned back"
		case 19:
			r = nightResult(i, importer.NotSent)
			r.Trips[0].Outcome.Reason = "the service could not be reached"
		}
		rows = append(rows, r)
	}
	return rows
}

func nightStart() time.Time { return time.Date(2026, 12, 1, 21, 0, 0, 0, time.UTC) }

func nightKey() []byte { return []byte("a key for tests, thirty-two long") }

// nightInput describes the schedule's file.
func nightInput() Input {
	head := importer.Row{File: nightFile, Sheet: nightSheet, Num: 1}
	for _, c := range nightColumns() {
		head.Cells = append(head.Cells, text(c.Header))
	}
	return Input{
		InputInfo: importer.InputInfo{Name: nightFile, Hash: "5ee1"}, Path: "/schedules/" + nightFile,
		Sheet: nightSheet, Head: []importer.Row{head}, Columns: nightColumns(),
	}
}

func nightOptions(t testing.TB, format Format) Options {
	return Options{
		Path: filepath.Join(t.TempDir(), Name(nightFile, nightStart(), OfImport, format)), Format: format,
		Key: nightKey(), Inputs: []Input{nightInput()}, Mapping: MappingInfo{Name: "Lakeshore, nightly export", Path: "lakeshore.yaml", Hash: "abc"},
		Version: "test", Now: func() time.Time { return nightStart().Add(3 * time.Minute) }, TempDir: t.TempDir(),
		Commands: Commands{
			Retry:   func(results string) string { return "tripimport retry " + filepath.Base(results) },
			Resolve: "tripimport resolve", Again: "tripimport check lakeshore.xlsx", Import: "tripimport import lakeshore.xlsx",
			Fresh: "tripimport results r-0001 --input lakeshore.xlsx",
		},
	}
}

func nightHeading() importer.RunStart {
	return importer.RunStart{
		Run: importer.RunInfo{
			ID: "r-0001", Started: nightStart(), Command: "import", Mapping: "Lakeshore, nightly export",
			Inputs: []importer.InputInfo{{Name: nightFile, Hash: "5ee1"}}, Version: "test",
		},
		Ledger: "ledger-1",
		Plan:   importer.PlanSummary{Dates: []importer.DateCount{{Date: importer.Date{Year: 2026, Month: 12, Day: 2}, Trips: 12}}},
	}
}

// write writes rows and gives the file's name and the Summary.
func write(t testing.TB, o Options, h importer.RunStart, rows []importer.RowResult) (string, *Summary) {
	t.Helper()
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Start(h); err != nil {
		t.Fatal(err)
	}
	var e importer.RunResult
	for _, r := range rows {
		e.Totals.Add(r)
		e.Totals.RowsRead++
		e.Totals.TripsRead += len(r.Trips)
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(e); err != nil {
		t.Fatal(err)
	}
	if len(w.WrittenTo()) == 0 {
		t.Fatal("nothing written")
	}
	return w.WrittenTo()[0], w.Summary()
}
