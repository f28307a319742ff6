package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/results"
)

// A harmless is a writer through which a command prints everything that may come from outside,
// such as names of files and sheets, headers and cells. Such text must not move the cursor, set
// colours, rename the window or change the reading direction, so only visible characters, line
// breaks and tabs pass. The progress bar bypasses it: it is written to the writer below. Each write has
// whole characters. It is safe for concurrent use.
type harmless struct {
	to io.Writer
	mu sync.Mutex
}

// newHarmless returns a writer to w that replaces each harmful character by a dot.
func newHarmless(w io.Writer) *harmless {
	return &harmless{to: w}
}

// below returns the writer below a harmless, and any other writer as it is.
func below(w io.Writer) io.Writer {
	if h, ok := w.(*harmless); ok {
		return h.to
	}
	return w
}

// Write implements io.Writer.
func (h *harmless) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.to, strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !results.Visible(r) {
			return '·'
		}
		return r
	}, string(p)))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// inertf formats a text whose arguments may come from outside. No argument can begin a new line,
// or a new cell of a table.
func inertf(format string, args ...any) string {
	for i, arg := range args {
		switch arg.(type) {
		case string, error, fmt.Stringer:
			args[i] = results.Inert(fmt.Sprint(arg))
		}
	}
	return fmt.Sprintf(format, args...)
}

// inertLines makes a message inert, except for those of its line breaks that are followed by
// four spaces.
func inertLines(text string) string {
	return strings.Join(importer.Each(strings.Split(text, "\n    "), results.Inert), "\n    ")
}
