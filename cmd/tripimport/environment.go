package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/lmittmann/tint"
	"golang.org/x/term"

	"tripimport/importer/app"
)

// An environment is what a command touches of its surroundings, so that a test
// can give it another one.
type environment struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool)
}

// forApp is the part of the environment that the jobs see.
func (e environment) forApp() app.Environment { return app.Environment{Lookup: e.Env, Stdin: e.In} }

// env returns an environment variable, empty where it is not set.
func (e environment) env(name string) string {
	v, _ := e.Env(name)
	return v
}

// isTerminal reports whether f is a terminal that a person sits at.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// width is how many characters a line of the terminal has; 80 where it is not
// known.
func (e environment) width() int {
	if file, ok := e.Out.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n >= 40 {
			return n
		}
	}
	return 80
}

// colour reports whether standard output may be coloured: only on a terminal
// that can show colours, and never against NO_COLOR.
func (e environment) colour() bool { return e.mayColour(e.Out) }

func (e environment) mayColour(out io.Writer) bool {
	_, never := e.Env("NO_COLOR")
	return !never && e.env("TERM") != "dumb" && isTerminal(out)
}

// printf prints to standard output. A failure is left to what is printed last:
// one line that could not be printed must not end a job.
func (e environment) printf(format string, args ...any) { _, _ = fmt.Fprintf(e.Out, format, args...) }

// ask puts a question that only a person at a terminal can answer with yes.
func (e environment) ask(question string) bool {
	if !isTerminal(e.In) {
		return false
	}
	_, _ = fmt.Fprintf(e.Err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(e.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// newLog returns the log on standard error. No row content is ever given to it.
func newLog(e environment, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(e.Err, nil))
	}
	return slog.New(tint.NewTextHandler(e.Err, &tint.Options{TimeFormat: "15:04:05", NoColor: !e.mayColour(e.Err)}))
}
