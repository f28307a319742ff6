package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfig(w world) *cobra.Command {
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
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			return a.showConfig()
		},
	}
	var keys []string
	for _, s := range knownSettings() {
		keys = append(keys, s.Key)
	}
	addSettings(show, keys...)
	cmd.AddCommand(show)
	return cmd
}

func (a *app) showConfig() error {
	t := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, s := range knownSettings() {
		v := a.settings[s.Key]
		value := v.Value
		if value == "" {
			value = "(not set)"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, value, v.Origin)
	}
	_, _ = fmt.Fprintf(t, "token\t%s\n", a.tokenOrigin())
	_, _ = fmt.Fprintf(t, "your settings\t%s\n", a.folders.Config)
	_, _ = fmt.Fprintf(t, "your data\t%s\n", a.folders.Data)
	return t.Flush()
}

// tokenOrigin says where the token would come from, never what it is.
func (a *app) tokenOrigin() string {
	source, err := a.tokens(false)
	if err != nil {
		return "(none)\t" + err.Error()
	}
	switch source := source.(type) {
	case tokenCommand:
		return "***\ttoken_command"
	case tokenText:
		return "***\tTRIPIMPORT_TOKEN"
	case tokenFile:
		return "***\t" + source.path
	}
	return "***"
}
