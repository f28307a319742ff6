package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newConfig(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "show the settings in force, and where each comes from",
		Example: `  tripimport config         the settings in force
  tripimport help settings  what each setting is for`,
		RunE: e.inSession(func(_ context.Context, s *session, _ []string) error {
			var rows table
			for _, known := range app.KnownSettings() {
				v := s.Settings[known.Key]
				rows.add(known.Key, cmp.Or(v.Text, "(not set)"), v.Origin)
			}
			shown := "***" // never the token itself
			origin, err := s.TokenOrigin()
			if err != nil {
				shown, origin = "(none)", err.Error()
			}
			rows.add("token", shown, origin)
			rows.add("your settings", s.Folders.Config)
			rows.add("your data", s.Folders.Data)
			return rows.print(s.Out)
		}),
	}
}
