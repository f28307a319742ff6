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
	// may be patient data. The program has no log of its own.
	log.SetOutput(io.Discard)
	cobra.MousetrapHelpText = "" // the icon opens the page
	limitMemory()
	os.Exit(execute(os.Args[1:], processEnvironment()))
}

// processEnvironment returns the environment of the real process.
func processEnvironment() environment {
	return environment{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Wait: waitFor, Environment: app.Environment{Lookup: os.LookupEnv, Awake: app.KeepAwake}}
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

const (
	finishing = "finishing what is under way; Ctrl-C again leaves at once"
	// returning is printed at the first interrupt of a command that books trips, and stopping at the second one.
	returning = "finishing and recording what is under way, with its returns; Ctrl-C again sends no return any more"
	stopping  = "stopping now: what was sent is recorded, and the end says how many rows are half booked; Ctrl-C again leaves at once: " +
		"what is under way may be booked then. The same command, run again, says so and sends the rest"
)

// execute runs one command line and returns its exit status. The first interrupt cancels the
// command; what is under way is finished and recorded. The second interrupt of a command that books
// trips abandons the rows under way: what was sent is recorded. The next one ends the process at once.
func execute(args []string, e environment) int {
	e.Out, e.Err = newHarmless(e.Out), newHarmless(e.Err)
	e.Notice = e.notice
	abandon, stopNow := context.WithCancel(context.Background())
	defer stopNow()
	ctx, quit := atInterrupt(func() {
		if !sends(args) {
			e.tell(finishing)
			return
		}
		_, _ = atInterrupt(func() {
			stopNow()
			e.tell(stopping)
		})
		e.tell(returning)
	})

	e.Abandon = abandon
	root := newRoot(e)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	quit()
	explainError(e, err, speller{cmd}.spell)
	return int(app.StatusOf(err))
}

// sends reports whether a command line books trips.
func sends(args []string) bool {
	return slices.ContainsFunc(args, func(word string) bool { return word == "import" || word == "retry" })
}

// atInterrupt returns a context that ends at the next interrupt, when do is called, and a function that
// waits for no interrupt any more. The one after that ends the process at once, unless do waits for it.
func atInterrupt(do func()) (ctx context.Context, quit func()) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	cancel := context.AfterFunc(ctx, func() {
		do()
		stop()
	})
	return ctx, func() {
		cancel()
		stop()
	}
}

// tell prints a line, in place of the progress bar if that is there.
func (e environment) tell(line string) {
	if isTerminal(e.Err) {
		_, _ = io.WriteString(below(e.Err), "\r\x1b[2K") // a closed terminal is no reason to stop
	}
	e.print(e.Err, line+"\n")
}
