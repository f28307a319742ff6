package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestReadLine reads what was typed, line by line.
func TestReadLine(t *testing.T) {
	e := environment{In: typed{strings.NewReader("Lakeshore Transit\n yes")}}
	for _, want := range []string{"Lakeshore Transit", "yes"} {
		if line, err := e.readLine(); line != want || err != nil {
			t.Errorf("%q, %v", line, err)
		}
	}
	if line, err := e.readLine(); line != "" || !errors.Is(err, io.EOF) {
		t.Errorf("%q, %v", line, err)
	}
}
