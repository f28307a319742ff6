// Package resultstest has an invented night for tests of results: a schedule of
// invented people, what became of its rows, and results of them.
package resultstest

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
)

// Columns returns the columns of the schedule. One has no header, and one header
// is there twice.
func Columns() []importer.Column {
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

// Origin is where the fields of the schedule's trips come from. It implements
// importer.Origin.
type Origin struct{}

// Columns returns the columns of the field.
func (Origin) Columns(f importer.Field) []importer.Column {
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
		columns = append(columns, Columns()[n-1])
	}
	return columns
}

// File and Sheet are the names of the schedule and of its sheet.
const File, Sheet = "lakeshore.xlsx", "Trips"

// Text returns a cell that holds the text; an empty cell for none.
func Text(s string) importer.Cell {
	if s == "" {
		return importer.Cell{}
	}
	return importer.Cell{Type: importer.Text, Text: s}
}

// Row is row n of the schedule; every fourth is a round trip.
func Row(n int) importer.Row {
	day := importer.Cell{Type: importer.DateCell, Text: "2026-12-02", Format: "m/d/yyyy"}
	clock := func(h, m int) importer.Cell {
		return importer.Cell{Type: importer.TimeCell, Text: fmt.Sprintf("%02d:%02d:00", h%24, m), Format: "h:mm AM/PM"}
	}
	back := importer.Cell{}
	if n%4 == 0 {
		back = clock(13+n%5, 45)
	}
	return importer.Row{File: File, Sheet: Sheet, Num: n, Cells: []importer.Cell{
		Text(fmt.Sprintf("7%04d", n)), day, Text(fmt.Sprintf("Rider Number%d", n)), Text(fmt.Sprintf("%010d", 41000+n)),
		Text(fmt.Sprintf("313-555-01%02d", n%100)), Text([]string{"Ambulatory", "Wheelchair"}[n%2]),
		Text(fmt.Sprintf("%d Elm St", 100+n)), Text("Lansing"),
		{Type: importer.Number, Text: fmt.Sprintf("%05d", 2145+n), Format: "00000"},
		{Type: importer.Number, Text: fmt.Sprintf("42.33%04d1", n)},
		{Type: importer.Number, Text: fmt.Sprintf("-83.04%04d7", n)},
		clock(7+n%10, 5*(n%12)), Text("1 Clinic Way"), Text("Detroit"), Text("48201"), clock(8+n%10, 5*(n%12)),
		Text("East"), back, Text(""), Text("NEW"),
	}}
}

