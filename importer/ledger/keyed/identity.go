package keyed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An IdentityRow is what a ledger keeps of a trip's identity for one day on
// which the trip has a time.
type IdentityRow struct {
	Day  importer.Date
	Hash []byte
	// Times are those of the day, for ParseTimes.
	Times string
}

// IdentityRows gives the rows of a trip; none where the trip has no identity.
func (h *Hashes) IdentityRows(trip *importer.Trip) []IdentityRow {
	id, ok := trip.Identity()
	if !ok {
		return nil
	}

	var rows []IdentityRow
	for _, t := range id.Times {
		time := t.Kind.Code() + " " + strconv.Itoa(secondOf(t.At.TimeOfDay))
		if i := slices.IndexFunc(rows, func(r IdentityRow) bool { return r.Day == t.At.Date }); i >= 0 {
			rows[i].Times += " " + time
			continue
		}
		rows = append(rows, IdentityRow{t.At.Date, h.Identity(id, t.At.Date), time})
	}
	return rows
}

// Identity gives the hash of an identity on a day, without its times. It is
// bound to the day, so that a ledger without its key does not show a rider's
// habits.
func (h *Hashes) Identity(id importer.Identity, day importer.Date) []byte {
	return h.identities.sum(nil, id.Rider, id.Pickup, id.Dropoff, day.String())
}

// OldIdentity gives the hash under which ledgers of SQLite's schema 1 kept a
// trip that begins on that day: units count for nothing, and the type of trip
// counts. It is nil where the rider or a location is missing.
func (h *Hashes) OldIdentity(trip *importer.Trip, day importer.Date) []byte {
	bare := *trip
	bare.Pickup.Address2, bare.Dropoff.Address2 = "", ""
	id, _ := bare.Identity() // a trip without times has the rest
	if id.Rider == "" {
		return nil
	}
	return h.oldIdentities.sum(nil, id.Rider, id.Pickup, id.Dropoff, trip.Type.String(), day.String())
}

// ParseTimes reads IdentityRow.Times of a day. It leaves out kinds of time that
// this program does not know, since it has nothing to compare them with.
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

// DaysNear gives the days on which a trip can have a time that Identity.MayBe
// compares with one of the identity's, where the rules allow within minutes.
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
