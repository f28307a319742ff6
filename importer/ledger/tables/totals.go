package tables

import (
	"encoding/json"

	"tripimport/importer"
)

// storedTotals is the stored form of a run's totals, with the codes of the states.
type storedTotals struct {
	RowsRead    int            `json:"rows_read"`
	TripsRead   int            `json:"trips_read"`
	Rows        map[string]int `json:"rows"`
	Trips       map[string]int `json:"trips"`
	HalfBooked  int            `json:"half_booked"`
	TooLate     int            `json:"too_late"`
	GUIDMissing int            `json:"guid_missing"`
	OffRow      int            `json:"off_row,omitempty"`
}

// MarshalTotals returns the stored form of totals.
func MarshalTotals(t importer.Totals) (string, error) {
	byCode := func(counts [importer.StateCount]int) map[string]int {
		m := map[string]int{}
		for state, n := range counts {
			if n != 0 {
				m[importer.State(state).Code()] = n
			}
		}
		return m
	}

	text, err := json.Marshal(storedTotals{
		t.RowsRead, t.TripsRead, byCode(t.Rows), byCode(t.Trips), t.HalfBooked, t.TooLate, t.GUIDMissing, t.OffRow,
	})
	return string(text), err
}

// unmarshalTotals is the inverse of MarshalTotals. The text of a run that was broken off
// is empty.
func unmarshalTotals(text string) (importer.Totals, error) {
	if text == "" {
		return importer.Totals{}, nil
	}

	var s storedTotals
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return importer.Totals{}, err
	}

	byState := func(counts map[string]int) (byState [importer.StateCount]int) {
		for state := range byState {
			byState[state] = counts[importer.State(state).Code()]
		}
		return byState
	}

	return importer.Totals{
		RowsRead: s.RowsRead, TripsRead: s.TripsRead, Rows: byState(s.Rows), Trips: byState(s.Trips),
		HalfBooked: s.HalfBooked, TooLate: s.TooLate, GUIDMissing: s.GUIDMissing, OffRow: s.OffRow,
	}, nil
}
