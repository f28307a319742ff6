// Package timer sets up the scheduler of the operating system to wake the program: the Task
// Scheduler of Windows, and cron elsewhere. It only wakes it. The program itself knows what is
// due, and what was missed while the computer slept.
//
// A Plan lists everything that will be done, so that it can be shown before and checked after.
// The package never depends on text that a system writes in its user's language.
package timer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Every is the time between two wakes. Limit is how long one wake may take on Windows, which can
// end it; the next wake continues the work of one that was ended.
const (
	Every = 5 * time.Minute
	Limit = 12 * time.Hour
)

// name is the name of the schedule in every system.
const name = "tripimport-nightly"

// A Job describes what is woken, and how.
type Job struct {
	// Program is the full path of the program, and Args are its arguments.
	Program string
	Args    []string
	// Folder is the folder in which the program starts. User is the account that it runs as,
	// in the system's own form, and Home the account's home folder.
	Folder, Home, User string
}

// A Command is a command that a plan runs, without a shell.
type Command struct {
	Args []string
	// Input is its standard input. Ask gives it the terminal instead, because the command
	// itself asks for a password.
	Input string
	Ask   bool
}

// String returns the command as a person would type it.
func (c Command) String() string { return inOneLine(c.Args) }

// inOneLine joins arguments in such a way that Windows programs split them correctly.
func inOneLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; arg == "" || strings.ContainsAny(arg, " \t") {
			// A path may end in a backslash, which would escape the closing quote.
			end := strings.Repeat(`\`, len(arg)-len(strings.TrimRight(arg, `\`)))
			words[i] = `"` + arg + end + `"`
		}
	}
	return strings.Join(words, " ")
}

// A Plan says how a system is set up to wake the program.
type Plan struct {
	// System is the name of the system's scheduler, for people. Account is the account that
	// the program runs as.
	System, Account string
	// Schedule is the decisive text, for a person who sets up the schedule by hand.
	Schedule string
	// Install sets up the schedule. It reads File, which has Text and is there only meanwhile;
	// empty for no file.
	Install Command
	File    string
	Text    []byte
	// Check prints the schedule that is in force, and Proves tells whether it is this one. Wake
	// wakes the program once in the way of the schedule, and Remove removes the schedule.
	Check, Wake, Remove Command
	Proves              func(output string) bool
	// Notes say what a person should know beforehand.
	Notes []string
}

// For returns the plan for a system, as GOOS names it. The error is a sentence for a person.
func For(ctx context.Context, system string, j Job, run Runner) (*Plan, error) {
	if system == "windows" {
		return taskScheduler(j)
	}
	return cron(ctx, j, run)
}

// Installed returns an error, a sentence for a person, if the plan is not in force.
func (p *Plan) Installed(ctx context.Context, run Runner) error {
	if output, err := run(ctx, p.Check); err != nil || !p.Proves(output) {
		return fmt.Errorf("`%s` does not say what it should", p.Check)
	}
	return nil
}

// Apply sets the schedule up.
func (p *Plan) Apply(ctx context.Context, run Runner) error {
	if p.File != "" {
		if err := os.WriteFile(p.File, p.Text, 0o600); err != nil {
			return fmt.Errorf("%s can't be written", p.File)
		}
		defer func() { _ = os.Remove(p.File) }() // it has nothing secret
	}
	return run.do(ctx, p.Install)
}

// TakeAway removes the schedule.
func (p *Plan) TakeAway(ctx context.Context, run Runner) error { return run.do(ctx, p.Remove) }

// Start wakes the program once, in the way that the schedule will wake it.
func (p *Plan) Start(ctx context.Context, run Runner) error { return run.do(ctx, p.Wake) }

// A Runner runs a command and returns its standard output. The error has the command's
// standard error.
type Runner func(ctx context.Context, c Command) (output string, err error)

// limit is the longest that a command may take, with the time in which a person types a password.
const limit = 10 * time.Minute

// Run is the Runner that really runs commands.
func Run(ctx context.Context, c Command) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	var out, stderr bytes.Buffer
	command := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(c.Input), &out, &stderr
	if c.Ask {
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	err := command.Run()
	said := strings.TrimSpace(stderr.String())
	switch {
	case errors.Is(err, exec.ErrNotFound):
		err = fmt.Errorf("this computer has no %s", c.Args[0])
	case err != nil && said != "":
		err = errors.New(said)
	}
	return out.String(), err
}

// do runs a command whose output does not matter. Its error names the command.
func (r Runner) do(ctx context.Context, c Command) error {
	if _, err := r(ctx, c); err != nil {
		return fmt.Errorf("`%s` failed: %w", c, err)
	}
	return nil
}
