package sqlite

import (
	"encoding/json"

	"tripimport/importer"
)

// storedTotals are a run's totals by the codes of the states, so that they stay
// readable whatever order the program gives its states later.
type storedTotals struct {
	RowsRead    int            `json:"rows_read"`
	TripsRead   int            `json:"trips_read"`
	Rows        map[string]int `json:"rows"`
	Trips       map[string]int `json:"trips"`
	HalfBooked  int            `json:"half_booked"`
	TooLate     int            `json:"too_late"`
	GUIDMissing int            `json:"guid_missing"`
}

func marshalTotals(t importer.Totals) (string, error) {
	s := storedTotals{
		RowsRead: t.RowsRead, TripsRead: t.TripsRead,
		Rows: map[string]int{}, Trips: map[string]int{},
		HalfBooked: t.HalfBooked, TooLate: t.TooLate, GUIDMissing: t.GUIDMissing,
	}
	for state := range importer.StateCount {
		code := importer.State(state).Code()
		if n := t.Rows[state]; n != 0 {
			s.Rows[code] = n
		}
		if n := t.Trips[state]; n != 0 {
			s.Trips[code] = n
		}
	}
	text, err := json.Marshal(s)
	return string(text), err
}

func unmarshalTotals(text string) (importer.Totals, error) {
	var s storedTotals
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return importer.Totals{}, err
	}
	t := importer.Totals{
		RowsRead: s.RowsRead, TripsRead: s.TripsRead,
		HalfBooked: s.HalfBooked, TooLate: s.TooLate, GUIDMissing: s.GUIDMissing,
	}
	for state := range importer.StateCount {
		code := importer.State(state).Code()
		t.Rows[state], t.Trips[state] = s.Rows[code], s.Trips[code]
	}
	return t, nil
}
