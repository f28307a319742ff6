// Command tripimport imports a broker's trip schedule into the transportation
// service. The README is the manual; each command's help begins with examples.
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

	"tripimport/importer/app"
)

func main() {
	// net/http prints what a server sends without a request to the standard
	// logger, and that may be patient data. Our own log is another one.
	log.SetOutput(io.Discard)
	limitMemory()
	os.Exit(execute(os.Args[1:], environment{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

// limitMemory keeps garbage from growing to the size of what is in use: a check
// of 100,000 x 25 cells took 202 MB without it and 169 MB with it, and was no
// slower. It is a soft limit: the program may exceed it.
func limitMemory() {
	const soft = 160 << 20
	if _, set := os.LookupEnv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(soft)
	}
}

// execute carries one command line out and gives its exit status. The first
// interrupt cancels: what is in flight is finished and recorded. The second one
// leaves at once.
func execute(args []string, e environment) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cancelMessage := context.AfterFunc(ctx, func() {
		stop() // from now on a signal has its usual effect: the end
		_, _ = fmt.Fprintln(e.Err, "finishing and recording what is under way; Ctrl-C again leaves at once")
	})
	root := newRoot(e)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	cancelMessage()
	explainError(e, err)
	return int(app.StatusOf(err))
}
