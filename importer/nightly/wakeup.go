package nightly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly/timer"
)

// A Wakeup is the plan by which the computer's scheduler wakes the nights of the user's settings.
type Wakeup struct {
	*timer.Plan

	folders app.Folders
}

// NewWakeup returns the plan that makes the computer wake these nights: this program, with its folders as they
// are now.
func NewWakeup(ctx context.Context, folders app.Folders) (*Wakeup, error) {
	program, err := os.Executable()
	if err != nil || strings.Contains(filepath.ToSlash(program), "/go-build") {
		return nil, app.Usage("build it with `go build ./cmd/tripimport`, and run that", "this program is only a temporary file")
	}
	account, err := user.Current()
	home, homeErr := filepath.Abs(folders.Config)
	data, dataErr := filepath.Abs(folders.Data)
	if err := errors.Join(err, homeErr, dataErr); err != nil {
		return nil, err
	}

	job := timer.Job{
		Program: program, Args: []string{"nightly", "run", "--home", home, "--data", data}, Folder: home,
		Home: account.HomeDir, User: account.Username,
	}
	plan, err := timer.For(ctx, runtime.GOOS, job, timer.Run)
	if err != nil {
		return nil, app.Usage("", "%s", err)
	}
	return &Wakeup{plan, folders}, nil
}

// Install carries the plan out, and checks that it is in force.
func (w *Wakeup) Install(ctx context.Context) error {
	if err := w.Apply(ctx, timer.Run); err != nil {
		return app.Usage("correct that, then run it again; with --remove it is taken away", "it is not installed: %s", err)
	}
	if err := w.Installed(ctx, timer.Run); err != nil {
		return app.Usage("see what this computer has changed", "it was installed, but is not in force: %s", err)
	}
	return nil
}

// Try has the scheduler start the program once, under its account and rights and without a terminal, and returns what a
// night needs, as that program found it. A file asks for it: the next run of the nights answers in the same file,
// before it does anything else.
func (w *Wakeup) Try(ctx context.Context) ([]Line, error) {
	const longest, pause = 3 * time.Minute, 200 * time.Millisecond
	trial := w.folders.NightTrial()
	if err := app.WriteJSON(trial, []Line(nil)); err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(trial) }()
	startErr := w.Start(ctx, timer.Run)
	for begun := time.Now(); time.Since(begun) < longest; {
		lines, err := app.ReadJSON[[]Line](trial)
		switch {
		case err == nil && lines != nil:
			return lines, nil
		case startErr != nil:
			return nil, app.Usage("correct that, then run it again", "it is installed, but can't be started: %s", startErr)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
	return nil, app.Usage("see that the account may read "+w.folders.Data+" and the program, then run it again",
		"it is installed, but the program did not report: it was not started, or it can't open its folder")
}

// answerTrial answers the trial that Try has asked for. It reports whether there was one.
func (n *Night) answerTrial(ctx context.Context) (bool, error) {
	trial := n.App.Folders.NightTrial()
	if lines, err := app.ReadJSON[[]Line](trial); err != nil || lines != nil {
		return false, nil //nolint:nilerr // there is no trial, or it can't be read
	}
	return true, app.WriteJSON(trial, n.Preflight(ctx))
}

// Remove takes away the schedule that was installed.
func (w *Wakeup) Remove(ctx context.Context) error {
	if err := w.TakeAway(ctx, timer.Run); err != nil {
		return app.Usage("take it away by hand, or run it again", "not all of it is taken away: %s", err)
	}
	return nil
}

// Schedule says whether this computer wakes the nights. If it does not, the line is not wrong, because an office may
// wake the program in another way.
func (n *Night) Schedule(ctx context.Context) Line {
	w, err := NewWakeup(ctx, n.App.Folders)
	if err == nil {
		err = w.Installed(ctx, timer.Run)
	}
	if err != nil {
		return Line{
			What: "schedule", Text: "no schedule of this account starts this program: " + err.Error(),
			Fix: n.advice("unless something else wakes the nights every 5 minutes, install it", importer.InstallNights),
		}
	}
	return Line{What: "schedule", Text: fmt.Sprintf("%s wakes it every %.0f minutes as %s", w.System, timer.Every.Minutes(), w.Account)}
}
