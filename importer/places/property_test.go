package places_test

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/places"

	"pgregory.net/rapid"
)

// An invented is an address in parts. Names begin with Qu, as no word with a second
// spelling does.
type invented struct {
	number, direction, name, suffix, unit, city, zip string
}

func invent(t *rapid.T) invented {
	name := rapid.StringMatching(`Qu[a-z]{2,8}`)
	return invented{
		number:    rapid.StringMatching(`[1-9][0-9]{0,4}`).Draw(t, "number"),
		direction: rapid.SampledFrom([]string{"", "N", "E", "SW"}).Draw(t, "direction"),
		name:      name.Draw(t, "name"),
		suffix:    rapid.SampledFrom([]string{"St", "Ave", "Blvd", "Ct", "Way"}).Draw(t, "suffix"),
		unit:      rapid.SampledFrom([]string{"", "7", "12B"}).Draw(t, "unit"),
		city:      name.Draw(t, "city"),
		zip:       rapid.StringMatching(`4[0-9]{4}`).Draw(t, "zip"),
	}
}

// spelled returns a word in one of its spellings.
func spelled(t *rapid.T, s string) string {
	other := map[string]string{
		"N": "North", "E": "East", "SW": "Southwest", "St": "Street", "Ave": "Avenue", "Blvd": "Boulevard", "Ct": "Court", "Way": "Wy",
	}
	if o, ok := other[s]; ok && rapid.Bool().Draw(t, "long") {
		s = o
	}
	switch rapid.IntRange(0, 3).Draw(t, "case") {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return strings.ToLower(s)
	case 2:
		if s != "" {
			return s + "."
		}
	}
	return s
}

// written returns the address in one of the forms that rows have.
func (a invented) written(t *rapid.T) importer.Event {
	var words []string
	for _, w := range []string{a.number, a.direction, a.name, a.suffix} {
		if w == a.direction || w == a.suffix {
			w = spelled(t, w)
		}
		if w != "" {
			words = append(words, w)
		}
	}
	space := rapid.SampledFrom([]string{" ", "  "}).Draw(t, "space")
	street := strings.Join(words, space)
	unit := ""
	if a.unit != "" {
		unit = rapid.SampledFrom([]string{"Apt ", "#", "Unit ", "apt . ", "Ste # "}).Draw(t, "designator") + a.unit
	}
	zip := a.zip + rapid.SampledFrom([]string{"", "-1234"}).Draw(t, "plus4")
	city := spelled(t, a.city)
	switch rapid.IntRange(0, 3).Draw(t, "style") {
	case 0:
		return parts(street, unit, city, "MI", zip)
	case 1:
		return parts(strings.TrimSpace(street+" "+unit), "", city, "mi", zip)
	case 2:
		return line(street + ", " + unit + ", " + city + " , MI " + zip)
	}
	return line(street + space + unit + space + city + ", Michigan " + zip)
}

func (a invented) stored(t *testing.T) *places.Places {
	street := strings.Join(strings.Fields(a.number+" "+a.direction+" "+a.name+" "+a.suffix), " ")
	if a.unit != "" {
		street += " #" + a.unit
	}
	return looking(storeOf(t, street+"|"+a.city+"|MI|"+a.zip))
}

// TestEverySpellingMatches holds that an address is found however it is written.
func TestEverySpellingMatches(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		a := invent(t)
		e := a.written(t)
		if got, problems := placed(a.stored(tt), e); !got.IsSet() {
			t.Fatalf("%+v is not found as %q: %v", a, e.Address(), problems)
		}
	})
}

// TestNoVariationMatches holds that an address is not found if any part of it is
// another one, however little it differs.
func TestNoVariationMatches(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		a := invent(t)
		b := a
		switch rapid.IntRange(0, 6).Draw(t, "part") {
		case 0:
			b.number = varied(t, a.number, "0123456789")
		case 1:
			b.name = "Qu" + varied(t, a.name[2:], "abcdefghijklmnopqrstuvwxyz")
		case 2:
			b.city = "Qu" + varied(t, a.city[2:], "abcdefghijklmnopqrstuvwxyz")
		case 3:
			b.zip = a.zip[:1] + digit(t, a.zip[1:])
		case 4:
			b.suffix = rapid.SampledFrom([]string{"Rd", "Ln", "Dr", ""}).Draw(t, "other suffix")
		case 5:
			b.direction = rapid.SampledFrom([]string{"S", "W", "NE"}).Draw(t, "other direction")
		case 6:
			a.unit, b.unit = "7", rapid.SampledFrom([]string{"8", "7B", "77"}).Draw(t, "other unit")
		}
		e := b.written(t)
		if got, _ := placed(a.stored(tt), e); got.IsSet() {
			t.Fatalf("%+v is taken for %q", a, e.Address())
		}
	})
}

// varied replaces one character, removes one, adds one, or exchanges two.
func varied(t *rapid.T, s, alphabet string) string {
	i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
	c := string(alphabet[rapid.IntRange(1, len(alphabet)-1).Draw(t, "letter")])
	v := s
	switch rapid.IntRange(0, 3).Draw(t, "change") {
	case 0:
		v = s[:i] + c + s[i+1:]
	case 1:
		v = s[:i] + s[i+1:]
	case 2:
		v = s[:i] + c + s[i:]
	case 3:
		if i > 0 {
			v = s[:i-1] + s[i:i+1] + s[i-1:i] + s[i+1:]
		}
	}
	if v == s || v == "" || v[0] == '0' {
		return s + c
	}
	return v
}

// digit replaces one digit.
func digit(t *rapid.T, s string) string {
	i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
	add := byte(rapid.IntRange(1, 9).Draw(t, "more"))
	return s[:i] + string('0'+(s[i]-'0'+add)%10) + s[i+1:]
}
