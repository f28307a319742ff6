package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tripimport/importer"
	"tripimport/importer/app"
)

// eachCommand calls visit for every command of ours that has no old name.
func eachCommand(visit func(c *cobra.Command)) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		visit(c)
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				each(sub)
			}
		}
	}
	each(newRoot(environment{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Environment: app.Environment{Lookup: os.LookupEnv}}))
}

// TestHelp names each line of a help that is longer than 80 columns, each flag whose value
// has no name of its own, and each flag that is missing from the help.
func TestHelp(t *testing.T) {
	eachCommand(func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		text := helpText(c)
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), utf8.RuneCountInString(line), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(text, "--"+f.Name+" ") {
				t.Errorf("%s --help does not show --%s", c.CommandPath(), f.Name)
			}
			if kind, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "strings", "stringArray", "int", "duration"}, kind) {
				t.Errorf("%s --%s takes a %q: name the value in backquotes in its usage", c.CommandPath(), f.Name, kind)
			}
		})
	})
}

// TestDownload asks that the command lines in the Windows download are ones that the program has.
func TestDownload(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", ".ci", "download", "*.cmd"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(string(text), `tripimport.exe" `)
		line, _, _ = strings.Cut(line, "\n")
		var out bytes.Buffer
		e := environment{In: strings.NewReader(""), Out: &out, Err: &out, Environment: app.Environment{Lookup: os.LookupEnv}}
		if execute(append(strings.Fields(line), "--help"), e) != 0 {
			t.Errorf("%s: %s", filepath.Base(name), out.String())
		}
	}
}

// TestTopics names each state, exit status and setting that nothing describes.
func TestTopics(t *testing.T) {
	for s := range importer.State(importer.StateCount) {
		if means, next := s.Meaning(); means == "" || next == "" {
			t.Errorf("the state %s has no meaning, or nothing says what the next run does", s.Code())
		}
	}
	for _, s := range app.Statuses() {
		if s.Meaning() == "" {
			t.Errorf("the exit status %d has no meaning", s)
		}
	}
	reference := settingsPage()
	for _, s := range app.KnownSettings() {
		if s.Usage == "" || !strings.Contains(reference, "\n  "+settingTitle(s)+"\n") {
			t.Errorf("the setting %s is not described", s.Key)
		}
	}
}

// TestWords shows that each command says which words it takes, and takes no others.
func TestWords(t *testing.T) {
	for line, want := range map[string]string{
		"check": "`tripimport check` takes FILE…", "retry a.xlsx b.xlsx": "`tripimport retry` takes RESULTS-FILE", "map approve a.yaml": "`tripimport map approve` takes MAPPING FILE",
		"config a": "`tripimport config` takes no file", "places forget a b": "`tripimport places forget` takes [ADDRESS]", "runs results --input a.csv": "`tripimport runs results` takes RUN",
		"report a": "`tripimport report` takes no file", "setup token SECRET": "a token is never an argument", "runs a": `no command "a"`, "history a b": "takes [TRIP]",
		"runs purge a b --list --no-flag": "unknown flag", "check a.csv b.csv --no-flag": "unknown flag", "places forget": "either an address",
	} {
		_, errs := runAt(t, t.TempDir(), strings.Fields(line)...)
		if !strings.Contains(errs, want) {
			t.Errorf("%s: %s", line, errs)
		}
	}
}
