package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// appendLine writes a value as one JSON line. It makes a single write, so that
// the line survives the end of this process.
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

// openAppend opens a file for reading and appending. A file that it creates is
// for this user alone.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
}

// systemReason returns the operating system's error without the operation and the path
// that package os adds.
func systemReason(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
