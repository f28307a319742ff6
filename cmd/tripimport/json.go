package main

import (
	"encoding/json"
	"io"
)

// viewsOf returns the JSON forms of a list; an empty list for none.
func viewsOf[T, V any](list []T, view func(*T) V) []V {
	views := make([]V, 0, len(list))
	for i := range list {
		views = append(views, view(&list[i]))
	}
	return views
}

// printJSON prints one document, indented, for programs and for people.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(forJSON(w))
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
