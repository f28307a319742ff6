package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly"
)

// helpText returns the help of a command. Examples come first, because most people look for the
// line to type.
func helpText(cmd *cobra.Command) string {
	return strings.TrimLeft(cmd.Example+"\n\n", "\n") + cmp.Or(cmd.Long, cmd.Short) + "\n\n" + usageText(cmd)
}

//go:embed usage.txt
var usageForm string

// usageText returns how a command is called: its form, its commands and its flags.
func usageText(cmd *cobra.Command) string {
	var out strings.Builder
	form := template.New("usage").Funcs(template.FuncMap{"topics": topics})
	if err := template.Must(form.Parse(usageForm)).Execute(&out, cmd); err != nil {
		panic(err) // a test has the usage of every command
	}
	return out.String()
}

// pageWidth is how many characters a line of the help has; on a terminal that has fewer, it is wrapped as every text.
const pageWidth = 80

// paragraph wraps a text to lines that begin with an indent.
func paragraph(indent, text string) string { return wrapLine(indent+text, pageWidth, "") + "\n" }

// A topic is a page of the help that is not about one command.
type topic struct {
	Name, Short string
	text        func() string
}

func topics() []topic {
	return []topic{
		{"statuses", "what can become of a trip, and the exit statuses", statusesPage},
		{"answers", "what a person may answer, and what then happens", answersPage},
		{"glossary", "the words of schedules and of this program", func() string { return glossary }},
		{"settings", "every setting of tripimport.yaml", settingsPage},
	}
}

// newHelp makes the command that explains a command or a topic.
func newHelp(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "explain a command, or: statuses, answers, glossary, settings",
		RunE: func(cmd *cobra.Command, words []string) error {
			for _, t := range topics() {
				if len(words) == 1 && words[0] == t.Name {
					e.print(e.Out, strings.TrimSpace(t.text())+"\n")
					return nil
				}
			}
			about, rest, _ := cmd.Root().Find(words) // what it does not find is the rest
			if len(rest) > 0 {
				return refuseUnknownCommand(about, rest)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// statusesPage describes the states of trips and the exit statuses of commands.
func statusesPage() string {
	var out strings.Builder
	out.WriteString("What became of a trip, in the results; in brackets its code, in JSON:\n")
	for s := range importer.State(importer.StateCount) {
		means, next := s.Meaning()
		fmt.Fprintf(&out, "\n  %s (%s)\n      %s\n      the next run %s\n", s, s.Code(), means, next)
	}

	out.WriteString("\nHow a command ends, by its exit status:\n\n")
	for _, s := range app.Statuses() {
		fmt.Fprintf(&out, "  %-5d%s", s, strings.TrimLeft(paragraph("       ", s.Meaning()), " "))
	}
	return out.String() + "\n" + paragraph("", app.StatusOrder)
}

// answersPage describes what a person may answer.
func answersPage() string {
	out := "What you may write under \"What we found\", or answer in the morning list:\n"
	var seen []string
	for _, r := range importer.VerdictRules() {
		word := r.Verdict.String()
		if text := "\n  " + word + "\n"; !slices.Contains(seen, word) {
			out, seen = out+text, append(seen, word)
		}
		out += paragraph("      ", r.Does)
	}
	return out
}

//go:embed glossary.txt
var glossary string

// settingsPage describes every setting and the block nightly.
func settingsPage() string {
	var out strings.Builder
	out.WriteString(paragraph("", `tripimport.yaml has one "key: value" a line. Your own is in the folder of your settings, which "tripimport config" shows. One in the folder in which the program runs may set mappings, places, results_format and a lower rate, and nothing else. Every setting may also be given to a command (--set rate=5) or in the environment (TRIPIMPORT_RATE). The command line comes first, then the environment, the folder's file, your own file, the default.`))
	out.WriteString("\n" + paragraph("", "A path in the file begins in the file's folder. Tokens and passwords are never settings.") + "\nSettings:\n")
	for _, s := range app.KnownSettings() {
		fmt.Fprintf(&out, "\n  %s\n%s", settingTitle(s), paragraph("      ", s.Usage))
	}

	out.WriteString("\n" + paragraph("", `The block nightly, in your own file alone: when which broker's schedule is due, where it appears and who is told. Paths are full ones; times are on the clock of its zone.`) + "\n  nightly:\n")
	describeKeys(&out, nightly.Keys(), "    ")
	return out.String()
}

// describeKeys describes keys of the block nightly, and those below them.
func describeKeys(out *strings.Builder, keys []nightly.Key, indent string) {
	for _, k := range keys {
		out.WriteString(indent + k.Name + ":\n" + paragraph(indent+"    ", k.Means))
		describeKeys(out, k.Below, indent+"  ")
	}
}

// settingTitle returns the first line about a setting: how it is written, the values that it
// takes, and its default.
func settingTitle(s app.Setting) string {
	_, takes := s.Takes("")
	title := s.Key + ": " + cmp.Or(takes, "a "+s.Kind)
	if s.Default != "" {
		title += "; default " + s.Default
	}
	return title
}
