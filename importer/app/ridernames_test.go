package app

import "testing"

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
