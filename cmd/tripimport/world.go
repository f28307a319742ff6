package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A world is what a command touches of its surroundings, so that a test can
// give it another one.
type world struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool)
}

// env gives an environment variable, empty where it is not set.
func (w world) env(name string) string {
	v, _ := w.Env(name)
	return v
}

// isTerminal reports whether f is a terminal that a person sits at.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// width is how many characters a line of the terminal has; 80 where it is not
// known.
func (w world) width() int {
	if file, ok := w.Out.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n >= 40 {
			return n
		}
	}
	return 80
}

// colour reports whether standard output may be coloured: only on a terminal
// that can, and never against NO_COLOR.
func (w world) colour() bool {
	_, never := w.Env("NO_COLOR")
	return !never && w.env("TERM") != "dumb" && isTerminal(w.Out)
}
