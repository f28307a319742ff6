package keyed

import (
	"encoding/hex"
	"strconv"

	"tripimport/importer"
)

// Identity returns the identity of a trip with hashes in place of its texts. They are bound
// to the rider and the day. Its times are as they are; it has none if the trip's own
// identity is not complete.
func (h *Hashes) Identity(trip *importer.Trip) importer.Identity {
	plain, _ := trip.Places()
	full, _ := trip.Identity()
	day := trip.Date().String()
	hash := func(kind, text string) string {
		if text == "" {
			return ""
		}
		sum := h.riders.sum(kind, text, plain.Rider, day)
		return hex.EncodeToString(sum[:8])
	}
	return importer.Identity{
		Rider: hash("rider", plain.Rider), Pickup: hash("place", plain.Pickup), Dropoff: hash("place", plain.Dropoff),
		PickupUnit: hash("unit", plain.PickupUnit), DropoffUnit: hash("unit", plain.DropoffUnit),
		Times: full.Times,
	}
}

// Meant returns the subject of the fact that a rider has several trips a day between the
// two places of a trip, on any day, or 0 if one of them is missing. It must not be stored
// in clear beside a trip or a row, because it would show which trips share a rider.
func (h *Hashes) Meant(trip *importer.Trip) int64 {
	id, ok := trip.Places()
	if !ok {
		return 0
	}
	return number(h.subjects.sum("meant", id.Rider, id.Pickup, id.PickupUnit, id.Dropoff, id.DropoffUnit))
}

// TripKeys returns the hashes by which a trip of a row is found, beside Row.Number: of its
// trip id without its spelling, of its rider and day, and of the source row.
func (h *Hashes) TripKeys(key *importer.RowKey, trip *importer.Trip) []int64 {
	all := h.TripIDs(key.Broker, trip.ID)
	if !trip.Date().IsZero() && importer.RiderText(trip.RiderID) != "" {
		all = append(all, h.RiderDay(trip.RiderID, trip.Date()))
	}
	if key.Cells != "" {
		all = append(all, number(h.keys.sum("source", importer.BrokerText(key.Broker), key.Cells, strconv.Itoa(key.Occurrence), key.Date.String())))
	}
	return all
}

// TripIDs returns the hashes of a trip id of a broker, one for each of its forms without
// its spelling.
func (h *Hashes) TripIDs(broker, tripID string) []int64 {
	var all []int64
	for _, form := range importer.IDSpellings(tripID) {
		all = append(all, number(h.keys.sum("trip id", importer.BrokerText(broker), form)))
	}
	return all
}

// RiderDay returns the hash of a rider and a day of service. It begins with the day, which
// trips have in clear, so that those of a night lie together in an index.
func (h *Hashes) RiderDay(riderID string, day importer.Date) int64 {
	const bits = 48
	hash := number(h.keys.sum("rider", importer.RiderText(riderID), day.String()))
	return int64(importer.Date{Year: 2000, Month: 1, Day: 1}.DaysUntil(day))<<bits | hash&(1<<bits-1)
}

// GUID returns the hash of a GUID.
func (h *Hashes) GUID(guid string) int64 { return number(h.keys.sum("guid", importer.GUIDKey(guid))) }
