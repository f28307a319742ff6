package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
	"tripimport/importer/nightly"
	"tripimport/importer/nightly/timer"
)

// A wakeup says how the computer's scheduler wakes the program. It is stored, so that later commands can
// check the schedule and remove it.
type wakeup struct {
	NoPassword bool `json:"no_password,omitempty"`
}

func newNightlyInstall(e environment) *cobra.Command {
	var w wakeup
	var show, yes, remove bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "have this computer wake the nightly import",
		Example: `  tripimport nightly install            show what it does, ask, do it and try it
  tripimport nightly install --print    only show the schedule
  tripimport nightly install --remove   take it away again
  sudo -u trips TRIPIMPORT_HOME=/srv/trips tripimport nightly install
                                        as an account of the office's own`,
		Long: `Has the computer's scheduler start "tripimport nightly run" every 5 minutes: the
Task Scheduler of Windows, cron elsewhere. That does what is due, and catches up
on what was missed. The folders of your settings and data, and the program where
it is now, are written into the schedule.

It then reads the schedule back and has the scheduler start the program once,
which tries everything that a night needs as it will run.

exit: 0 installed, and the trial found nothing wrong; 2 otherwise`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if remove {
				return s.uninstall(ctx, yes)
			}
			config, err := nightConfig(s.Folders)
			if err != nil {
				return err
			}
			plan, err := s.timerPlan(ctx, config, w)
			if err != nil {
				return err
			}
			if show {
				for line := range strings.Lines(plan.Schedule) {
					s.printf("%s\n", strings.TrimSuffix(line, "\n"))
				}
				return nil
			}
			return s.install(ctx, plan, w, yes)
		}),
	}
	cmd.Flags().BoolVar(&w.NoPassword, "no-password", false, "Windows: store no password; no folder of another computer")
	cmd.Flags().BoolVar(&show, "print", false, "only print the schedule")
	cmd.Flags().BoolVar(&remove, "remove", false, "have it no longer wake the nightly import")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// timerPlan returns the plan that makes the computer wake the nights of these settings: this program,
// with its folders as they are now.
func (s *session) timerPlan(ctx context.Context, config *nightly.Config, w wakeup) (*timer.Plan, error) {
	program, err := os.Executable()
	if err != nil || strings.Contains(filepath.ToSlash(program), "/go-build") {
		return nil, usage("build it with `go build ./cmd/tripimport`, and run that", "this program is only a temporary file")
	}

	account, err := user.Current()
	if err != nil {
		return nil, err
	}
	home, err := filepath.Abs(s.Folders.Config)
	if err != nil {
		return nil, err
	}
	data, err := filepath.Abs(s.Folders.Data)
	if err != nil {
		return nil, err
	}
	job := timer.Job{
		Program: program, Args: []string{"nightly", "run", "--home", home, "--data", data}, Folder: home,
		Home: account.HomeDir, User: account.Username, NoPassword: w.NoPassword,
		Paths: []string{program, home, data, config.Results, config.Done, config.Backup},
	}
	for i := range config.Brokers {
		job.Paths = append(job.Paths, config.Brokers[i].Inbox, config.Brokers[i].Mapping)
	}
	plan, err := timer.For(ctx, runtime.GOOS, job, timer.Run)
	if err != nil {
		return nil, usage("", "%s", err)
	}
	return plan, nil
}

// install shows a plan, asks for a yes, carries the plan out, checks it and tries it.
func (s *session) install(ctx context.Context, plan *timer.Plan, w wakeup, yes bool) error {
	s.printf("%s will wake tripimport every %.0f minutes:\n", plan.System, timer.Every.Minutes())
	s.printf("  runs   %s\n", plan.Install)
	for _, note := range append(plan.Notes, s.forgotten()...) {
		s.line("note: " + note)
	}
	if !yes && !s.ask("install this?") {
		return usage("run it again and say yes, or with --yes; --print shows the schedule", "nothing is installed")
	}

	if err := errors.Join(app.WriteJSON(s.Folders.NightTimer(), w), app.WriteJSON(s.Folders.NightTrial(), trial{})); err != nil {
		return err
	}
	defer func() { _ = os.Remove(s.Folders.NightTrial()) }()
	if err := plan.Apply(ctx, timer.Run); err != nil {
		return usage("correct that, then run it again; `tripimport nightly install --remove` takes it away", "it is not installed: %s", err)
	}
	if err := plan.Installed(ctx, timer.Run); err != nil {
		return usage("see what this computer has changed", "it was installed, but is not in force: %s", err)
	}
	s.printf("installed, and read back as it should be\n")
	return s.tryTimer(ctx, plan)
}

