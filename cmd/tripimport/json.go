package main

import (
	"encoding/json"
	"io"
)

// printJSON prints one document, indented, for programs and for people.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(forJSON(w))
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
