// Command tripimport imports a broker's trip schedule (CSV or Excel) into the
// transportation service and reports, row by row, what was booked or what to fix.
// The README is the manual; the help of each command begins with examples.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	_ "time/tzdata" // mappings and settings name time zones, and Windows has no list of them

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func main() {
	// net/http logs to the standard logger what a server sends without a request, and that
	// may be patient data. Our own log is another logger.
	log.SetOutput(io.Discard)
	cobra.MousetrapHelpText = "" // the icon opens the page
	limitMemory()
	os.Exit(execute(os.Args[1:], processEnvironment()))
}

// processEnvironment returns the environment of the real process.
func processEnvironment() environment {
	return environment{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Wait: waitFor}
}

// limitMemory sets a soft memory limit, which the program may exceed, and a lower frequency of
// garbage collection. The limit is above what the largest schedules need: the plan of a million
// round trips keeps 208 MB, and with a limit below that the collector would run all the time.
// Far below the limit, collecting less often than Go does by default saves a fifth of the time.
func limitMemory() {
	const soft, percent = 224 << 20, 300
	if _, set := os.LookupEnv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(soft)
	}
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(percent)
	}
}

// onInterrupt returns the message about what happens after the first interrupt.
func onInterrupt(args []string) string {
	switch {
	case slices.ContainsFunc(args, func(word string) bool { return slices.Contains([]string{"import", "retry"}, word) }):
		return "finishing and recording what is under way. Ctrl-C again leaves at once: what is under way may be booked then. The same command, run again, says so and sends the rest"
	}
	return "finishing what is under way; Ctrl-C again leaves at once"
}

// execute runs one command line and returns its exit status. The first interrupt cancels the
// command; requests under way are finished and recorded. The second interrupt ends the process
// at once.
func execute(args []string, e environment) int {
	e.Out, e.Err = newHarmless(e.Out), newHarmless(e.Err)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cancelMessage := context.AfterFunc(ctx, func() {
		stop()        // the next signal ends the process
		e.clearLine() // the progress bar may be there
		e.print(e.Err, onInterrupt(args)+"\n")
	})

	e.Interrupted = ctx.Done()
	root := newRoot(e)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	cancelMessage()
	explainError(e, err, speller{cmd}.spell)
	return int(app.StatusOf(err))
}
