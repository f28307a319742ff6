package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"

	"tripimport/importer"
	"tripimport/mapping/propose"
)

// mostRiderNames is how many riders of a file are remembered by name. No schedule of a
// night has so many, and their names fit into memory.
const mostRiderNames = 50_000

// riderNames finds rider ids that stand beside the names of two people. Names are
// remembered while a file is read, and appear nowhere.
type riderNames struct {
	names  map[rider]namedRow
	shared []sharedID
}

// A namedRow is a row with the name of its rider.
type namedRow struct {
	name   string
	at     importer.Ref // of the id
	shared bool         // another name was found beside the id
}

// A sharedID is where an id stands first, and first with another name.
type sharedID struct{ first, second importer.Ref }

// add compares the name in a row with the one that the rider had first.
func (n *riderNames) add(m *importer.Mapped) {
	t := &m.Trips[0]
	if t.RiderID == "" || t.Pickup.Name == "" || t.Origin == nil {
		return
	}
	names, ids := t.Origin.Columns(pickupName), t.Origin.Columns(importer.FieldRiderID)
	if len(names) == 0 || len(ids) == 0 || !slices.ContainsFunc(names, func(c importer.Column) bool { return propose.NamesRider(c.Header) }) {
		return
	}

	who := rider{t.Provider, importer.RiderText(t.RiderID)}
	first, seen := n.names[who]
	switch {
	case !seen && len(n.names) < mostRiderNames:
		if n.names == nil {
			n.names = map[rider]namedRow{}
		}
		n.names[who] = namedRow{name: strings.Clone(t.Pickup.Name), at: m.Row.Ref(ids[0].Num)}
	case seen && !first.shared && !samePerson(first.name, t.Pickup.Name):
		n.shared = append(n.shared, sharedID{first.at, m.Row.Ref(ids[0].Num)})
		first.shared = true
		n.names[who] = first
	}
}

const pickupName = importer.FieldPickup + "." + importer.FieldEventName

// note says which ids have two names; empty for none. It names cells, and no person.
func (n *riderNames) note() string {
	if n.shared == nil {
		return ""
	}
	const most = 3
	var cells []string
	for _, s := range n.shared[:min(most, len(n.shared))] {
		cells = append(cells, s.first.A1()+" and "+s.second.A1())
	}
	if more := len(n.shared) - most; more > 0 {
		cells = append(cells, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s beside the names of different passengers: %s. see which of the two rows has the wrong id; a wrong id is the wrong patient",
		importer.Counted(len(n.shared), "id of a rider stands", "ids of riders stand"), strings.Join(cells, "; "))
}

// samePerson reports whether two names may be those of one person: the surname of one is,
// but for spelling, in the other. First names may be nicknames or initials, and the order
// of names differs between systems.
func samePerson(a, b string) bool {
	wordsA, surnameA := nameWords(a)
	wordsB, surnameB := nameWords(b)
	if len(surnameA) == 0 || len(surnameB) == 0 || len(wordsA) == 1 && len(wordsB) == 1 {
		return true // nothing to compare, or first names, which may be nicknames
	}
	in := func(surname, words []string) bool {
		return slices.ContainsFunc(surname, func(s string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return sameSpelling(s, w) })
		})
	}
	return in(surnameA, wordsB) || in(surnameB, wordsA)
}

// nameWords returns the words of a name without initials and suffixes, in lower case, and
// those of them that are the surname: what stands before a comma, else the last one.
func nameWords(name string) (all, surname []string) {
	words := func(s string) []string {
		list := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
		return slices.DeleteFunc(list, func(w string) bool {
			return len(w) < 2 || slices.Contains([]string{"jr", "sr", "ii", "iii", "iv", "mr", "mrs", "ms", "dr"}, w)
		})
	}
	all = words(name)
	if before, _, found := strings.Cut(name, ","); found && len(words(before)) > 0 {
		return all, words(before)
	}
	return all, all[max(0, len(all)-1):]
}

// sameSpelling reports whether two words differ by slips alone: by one letter, or two in
// long words, or in how they go on.
func sameSpelling(a, b string) bool {
	shorter, longer := a, b
	if len(a) > len(b) {
		shorter, longer = b, a
	}
	const long = 7
	return a == b || len(shorter) > 3 && (strings.HasPrefix(longer, shorter) || levenshtein.ComputeDistance(a, b) <= 1+len(shorter)/long)
}
