package tables

import "tripimport/importer"

const (
	// tripColumns are the columns of a storedTrip, and standingColumns those of a trip as it stands, for
	// scanStanding.
	tripColumns     = "t.account, a.service, a.provider, t.run, t.state, t.claimed_at, t.standing"
	standingColumns = tripColumns + ", COALESCE((SELECT r.id FROM runs r WHERE r.num = t.run), ''), live(t.run)"
	fromTrips       = " FROM trips t JOIN accounts a ON a.id = t.account "
)

// A storedTrip is a trip as the tables have it. What is not in a column of its own is encrypted.
type storedTrip struct {
	account, run      int64
	service, provider string
	state, claimedAt  string
	standing          []byte
}

// columns are for scanning tripColumns.
func (s *storedTrip) columns() []any {
	return []any{&s.account, &s.service, &s.provider, &s.run, &s.state, &s.claimedAt, &s.standing}
}

// A trip is a trip as it stands, with what the ledger keeps besides of it.
type trip struct {
	importer.Standing

	NoAccount struct{} `json:"Account,omitzero"` // it is in columns
	// PickupTime and Appointment are the times by which the trip is compared.
	PickupTime, Appointment importer.DateTime
	// NextSent are the values that its last claim sends, NextSeen those that the schedule had then, and
	// Next has when and where the trip takes place once its change has come through, and nothing else.
	NextSent, NextSeen importer.Values
	Next               *trip

	account, run int64
}

// place has the trip take place when and where another one does.
func (t *trip) place(other *trip) {
	t.Begins, t.PickupTime, t.Appointment, t.WillCall = other.Begins, other.PickupTime, other.Appointment, other.WillCall
	t.Pickup, t.Dropoff, t.Identity = other.Pickup, other.Dropoff, other.Identity
}

// timed returns a trip that has the times and nothing else.
func (t *trip) timed() *importer.Trip {
	timed := &importer.Trip{Pickup: importer.Event{PickupTime: t.PickupTime}, Dropoff: importer.Event{Appt: t.Appointment}}
	if t.WillCall {
		timed.Type = importer.WillCall
	}
	return timed
}