// forgotten returns a note about environment variables that are set here but will not be set at
// night.
func (s *session) forgotten() []string {
	var names []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "TRIPIMPORT_") && !slices.Contains([]string{"TRIPIMPORT_HOME", "TRIPIMPORT_DATA"}, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"set here and not at night: " + strings.Join(names, ", ") + "; write them into " + s.Folders.Settings()}
}

// uninstall removes the schedule that was installed.
func (s *session) uninstall(ctx context.Context, yes bool) error {
	w, err := s.wakeup()
	if err != nil {
		return err
	}
	plan, err := s.timerPlan(ctx, &nightly.Config{}, w) // without the settings, which may be gone
	if err != nil {
		return err
	}
	if !yes && !s.ask("have "+plan.System+" no longer wake tripimport?") {
		return usage("run it again and say yes, or with --yes", "nothing is taken away")
	}

	if err := plan.TakeAway(ctx, timer.Run); err != nil {
		return usage("take it away by hand, or run it again", "not all of it is taken away: %s", err)
	}
	if err := os.Remove(s.Folders.NightTimer()); err != nil {
		return err
	}
	s.printf("taken away: nothing runs by itself any more\n")
	return nil
}

// errNoSchedule says that nothing was installed.
var errNoSchedule = usage("`tripimport nightly install` installs a schedule", "no schedule was installed on this computer")

// errNotOurs says that another account installed a schedule.
var errNotOurs = usage("ask that account, or an administrator", "another account installed the schedule, and only that account can check it")

// wakeup returns what was installed last. The error may be errNoSchedule or errNotOurs.
func (s *session) wakeup() (wakeup, error) {
	w, err := app.ReadJSON[wakeup](s.Folders.NightTimer())
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = errNoSchedule
	case errors.Is(err, os.ErrPermission):
		err = errNotOurs
	case err != nil:
		err = usage("run `tripimport nightly install` again", "the record of what was installed can't be read")
	}
	return w, err
}

// timerLine checks the installed schedule. The line is wrong if the schedule is not in force any
// more. If none was installed, the line is not wrong, because an office may wake the program in
// another way.
func (s *session) timerLine(ctx context.Context) nightly.Line {
	line := nightly.Line{What: "schedule"}
	plan, err := s.installedPlan(ctx)
	switch {
	case err == nil:
		line.Text = fmt.Sprintf("%s wakes it every %.0f minutes as %s", plan.System, timer.Every.Minutes(), plan.Account)
	case errors.Is(err, errNotOurs):
		line.Text = err.Error()
	case errors.Is(err, errNoSchedule):
		line.Text, line.Fix = "none is installed, and nothing runs by itself", "run `tripimport nightly install`, unless something else runs `tripimport nightly run` every 5 minutes"
	default:
		line.Wrong, line.Text, line.Fix = true, err.Error(), "run `tripimport nightly install` again"
	}
	return line
}

// installedPlan returns the plan that is in force. If there is none, the error says why.
func (s *session) installedPlan(ctx context.Context) (*timer.Plan, error) {
	w, err := s.wakeup()
	if err != nil {
		return nil, err
	}
	config, err := nightConfig(s.Folders)
	if err != nil {
		return nil, err
	}
	plan, err := s.timerPlan(ctx, config, w)
	if err != nil {
		return nil, err
	}
	return plan, plan.Installed(ctx, timer.Run)
}
