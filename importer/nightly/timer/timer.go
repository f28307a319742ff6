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
	"io/fs"
	"os"
	"path/filepath"
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
	// Root reports that the computer's administrator makes the schedule.
	Root bool
	// Owned are folders of which the account becomes the owner, with all that is in them.
	Owned []string
	// Paths are all the files and folders that a night uses.
	Paths []string
	// NoPassword makes Windows store no password (S4U).
	NoPassword bool
}

// A File is a file that a plan writes.
type File struct {
	Path string
	Text []byte
}

// A Command is a command that a plan runs, without a shell.
type Command struct {
	Args []string
	// Input is its standard input. Ask gives it the terminal instead, because the command
	// itself asks for a password.
	Input string
	Ask   bool
	// Proves decides by the command's output whether the plan is in force; nil if the
	// command's success is enough.
	Proves func(output string) bool
}

// String returns the command as a person would type it.
func (c Command) String() string {
	words := make([]string, len(c.Args))
	for i, word := range c.Args {
		if words[i] = word; word == "" || strings.ContainsAny(word, ` "'$\`) {
			words[i] = `"` + word + `"`
		}
	}
	return strings.Join(words, " ")
}

// A Plan says how a system is set up to wake the program.
type Plan struct {
	// System is the name of the system's scheduler, for people. Account is the account that
	// the program runs as.
	System, Account string
	// Files are the files to write. Schedule is their decisive text, for a person who sets up
	// the schedule by hand.
	Files    []File
	Schedule string
	// Install sets up the schedule, Check proves that it is in force, Wake wakes the program
	// once in the way of the schedule, and Remove removes the schedule.
	Install, Check, Wake, Remove []Command
	// Notes say what a person should know beforehand.
	Notes []string
}

// For returns the plan for a system, as GOOS names it. The error is a sentence for a person.
func For(ctx context.Context, system string, j Job, run Runner) (*Plan, error) {
	for _, text := range append([]string{j.Program, j.Folder, j.Home, j.User}, j.Args...) {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, fmt.Errorf("%q has characters that no schedule can hold", text)
		}
	}
	if system == "windows" {
		return taskScheduler(j)
	}
	return cron(ctx, j, run)
}

// Installed reports whether the plan is in force. If it is not, Installed says in a sentence
// what is different.
func (p *Plan) Installed(ctx context.Context, run Runner) (bool, string) {
	for _, f := range p.Files {
		switch text, err := os.ReadFile(f.Path); {
		case errors.Is(err, fs.ErrNotExist):
			return false, "there is no " + f.Path
		case err != nil:
			return false, f.Path + " can't be read"
		case !bytes.Equal(text, f.Text):
			return false, f.Path + " is not as this version of tripimport writes it for these settings"
		}
	}
	for _, c := range p.Check {
		output, err := run(ctx, c)
		if err != nil || c.Proves != nil && !c.Proves(output) {
			return false, "`" + c.String() + "` does not say what it should"
		}
	}
	return true, ""
}

// Apply writes the plan's files and runs the commands that set it up.
func (p *Plan) Apply(ctx context.Context, run Runner) error {
	for _, f := range p.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return fmt.Errorf("the folder of %s can't be made", f.Path)
		}
		if err := os.WriteFile(f.Path, f.Text, 0o644); err != nil {
			return fmt.Errorf("%s can't be written", f.Path)
		}
	}
	return runAll(ctx, p.Install, run)
}

// TakeAway runs the commands that remove the schedule, and removes the plan's files. It goes on
// after an error, because something may be gone already, and returns the first error.
func (p *Plan) TakeAway(ctx context.Context, run Runner) error {
	var first error
	for _, c := range p.Remove {
		if err := runAll(ctx, []Command{c}, run); first == nil {
			first = err
		}
	}
	for _, f := range p.Files {
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) && first == nil {
			first = fmt.Errorf("%s can't be removed", f.Path)
		}
	}
	return first
}

// Start wakes the program once, in the way that the schedule will wake it.
func (p *Plan) Start(ctx context.Context, run Runner) error { return runAll(ctx, p.Wake, run) }

func runAll(ctx context.Context, commands []Command, run Runner) error {
	for _, c := range commands {
		if _, err := run(ctx, c); err != nil {
			return fmt.Errorf("`%s` failed: %w", c, err)
		}
	}
	return nil
}
