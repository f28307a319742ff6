package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A simRow is a row of a schedule, and what is true of its trips.
type simRow struct {
	id, rider, street string
	unknownRider      string // what the schedule has instead, and the service does not know
	fixedStreet       string // to what a person may correct the place
	faulty, round     bool
	edited            bool // a person changed it in the results, and the schedule says something else
	minute            int
}

// simTrips returns the trips of a row.
func (r *simRow) ways() []string {
	if r.round {
		return []string{"-A", "-B"}
	}
	return []string{""}
}

// A simTrip is a trip of a row, as people speak of it.
type simTrip struct {
	row int
	way string // "", "-A" or "-B"
}

// A simBooking is one in the service.
type simBooking struct {
	simTrip
	guid string
	seen time.Time // from when on people see it
}

// A hostileService books trips, loses answers, and judges what it receives.
type hostileService struct {
	mu       sync.Mutex
	o        *simulatedOffice
	bookings []simBooking
	sent     map[simTrip]time.Time // when each was sent last
	lost     map[simTrip]bool      // sent without an answer; a person has not said yet that it is not there
	left     map[simTrip]bool      // not to be booked any more, as a person said
	mayLeave map[simTrip]bool      // left in results that were moved away: the ledger has it, or a person is asked again
	allowed  map[simTrip]bool      // may be there twice, as an administrator decided
	calm     bool                  // it answers always
	onInsert func()
}

func (s *hostileService) booking(t simTrip) *simBooking {
	for i := range s.bookings {
		if s.bookings[i].simTrip == t {
			return &s.bookings[i]
		}
	}
	return nil
}

func (s *hostileService) book(t simTrip, seen time.Time) string {
	guid := fmt.Sprintf("%08x-0000-4000-8000-%012x", s.o.seed+1, len(s.bookings)+1)
	s.bookings = append(s.bookings, simBooking{t, guid, seen})
	return guid
}

// ServeHTTP implements those two of the service's operations that the simulation uses.
func (s *hostileService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, `[{"APIKey":"key-l","TranportationProviderName":"Lakeshore Transit","FundingSources":[{"FundingSourceId":1,"FundingSourceName":"Harborview Health"}]}]`)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var trip map[string]any
	if err := json.Unmarshal(body, &trip); err != nil {
		s.o.Errorf("not JSON: %v", err)
		return
	}
	status, guid, answered := s.insert(trip, body)
	if s.onInsert != nil {
		s.onInsert()
	}
	switch {
	case !answered:
		panic(http.ErrAbortHandler)
	case status != http.StatusOK:
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"message":"no"}`)
		return
	}
	delete(trip, "tp_api_key")
	if guid != "" {
		trip["trip_guid"] = guid
	}
	_ = json.NewEncoder(w).Encode(trip)
}

// insert judges a trip that is sent, and books it or not.
func (s *hostileService) insert(trip map[string]any, body []byte) (status int, guid string, answered bool) {
	o := s.o
	id, _ := trip["trip_id"].(string)
	t, known := o.tripOf(id)
	if !known {
		o.Errorf("a trip %q that no schedule has", id)
		return http.StatusBadRequest, "", true
	}
	row := &o.rows[t.row]
	o.note("sent %s", id)
	o.did["trips sent"]++
	if rider := trip["rider_id"]; rider != row.rider && rider != row.unknownRider {
		o.Errorf("%s was sent for the rider %v", id, rider)
	}
	if !bytes.Contains(body, []byte(strconv.Quote(row.street))) && !bytes.Contains(body, []byte(strconv.Quote(row.fixedStreet))) {
		o.Errorf("%s was sent with another row's place", id)
	}
	if s.booking(t) != nil {
		if !s.allowed[t] {
			o.Errorf("%s was sent again, and is booked", id)
		}
		o.did["doubles that an administrator decided"]++
	}
	if s.lost[t] && !s.allowed[t] {
		o.Errorf("%s was sent again, and nobody has looked", id)
	}
	if s.left[t] {
		o.Errorf("%s was sent, and a person said to leave it", id)
	}

	now := o.clock.now
	s.sent[t] = now
	if trip["rider_id"] == row.unknownRider {
		return http.StatusBadRequest, "", true
	}
	fate := o.rng.IntN(100)
	if s.calm || o.faults*100 < float64(o.rng.IntN(100)) {
		fate = 100
	}
	switch {
	case fate < 30:
		return http.StatusBadRequest, "", true
	case fate < 45:
		s.lost[t] = true
		return http.StatusInternalServerError, "", true
	case fate < 60:
		s.lost[t] = true
		s.book(t, now)
		return http.StatusBadGateway, "", true
	case fate < 70:
		s.lost[t] = true
		return 0, "", false
	case fate < 80:
		s.lost[t] = true
		s.book(t, now)
		return 0, "", false
	case fate < 90: // it appears later
		s.lost[t] = true
		s.book(t, now.Add(8*time.Minute))
		return http.StatusGatewayTimeout, "", true
	case fate < 97:
		s.book(t, now) // without its GUID
		return http.StatusOK, "", true
	}
	return http.StatusOK, s.book(t, now), true
}
