package main

import (
	"cmp"
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
and reports, row by row, what was booked or what to fix.`,
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
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { e.print(e.Out, helpText(cmd)) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // a dispatcher can't use the rest
		return usage("see `"+cmd.CommandPath()+" --help`", "%s", text)
	})

	root.AddGroup(
		&cobra.Group{ID: "night", Title: "Every night:"},
		&cobra.Group{ID: "morning", Title: "The morning after:"},
		&cobra.Group{ID: "records", Title: "Records:"},
		&cobra.Group{ID: "setup", Title: "Setting up:"},
	)
	root.SetHelpCommand(newHelp(e))
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringArray(setFlag, nil, "give a setting on the command line: `NAME=VALUE` (all: tripimport help settings)")

	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}

	root.Args = refuseUnknownCommand
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if startedByIcon() {
			return e.servePage(cmd, false)
		}
		return cmd.Help()
	}
	add("night", newServe(e), newCheck(e), newImport(e), newNightly(e))
	add("morning", newMorning(e), newRetry(e), newHold(e))
	add("records", newHistory(e), newReport(e), newRuns(e))
	add("setup", newSetup(e), newAccess(e), newMap(e), newPlaces(e), newTemplates(e), newInspect(e), newLedger(e), newConfig(e), newSandbox(e))

	checkArgs(root)
	return root
}

// checkArgs has the commands below a command refuse words that they do not take. One that does nothing by itself shows
// its help.
func checkArgs(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		switch {
		case c.HasSubCommands() && c.Use == c.Name():
			c.Args = refuseUnknownCommand
		case c.Args == nil:
			c.Args = takesItsForm
		}
		if c.RunE == nil {
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		checkArgs(c)
	}
}

// takesItsForm refuses too few or too many words, by the form of the command: FILE is one word, FILE… are one or more,
// and what is in brackets may be missing.
func takesItsForm(cmd *cobra.Command, words []string) error {
	form, _, _ := strings.Cut(strings.TrimPrefix(cmd.Use, cmd.Name()), "--")
	takes := strings.Fields(form)
	least := len(takes) - strings.Count(form, "[")
	if len(words) < least || len(words) > len(takes) && !strings.Contains(form, "…") {
		return usage("see `"+cmd.CommandPath()+" --help`", "`%s` takes %s", cmd.CommandPath(), cmp.Or(strings.Join(takes, " "), "no file"))
	}
	return nil
}

// refuseUnknownCommand refuses an unknown command. It says which one is nearest, or what it is called now.
func refuseUnknownCommand(cmd *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	fix := "see `" + cmd.CommandPath() + " --help`"
	now := map[string]string{
		"update": "import FILE…", "resolve": "morning", "results": "runs results RUN", "purge": "runs purge", "token": "setup token", "mapping": "map",
		"statuses": "help statuses", "glossary": "help glossary", "where": "ledger", "uninstall": "nightly install --remove",
	}[words[0]]
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(words[0]); now != "" {
		fix = "it is `tripimport " + now + "` now"
	} else if len(near) > 0 {
		fix = "did you mean `" + cmd.CommandPath() + " " + near[0] + "`?"
	}
	return usage(fix, "there is no command %q", words[0])
}
