package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manyFlags is how many flags a command may have before its rare flags are shown in groups.
const manyFlags = 12

// A flagGroup is a group of rare flags.
type flagGroup struct {
	title string
	names []string
}

// flagGroups returns the groups of rare flags. A flag that is in no group is a common one.
func flagGroups() []flagGroup {
	return []flagGroup{
		{"Flags for reading", []string{"mappings", "today", "row", "geocoder", "geocoder-url", "unsent"}},
		{"Flags for the results and for what is printed", []string{"results-format", "failed-only", "redact", "open", "json", "quiet", "no-progress"}},
		{"Flags for the service", []string{"base-url", "token-file", "token-command", tokenStdin, "timeout", "rate", "burst", "workers", "guid-field"}},
		{"Flags for the ledger and for booked trips", []string{"ledger", "lock-wait", "changes", "freeze"}},
	}
}

// helpText returns the help of a command. Examples come first, because most people look for the
// line to type.
func helpText(cmd *cobra.Command, width int) string {
	var out strings.Builder
	if cmd.HasExample() {
		out.WriteString(cmd.Example + "\n\n")
	}

	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	return out.String() + fill(about, width) + "\n\n" + usageText(cmd, width)
}

// usageText returns how a command is called: its form, its commands and its flags.
func usageText(cmd *cobra.Command, width int) string {
	var out strings.Builder
	out.WriteString("Usage:\n  " + cmd.UseLine() + "\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "  %s COMMAND\n", cmd.CommandPath())
		for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands:"}) {
			out.WriteString(commandsOf(cmd, group))
		}
	}

	rare, common := rareFlags(cmd)
	writeFlags(&out, "Flags", common, width)
	for i, group := range flagGroups() {
		writeFlags(&out, group.title, rare[i], width)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n\"%s COMMAND --help\" shows more of a command.\n", cmd.CommandPath())
	}
	return out.String()
}

// commandsOf returns the list of a group's commands, or "" if it has none.
func commandsOf(cmd *cobra.Command, group *cobra.Group) string {
	var out strings.Builder
	for _, c := range cmd.Commands() {
		if c.GroupID == group.ID && c.IsAvailableCommand() {
			fmt.Fprintf(&out, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n" + group.Title + "\n" + out.String()
}

// rareFlags divides the flags of a command into the rare ones, by group, and the common ones.
// If a command has few flags, all are common.
func rareFlags(cmd *cobra.Command) (rare []*pflag.FlagSet, common *pflag.FlagSet) {
	common = pflag.NewFlagSet("", pflag.ContinueOnError)
	count := 0
	cmd.LocalFlags().VisitAll(func(*pflag.Flag) { count++ })
	for range flagGroups() {
		rare = append(rare, pflag.NewFlagSet("", pflag.ContinueOnError))
	}

	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		i := slices.IndexFunc(flagGroups(), func(g flagGroup) bool { return slices.Contains(g.names, f.Name) })
		if i < 0 || count <= manyFlags {
			common.AddFlag(f)
			return
		}
		rare[i].AddFlag(f)
	})
	return rare, common
}

// writeFlags writes a list of flags below a title, if there are any.
func writeFlags(out *strings.Builder, title string, flags *pflag.FlagSet, width int) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(out, "\n%s:\n%s", title, flags.FlagUsagesWrapped(width))
	}
}

// fill wraps paragraphs to the width. A paragraph with an indented line is a list, and keeps its
// lines.
func fill(text string, width int) string {
	var paragraphs []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			p = wrapLine(strings.ReplaceAll(p, "\n", " "), width, "")
		}
		paragraphs = append(paragraphs, p)
	}
	return strings.Join(paragraphs, "\n\n")
}
