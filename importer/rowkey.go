package importer

import (
	"strconv"
	"strings"
	"unicode"
)

// A RowKey identifies a row of a broker's schedule, whatever it contains today. Two rows
// with the same key are the same row: exported again, changed, or cancelled.
type RowKey struct {
	// Broker is the broker whose schedule has the row, in the form of BrokerText: two mappings
	// that spell it in another case are of one broker.
	Broker string
	// ID is the broker's id of the row: the cells from which the mapping makes trip_id,
	// without the date. It is empty if they are blank; the row
	// then has only its trip ids. It may be row content.
	ID string
	// IDs says whether the broker uses the same id again on other days.
	IDs IDUse
	// Date is the day of the row's first trip. It is part of the key if IDs is
	// RepeatedIDs.
	Date Date
	// Cells identifies a row without an id: it is a digest of the row's mapped cells.
	// Occurrence counts the earlier rows of the file with the same Cells and Date.
	Cells      string
	Occurrence int
}

// Text returns texts that identify the row in all schedules of its broker, without its
// day. Two spellings of an id that differ in case, spaces, punctuation and leading zeros
// have the same texts. The texts are row content, so ledgers store a keyed hash of them.
func (k *RowKey) Text() []string {
	if id := IDText(k.ID); id != "" {
		return []string{"row", BrokerText(k.Broker), id}
	}
	return []string{"cells", BrokerText(k.Broker), k.Cells, strconv.Itoa(k.Occurrence)}
}

// SameID reports whether two ids of one broker are the same, as RowKey.Text has it.
func SameID(a, b string) bool { return a == b || a != "" && b != "" && IDText(a) == IDText(b) }

// IDText returns the form in which ids are compared: the letters and the numbers of an id in lower case, each number without
// its leading zeros. Numbers that something separates stay apart: 1-12 is not 11-2.
func IDText(id string) string {
	var b strings.Builder
	b.Grow(len(id))
	inNumber, zeros := false, false // zeros: the number has had only zeros so far
	end := func() {
		if zeros {
			b.WriteByte('0')
		}
		inNumber, zeros = false, false
	}
	separated := false
	for _, r := range id {
		switch r = unicode.ToLower(r); {
		case unicode.IsDigit(r):
			if !inNumber && separated && b.Len() > 0 {
				b.WriteByte('.')
			}
			zeros = r == '0' && (!inNumber || zeros)
			inNumber, separated = true, false
			if !zeros {
				b.WriteRune(r)
			}
		case unicode.IsLetter(r):
			end()
			separated = false
			b.WriteRune(r)
		default:
			separated = separated || inNumber
			end()
		}
	}
	end()
	return b.String()
}

// StandsForNoID reports whether an id is blank or only a placeholder, such as a question mark.
func StandsForNoID(id string) bool {
	if len(id) > 12 || strings.ContainsAny(id, "123456789") {
		return false
	}
	switch word := strings.Trim(strings.ToLower(id), " ?.-*#/_0"); word {
	case "na", "n/a", "none", "null", "nil", "unknown", "unk", "tbd", "tba", "missing", "pending":
		return true
	default:
		return len(word) <= 3 && strings.Trim(word, "x") == ""
	}
}

// BrokerText returns the form in which brokers' names are compared: case and runs
// of spaces make no difference.
func BrokerText(name string) string {
	if strings.Contains(name, "  ") || strings.ContainsFunc(name, isOtherSpace) || strings.TrimSpace(name) != name {
		name = strings.Join(strings.Fields(name), " ")
	}
	return strings.ToLower(name)
}

func isOtherSpace(r rune) bool { return r != ' ' && unicode.IsSpace(r) }

// RowIDs says how a mapping makes row ids. While trips are booked ahead, a ledger refuses
// a mapping that makes them from other columns than before, because it would not
// recognize the rows.
type RowIDs struct {
	// Broker is the Broker of every RowKey, in the form of BrokerText.
	Broker string
	// Columns are the headers that make RowKey.ID, in a form that does not depend
	// on case, spaces and punctuation.
	Columns string
	// Private reports that the trip ids tell who the rider is: Trip.Alias.
	Private bool
}

// An IDUse says whether a broker uses the id of a row again.
type IDUse uint8

// The uses of ids.
const (
	// UnsaidIDs: the mapping does not say.
	UnsaidIDs IDUse = iota
	// UniqueIDs: each id is used once. If it comes with another date, the trip was moved.
	UniqueIDs
	// RepeatedIDs: an id comes again on other days, like the id of a standing order. The
	// date says which trip is meant.
	RepeatedIDs
)

// A Way says whether two trips of one row go the same way. The zero WayUnclear means that
// their places do not show it.
type Way uint8

// The ways.
const (
	WayUnclear Way = iota
	SameWay
	OtherWay
)

// CompareWays compares two trips by their places. Each place is given as a text that is
// equal for equal places, and empty if it is not known. One common place is enough, so
// that a corrected address at the other end does not make the way unclear.
func CompareWays(pickupA, dropoffA, pickupB, dropoffB string) Way {
	same := func(a, b string) bool { return a != "" && a == b }
	forward := same(pickupA, pickupB) || same(dropoffA, dropoffB)
	onward := same(pickupA, dropoffB) || same(dropoffA, pickupB)
	switch {
	case forward && !onward:
		return SameWay
	case onward && !forward:
		return OtherWay
	}
	return WayUnclear
}

// LegsCollide reports whether two trips of one row must not both be booked: they are the
// same leg, or one of them is the row's only trip and they do not certainly go different
// ways.
func LegsCollide(a, b Leg, way Way) bool {
	return a == b || (a == OnlyLeg || b == OnlyLeg) && way != OtherWay
}
