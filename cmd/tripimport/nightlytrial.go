package main

import (
	"context"
	"os/user"
	"time"

	"tripimport/importer/app"
	"tripimport/importer/nightly"
	"tripimport/importer/nightly/timer"
)

// A trial shows install what the program can do when the scheduler starts it: under the
// scheduler's account and rights, and without a terminal. Install writes a trial without lines
// to a file. The next run that the scheduler starts answers it in the same file, before it does
// anything else.
type trial struct {
	Account string `json:"account,omitempty"`
	// Lines say what a night needs; none until the trial is answered.
	Lines []nightly.Line `json:"lines,omitempty"`
}

// trialWait is how long the scheduler and the program together may take to answer a trial.
const trialWait = 3 * time.Minute

// tryTimer makes the scheduler start the program once, and prints the answer to the trial
// that was requested.
func (s *session) tryTimer(ctx context.Context, plan *timer.Plan) error {
	s.printf("trying it: the scheduler starts the program once\n")
	startErr := plan.Start(ctx, timer.Run)
	answer, err := awaitTrial(ctx, s.Folders.NightTrial(), startErr != nil)
	switch {
	case err != nil:
		return err
	case len(answer.Lines) == 0 && startErr != nil:
		return usage("correct that, then run it again", "it is installed, but can't be started: %s", startErr)
	case len(answer.Lines) == 0:
		return usage("see that the account may read "+s.Folders.Data+" and the program, then run it again",
			"it is installed, but the program did not report: it was not started, or it can't open its folder")
	}

	wrong := s.printLines(answer.Lines)
	if wrong > 0 {
		return usage("correct what is listed above, then run it again", "it is installed, but as %s a night would fail", answer.Account)
	}
	s.printf("as %s, it has all that a night needs\n", answer.Account)
	return nil
}

// awaitTrial waits until the trial is answered, and returns it. It does not wait if the start
// failed. A trial without lines means that no answer came.
func awaitTrial(ctx context.Context, path string, failed bool) (trial, error) {
	for begun := time.Now(); ; {
		answer, err := app.ReadJSON[trial](path)
		if err == nil && answer.Lines != nil || failed || time.Since(begun) > trialWait {
			return answer, nil
		}
		if err := waitFor(ctx, 200*time.Millisecond); err != nil {
			return trial{}, err
		}
	}
}

// answerTrial answers the trial that install has requested, with the lines of preflight. It
// reports whether there was one.
func (s *session) answerTrial(preflight func() []nightly.Line) (bool, error) {
	request, err := app.ReadJSON[trial](s.Folders.NightTrial())
	if err != nil || request.Lines != nil {
		return false, nil //nolint:nilerr // there is no trial, or it can't be read
	}
	if who, err := user.Current(); err == nil {
		request.Account = who.Username
	}
	request.Lines = preflight()
	return true, app.WriteJSON(s.Folders.NightTrial(), request)
}
