package keyed

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tripimport/importer"
)

// An IdentityRow is what a ledger stores of a trip's identity for one day on which the
// trip has a time.
type IdentityRow struct {
	Day  importer.Date
	Hash []byte
	// PickupUnit and DropoffUnit are the hashes of the units; empty for none.
	PickupUnit, DropoffUnit string
	// Times are the times on the day, for ParseTimes.
	Times string
}

// IdentityRows returns the rows of a trip's identity, one for each day. An identity
// without times has none.
func (h *Hashes) IdentityRows(id importer.Identity) []IdentityRow {
	var rows []IdentityRow
	for _, t := range id.Times {
		time := t.Kind.Code() + " " + strconv.Itoa(secondOf(t.At.TimeOfDay))
		if i := slices.IndexFunc(rows, func(r IdentityRow) bool { return r.Day == t.At.Date }); i >= 0 {
			rows[i].Times += " " + time
			continue
		}
		row := IdentityRow{Day: t.At.Date, Hash: h.Identity(id, t.At.Date), Times: time}
		row.PickupUnit, row.DropoffUnit = h.Units(id, t.At.Date)
		rows = append(rows, row)
	}
	return rows
}

// Units returns the hashes of an identity's units on a day, which are empty for no unit.
// They are bound to the identity and the day.
func (h *Hashes) Units(id importer.Identity, day importer.Date) (pickup, dropoff string) {
	hash := func(side, unit string) string {
		if unit == "" {
			return ""
		}
		return hex.EncodeToString(h.identities.sum(nil, side, unit, id.Rider, id.Pickup, id.Dropoff, day.String()))
	}
	return hash("pickup unit", id.PickupUnit), hash("dropoff unit", id.DropoffUnit)
}

// Identity returns the hash of an identity on a day, without its units and times. It is
// bound to the day, so that a ledger without its key does not show a rider's habits.
func (h *Hashes) Identity(id importer.Identity, day importer.Date) []byte {
	return h.identities.sum(nil, id.Rider, id.Pickup, id.Dropoff, day.String())
}

// OldIdentity returns the hash under which ledgers of SQLite's schema 1 stored a trip
// that begins on that day. Its rule never changes: units do not count, but the state of
// the address and the type of the trip do. It is nil if the rider or a location is
// missing.
func (h *Hashes) OldIdentity(trip *importer.Trip, day importer.Date) []byte {
	rider, from, to := oldText(trip.RiderID), oldLocation(&trip.Pickup), oldLocation(&trip.Dropoff)
	if rider == "" || from == "" || to == "" || day.IsZero() {
		return nil
	}
	return h.oldIdentities.sum(nil, rider, from, to, trip.Type.String(), day.String())
}

// oldLocation returns an event's address without its unit, or the position if there is no
// address.
func oldLocation(e *importer.Event) string {
	address := e.CompleteAddress
	if address == "" {
		address = e.Address1 + " " + e.City + " " + e.State + " " + e.Zip
	}
	address = strings.TrimSpace(address)
	if cut := len(address) - len("-1234"); cut >= len("12345") && address[cut] == '-' &&
		onlyDigits(address[cut+1:]) && onlyDigits(address[cut-5:cut]) {
		address = address[:cut]
	}

	if text := oldText(address); text != "" || !e.Position.Known() {
		return text
	}
	return strconv.FormatFloat(e.Position.Latitude, 'f', 4, 64) + "," + strconv.FormatFloat(e.Position.Longitude, 'f', 4, 64)
}

func onlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// oldText returns the letters and digits of a text, in lower case.
func oldText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// ParseTimes reads IdentityRow.Times of a day. It leaves out kinds of time that this
// version of the program does not know, because they are never compared.
func ParseTimes(times string, day importer.Date) ([]importer.IdentityTime, error) {
	words := strings.Fields(times)
	all := make([]importer.IdentityTime, 0, len(words)/2)
	for pair := range slices.Chunk(words, 2) {
		second, err := strconv.Atoi(pair[len(pair)-1])
		if err != nil {
			return nil, fmt.Errorf("read the times of an identity: %w", err)
		}
		if kind, ok := importer.ParseTimeKind(pair[0]); ok {
			all = append(all, importer.IdentityTime{Kind: kind, At: importer.DateTime{Date: day, TimeOfDay: timeOf(second)}})
		}
	}
	return all, nil
}

// DaysNear returns the days on which a trip can have a time that is close enough to one
// of the identity's for Identity.MayBe(…, within).
func DaysNear(id importer.Identity, within int) []importer.Date {
	var days []importer.Date
	for _, t := range id.Times {
		window := t.Kind.Window(within)*60 + 59 // 15:59 count as 15 minutes
		second := secondOf(t.At.TimeOfDay)
		most := 1 + window/secondsPerDay
		for n := -most; n <= most; n++ {
			midnight := n * secondsPerDay
			near := second-window < midnight+secondsPerDay && midnight <= second+window
			if day := t.At.AddDays(n); near && !slices.Contains(days, day) {
				days = append(days, day)
			}
		}
	}
	return days
}

const secondsPerDay = 24 * 60 * 60

func secondOf(t importer.TimeOfDay) int { return (t.Hour*60+t.Minute)*60 + t.Second }

func timeOf(second int) importer.TimeOfDay {
	return importer.TimeOfDay{Hour: second / 3600, Minute: second / 60 % 60, Second: second % 60}
}
