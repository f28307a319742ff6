package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
	"tripimport/importer/nightly"
)

// newConfigReference makes the command that describes every setting.
func newConfigReference(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "reference",
		Short: "describe every setting of tripimport.yaml, on one page",
		Args:  args(cobra.NoArgs, "config reference takes nothing more"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			folders, err := app.FindFolders(e.withFolders(cmd).forApp())
			if err != nil {
				return err
			}
			_, err = io.WriteString(e.Out, settingsReference(folders.Settings(), e.pageWidth()))
			return err
		},
	}
}

// settingsReference describes every setting and the block nightly. own is the file of the
// user's own settings.
func settingsReference(own string, width int) string {
	var out strings.Builder
	out.WriteString(fill(`tripimport.yaml has one "key: value" a line. The program looks for it in two places: in the folder in which it runs, and in your own folder, `+own+` (another one with TRIPIMPORT_HOME). Every setting may also be given as a flag (rate is --rate, where the command takes it) or in the environment (rate is TRIPIMPORT_RATE). A flag comes first, then the environment, the folder's file, your own file, the default. What the folder's file may not set by itself counts after "tripimport config trust".

A path in the file begins in the file's folder. Tokens and passwords are never settings.`, width))

	out.WriteString("\n\nSettings:\n")
	for _, s := range app.KnownSettings() {
		fmt.Fprintf(&out, "\n  %s\n%s\n", settingTitle(s), wrapLine("      "+s.Usage, width, ""))
	}

	out.WriteString("\n" + fill(`The block nightly, in your own file alone: when which broker's schedule is due, where it appears and who is told. Paths are full ones; times are on the clock of its zone.`, width) + "\n\n  nightly:\n")
	for _, k := range nightly.Keys() {
		indent := strings.Repeat("  ", k.Depth+1)
		fmt.Fprintf(&out, "%s%s:\n%s\n", indent, k.Name, wrapLine(indent+"    "+k.Means, width, ""))
	}
	return out.String()
}

// settingTitle returns the first line about a setting: how it is written, the values that it
// takes, and its default.
func settingTitle(s app.Setting) string {
	title := s.Key
	if block, key, isBlock := strings.Cut(s.Key, "_"); isBlock && block == "keep" {
		title = fmt.Sprintf("%s: {%s: …}", block, key)
	}
	title += ": " + cmp.Or(s.Takes(), "a "+s.Kind)
	if s.Default != "" {
		title += "; default " + s.Default
	}
	return title
}
