package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
)

// Riders finds rider ids that have the names of two people, and ids that a person typed and that another row has.
// The names are remembered only while a file is read, and are never shown.
type Riders struct {
	// NamesRider reports whether a header is that of a rider's name, and IsTyped whether a person typed what is in
	// a cell.
	NamesRider func(header string) bool
	IsTyped    func(at importer.Ref) bool

	rows   int // the number of rows to be booked
	names  map[rider]namedRow
	shared []string // the first cell of an id and the first one with another name
	typed  []TypedID
}

// A TypedID is a rider's id that a person typed into a cell, and that another row has: SameAs is its number.
type TypedID struct {
	At     importer.Ref
	ID     string
	SameAs int
}

// mostRiderNames is how many riders of a file are remembered by name. No schedule of a night
// has so many riders, and so many names fit into memory.
const mostRiderNames = 50_000

// A rider belongs to a provider: one id at two providers is two riders.
type rider struct{ provider, id string }

// A namedRow is the first row of a rider, with the rider's name; empty for one whose name is not known.
type namedRow struct {
	name   string
	typed  bool // a person typed the id
	phone  string
	at     importer.Ref // the cell of the id
	shared bool         // another row has the id with another name
}

// Note compares the name in a row with the first name of the same rider id. It ignores a row that is left out.
func (n *Riders) Note(m *importer.Mapped) {
	if m.LeftOut != "" {
		return
	}
	n.rows++
	t := &m.Trips[0]
	if t.RiderID == "" || t.Origin == nil {
		return
	}
	names, ids := t.Origin.Columns(pickupName), t.Origin.Columns(importer.FieldRiderID)
	if len(ids) == 0 {
		return
	}
	row := namedRow{phone: t.Phone, at: m.Row.Ref(ids[0].Num)}
	row.typed = m.Row.Edited && slices.ContainsFunc(ids, func(c importer.Column) bool { return n.IsTyped(m.Row.Ref(c.Num)) })
	row.at.Header = ids[0].Header
	if slices.ContainsFunc(names, func(c importer.Column) bool { return n.NamesRider(c.Header) }) {
		row.name = t.Pickup.Name
	}
	n.compare(rider{t.Provider, importer.RiderText(t.RiderID)}, row, t.RiderID)
}

// compare compares a row with the first one of the same rider.
func (n *Riders) compare(who rider, row namedRow, id string) {
	first, seen := n.names[who]
	if seen {
		n.addTyped(&first, &row, id)
		n.addTyped(&row, &first, id)
	}
	switch {
	case !seen && len(n.names) < mostRiderNames, seen && first.name == "" && row.name != "":
		if n.names == nil {
			n.names = map[rider]namedRow{}
		}
		row.name, row.phone = strings.Clone(row.name), strings.Clone(row.phone)
		n.names[who] = row
	case seen && row.name != "" && !first.shared && first.isOther(&row):
		n.shared = append(n.shared, first.at.A1()+" and "+row.at.A1())
		first.shared = true
		n.names[who] = first
	}
}

// addTyped lists an id that a person typed and that another row has, once, unless both rows name the same passenger.
func (n *Riders) addTyped(row, other *namedRow, id string) {
	same := row.name != "" && other.name != "" && !row.isOther(other)
	if row.typed && !same && !slices.ContainsFunc(n.typed, func(e TypedID) bool { return e.At == row.at }) {
		n.typed = append(n.typed, TypedID{row.at, id, cmp.Or(other.at.Shown, other.at.Row)})
	}
}

// Typed returns the ids that a person typed and that another row has.
func (n *Riders) Typed() []TypedID { return n.typed }

const pickupName = importer.FieldPickup + "." + importer.FieldEventName

// enoughRows is the number of rows from which what all rows have in common is no chance.
const enoughRows = 10

// Doubt says which ids have two names, or that all rows have one id, or returns "". It names cells, and no person, and
// forgets the names.
func (n *Riders) Doubt() string {
	riders := len(n.names)
	n.names = nil
	switch {
	case riders == 1 && n.rows >= enoughRows:
		return fmt.Sprintf("all %d rows have the same rider's id. see whether they are of one passenger; a wrong id is the wrong patient", n.rows)
	case n.shared == nil:
		return ""
	}
	return fmt.Sprintf("%s beside the names of different passengers: %s. see which of the two rows has the wrong id; a wrong id is the wrong patient",
		importer.Counted(len(n.shared), "id of a rider stands", "ids of riders stand"), importer.TheFirst(n.shared, 3))
}

// isOther reports whether another row seems to be of another passenger: of another surname, or of one family, with
// another phone and first names that begin otherwise.
func (n *namedRow) isOther(o *namedRow) bool {
	words, _ := nameWords(n.name)
	others, _ := nameWords(o.name)
	alone := func(in, without []string) []string {
		return slices.DeleteFunc(slices.Clone(in), func(w string) bool { return slices.Contains(without, w) })
	}
	mine, theirs := alone(words, others), alone(others, words)
	mayBeShort := len(mine) == 0 || len(theirs) == 0 || slices.ContainsFunc(mine, func(a string) bool {
		return slices.ContainsFunc(theirs, func(b string) bool { return a[0] == b[0] })
	})
	return !samePerson(n.name, o.name) || !mayBeShort && n.phone != "" && o.phone != "" && n.phone != o.phone
}

// samePerson reports whether two names may belong to one person: whether the surname of one is
// among the words of the other. First names are not compared, because they may be nicknames or
// initials, and the order of names differs between systems.
func samePerson(a, b string) bool {
	wordsA, surnameA := nameWords(a)
	wordsB, surnameB := nameWords(b)
	if len(surnameA) == 0 || len(surnameB) == 0 || len(wordsA) == 1 && len(wordsB) == 1 {
		return true // there is nothing to compare, or single words that may be nicknames
	}
	in := func(surname, words []string) bool {
		return slices.ContainsFunc(surname, func(s string) bool { return slices.Contains(words, s) })
	}
	return in(surnameA, wordsB) || in(surnameB, wordsA)
}

// nameWords returns the words of a name in lower case, without initials, titles and suffixes.
// surname has those of them that are the surname: the words before a comma, or else the last
// word.
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
