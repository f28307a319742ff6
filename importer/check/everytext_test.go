package check_test

import (
	"reflect"
	"testing"

	"tripimport/importer"
	"tripimport/importer/triptest"
)

// A control character in any text of a trip is reported, also in a text that is
// added later: the rules list the texts by hand, and this test lists them by
// reflection.
func TestControlCharactersInEveryText(t *testing.T) {
	triptest.Each(&importer.Trip{}, func(path string, leaf reflect.Value) {
		if leaf.Kind() != reflect.String || path == "Provider" || path == "FundingSource" { // names are compared with the service's list
			return
		}
		m := with(good(2), func(trip *importer.Trip) {
			triptest.Each(trip, func(p string, leaf reflect.Value) {
				if p == path {
					leaf.SetString(leaf.String() + "\x01x")
				}
			})
		})
		if got := codesOf(t, rules(), m); len(got[0]) == 0 {
			t.Errorf("%s: a control character is not reported; add it to texts.go", path)
		}
	})
}
