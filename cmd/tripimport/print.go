package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"text/tabwriter"

	"tripimport/importer"
	"tripimport/importer/results"
)

// line prints a text and a line break to standard output.
func (e environment) line(text string) { e.print(e.Out, text+"\n") }

// print prints a text. On a terminal it wraps long lines between words. Elsewhere each line
// stays whole, for logs and for programs that read it. A failure is ignored, because a line that
// could not be printed must not end a job.
func (e environment) print(to io.Writer, text string) {
	if width := widthOf(to); width > 0 {
		fit := func(line string) string { return wrapLine(line, width, "    ") } // what follows a break is indented
		text = strings.Join(importer.Each(strings.Split(text, "\n"), fit), "\n")
	}
	_, _ = fmt.Fprint(to, text)
}

// wrapLine breaks one line that is longer than width. What follows a break is indented by hang.
func wrapLine(line string, width int, hang string) string {
	return strings.Join(results.Wrap(line, width, hang), "\n")
}

// A table prints rows in columns. Its cells may come from outside.
type table [][]any

func (t *table) add(cells ...any) { *t = append(*t, cells) }

// print prints the rows, with columns as wide as their widest cell.
func (t table) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, cells := range t {
		_, _ = fmt.Fprintln(w, inertf(strings.TrimSuffix(strings.Repeat("%v\t", len(cells)), "\t"), cells...))
	}
	return w.Flush()
}

// viewsOf returns the JSON forms of a list's items. It never returns nil, so that an empty list
// is [] in JSON.
func viewsOf[T, V any](list []T, view func(*T) V) []V {
	views := make([]V, 0, len(list))
	for i := range list {
		views = append(views, view(&list[i]))
	}
	return views
}

// printJSON prints one indented JSON document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// openFile has the system show a file in its usual program, and does not wait for it. A failure is
// ignored, because the file's name was printed.
func openFile(path string) {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		command = []string{"open"}
	}
	shower := exec.CommandContext(context.Background(), command[0], append(command[1:], path)...)
	if shower.Start() == nil {
		_ = shower.Process.Release()
	}
}
