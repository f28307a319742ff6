package main

import "io"

// A typed reader has what a person types at a terminal. It is read a line at a time.
type typed struct{ io.Reader }

// AtTerminal says that a person can be asked.
func (typed) AtTerminal() bool { return true }

// Read implements io.Reader.
func (t typed) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var one int
		one, err = t.Reader.Read(p[n : n+1])
		if n += one; one > 0 && p[n-1] == '\n' {
			return n, nil
		}
	}
	return n, err
}
