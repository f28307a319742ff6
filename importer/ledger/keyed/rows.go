package keyed

import (
	"encoding/hex"
	"slices"
	"strings"

	"tripimport/importer"
)

// Row returns the hash of a row's key without its date, or nil if the row has no id.
func (h *Hashes) Row(key importer.RowKey) []byte {
	if key.ID == "" {
		return nil
	}
	return h.rows.sum(nil, "row id", importer.BrokerText(key.Broker), key.ID)
}

// OldRow returns the hash of a row that was booked before ledgers had row ids. It is made
// from what the row's trip ids have in common, and is nil if the row has no trip id.
func (h *Hashes) OldRow(broker, tripID string) []byte {
	if tripID == "" {
		return nil
	}
	return h.rows.sum(nil, "trip id", importer.BrokerText(broker), tripID)
}

// Broker returns the hash of a broker's name. Case and runs of spaces make no difference.
func (h *Hashes) Broker(name string) string {
	return hex.EncodeToString(h.rows.sum(nil, "broker", importer.BrokerText(name)))
}

// Places returns the hashes of the pickup and the dropoff, or nil for one that is not
// known. They are bound to the row, because only trips of the same row are compared by
// them. Units make no difference.
func (h *Hashes) Places(row []byte, id importer.Identity) (pickup, dropoff []byte) {
	hash := func(location string) []byte {
		if location == "" || row == nil {
			return nil
		}
		return h.rows.sum(nil, "place", string(row), location)
	}
	return hash(id.Pickup), hash(id.Dropoff)
}

// Spellings returns the hashes by which a trip on a day is found if its row id has
// another spelling.
func (h *Hashes) Spellings(broker, id string, day importer.Date) [][]byte {
	var hashes [][]byte
	for _, form := range importer.IDSpellings(id) {
		hashes = append(hashes, h.rows.sum(nil, "trip id spelling", importer.BrokerText(broker), form, day.String()))
	}
	return hashes
}

// SpeltRider returns the hash by which the riders of trips that Spellings finds are
// compared.
func (h *Hashes) SpeltRider(riderID string, day importer.Date) string {
	return hex.EncodeToString(h.rows.sum(nil, "rider", importer.RiderText(riderID), day.String()))
}

// RiderSpellings returns the hashes by which ledgers of schema 7 found a trip of the same
// rider whose row id has another spelling.
func (h *Hashes) RiderSpellings(key importer.RowKey, trip *importer.Trip) [][]byte {
	var hashes [][]byte
	for _, form := range key.Spellings(trip) {
		hashes = append(hashes, h.rows.sum(nil, form...))
	}
	return hashes
}

// CommonID returns what the trip ids of one row have in common: the id from which they
// were made, without the separator before the leg's own part.
func CommonID(tripIDs []string) string {
	common := slices.Min(tripIDs)
	for _, id := range tripIDs {
		for !strings.HasPrefix(id, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.TrimRight(common, "-_./ #")
}
