package mapping

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestReturnSwapsPlaces checks that a return has the outbound's places, swapped with
// everything that belongs to them, its names and notes where they were, and none of its
// times.
func TestReturnSwapsPlaces(t *testing.T) {
	m := parsed(t, strings.Replace(lakeshore, "Appt Time}", "Appt Time, location_name: DO Name, event_comment: DO Name, phone_number: DO Phone, coordinates: [DO Lat, DO Lng]}", 1)+`
round_trip:
  when: {flag: Round}
  return:
    pickup: {pickup_time: Back}
`)
	head := mappingtest.Rows(t, "lakeshore_1.csv", strings.TrimSpace(lakeshoreHead)+",DO Name,DO Phone,DO Lat,DO Lng,Round,Back\n")
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
		mapped := b.Map(row, nil)
		if len(mapped.Trips) != 2 {
			t.Fatalf("%d trips", len(mapped.Trips))
		}
		there, back := mapped.Trips[0], mapped.Trips[1]
		withoutTimes := func(e importer.Event) importer.Event {
			e.PickupTime, e.Appt, e.Comment = importer.DateTime{}, importer.DateTime{}, ""
			return e
		}
		if back.Dropoff.Comment != there.Dropoff.Comment || back.Pickup.Comment != "" {
			t.Fatal("a note has moved")
		}
		if diff := cmp.Diff(withoutTimes(there.Pickup), withoutTimes(back.Dropoff)); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(withoutTimes(there.Dropoff), withoutTimes(back.Pickup)); diff != "" {
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

// TestReturnOfEachKey checks what a return without settings of its own has of every key of a trip.
func TestReturnOfEachKey(t *testing.T) {
	const (
		stays = " provider funding_source trip_id linked_by rider_id space_type phone billable_distance additional_passengers date event_name event_comment "
		swaps = " location_name complete_address address address1 address2 city state zip coordinates phone_number "
		goes  = " pickup_time appt_time will_call pickup_only "
	)
	var trip legSpec
	for name, key := range keysOf("", reflect.ValueOf(&trip).Elem()) {
		switch v := key.Addr().Interface().(type) {
		case **source:
			*v = &source{Shape: text{Value: name}}
		case *text:
			v.Value = name
		default: // a list
			key.Set(reflect.MakeSlice(key.Type(), 1, 1))
		}
	}
	there := keysOf("", reflect.ValueOf(&trip).Elem())
	back := trip.returnDefaults()
	for name, got := range keysOf("", reflect.ValueOf(&back).Elem()) {
		side, part := importer.Field(name).Split()
		want := there[name]
		switch key := " " + string(part) + " "; {
		case strings.Contains(swaps, key):
			want = there[string(map[importer.Field]importer.Field{importer.FieldPickup: importer.FieldDropoff, importer.FieldDropoff: importer.FieldPickup}[side].Of(part))]
		case strings.Contains(goes, key):
			want = reflect.Zero(got.Type())
		case !strings.Contains(stays, key):
			t.Errorf("%s: decide in returnDefaults whether it stays, swaps or goes in a return, and say so here", name)
			continue
		}
		if !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%s of the return is %+v, not %+v", name, got, want)
		}
	}
}

// keysOf returns the values of all keys of a leg, those of its events under the name of the event.
func keysOf(prefix string, v reflect.Value) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for _, key := range keysIn(v.Type()) {
		if value := v.FieldByIndex(key.Index); isGroup(value) {
			maps.Copy(all, keysOf(key.name+".", value))
		} else {
			all[prefix+key.name] = value
		}
	}
	return all
}

// TestReturnWithoutADay checks what is said of a return without a time where only the appointment's cell has
// the day: no cell can be filled in, so the mapping has to say which column has it; with that, it is a will
// call on that day.
func TestReturnWithoutADay(t *testing.T) {
	const text = `mapping: 1
broker: Lakeshore
read: {dates: mdy}
trip:
  trip_id: Trip
%s  pickup: {address: From}
  dropoff: {address: To, appt_time: At}
round_trip:
  when: {flag: Both Ways}
  return: {will_call: {says: (empty)}}
`
	rows := mappingtest.Rows(t, "l.csv", "Trip,From,To,At,Both Ways\n7,1 Elm,9 Oak,12/2/2026 9:15 AM,Y\n")
	said := func(date string) string {
		return strings.Join(sentences(bind(t, parsed(t, fmt.Sprintf(text, date)), rows).Map(rows[1], nil)), "\n")
	}
	if got := said(""); !strings.Contains(got, "a will call needs its date (fill in the date; or, if other times have the day, say which column has it") {
		t.Error(got)
	}
	if got := said("  date: At\n"); !strings.Contains(got, "return 7-B willcall pickup 2026-12-02 23:59") || strings.Contains(got, "date") {
		t.Error(got)
	}
}

// TestWillCallOfADay has a column of days with times, in which a will call has its day alone. A row that is none lacks the time.
func TestWillCallOfADay(t *testing.T) {
	rows := textRows([]string{"Trip", "Pickup", "Will Call"}, []string{"N-1", "2026-12-14", "Y"}, []string{"N-2", "2026-12-14", "N"}, []string{"N-3", "2026-12-14 08:30", "Y"})
	b := bind(t, parsed(t, "mapping: 1\nbroker: days\ntrip:\n  trip_id: Trip\n  pickup: {pickup_time: Pickup}\n  pickup_only: return\n  will_call: {when: {flag: Will Call}}\n"), rows)
	for i, want := range []string{"2026-12-14 23:59", "time-unreadable", "2026-12-14 23:59will-call-time"} {
		trip := b.Map(rows[i+1], nil).Trips[0]
		got := trip.Pickup.PickupTime.String()
		for _, p := range trip.Problems {
			got += p.Code
		}
		if got != want {
			t.Errorf("row %d: %q", i+2, got)
		}
	}
}
