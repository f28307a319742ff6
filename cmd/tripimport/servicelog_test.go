package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"tripimport/importer/sandbox"
)

// A logFailer ends a test, or a session.
type logFailer interface {
	Fatalf(format string, args ...any)
}

// writeServiceLog returns a function that appends the entries of a sandbox to a file, one line each.
func writeServiceLog(t logFailer, path string) func(sandbox.Entry) {
	return func(e sandbox.Entry) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err == nil {
			encoder := json.NewEncoder(file)
			encoder.SetEscapeHTML(false)
			err = errors.Join(encoder.Encode(e), file.Close())
		}
		if err != nil {
			t.Fatalf("the service's log: %v", err)
		}
	}
}

// readServiceLog returns the entries of a sandbox's log. A last line without a line break is left
// out: it is still being written, or a crash cut it off.
func readServiceLog(path string) (entries []sandbox.Entry, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // nothing was asked
		return nil, nil
	}
	for line := range bytes.Lines(text) {
		var e sandbox.Entry
		if bytes.HasSuffix(line, []byte("\n")) && err == nil {
			err = json.Unmarshal(line, &e)
			entries = append(entries, e)
		}
	}
	return entries, err
}
