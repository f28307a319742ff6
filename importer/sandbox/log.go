package sandbox

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// A Phase is how far a request had come when its log line was written.
type Phase string

const (
	// Received: the request was read whole. Nothing is booked yet.
	Received Phase = "received"
	// Committed: the trip is booked or changed, whatever the answer says.
	Committed Phase = "committed"
)

// An Entry is a line of the log: a JSON object with ids alone, no row content.
// It is written before the answer leaves, in one write, so that it survives
// the end of either process.
type Entry struct {
	Time  time.Time `json:"time"`
	Phase Phase     `json:"phase"`
	// Request numbers the sandbox's requests, in order of arrival, from 1; both
	// lines of a request have the same number.
	Request   int64     `json:"request"`
	Operation Operation `json:"operation"`
	Provider  string    `json:"provider,omitempty"`
	TripID    string    `json:"trip_id,omitempty"`
	// GUID is that of a committed trip, or of one that is to be changed.
	GUID string `json:"guid,omitempty"`
	// Digest is the beginning of the body's SHA-256: two requests with the same
	// content have the same one.
	Digest string `json:"digest,omitempty"`
	// Fault is the failure that the plan has for this request.
	Injection string `json:"fault,omitempty"`
	// Again is how many trips with this id the provider had before: the contract
	// does not say that a second one is refused, so it is booked.
	Again int `json:"again,omitempty"`
}

// A log appends entries to its file. It is used under the sandbox's lock.
type log struct{ file *os.File } // nil for none

func openLog(path string) (*log, error) {
	if path == "" {
		return &log{}, nil
	}
	file, err := openAppend(path)
	if err != nil {
		return nil, fmt.Errorf("the sandbox's log can't be written to %s: %w", path, systemReason(err))
	}
	return &log{file}, nil
}

func (l *log) write(e Entry) error {
	if l.file == nil {
		return nil
	}
	e.Time = time.Now().UTC()
	return appendLine(l.file, e)
}

func (l *log) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// ReadLog reads a log for judging it. A last line without its end was cut off
// and is left out.
func ReadLog(path string) ([]Entry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read from
	var entries []Entry
	r := bufio.NewReader(file)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d of the log: %w", len(entries)+1, err)
		}
		entries = append(entries, e)
	}
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return fmt.Sprintf("%x", sum[:8])
}
