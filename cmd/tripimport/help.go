package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

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

	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		out.WriteString("\nFlags:\n" + flags.FlagUsagesWrapped(width))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n\"%s COMMAND --help\" shows more of a command.\n", cmd.CommandPath())
	}
	if !cmd.HasParent() {
		for _, t := range topics() {
			fmt.Fprintf(&out, "\"%s help %s\": %s.\n", cmd.Name(), t.name, t.short)
		}
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
