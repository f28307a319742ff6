package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

// newRoot returns the command tripimport with all its commands.
func newRoot(e environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "tripimport",
		Short: "import a broker's trip schedule into the transportation service",
		Long: `Imports a broker's trip schedule (CSV or Excel) into the transportation service
and reports, row by row, what was booked or what to fix.

Shells complete the commands with what "tripimport completion SHELL" prints. Where the
package is installed, "man tripimport-import" is a page about a command.`,
		Example: `  tripimport check schedule.xlsx        every fault at its cell; nothing is sent
  tripimport import --sandbox schedule.xlsx
                                        a rehearsal; no account needed
  tripimport import schedule.xlsx       book the trips
  tripimport retry schedule.xlsx.20261202T031500Z.results.xlsx
                                        the rows that you fixed, alone`,
		Version:       app.Build(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}

	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	width := e.pageWidth()
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _, _ = io.WriteString(e.Out, helpText(cmd, width)) })
	root.SetUsageFunc(func(cmd *cobra.Command) error { _, err := io.WriteString(e.Out, usageText(cmd, width)); return err })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // a dispatcher can't use the rest
		return usage("see `"+cmd.CommandPath()+" --help`", "%s", text)
	})

	root.AddGroup(
		&cobra.Group{ID: "night", Title: "Every night:"},
		&cobra.Group{ID: "morning", Title: "The morning after:"},
		&cobra.Group{ID: "setup", Title: "Setting up:"},
		&cobra.Group{ID: "read", Title: "To read:"},
	)
	root.SetHelpCommandGroupID("read")
	root.SetCompletionCommandGroupID("read")

	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}

	root.Args = refuseUnknownCommand
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	add("night", newCheck(e), newImport(e), newNightly(e))
	add("morning", newMorning(e), newRetry(e), newHold(e), newRuns(e), newResults(e), newHistory(e), newReport(e), newPurge(e))
	add("setup", newLedger(e), newToken(e), newAccess(e), newConfig(e), newInspect(e),
		newMapping(e), newMap(e), newTemplates(e), newPlaces(e), newSandbox(e))
	add("read", newStatuses(), newGlossary())

	for _, c := range root.Commands() {
		if c.HasSubCommands() && c.RunE == nil {
			c.Args = refuseUnknownCommand
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root
}

// refuseUnknownCommand refuses an unknown command and suggests the nearest one.
func refuseUnknownCommand(cmd *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}

	fix := "see `" + cmd.CommandPath() + " --help`"
	switch words[0] { // they had names of their own
	case "update":
		return usage("import the schedule: it shows what changed, and asks; `--changes send` sends it unattended", "there is no command %q", words[0])
	case "resolve":
		return usage("run `tripimport morning`: it asks about each trip", "there is no command %q", words[0])
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(words[0]); len(near) > 0 {
		fix = "did you mean `" + cmd.CommandPath() + " " + near[0] + "`?"
	}
	return usage(fix, "there is no command %q", words[0])
}

// args replaces the error of one of cobra's argument checks by a usage error with that message.
func args(check cobra.PositionalArgs, message string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if check(cmd, a) != nil {
			return usage("see `"+cmd.CommandPath()+" --help`", "%s", message)
		}
		return nil
	}
}
