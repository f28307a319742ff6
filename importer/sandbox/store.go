package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"
)

// A storedTrip is a trip in the book: what a later request or run has to know of
// it, and nothing of the rider.
type storedTrip struct {
	GUID          string `json:"guid"`
	Provider      string `json:"provider"`
	FundingSource string `json:"funding_source"`
	TripID        string `json:"trip_id"`
	tripTimes
	// Again is how many trips with this id the provider had before it.
	Again int `json:"again,omitempty"`
}

// A book keeps the trips, in memory and in the state file, where a trip has a
// line when it is booked and another when it is changed. It is used under the
// sandbox's lock.
type store struct {
	file   *os.File // nil for a book in memory
	order  []string
	byGUID map[string]*storedTrip
	counts map[[2]string]int // how often, by provider and trip id
}

func openStore(path string) (*store, error) {
	s := &store{byGUID: map[string]*storedTrip{}, counts: map[[2]string]int{}}
	if path == "" {
		return s, nil
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

// load reads the state file. A last line that was cut off by a crash was never
// answered for; it is closed off, so that the next one stands alone.
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
		var t storedTrip
		if json.Unmarshal(line, &t) == nil && t.GUID != "" {
			s.put(t)
		}
	}
}

// count is how many trips with this id the provider has.
func (s *store) count(provider, tripID string) int {
	return s.counts[[2]string{provider, tripID}]
}

// write puts a new or changed trip in the book.
func (s *store) write(t storedTrip) error {
	if s.file != nil {
		if err := appendLine(s.file, t); err != nil {
			return err
		}
	}
	s.put(t)
	return nil
}

func (s *store) put(t storedTrip) {
	if _, known := s.byGUID[t.GUID]; !known {
		s.order = append(s.order, t.GUID)
		s.counts[[2]string{t.Provider, t.TripID}]++
	}
	s.byGUID[t.GUID] = &t
}

// find gives a trip by its GUID.
func (s *store) find(guid string) (storedTrip, bool) {
	t, found := s.byGUID[guid]
	if !found {
		return storedTrip{}, false
	}
	return *t, true
}

// first gives the GUID of the first trip ever booked, empty where none was.
func (s *store) first() string {
	if len(s.order) == 0 {
		return ""
	}
	return s.order[0]
}

func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// newGUID makes a random GUID that begins with prefix.
func newGUID(prefix string) string {
	return prefix + uuid.NewString()[len(prefix):]
}

// openAppend opens a file of this user's alone for reading and appending.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
}

// appendLine writes a value as one line, in one write: what was written
// survives the end of this process.
func appendLine(w io.Writer, value any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(line.Bytes())
	return err
}

// plain gives the system's own reason, without the operation and path that Go
// puts before it.
func systemReason(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