// trips returns the row's trips, all of one state.
func trips(row importer.Row, state importer.State) []importer.TripResult {
	trip := func(leg importer.Leg, suffix string, hour int) importer.TripResult {
		t := importer.TripResult{Trip: importer.Trip{
			Leg: leg, ID: row.Cell(1).Text + suffix, RiderID: row.Cell(4).Text, SpaceType: "AMB", FundingSource: "Lakeshore",
			Row: row.Ref(0), Origin: Origin{},
		}, Outcome: importer.Outcome{State: state}}
		t.Trip.Pickup.PickupTime = importer.DateTime{
			Date:      importer.Date{Year: 2026, Month: time.December, Day: 2},
			TimeOfDay: importer.TimeOfDay{Hour: hour % 24, Minute: 5},
		}
		if state == importer.Booked || state == importer.BookedEarlier {
			t.Outcome.GUID = fmt.Sprintf("5f0c%04d-0000-4000-8000-0000000000%02d", row.Num, leg)
			t.Outcome.HTTPStatus, t.Outcome.Attempts = 200, 1
			t.Outcome.SentAt = Start().Add(time.Duration(row.Num) * time.Second)
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

// Result returns row n with all its trips in one state.
func Result(n int, state importer.State) importer.RowResult {
	row := Row(n)
	return importer.RowResult{Row: row, State: state, Trips: trips(row, state)}
}

// WithFault returns the result with a fault of the field on all of its trips.
func WithFault(r importer.RowResult, code string, f importer.Field, message, fix string) importer.RowResult {
	for i := range r.Trips {
		t := &r.Trips[i]
		t.Trip.Report(code, message, fix, f)
		t.Outcome.State = importer.Fix
		if i == 0 {
			r.Problems = append(r.Problems, t.Trip.Problems[len(t.Trip.Problems)-1])
			r.Problems[len(r.Problems)-1].Leg = importer.OnlyLeg
		}
	}
	r.State = importer.Fix
	return r
}

// Night returns a run of n rows in which everything happens.
func Night(n int) []importer.RowResult {
	var rows []importer.RowResult
	for i := 2; i < n+2; i++ {
		state, other := map[int]importer.State{
			5: importer.Unknown, 11: importer.BookedEarlier, 13: importer.ChangeByHand, 17: importer.LeftOut, 19: importer.NotSent,
		}[i%20]
		if !other {
			state = importer.Booked
		}
		r := Result(i, state)
		switch i % 20 {
		case 3:
			r.Row.Cells[5] = Text("Wheel chair XL")
			r = WithFault(r, "space-type-unknown", importer.FieldSpaceType,
				`"Wheel chair XL" is not in the mapping's table of space types`, "correct the cell, or add it to the mapping")
		case 5:
			r.Trips[0].Outcome.Message = "no answer within 60 seconds"
			r.Trips[0].Outcome.Attempts = 1
		case 8:
			r.Trips[1].Outcome = importer.Outcome{State: importer.Refused, HTTPStatus: 400, Message: "rider is not eligible on this date", Attempts: 1, HalfBooked: true}
			r.State, r.HalfBooked = importer.Refused, true
		case 11:
			r.Trips[0].Outcome.BookedAt = Start().AddDate(0, 0, -1)
		case 13:
			r.Trips[0].Outcome.Why = importer.WhyUnsent
			r.Trips[0].Outcome.Changed = []string{"pickup.pickup_time", "pickup.event_location.city"}
			r.Trips[0].Outcome.GUID = fmt.Sprintf("aaaa%04d-0000-4000-8000-000000000000", i)
		case 15:
			r.Row.Cells[14] = importer.Cell{}
			r = WithFault(r, "zip-missing", importer.FieldDropoff.Of(importer.FieldZip), "the dropoff has no ZIP code", "fill in the ZIP code")
		case 17:
			r.LeftOut = "turned back"
		case 19:
			r.Trips[0].Outcome.Reason = "the service could not be reached"
		}
		rows = append(rows, Judged(r))
	}
	return rows
}

// Judged returns the result with the urgency that the judge gives its trips well before they
// begin. What is half booked or too late is near.
func Judged(r importer.RowResult) importer.RowResult {
	for i := range r.Trips {
		o := &r.Trips[i].Outcome
		if o.Due = max(o.Due, o.State.Urgency()); o.HalfBooked && o.State.Missing() || o.TooLate {
			o.Due = importer.ActNow
		}
	}
	return r
}

// Start is when the run started.
func Start() time.Time { return time.Date(2026, 12, 1, 21, 0, 0, 0, time.UTC) }

// Key is the ledger's key.
func Key() []byte { return []byte("a key for tests, thirty-two long") }

// Input describes the schedule's file.
func Input() results.Input {
	head := importer.Row{File: File, Sheet: Sheet, Num: 1}
	for _, c := range Columns() {
		head.Cells = append(head.Cells, Text(c.Header))
	}
	return results.Input{
		InputInfo: importer.InputInfo{Name: File, Hash: "5ee1"}, Path: "/schedules/" + File,
		Sheet: Sheet, Head: []importer.Row{head}, Columns: Columns(),
	}
}

// Options give results of the night in a folder of the test's own.
func Options(t testing.TB, format results.Format) results.Options {
	return results.Options{
		Path: filepath.Join(t.TempDir(), results.Name(File, Start(), results.OfImport, format)), Format: format,
		Key: Key(), Input: Input(), Mapping: results.MappingInfo{Name: "Lakeshore, nightly export", Path: "lakeshore.yaml", Hash: "abc"},
		Location: time.UTC, Now: func() time.Time { return Start().Add(3 * time.Minute) }, Number: func() int64 { return 0 },
		Commands: func(written string) results.Commands {
			return results.Commands{
				Retry: "tripimport retry " + filepath.Base(written), Resolve: "tripimport morning", Again: "tripimport check lakeshore.xlsx",
				Import: "tripimport import lakeshore.xlsx", Fresh: "tripimport runs results r-0001 --input lakeshore.xlsx",
			}
		},
	}
}

// RunStart begins the run.
func RunStart() importer.RunStart {
	return importer.RunStart{
		Run: importer.RunInfo{
			ID: "r-0001", Started: Start(), Command: "import", Mapping: "Lakeshore, nightly export",
			Input: importer.InputInfo{Name: File, Hash: "5ee1"}, Version: "test",
		},
		Ledger: "ledger-1",
		Plan:   importer.PlanSummary{Dates: []importer.DateCount{{Date: importer.Date{Year: 2026, Month: 12, Day: 2}, Trips: 12}}},
	}
}

// Write writes the rows' results. It gives the file's name and the Summary.
func Write(t testing.TB, o results.Options, h importer.RunStart, rows []importer.RowResult) (string, *results.Summary) {
	t.Helper()
	w := results.New(o)
	defer w.Close()
	if err := w.Start(h); err != nil {
		t.Fatal(err)
	}
	var e importer.RunResult
	for _, r := range rows {
		e.Totals.Add(&r)
		e.Totals.RowsRead++
		e.Totals.TripsRead += len(r.Trips)
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(e); err != nil {
		t.Fatal(err)
	}
	if len(w.Summary().Files) == 0 {
		t.Fatal("nothing written")
	}
	return w.Summary().Files[0], w.Summary()
}

// OpenWorkbook opens a workbook with excelize for the length of the test.
func OpenWorkbook(t testing.TB, name string) *excelize.File {
	t.Helper()
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
