package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

// newStatuses makes the page about the states of trips and the exit statuses of commands.
func newStatuses() *cobra.Command {
	return topic("statuses", "what became of a trip, and the exit statuses", func() string {
		var out strings.Builder
		out.WriteString("What became of a trip, in the results; in brackets its code, in JSON:\n")
		for s := range importer.State(importer.StateCount) {
			means, next := s.Meaning()
			fmt.Fprintf(&out, "\n  %s (%s)\n      %s\n      the next run %s\n", s, s.Code(), means, next)
		}

		out.WriteString("\nHow a command ends, by its exit status:\n\n")
		for _, s := range app.Statuses() {
			fmt.Fprintf(&out, "  %-5d%s\n", s, strings.TrimSpace(wrapLine("       "+s.Meaning(), 80, "")))
		}
		return out.String() + "\n" + fill(app.StatusOrder, 80)
	}())
}

//go:embed glossary.txt
var glossary string

// newGlossary makes the page that explains words.
func newGlossary() *cobra.Command {
	return topic("glossary", "the words of schedules and of this program", strings.TrimSpace(glossary))
}

// topic makes a command that only shows its text.
func topic(name, short, long string) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Long: long, Args: args(cobra.NoArgs, name+" takes nothing more")}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), long)
		return err
	}
	return cmd
}
