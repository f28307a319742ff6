package check

import (
	"testing"

	"tripimport/importer"
)

// TestSamePerson compares names of two people, and two ways of writing one name.
func TestSamePerson(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Odette Marchbanks", "Casimir Thornbury", false},
		{"Marchbanks, Odette", "Thornbury, Odette", false},
		{"Odette Marchbanks", "Odette Thornbury", false},
		{"Li Wu", "Li Xu", false},
		{"Odette Marchbanks", "MARCHBANKS, ODETTE", true},
		{"Odette Marchbanks", "Marchbanks Odette", true},
		{"Odette M. Marchbanks", "Odette Marchbanks Jr.", true},
		{"Bob Marchbanks", "Robert Marchbanks", true},
		{"Odette Marchbanks-Umber", "Odette Umber", true},
		{"Odette", "", true},
		{"Bob", "Robert", true},
		{"Ann Lee", "Ann Lee", true},
	} {
		if samePerson(c.a, c.b) != c.same || samePerson(c.b, c.a) != c.same {
			t.Errorf("%q and %q: same is not %v", c.a, c.b, c.same)
		}
	}
}

// TestFamily tells two people of one surname apart by their first names, if their phones differ too.
func TestFamily(t *testing.T) {
	for _, c := range []struct {
		a, b string
		two  bool
	}{
		{"Samar Aziz", "Marlon Aziz", true},
		{"Aziz, Samar", "Aziz, Marlon", true},
		{"Muster, Pat L", "Muster, Lou", true},
		{"Pat Muster", "Patricia Muster", false},
		{"P. Muster", "Pat Muster", false},
		{"Muster", "Pat Muster", false},
	} {
		a, b := namedRow{name: c.a, phone: "3135550101"}, namedRow{name: c.b, phone: "3135550102"}
		if a.isOther(&b) != c.two || b.isOther(&a) != c.two {
			t.Errorf("%q and %q: two people: %v", c.a, c.b, !c.two)
		}
		if b.phone = a.phone; a.isOther(&b) {
			t.Errorf("%q and %q have one phone", c.a, c.b)
		}
	}
}

// TestTypedRiders compares a row whose rider's id a person typed with another row that has the id.
func TestTypedRiders(t *testing.T) {
	for _, c := range []struct {
		typed, other string
		asked        bool
	}{
		{"Odette Marchbanks", "Marchbanks, Odette", false},
		{"Odette Marchbanks", "Casimir Thornbury", true},
		{"Odette Marchbanks", "", true},
		{"", "", true},
	} {
		n := &Riders{}
		typed := &namedRow{name: c.typed, typed: true, at: importer.Ref{Row: 3, Col: 2}}
		other := &namedRow{name: c.other, at: importer.Ref{Row: 9, Col: 2}}
		for range 2 {
			n.addTyped(typed, other, "R-1")
			n.addTyped(other, typed, "R-1")
		}
		if asked := len(n.typed) == 1 && n.typed[0].At == typed.at && n.typed[0].SameAs == 9; asked != c.asked || !asked && n.typed != nil {
			t.Errorf("%+v: %+v", c, n.typed)
		}
	}
}
