package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

func newConfig(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "show the settings in force, and trust a folder's",
		Example: `  tripimport config show      every setting in force, and where it comes from
  tripimport config reference every setting, on one page
  tripimport config trust     lets tripimport.yaml here set what it sets now`,
		Long: "`tripimport statuses` lists the exit statuses, for people who write scripts that call tripimport.",
	}

	show := &cobra.Command{
		Use:   "show",
		Short: "show every setting, and where its value comes from",
		Long: `A value comes from, in this order: a flag; the environment (TRIPIMPORT_RATE for
rate); tripimport.yaml in this folder; tripimport.yaml in your own folder; the
default. Tokens and keys are never among them. What tripimport.yaml in this folder
may set only once it is trusted is marked with !.`,
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
	cmd.AddCommand(show, newConfigReference(e), newConfigTrust(e))
	return cmd
}

// newConfigTrust makes the command that lets a user trust the settings of a folder.
func newConfigTrust(e environment) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "let this folder's tripimport.yaml set what it sets now",
		Example: `  tripimport config trust
                          shows what it sets, asks, and keeps the values for you`,
		Long: `Many people may write to a folder with schedules. So tripimport.yaml there may by
itself set only what can't hurt: mapping, mappings, places, results_format, workers,
log_format, a lower rate and burst, a longer timeout. Anything else, such as base_url,
ledger or token_command, counts for you in this folder as soon as you trust it, and
until its value is altered there. Your own tripimport.yaml (config show says where),
the environment and flags need no trust.

exit: 0 the values count; 2 they do not`,
		Args: args(cobra.NoArgs, "config trust is about the current folder"),
		RunE: e.inSession(func(_ context.Context, s *session, _ []string) error {
			return s.Trust(func(values map[string]string) bool {
				for _, key := range slices.Sorted(maps.Keys(values)) {
					s.printf("%s: %s\n", key, values[key])
				}
				s.printf("tripimport.yaml here sets %s beyond what can't hurt\n", importer.Counted(len(values), "thing", "things"))
				return yes || len(values) == 0 || !isTerminal(e.In) || e.ask("trust it in this folder, as it is now?")
			})
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// showConfig prints every setting with its value and its origin.
func (s *session) showConfig() error {
	t := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, known := range app.KnownSettings() {
		v := s.Settings[known.Key]
		tableRow(t, known.Key, cmp.Or(v.Text, "(not set)"), v.Origin)
		if v.Refused != "" {
			tableRow(t, "!", v.Refused, "not trusted: `tripimport config trust`")
		}
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
