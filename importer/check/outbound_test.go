package check_test

import (
	"reflect"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/triptest"

	"github.com/google/go-cmp/cmp"
)

// TestReturnIsCheckedAsIfAlone checks that the events of a return do not count as checked
// with the outbound if they differ from it in anything, or if the outbound has a problem.
// It sets each field of a trip to a wrong value, in the return alone and in the outbound
// as well, and compares the problems with those of a return beside an outbound from
// elsewhere.
func TestReturnIsCheckedAsIfAlone(t *testing.T) {
	problems := func(m importer.Mapped, elsewhere bool) []importer.Problem {
		if elsewhere {
			m.Trips[0].Pickup.Name, m.Trips[0].Dropoff.Name = "somewhere", "else"
		}
		r, c := rules(), check.New(today)
		c.Note(&m)
		c.Check(&m, &r)
		return m.Trips[1].Problems
	}

	found, paths := 0, []string{}
	triptest.Each(&importer.Trip{}, func(path string, _ reflect.Value) { paths = append(paths, path) })
	for _, path := range paths {
		for _, test := range []struct{ both, rowFault bool }{{false, false}, {true, false}, {true, true}} {
			row := func() importer.Mapped {
				m := roundTrip(1)
				if test.rowFault { // which keeps that of the outbound's phone from being reported
					m.Problems = []importer.Problem{{Field: importer.FieldDropoff.Of(importer.FieldPhoneNumber)}}
				}
				spoil(&m.Trips[1], path)
				if test.both {
					spoil(&m.Trips[0], strings.NewReplacer("Pickup.", "Dropoff.", "Dropoff.", "Pickup.").Replace(path))
				}
				return m
			}
			want, got := problems(row(), true), problems(row(), false)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %+v: %s", path, test, diff)
			}
			found += len(got)
		}
	}
	if found < len(paths) {
		t.Errorf("%d problems of %d fields: the test spoils nothing", found, len(paths))
	}
}

// spoil sets a field of a trip to what is wrong.
func spoil(t *importer.Trip, field string) {
	triptest.Each(t, func(path string, leaf reflect.Value) {
		if path != field {
			return
		}
		switch v := leaf.Addr().Interface().(type) {
		case *string:
			*v = "?\x01"
			if strings.HasSuffix(path, "Phone") {
				*v = "?" // with one problem alone
			}
		case *float64:
			*v = 400
		case *bool:
			*v = false
		case *importer.DateTime:
			v.Year = 2025
		}
	})
}
