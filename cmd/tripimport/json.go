package main

import (
	"encoding/json"
	"io"
)

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
	e := json.NewEncoder(forJSON(w))
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
