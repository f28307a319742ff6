package keyed

import (
	"encoding/hex"
	"slices"
	"strings"

	"tripimport/importer"
)

// Row gives the hash of a row's key, without its date; nil where the row has no
// id.
func (h *Hashes) Row(key importer.RowKey) []byte {
	if key.ID == "" {
		return nil
	}
	return h.rows.sum(nil, "row id", importer.BrokerText(key.Broker), key.ID)
}

// OldRow gives the hash under which a row is known that was booked before
// ledgers had row ids: by what its trip ids have in common. It is nil where the
// row has no trip id.
func (h *Hashes) OldRow(broker, tripID string) []byte {
	if tripID == "" {
		return nil
	}
	return h.rows.sum(nil, "trip id", importer.BrokerText(broker), tripID)
}

// Broker gives the hash of a broker's name. Case and runs of spaces make no
// difference.
func (h *Hashes) Broker(name string) string {
	return hex.EncodeToString(h.rows.sum(nil, "broker", importer.BrokerText(name)))
}

// Places gives the hashes of a trip's pickup and dropoff, nil for one that is not
// known. They are bound to the row, whose trips alone are compared by them. Units
// make no difference.
func (h *Hashes) Places(row []byte, trip *importer.Trip) (pickup, dropoff []byte) {
	hash := func(e *importer.Event) []byte {
		location, _ := e.Location()
		if location == "" || row == nil {
			return nil
		}
		return h.rows.sum(nil, "place", string(row), location)
	}
	return hash(&trip.Pickup), hash(&trip.Dropoff)
}

// Spellings gives the hashes by which a trip is found whose row id is spelt
// otherwise: with the same rider, of the same broker, on the day of the trip. It
// gives none where one of these is missing.
func (h *Hashes) Spellings(key importer.RowKey, trip *importer.Trip) [][]byte {
	var hashes [][]byte
	for _, form := range key.Spellings(trip) {
		hashes = append(hashes, h.rows.sum(nil, form...))
	}
	return hashes
}

// OldSpellings gives the hashes by which a trip is found that was booked before
// ledgers had row ids, by its row's trip id. Nobody knows its rider any more, so the
// caller compares riders.
func (h *Hashes) OldSpellings(broker, tripID string, day importer.Date) [][]byte {
	var hashes [][]byte
	for _, id := range importer.IDSpellings(tripID) {
		hashes = append(hashes, h.rows.sum(nil, "trip id spelling", importer.BrokerText(broker), id, day.String()))
	}
	return hashes
}

// CommonID gives what the trip ids of one row have in common: the id that they
// were made of, without the separator before the leg's own part.
func CommonID(tripIDs []string) string {
	common := slices.Min(tripIDs)
	for _, id := range tripIDs {
		for !strings.HasPrefix(id, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.TrimRight(common, "-_./ #")
}
