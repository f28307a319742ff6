package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

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
