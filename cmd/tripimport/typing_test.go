package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"testing"
)

// TestTyping reads what was typed, line by line whatever the buffer, and ends a read that nobody answers when
// the context is done.
func TestTyping(t *testing.T) {
	in, keyboard := io.Pipe()
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		_, _ = io.WriteString(keyboard, "Lakeshore Transit\nyes\n")
		interrupt()
	}()
	lines := bufio.NewReaderSize(&typing{in: in, until: context.WithoutCancel(ctx)}, 16)
	for _, want := range []string{"Lakeshore Transit\n", "yes\n"} {
		if line, err := lines.ReadString('\n'); line != want || err != nil {
			t.Errorf("%q, %v", line, err)
		}
	}
	<-ctx.Done()
	if line, err := bufio.NewReader(&typing{in: in, until: ctx}).ReadString('\n'); line != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", line, err)
	}
}
