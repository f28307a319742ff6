// Package timer has the schedulers of operating systems wake the program: systemd, cron,
// launchd and the Task Scheduler of Windows. They only wake it: what is due, and what
// was missed while the computer slept, the program knows by itself.
//
// A Plan says all that is going to happen, so that it can be shown before, and read back
// after. Nothing is told from text that a system writes in its user's language.
package timer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// How often the program is woken, and how long one wake may take at most where the
// system sets an end. A run that is ended so is found by the next wake.
const (
	Every = 5 * time.Minute
	Limit = 12 * time.Hour
)

// name is what the schedule is called in every system.
const name = "tripimport-nightly"

// A Job is what is woken, and how.
type Job struct {
	// Program is the full path of the program, and Args are its arguments.
	Program string
	Args    []string
	// Folder is where it starts, Home the account's home, and User the account that it
	// runs as, as the system writes it. UID is the account's number; empty on Windows.
	Folder, Home, User, UID string
	// Root reports that the schedule is made for another account, or for the whole
	// computer, by its administrator.
	Root bool
	// Owned are the folders that are made the account's own, with all that is in them; none
	// to leave them as they are.
	Owned []string
	// Paths are all the files and folders that a night uses.
	Paths []string
	// NoPassword has Windows store no password (S4U).
	NoPassword bool
}

// A File is written by a plan.
type File struct {
	Path string
	Text []byte
}

// A Command is run by a plan, without a shell.
type Command struct {
	Args []string
	// Input is its standard input. Ask gives it the terminal instead, because it asks for
	// a password itself.
	Input string
	Ask   bool
	// Optional reports that it may fail: what it takes away may be gone already.
	Optional bool
	// Proves decides by what it printed whether all is as planned; nil where its success
	// is enough.
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

// A Plan is how a system is set up to wake the program.
type Plan struct {
	// System is its name for a person, Account who the program runs as, Files what is
	// written, and Schedule the text that decides, for a person who sets it up by hand.
	System   string
	Account  string
	Files    []File
	Schedule string
	// Install, Check, Wake and Remove are run in order: to set it up, to see that it is so,
	// to wake the program once as it will be woken, and to take it away.
	Install, Check, Wake, Remove []Command
	// Notes are what a person should know beforehand.
	Notes []string
}

// Systems are the schedulers that there are plans for.
func Systems() []string { return []string{"systemd", "cron", "launchd", "taskscheduler"} }

// Usual returns this computer's scheduler.
func Usual() string {
	switch runtime.GOOS {
	case "windows":
		return "taskscheduler"
	case "darwin":
		return "launchd"
	}
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		return "systemd"
	}
	return "cron"
}

// For returns the plan for a system. The error is a sentence for a person.
func For(ctx context.Context, system string, j Job, run Runner) (*Plan, error) {
	for _, text := range append([]string{j.Program, j.Folder, j.Home, j.User}, j.Args...) {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, fmt.Errorf("%q has characters that no schedule can hold", text)
		}
	}

	plan, err := &Plan{}, error(nil)
	switch system {
	case "systemd":
		plan = systemd(j)
	case "cron":
		plan, err = cron(ctx, j, run)
	case "launchd":
		plan, err = launchd(j)
	case "taskscheduler":
		plan, err = taskScheduler(j)
	default:
		err = fmt.Errorf("there is no system %q: it is one of %s", system, strings.Join(Systems(), ", "))
	}
	if err != nil {
		return nil, err
	}
	plan.Account = j.User
	if len(j.Owned) > 0 {
		plan.Install = append([]Command{{Args: append([]string{"chown", "-R", j.User}, j.Owned...)}}, plan.Install...)
	}
	return plan, nil
}

// Installed reports whether the plan is in force. Otherwise it says in a sentence what
// is not as planned.
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

// TakeAway runs the commands that take the plan away, and removes its files. It goes on
// where something is gone already, and then returns the first error.
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

// Start wakes the program once, as it will be woken.
func (p *Plan) Start(ctx context.Context, run Runner) error { return runAll(ctx, p.Wake, run) }

func runAll(ctx context.Context, commands []Command, run Runner) error {
	for _, c := range commands {
		if _, err := run(ctx, c); err != nil && !c.Optional {
			return fmt.Errorf("`%s` failed: %w", c, err)
		}
	}
	return nil
}
