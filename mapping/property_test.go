package mapping

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

// TestDatesAreReadAsWritten holds that a day is the same day in every form that
// exports write it in.
func TestDatesAreReadAsWritten(t *testing.T) {
	forms := &dateForms{order: "mdy", compact: []string{"YYYYMMDD", "MMDDYY"}, serials: 1900}
	rapid.Check(t, func(t *rapid.T) {
		day := importer.Date{Year: 2000, Month: time.January, Day: 1}.AddDays(rapid.IntRange(0, 36524).Draw(t, "days"))
		y, m, d := day.Year, int(day.Month), day.Day
		serial := importer.Date{Year: 1899, Month: time.December, Day: 30}.DaysUntil(day)
		for _, s := range []string{
			day.String(), fmt.Sprintf("%02d/%02d/%04d", m, d, y), fmt.Sprintf("%d/%d/%02d", m, d, y%100), fmt.Sprintf("%d-%d-%04d", m, d, y),
			fmt.Sprintf("%04d%02d%02d", y, m, d), fmt.Sprintf("%02d%02d%02d", m, d, y%100), fmt.Sprintf("%04d/%d/%d", y, m, d),
			fmt.Sprintf("%s %d, %d", day.Month, d, y), fmt.Sprintf("%d-%s-%d", d, day.Month.String()[:3], y),
			fmt.Sprintf("%s %d/%d/%d", day.Weekday().String()[:3], m, d, y), fmt.Sprint(serial),
			day.String() + "T08:30:00", fmt.Sprintf("%d/%d/%d 8:30 AM", m, d, y),
		} {
			got, bad := forms.date(found{text: s, typ: importer.Text})
			if bad != nil || got != day {
				t.Fatalf("%q is read as %v: %+v", s, got, bad)
			}
		}
	})
}

// TestTimesAreReadAsWritten holds the same for times of day.
func TestTimesAreReadAsWritten(t *testing.T) {
	forms := &dateForms{serials: 1900}
	rapid.Check(t, func(t *rapid.T) {
		at := importer.TimeOfDay{Hour: rapid.IntRange(0, 23).Draw(t, "hour"), Minute: rapid.IntRange(0, 59).Draw(t, "minute")}
		half, hour := "AM", at.Hour%12
		if at.Hour >= 12 {
			half = "PM"
		}
		if hour == 0 {
			hour = 12
		}
		list := []string{
			at.String(), at.String() + ":00", fmt.Sprintf("%d:%02d", at.Hour, at.Minute), fmt.Sprintf("%02d%02d", at.Hour, at.Minute),
			fmt.Sprintf("%d:%02d %s", hour, at.Minute, half), fmt.Sprintf("%d:%02d%s", hour, at.Minute, strings.ToLower(half)),
			fmt.Sprintf("%02d%02d%s", hour, at.Minute, strings.ToLower(half[:1])),
			fmt.Sprintf("%d:%02d %s.M.", hour, at.Minute, half[:1]), fmt.Sprintf("%.9f", float64(at.Hour*60+at.Minute)/1440),
		}
		if at.Hour > 0 {
			list = append(list, fmt.Sprintf("%d%02d", at.Hour, at.Minute))
		}
		for _, s := range list {
			got, bad := forms.time(s)
			if bad != nil || got != at {
				t.Fatalf("%q is read as %v: %+v", s, got, bad)
			}
		}
	})
}

// TestReturnSwapsWhole holds that the way back has the way there's places with
// everything that belongs to them, and none of its times.
func TestReturnSwapsWhole(t *testing.T) {
	m := parsed(t, strings.Replace(lakeshore, "Appt Time}", "Appt Time, location_name: DO Name, phone_number: DO Phone, latitude: DO Lat, longitude: DO Lng}", 1)+`
round_trip:
  when: {flag: Round}
  trip_id: {outbound: "{trip_id}-A", return: "{trip_id}-B"}
  return:
    pickup: {pickup_time: Back}
`)
	head := rowsOf(t, "lakeshore_1.csv", strings.TrimSpace(lakeshoreHead)+",DO Name,DO Phone,DO Lat,DO Lng,Round,Back\n")
	b := bind(t, m, head)
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[A-Z][a-z]{2,8}`)
		row := importer.Row{File: "lakeshore_1.csv", Num: 2, Width: len(head[0].Cells)}
		for _, s := range []string{
			"Payer", "7", "0045", "Wheelchair", "12/02/2026",
			fmt.Sprintf("%d %s St, %s, MI 48%03d", rapid.IntRange(1, 9999).Draw(t, "number"), word.Draw(t, "street"), word.Draw(t, "city"), rapid.IntRange(0, 999).Draw(t, "zip")),
			"08:30", fmt.Sprintf("%d %s Ave", rapid.IntRange(1, 9999).Draw(t, "number"), word.Draw(t, "street")), "09:30",
			word.Draw(t, "name"), "313555" + rapid.StringMatching(`01\d\d`).Draw(t, "phone"), "42.3", "-83.1", "Yes",
			rapid.SampledFrom([]string{"", "13:45"}).Draw(t, "back"),
		} {
			cell := importer.Cell{Text: s, Type: importer.Text}
			if s == "" {
				cell.Type = importer.Empty
			}
			row.Cells = append(row.Cells, cell)
		}
		mapped := b.Map(row)
		if len(mapped.Trips) != 2 {
			t.Fatalf("%d trips", len(mapped.Trips))
		}
		there, back := mapped.Trips[0], mapped.Trips[1]
		timeless := func(e importer.Event) importer.Event {
			e.PickupTime, e.Appt = importer.DateTime{}, importer.DateTime{}
			return e
		}
		if diff := cmp.Diff(timeless(there.Pickup), timeless(back.Dropoff)); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(timeless(there.Dropoff), timeless(back.Pickup)); diff != "" {
			t.Fatal(diff)
		}
		if !back.Dropoff.Appt.IsZero() || back.Pickup.PickupTime == there.Pickup.PickupTime {
			t.Fatal("the way back has a time of the way there")
		}
		if back.Pickup.PickupTime.IsZero() != back.Faulty() {
			t.Fatal("a return without a time is a fault, one with a time is none")
		}
	})
}
