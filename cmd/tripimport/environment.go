package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// An environment gives a command access to the process: its streams, and what the jobs use of it, such as environment
// variables and the time. Tests replace it.
type environment struct {
	app.Environment

	In       io.Reader
	Out, Err io.Writer
	// Wait waits for that time, or until the context is done.
	Wait func(context.Context, time.Duration) error
	// Abandon ends at the second interrupt; nil for never.
	Abandon context.Context //nolint:containedctx // the second of two ways to stop
}

// notice prints something that is not about one row.
func (e environment) notice(text string) { e.print(e.Err, "notice: "+results.Inert(text)+"\n") }

// isTerminal reports whether f is a terminal, so that a person can be asked. What is no file
// may say so itself.
func isTerminal(f any) bool {
	if t, ok := f.(interface{ AtTerminal() bool }); ok {
		return t.AtTerminal()
	}
	if w, ok := f.(io.Writer); ok {
		f = below(w)
	}
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// widthOf returns how many characters a line of a terminal has; 0 if w is not a terminal.
func widthOf(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	const least, usual = 40, 80
	n, _, err := term.GetSize(int(below(w).(*os.File).Fd()))
	if err != nil || n == 0 {
		return usual
	}
	return max(n, least)
}

// printf formats a text, makes its arguments inert, and prints it to standard output.
func (e environment) printf(format string, args ...any) { e.print(e.Out, inertf(format, args...)) }

// say says what was done, unless that failed. It returns the error.
func (e environment) say(err error, format string, args ...any) error {
	if err == nil {
		e.printf(format, args...)
	}
	return err
}

// readLine reads the next line of standard input: at a terminal, what a person types. It returns the
// line without the space around it; the error is io.EOF after the last one.
func (e environment) readLine() (string, error) {
	const longest = 64 << 10
	line, err := bufio.NewReader(io.LimitReader(e.In, longest)).ReadString('\n')
	if line != "" && errors.Is(err, io.EOF) {
		err = nil // the last line may lack its line break
	}
	return strings.TrimSpace(line), err
}

// ask asks the person at the terminal. It returns false unless the answer is yes, and if
// standard input is not a terminal.
func (e environment) ask(question string) bool {
	if !isTerminal(e.In) {
		return false
	}
	e.print(e.Err, inertLines(question)+" [y/N] ")
	answer, _ := e.readLine() // an error counts as no answer
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}
