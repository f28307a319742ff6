package main

import (
	"context"
	"io"
	"os"
)

// typing is what a person types at a terminal. A read ends when the context is done, so that Ctrl-C
// leaves a question that nobody answers. It is for one goroutine.
type typing struct {
	in    io.Reader
	until context.Context //nolint:containedctx // an io.Reader has no other way to get one
	line  []byte          // read, and not returned yet
}

// AtTerminal reports that a person can be asked.
func (t *typing) AtTerminal() bool { return isTerminal(t.in) }

// Read implements io.Reader. A read of the terminal can't be taken back: after the context is done, it
// goes on until the process ends.
func (t *typing) Read(p []byte) (int, error) {
	if len(t.line) > 0 {
		n := copy(p, t.line)
		t.line = t.line[n:]
		return n, nil
	}

	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text := make([]byte, 4096) // a terminal gives no longer line
		n, err := t.in.Read(text)
		done <- read{text[:n], err}
	}()
	select {
	case <-t.until.Done():
		return 0, t.until.Err()
	case r := <-done:
		n := copy(p, r.text)
		t.line = r.text[n:]
		return n, r.err
	}
}

// terminalOf returns the file of a terminal, for what must not be shown while it is typed.
func terminalOf(in io.Reader) (*os.File, bool) {
	if t, ok := in.(*typing); ok {
		in = t.in
	}
	file, ok := in.(*os.File)
	return file, ok && isTerminal(file)
}
