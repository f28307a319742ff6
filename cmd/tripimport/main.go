// Command tripimport books the trips of an exported schedule with a
// transportation service. The README has the manual; each command's help
// begins with examples.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // schedules name their zone; Windows has no list of zones
)

func main() {
	// net/http prints bytes that a server sends unasked to the standard logger,
	// and they may be patient data. Our own log is another one.
	log.SetOutput(io.Discard)
	os.Exit(run(os.Args[1:], world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

// run carries one command line out and gives its exit status. The first
// interrupt cancels: what is in flight is finished and recorded. The second one
// leaves at once.
func run(args []string, w world) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // from now on a signal has its usual effect: the end
	root := newRoot(w)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	complain(w, err)
	return exitCode(err)
}
