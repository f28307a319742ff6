package sandbox

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/google/uuid"
)

// A BookedTrip is a booked trip as the service has it.
type BookedTrip struct {
	GUID          string `json:"guid"`
	Provider      string `json:"provider"`
	FundingSource string `json:"funding_source"`
	TripID        string `json:"trip_id"`
	// Values are the trip's values by their dotted keys, in the forms of the change
	// operation: "pickup.event_location.latitude" is "46.78", "trip_type" is "2". The
	// file has them only with Config.KeepValues. A trip from a file without them has only
	// its type and times.
	Values map[string]string `json:"values,omitempty"`
	// Cancelled reports that a dispatcher cancelled the trip in the service.
	Cancelled bool `json:"cancelled,omitempty"`
	// Again is the number of trips that the provider had with this id before.
	Again int `json:"again,omitempty"`
}

// A stateLine is a line of the state file. If ids are encrypted, it has no trip_id.
type stateLine struct {
	BookedTrip
	tripTimes
	SealedID []byte `json:"sealed_id,omitempty"`
}

// A store keeps the booked trips in memory and in the state file. The file has one JSON
// line for each booking and each change; the last line with a GUID counts. A store is
// used under the sandbox's lock.
type store struct {
	file       *os.File    // nil if there is no state file
	keepValues bool        // the file has the trips' values
	ids        cipher.AEAD // encrypts trip ids in the file; nil if they are in clear
	order      []string    // the GUIDs, in order of booking
	byGUID     map[string]BookedTrip
	counts     map[[2]string]int // the number of trips, by provider and trip id
}

// openStore opens the state file, if path names one, and loads its trips. With a key it
// encrypts their ids.
func openStore(path string, key []byte, keepValues bool) (*store, error) {
	s := &store{keepValues: keepValues, byGUID: map[string]BookedTrip{}, counts: map[[2]string]int{}}
	if path == "" {
		return s, nil
	}
	if key != nil {
		block, err := aes.NewCipher(key)
		if err == nil {
			s.ids, err = cipher.NewGCMWithRandomNonce(block)
		}
		if err != nil {
			return nil, err
		}
	}

	file, err := openAppend(path)
	if err != nil {
		return nil, fmt.Errorf("the sandbox's trips can't be kept in %s: %w", path, systemReason(err))
	}

	s.file = file
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("the sandbox's trips in %s can't be read: %w", path, systemReason(err)), file.Close())
	}
	return s, nil
}

// load reads the state file. A crash can leave an incomplete last line, whose request was
// never answered. load skips it, and ends the line so that the next one does not continue
// it.
func (s *store) load() error {
	r := bufio.NewReader(s.file)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				_, err := s.file.WriteString("\n")
				return err
			}
			return nil
		}
		if err != nil {
			return err
		}

		var t stateLine
		if json.Unmarshal(line, &t) == nil && t.GUID != "" {
			if t.Values == nil {
				t.Values = t.values()
			}
			if s.ids != nil && t.SealedID != nil {
				// With another key the id stays empty, so that no request finds the trip
				// by it.
				id, _ := s.ids.Open(nil, nil, t.SealedID, nil)
				t.TripID = string(id)
			}
			s.put(t.BookedTrip)
		}
	}
}

// write stores a new or changed trip. If the file cannot be written, it stores nothing.
func (s *store) write(t BookedTrip) error {
	if s.file != nil {
		line := stateLine{BookedTrip: t, tripTimes: timesOf(t.Values)}
		if !s.keepValues {
			line.Values = nil
		}
		if s.ids != nil {
			line.SealedID, line.TripID = s.ids.Seal(nil, nil, []byte(t.TripID), nil), ""
		}
		if err := appendLine(s.file, line); err != nil {
			return err
		}
	}
	s.put(t)
	return nil
}

func (s *store) put(t BookedTrip) {
	if _, known := s.byGUID[t.GUID]; !known {
		s.order = append(s.order, t.GUID)
		s.counts[[2]string{t.Provider, t.TripID}]++
	}
	s.byGUID[t.GUID] = t
}

// find returns the trip with a GUID. The caller may change it.
func (s *store) find(guid string) (BookedTrip, bool) {
	t, found := s.byGUID[guid]
	t.Values = maps.Clone(t.Values)
	return t, found
}

func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// newGUID returns a random GUID whose first characters are replaced by prefix.
func newGUID(prefix string) string {
	return prefix + uuid.NewString()[len(prefix):]
}
