package places_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/usps"
)

// FuzzFilledIn holds that a line of WriteUnplaced, once it is filled in, places
// the address that it was written for, whatever that address is.
func FuzzFilledIn(f *testing.F) {
	f.Add("12 Alder Way, Dearborn, MI 48124", "", "", "", "", "")
	f.Add("12 Alder Way Apt 4 Dearborn MI 48124", "", "", "", "", "")
	f.Add("15 Elm, Detroit", "", "", "", "", "")
	f.Add("corner of A & B, Reno", "", "", "", "", "")
	f.Add("", "12 Alder Way", "Apt 4", "Dearborn", "MI", "48124")
	f.Add("", "Clinic", "900 Forge St", "Detroit", "MI", "482")
	f.Add("", "12 Alder Way", "16 Birch St", "Dearborn", "Mich", "48124")
	f.Add("", "", "", "Dearborn", "", "")
	f.Add("", "#", "//", "", "TX", "2145")
	f.Add("", "=1+1", "@x", "-", "MI", "48124")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, complete, address1, address2, city, state, zip string) {
		if !utf8.ValidString(strings.Join([]string{complete, address1, address2, city, state, zip}, " ")) {
			return // the readers of spreadsheets return valid text only
		}
		e := importer.Event{CompleteAddress: complete, Address1: address1, Address2: address2, City: city, State: state, Zip: zip}
		if complete != "" {
			e = line(complete)
		}
		p := looking(empty(t))
		p.Want(&importer.Trip{Pickup: e})
		open := p.Unplaced()
		if len(open) == 0 {
			return // no address, or a post office box
		}
		path := filepath.Join(dir, "places.csv")
		_ = os.Remove(path) // of the address before
		if err := places.WriteUnplaced(path, open); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Trim(open[0].Address1, " ,#/-.;\n\r\t") == "" {
			return // no words
		}
		lat, lng := spot(open[0].State)
		if open[0].State == "" {
			lat, lng = spot(usps.ZIPState(open[0].Zip))
		}
		filled := strings.TrimSuffix(string(text), ",,,1\n") + fmt.Sprintf(",%v,%v,1\n", lat, lng)
		if err := os.WriteFile(path, []byte(filled), 0o600); err != nil {
			t.Fatal(err)
		}
		filledIn := empty(t)
		if _, err := filledIn.Add(path); err != nil {
			t.Skipf("the random text is no address in any alphabet: %v", err)
		}
		if got, problems := placed(looking(filledIn), e); !got.IsSet() {
			t.Fatalf("%+v is not placed by its own line %q: %v", e, filled, problems)
		}
	})
}
