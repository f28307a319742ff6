package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/nightly"
	"tripimport/importer/nightly/timer"
)

func newNightlyInstall(e environment) *cobra.Command {
	var show, yes, remove bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "have this computer wake the nightly import",
		Example: `  tripimport nightly install            show what it does, ask, do it and try it
  sudo -u trips TRIPIMPORT_HOME=/srv/trips tripimport nightly install
                                        as an account of the office's own`,
		Long: `Has the Task Scheduler of Windows, or cron, start "tripimport nightly run" every
5 minutes, with the folders and the program where they are now. It then reads
the schedule back and has it start the program once, which tries what a night
needs.

exit: 0 installed, and the trial found nothing wrong; 2 otherwise`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if remove {
				return s.uninstall(ctx, yes)
			}
			if _, err := nightConfig(s.Folders); err != nil {
				return err
			}
			w, err := nightly.NewWakeup(ctx, s.Folders)
			if err != nil {
				return err
			}
			if show {
				s.print(s.Out, w.Schedule)
				return nil
			}
			return s.install(ctx, w, yes)
		}),
	}
	cmd.Flags().BoolVar(&show, "print", false, "only print the schedule")
	cmd.Flags().BoolVar(&remove, "remove", false, "have it no longer wake the nightly import")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// install shows a plan, asks for a yes, carries the plan out and tries it.
func (s *session) install(ctx context.Context, w *nightly.Wakeup, yes bool) error {
	s.printf("%s will wake tripimport every %.0f minutes:\n", w.System, timer.Every.Minutes())
	s.printf("  runs   %s\n", w.Plan.Install)
	for _, note := range w.Notes {
		s.line("note: " + note)
	}
	if !yes && !s.ask("install this?") {
		return usage("run it again and say yes, or with --yes; --print shows the schedule", "nothing is installed")
	}

	if err := w.Install(ctx); err != nil {
		return err
	}
	s.printf("installed, and read back as it should be\ntrying it: the scheduler starts the program once\n")
	lines, err := w.Try(ctx)
	if err != nil {
		return err
	}
	if s.printLines(lines) > 0 {
		return usage("correct what is listed above, then run it again", "it is installed, but as %s a night would fail", w.Account)
	}
	s.printf("as %s, it has all that a night needs\n", w.Account)
	return nil
}

// uninstall removes the schedule that was installed.
func (s *session) uninstall(ctx context.Context, yes bool) error {
	w, err := nightly.NewWakeup(ctx, s.Folders)
	if err != nil {
		return err
	}
	if !yes && !s.ask("have "+w.System+" no longer wake tripimport?") {
		return usage("run it again and say yes, or with --yes", "nothing is taken away")
	}
	return s.say(w.Remove(ctx), "taken away: nothing runs by itself any more\n")
}
