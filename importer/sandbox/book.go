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
	times
	// Again is how many trips with this id the provider had before it.
	Again int `json:"again,omitempty"`
}

// A book keeps the trips, in memory and in the state file, where a trip has a
// line when it is booked and another when it is changed. It is used under the
// sandbox's lock.
type book struct {
	file   *os.File // nil for a book in memory
	order  []string
	byGUID map[string]*storedTrip
	times  map[[2]string]int // how often, by provider and trip id
}

func openBook(path string) (*book, error) {
	b := &book{byGUID: map[string]*storedTrip{}, times: map[[2]string]int{}}
	if path == "" {
		return b, nil
	}
	file, err := openAppend(path)
	if err != nil {
		return nil, fmt.Errorf("the sandbox's trips can't be kept in %s: %w", path, plain(err))
	}
	b.file = file
	if err := b.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("the sandbox's trips in %s can't be read: %w", path, plain(err)), file.Close())
	}
	return b, nil
}

// load reads the state file. A last line that was cut off by a crash was never
// answered for; it is closed off, so that the next one stands alone.
func (b *book) load() error {
	r := bufio.NewReader(b.file)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				_, err := b.file.WriteString("\n")
				return err
			}
			return nil
		}
		if err != nil {
			return err
		}
		var t storedTrip
		if json.Unmarshal(line, &t) == nil && t.GUID != "" {
			b.put(t)
		}
	}
}

// count is how many trips with this id the provider has.
func (b *book) count(provider, tripID string) int {
	return b.times[[2]string{provider, tripID}]
}

// write puts a new or changed trip in the book.
func (b *book) write(t storedTrip) error {
	if b.file != nil {
		if err := appendLine(b.file, t); err != nil {
			return err
		}
	}
	b.put(t)
	return nil
}

func (b *book) put(t storedTrip) {
	if _, known := b.byGUID[t.GUID]; !known {
		b.order = append(b.order, t.GUID)
		b.times[[2]string{t.Provider, t.TripID}]++
	}
	b.byGUID[t.GUID] = &t
}

// find gives a trip by its GUID.
func (b *book) find(guid string) (storedTrip, bool) {
	t, found := b.byGUID[guid]
	if !found {
		return storedTrip{}, false
	}
	return *t, true
}

// first gives the GUID of the first trip ever booked, empty where none was.
func (b *book) first() string {
	if len(b.order) == 0 {
		return ""
	}
	return b.order[0]
}

func (b *book) close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
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
func plain(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
