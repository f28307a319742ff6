// Command tripimport books the trips of an exported schedule with a
// transportation service. The README has the manual; each command's help
// begins with examples.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // schedules name their zone; Windows has no list of zones
)

func main() {
	// net/http prints bytes that a server sends unasked to the standard logger,
	// and they may be patient data. Our own log is another one.
	log.SetOutput(io.Discard)
	boundMemory()
	os.Exit(execute(os.Args[1:], world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

// boundMemory keeps the collector from letting garbage pile up to as much as is
// in use: a check of 100,000 x 25 cells took 202 MB without it and 169 MB with
// it, and was no slower. It is a soft limit: what is needed is had.
func boundMemory() {
	const soft = 160 << 20
	if _, set := os.LookupEnv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(soft)
	}
}

// execute carries one command line out and gives its exit status. The first
// interrupt cancels: what is in flight is finished and recorded. The second one
// leaves at once.
func execute(args []string, w world) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	undisturbed := context.AfterFunc(ctx, func() {
		stop() // from now on a signal has its usual effect: the end
		_, _ = fmt.Fprintln(w.Err, "finishing and recording what is under way; Ctrl-C again leaves at once")
	})
	root := newRoot(w)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	undisturbed()
	complain(w, err)
	return exitCode(err)
}
