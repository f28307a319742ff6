package sandbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// A Phase says how far a request had come when its entry was written.
type Phase string

const (
	// Received means that the request was read whole. Nothing is booked yet.
	Received Phase = "received"
	// Committed means that the trip is booked or changed, whatever the response
	// says.
	Committed Phase = "committed"
)

// An Entry is one line of the log: a JSON object that has ids, but no values of the trip
// unless Config.KeepValues is set. It is written before the response is sent, in one
// write, so that it survives if the sandbox or its client is killed.
type Entry struct {
	Time  time.Time `json:"time"`
	Phase Phase     `json:"phase"`
	// Request is the number of the request, in order of arrival, from 1. Both
	// entries of a request have it.
	Request   int64     `json:"request"`
	Operation Operation `json:"operation"`
	Provider  string    `json:"provider,omitempty"`
	TripID    string    `json:"trip_id,omitempty"`
	// GUID is the GUID of the committed trip, or of the trip to be changed.
	GUID string `json:"guid,omitempty"`
	// Digest is the first 16 hex digits of the body's SHA-256.
	Digest string `json:"digest,omitempty"`
	// Body is the body of a request that was received, if it is JSON; only with
	// Config.KeepValues.
	Body json.RawMessage `json:"body,omitempty"`
	// Fault is the failure of the request.
	Fault string `json:"fault,omitempty"`
	// Again is the number of trips that the provider had with this id before.
	Again int `json:"again,omitempty"`
}

// A log appends entries to a file. It is used under the sandbox's lock.
type log struct{ file *os.File } // nil if no log is kept

// open opens the log, which is for this user alone. An empty path opens none.
func (l *log) open(path string) (err error) {
	if path != "" {
		if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
			return fmt.Errorf("the sandbox's log can't be written: %w", err)
		}
	}
	return nil
}

// write appends an entry in a single write, so that the line survives the end of this process.
func (l *log) write(e Entry) error {
	if l.file == nil {
		return nil
	}

	e.Time = time.Now().UTC()
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return err
	}
	_, err := l.file.Write(line.Bytes())
	return err
}

func (l *log) close() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}

// digest returns the first 16 hex digits of the body's SHA-256.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return fmt.Sprintf("%x", sum[:8])
}
