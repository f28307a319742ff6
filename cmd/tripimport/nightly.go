package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly"
)

func newNightly(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nightly",
		Short: "import what brokers leave in a folder, unattended",
		Long: `The block "nightly" in your own tripimport.yaml says when which broker's
schedule is due, where it appears and who is told: see "Every night" in the
README. The computer's scheduler calls "nightly run", which does what is due and
ends.`,
	}
	var home, data string
	cmd.PersistentFlags().StringVar(&home, "home", "", "`FOLDER` of the settings, as TRIPIMPORT_HOME")
	cmd.PersistentFlags().StringVar(&data, "data", "", "`FOLDER` of the data, where it is another one")
	variables := e.Lookup
	e.Lookup = func(name string) (string, bool) { // some systems' schedulers can't set variables
		if folder := map[string]string{"TRIPIMPORT_HOME": home, "TRIPIMPORT_DATA": data}[name]; folder != "" {
			return folder, true
		}
		return variables(name)
	}
	cmd.AddCommand(newNightlyRun(e), newNightlyCheck(e), newNightlyStatus(e), newNightlyMail(e), newNightlyInstall(e))
	return cmd
}

func newNightlyRun(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "do what is due now, and end",
		Long: `If nothing is due, it does nothing and prints nothing.

exit: 0 what was due is done, or waits for its time; 5 or 6 stopped early, it is
tried again; 2 not set up; 11 another run has held the ledger for half an hour`,
		RunE: e.atNight(func(ctx context.Context, _ *session, n *nightly.Night) error { return n.Run(ctx) }),
	}
}

func newNightlyCheck(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "say whether the night would succeed, and what to do if not",
		Long: `Tries what a night needs, and sends nothing. WRONG marks what would make the
night fail, TO DO what is not set up.

exit: 0 the night can run; 2 it would fail`,
		RunE: e.atNight(func(ctx context.Context, s *session, n *nightly.Night) error {
			wrong := s.printLines(append(n.Preflight(ctx), n.Schedule(ctx)))
			if wrong > 0 {
				return usage("see what is said of each above", "%s to be fixed before the night", importer.Counted(wrong, "thing has", "things have"))
			}
			return nil
		}),
	}
}

// printLines prints the lines, and returns how many of them are wrong.
func (s *session) printLines(lines []nightly.Line) (wrong int) {
	for _, l := range lines {
		mark := "ok"
		switch {
		case l.Wrong:
			mark, wrong = "WRONG", wrong+1
		case l.Fix != "":
			mark = "TO DO"
		}
		s.line(inertf("%-6s %s: %s", mark, l.What, l.Text))
		if l.Fix != "" {
			s.line(inertf("       what to do: %s", l.Fix))
		}
	}
	return wrong
}

func newNightlyStatus(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "say how the last nights went, and what is due next",
		RunE: e.atNight(func(ctx context.Context, s *session, n *nightly.Night) error {
			lines, err := n.Status(ctx)
			for _, l := range lines {
				s.line(inertf("%s", l))
			}
			s.printLines([]nightly.Line{n.Schedule(ctx)})
			return err
		}),
	}
}

// atNight is inSession for a command of the nights.
func (e environment) atNight(do func(ctx context.Context, s *session, n *nightly.Night) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		s, n, err := newNight(cmd, e)
		if err != nil {
			return err
		}
		return do(cmd.Context(), s, n)
	}
}

// newNight returns the session and the Night of the user's own settings. It first changes to the
// folder of these settings, so that the settings of no other folder count.
func newNight(cmd *cobra.Command, e environment) (*session, *nightly.Night, error) {
	folders, err := app.FindFolders(e.Environment)
	if err != nil {
		return nil, nil, err
	}
	if err := os.Chdir(folders.Config); err != nil {
		return nil, nil, usage("make it, with your own tripimport.yaml in it", "the folder %s can't be opened", folders.Config)
	}
	config, err := nightConfig(folders)
	if err != nil {
		return nil, nil, err
	}
	e.Clock = config.Clock(e.Clock)
	s, err := newSession(cmd, e)
	if err != nil {
		return nil, nil, err
	}

	n := &nightly.Night{
		Config: config, App: s.App, Clock: e.Clock, Wait: e.Wait, LockWait: 2 * time.Minute,
		Print: func(line string) { e.printf("%s\n", line) }, Spell: speller{cmd}.spell, Mail: config.Sender,
	}
	if config.Ping != nil {
		n.Ping = config.Ping.Send
	}
	return s, n, nil
}

// waitFor waits for a time, or until ctx is done.
func waitFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// nightConfig returns the block nightly of the user's own settings.
func nightConfig(folders app.Folders) (*nightly.Config, error) {
	config, found, err := nightly.Load(folders.Settings())
	if err == nil && !found {
		err = usage("add it to "+folders.Settings()+"; the README has an example under Every night", "your settings have no block nightly")
	}
	return config, err
}
