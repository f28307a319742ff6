package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newConfig(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "show the settings in force",
		Example: `  tripimport config show      every setting, and where its value comes from`,
	}

	show := &cobra.Command{
		Use:   "show",
		Short: "show every setting, and where its value comes from",
		Long: `A value comes from, in this order: a flag; the environment (TRIPIMPORT_RATE for
rate); tripimport.yaml in this folder; tripimport.yaml in your own folder; the
default. Tokens and keys are never among them.`,
		Args: args(cobra.NoArgs, "config show takes no file"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}
			return s.showConfig()
		},
	}

	var keys []string
	for _, s := range app.KnownSettings() {
		keys = append(keys, s.Key)
	}
	addSettings(show, keys...)
	cmd.AddCommand(show)
	return cmd
}

// showConfig prints every setting with its value and its origin.
func (s *session) showConfig() error {
	t := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, known := range app.KnownSettings() {
		v := s.Settings[known.Key]
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\n", known.Key, cmp.Or(v.Text, "(not set)"), v.Origin)
	}

	_, _ = fmt.Fprintf(t, "token\t%s\n", s.tokenOrigin())
	_, _ = fmt.Fprintf(t, "your settings\t%s\n", s.Folders.Config)
	_, _ = fmt.Fprintf(t, "your data\t%s\n", s.Folders.Data)
	return t.Flush()
}

// tokenOrigin says where the token comes from, and never what it is.
func (s *session) tokenOrigin() string {
	origin, err := s.TokenOrigin()
	if err != nil {
		return "(none)\t" + err.Error()
	}
	return strings.TrimRight("***\t"+origin, "\t")
}
