package sqlite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An identityRow is what the ledger keeps of a trip's identity for one day on
// which the trip has a time.
type identityRow struct {
	day, times string
	hash       []byte
}

// identityRows gives the rows of a trip; none where it has no identity.
func (h hashers) identityRows(trip *importer.Trip) []identityRow {
	id, ok := trip.Identity()
	if !ok {
		return nil
	}
	var rows []identityRow
	for _, t := range id.Times {
		day := t.At.Date.String()
		time := t.Kind.Code() + " " + strconv.Itoa(secondOf(t.At.TimeOfDay))
		if i := slices.IndexFunc(rows, func(r identityRow) bool { return r.day == day }); i >= 0 {
			rows[i].times += " " + time
			continue
		}
		rows = append(rows, identityRow{day, time, h.identity(id, t.At.Date)})
	}
	return rows
}

// identity gives the keyed hash of an identity without its times. The day goes
// into it, so that the file alone does not show a rider's habits.
func (h hashers) identity(id importer.Identity, day importer.Date) []byte {
	return h.identities.sum(nil, id.Rider, id.Pickup, id.Dropoff, day.String())
}

// parseTimes reads the times of an identityRow of that day. It leaves out kinds
// that this program does not know: it has nothing to compare them with.
func parseTimes(times string, day importer.Date) ([]importer.IdentityTime, error) {
	words := strings.Fields(times)
	all := make([]importer.IdentityTime, 0, len(words)/2)
	for pair := range slices.Chunk(words, 2) {
		second, err := strconv.Atoi(pair[len(pair)-1])
		if err != nil {
			return nil, fmt.Errorf("read a time of an identity: %w", err)
		}
		if kind, ok := importer.ParseTimeKind(pair[0]); ok {
			all = append(all, importer.IdentityTime{Kind: kind, At: importer.DateTime{Date: day, TimeOfDay: timeOf(second)}})
		}
	}
	return all, nil
}

// daysNear gives the days on which a trip can have a time that lies within so
// many minutes of one of the identity's.
func daysNear(id importer.Identity, within int) []importer.Date {
	var days []importer.Date
	for _, t := range id.Times {
		window := (t.Kind.Window(within) + 1) * 60 // 15:59 count as 15 minutes
		second := secondOf(t.At.TimeOfDay)
		for n := floorDiv(second-window, secondsADay); n <= floorDiv(second+window, secondsADay); n++ {
			if day := t.At.AddDays(n); !slices.Contains(days, day) {
				days = append(days, day)
			}
		}
	}
	return days
}
