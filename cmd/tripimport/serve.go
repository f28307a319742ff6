package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
	"tripimport/importer/nightly"
	"tripimport/importer/serve"
)

func newServe(e environment) *cobra.Command {
	showLink := false
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "check, book and answer in a browser on this machine",
		Example: `  tripimport serve             opens the page in the browser
  tripimport serve             again: opens the page that is there`,
		Long: `Opens a page in the browser: drop a schedule there, fix its faults, rehearse,
book it, and answer what is open. It is on this machine alone and for whoever
started it. It is locked after 10 minutes without anybody at it, and ends after
30, never during a run. Ctrl-C ends it.

exit: 0 the page was closed; 2 it can't be served`,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.servePage(cmd, showLink) },
	}
	cmd.Flags().BoolVar(&showLink, "show-link", false, "show the address and a ticket for a minute, where the browser may not open files")
	return cmd
}

// servePage serves the page until it is closed. A program that was started by its icon leaves its
// console once the page is there.
func (e environment) servePage(cmd *cobra.Command, showLink bool) error {
	s, err := newSession(cmd, e)
	if err != nil {
		return err
	}
	jobs := s.Environment // without Spell: at the page there are no commands
	jobs.Notice = nil
	return serve.Serve(cmd.Context(), app.NewJobs(jobs, s.given), serve.Config{
		Folder: filepath.Join(s.Folders.Data, "page"), Say: s.notice, ShowLink: showLink,
		Nights: s.nights,
		Open: func(path string) {
			openFile(path)
			if startedByIcon() {
				leaveConsole()
			}
		},
	})
}

// nights says how the last nights went and what is due next, or why that is not known; nothing where no
// nights are set up.
func (s *session) nights(ctx context.Context) (lines []string) {
	config, found, err := nightly.Load(s.Folders.Settings())
	if found && err == nil {
		night := nightly.Night{Config: config, App: s.App, Clock: config.Clock(s.Clock)}
		lines, err = night.Status(ctx)
	}
	if err != nil {
		return []string{err.Error()}
	}
	return lines
}
