package main

import (
	"cmp"
	"context"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newConfig(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "show the settings in force",
		Example: `  tripimport config show      every setting in force, and where it comes from
  tripimport config reference every setting, on one page`,
		Long: "`tripimport statuses` lists the exit statuses, for people who write scripts that call tripimport.",
	}

	show := &cobra.Command{
		Use:   "show",
		Short: "show every setting, and where its value comes from",
		Long: `A value comes from, in this order: a flag; the environment (TRIPIMPORT_RATE for
rate); tripimport.yaml in this folder; tripimport.yaml in your own folder; the
default. Tokens and keys are never among them.`,
		Args: args(cobra.NoArgs, "config show takes no file"),
		RunE: e.inSession(func(_ context.Context, s *session, _ []string) error {
			return s.showConfig()
		}),
	}

	var keys []string
	for _, s := range app.KnownSettings() {
		keys = append(keys, s.Key)
	}
	addSettings(show, keys...)
	cmd.AddCommand(show, newConfigReference(e))
	return cmd
}

// showConfig prints every setting with its value and its origin.
func (s *session) showConfig() error {
	t := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, known := range app.KnownSettings() {
		v := s.Settings[known.Key]
		tableRow(t, known.Key, cmp.Or(v.Text, "(not set)"), v.Origin)
	}

	shown, origin := s.tokenOrigin()
	tableRow(t, "token", shown, origin)
	tableRow(t, "your settings", s.Folders.Config)
	tableRow(t, "your data", s.Folders.Data)
	return t.Flush()
}

// tokenOrigin returns stars for the token, and where it comes from.
func (s *session) tokenOrigin() (shown, origin string) {
	origin, err := s.TokenOrigin()
	if err != nil {
		return "(none)", err.Error()
	}
	return "***", origin
}
