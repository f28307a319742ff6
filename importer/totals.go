package importer

import "encoding/json"

// A Totals counts the rows and trips of a run. The zero value is ready to use.
type Totals struct {
	// RowsRead and TripsRead are the numbers of rows and trips that the first pass read.
	RowsRead, TripsRead int
	// Rows and Trips are the numbers of rows and trips to which the second pass gave an
	// outcome, by State.
	Rows, Trips Counts
	HalfBooked  int // rows with RowResult.HalfBooked
	TooLate     int // trips with Outcome.TooLate
	GUIDMissing int // trips with Outcome.GUIDMissing
	OffRow      int // trips with TripResult.OffRow
	// Urgencies counts the trips by Outcome.Urgency. Limited counts those ToSend that
	// have Outcome.Limited: nothing is wrong with them.
	Urgencies [int(ActNow) + 1]int `json:"-"`
	Limited   int                  `json:"-"`
}

// Counts are numbers by State. Files and ledgers have the codes of the states.
type Counts [StateCount]int

// MarshalJSON returns the counts that are not zero, by the codes of their states.
func (c Counts) MarshalJSON() ([]byte, error) {
	byCode := map[string]int{}
	for state, n := range c {
		if n != 0 {
			byCode[State(state).Code()] = n
		}
	}
	return json.Marshal(byCode)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (c *Counts) UnmarshalJSON(text []byte) error {
	var byCode map[string]int
	err := json.Unmarshal(text, &byCode)
	for state := range c {
		c[state] = byCode[State(state).Code()]
	}
	return err
}

// Add counts a row and its trips.
func (t *Totals) Add(r *RowResult) {
	t.Rows[r.State]++
	t.HalfBooked += One(r.HalfBooked)

	for i := range r.Trips {
		t.AddTrip(&r.Trips[i])
	}
}

// AddTrip counts a trip that is in no row's result.
func (t *Totals) AddTrip(trip *TripResult) {
	o, urgency := &trip.Outcome, trip.Outcome.Urgency()
	t.Trips[o.State]++
	t.Urgencies[urgency]++
	t.TooLate += One(o.TooLate)
	t.GUIDMissing += One(o.GUIDMissing)
	t.OffRow += One(trip.OffRow)
	t.Limited += One(o.Limited && urgency == ToSend)
}

// Sum returns the numbers of rows and trips that have an outcome.
func (t Totals) Sum() (rows, trips int) {
	for s := range StateCount {
		rows += t.Rows[s]
		trips += t.Trips[s]
	}
	return rows, trips
}

// Balanced reports whether as many rows and trips have an outcome as were read,
// apart from the trips that no row makes any more.
func (t Totals) Balanced() bool {
	rows, trips := t.Sum()
	return rows == t.RowsRead && trips == t.TripsRead+t.OffRow
}
