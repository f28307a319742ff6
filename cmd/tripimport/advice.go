package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

// spelling returns the command line of an action. A star stands for one of the things that the
// action is about, and two stars for all the others; what has no star comes last.
func spelling(do importer.Action) string {
	return map[importer.Action]string{
		importer.CheckFile: "check", importer.CheckWith: "check -m *", importer.ImportFile: "import", importer.Rehearse: "import --sandbox",
		importer.SendChanges: "import --changes send", importer.RetryResults: "retry", importer.RetryRehearsal: "retry --sandbox",
		importer.ListOpen: "morning",
		importer.ListRuns: "runs", importer.ShowRun: "runs show", importer.WriteResults: "runs results * --input **",
		importer.ProposeMapping: "map", importer.ApproveMapping: "map approve", importer.LintMapping: "map lint",
		importer.ListTemplates: "templates", importer.WriteTemplate: "templates * --write .", importer.AddPlaces: "places add",
		importer.SetUp: "setup", importer.SetToken: "setup token --set base_url=*", importer.AskAccess: "access",
		importer.DescribeSettings: "help settings",
		importer.NewLedger:        "ledger new --set ledger=*", importer.FindLedger: "ledger", importer.JoinLedger: "ledger join --key *",
		importer.VerifyLedger: "ledger verify", importer.AdoptLedger: "ledger adopt --results **",
		importer.NewKey:      "ledger rekey",
		importer.SameService: "ledger address * --same-as *", importer.OtherService: "ledger address * --new",
		importer.ForgetRehearsals: "sandbox reset", importer.NightsStatus: "nightly status", importer.InstallNights: "nightly install",
		importer.SendTestMail: "nightly mail",
	}[do]
}

// A speller spells actions as command lines. They repeat the flags of the command that runs now,
// as far as the next one needs them.
type speller struct{ now *cobra.Command }

// spell implements importer.Speller.
func (s speller) spell(do importer.Action, on ...string) string {
	line, again := spelling(do), do == importer.Again || do == importer.Agree
	if again {
		line = strings.TrimPrefix(s.now.CommandPath(), s.now.Root().Name()+" ")
	}
	if do == importer.Agree && s.now.Flags().Lookup("yes") != nil {
		line += " --yes"
	}
	if len(on) == 0 {
		line, _, _ = strings.Cut(line, " --set ")
	}

	words := []string{s.now.Root().Name()}
	flag := ""
	for _, word := range strings.Fields(line) {
		switch {
		case word == "**":
			words = words[:len(words)-1]
			for _, each := range on {
				words = append(words, flag, app.Quoted(each))
			}
			on = nil
		case strings.Contains(word, "*") && len(on) > 0:
			words, on = append(words, app.Quoted(strings.Replace(word, "*", on[0], 1))), on[1:]
		default:
			words, flag = append(words, word), word
		}
	}
	words = append(words, s.repeated(line, again)...)
	return strings.Join(append(words, importer.Each(on, app.Quoted)...), " ")
}

// repeated returns the flags of the present command that the command line needs as well.
func (s speller) repeated(line string, again bool) (words []string) {
	names := []string{"mapping", "changes"}
	switch {
	case again:
		names = append(names, "sandbox", "today", "for", "online", "redact")
	case strings.Contains(line, "--sandbox"):
		names = append(names, "today")
	}
	next, _, err := s.now.Root().Find(strings.Fields(line))
	if err != nil {
		return nil
	}
	for _, name := range names {
		f := s.now.Flags().Lookup(name)
		if f == nil || !f.Changed || next.Flags().Lookup(name) == nil || strings.Contains(line, "--"+name) {
			continue
		}
		word := "--" + name
		if f.Shorthand != "" {
			word = "-" + f.Shorthand
		}
		if words = append(words, word); f.Value.Type() != "bool" {
			words = append(words, app.Quoted(f.Value.String()))
		}
	}
	for _, pair := range settingsGiven(s.now) {
		if !slices.Contains(strings.Fields(line), "--"+setFlag) {
			words = append(words, "--"+setFlag, app.Quoted(pair))
		}
	}
	return words
}

// usage is app.Usage.
func usage(fix, format string, args ...any) error { return app.Usage(fix, format, args...) }

// explainError prints to standard error why a command failed, and what to do: spell says how.
func explainError(e environment, err error, spell importer.Speller) {
	var (
		known    importer.Advised
		panicked *app.ProgramError
	)

	switch lines := app.MappingFaults(err); {
	case err == nil:
	case errors.As(err, &known):
		e.printError(known.Error(), importer.SayAll(known.Advice(), spell))
	case lines != nil:
		for _, line := range lines {
			e.print(e.Err, inertLines(line)+"\n")
		}
		e.printError(importer.Counted(len(lines), "mistake", "mistakes")+" found in the mapping; nothing was sent", "fix the lines above")
	case errors.Is(err, context.Canceled):
		e.printError("interrupted", "")
	case errors.As(err, &panicked):
		e.printError("an error in the program itself; what was sent is recorded", "report it with the file "+e.keepStack(panicked.Stack))
	default:
		e.printError(err.Error(), "")
	}
}

// keepStack writes the stack of a panic to a file for a report, and returns the file's path.
func (e environment) keepStack(stack string) string {
	f, err := app.FindFolders(e.Environment)
	if err == nil {
		if path, ok := f.KeepStack(stack); ok {
			return path
		}
	}
	return "(which could not be written)"
}

// printError prints a reason and what to do about it to standard error.
func (e environment) printError(reason, fix string) {
	if reason != "" {
		e.print(e.Err, "tripimport: "+inertLines(reason)+"\n")
	}
	if fix != "" {
		e.print(e.Err, "what to do: "+inertLines(fix)+"\n")
	}
}
