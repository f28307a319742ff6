package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly"
)

// TestFewWords holds how many commands, flags and settings there are at most.
func TestFewWords(t *testing.T) {
	const commands, leaves, flags, settings = 19, 36, 16, 45
	atTop, last, most, mostOf := 0, 0, 0, ""
	eachCommand(func(c *cobra.Command) {
		if c.HasParent() && !c.Parent().HasParent() && c.GroupID != "" {
			atTop++
		}
		if c.HasParent() && !c.HasAvailableSubCommands() {
			last++
		}
		count := 0
		c.LocalFlags().VisitAll(func(*pflag.Flag) { count++ })
		if count > most {
			most, mostOf = count, c.CommandPath()
		}
	})
	all := len(app.KnownSettings()) + countKeys(nightly.Keys())
	t.Logf("%d commands, %d of them without commands below, %d flags at most (%s), %d settings", atTop, last, most, mostOf, all)
	if atTop > commands || last > leaves || most > flags || all > settings {
		t.Errorf("at most %d commands, %d leaves, %d flags and %d settings: what is rarely said is a setting, and what nobody touches is none", commands, leaves, flags, settings)
	}
}

// countKeys counts keys of the block nightly, and those below them.
func countKeys(keys []nightly.Key) (n int) {
	for _, k := range keys {
		n += 1 + countKeys(k.Below)
	}
	return n
}

// TestSpelling names each action that no command line is for, and each command line that the
// program does not take.
func TestSpelling(t *testing.T) {
	root := newRoot(environment{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Environment: app.Environment{Lookup: os.LookupEnv}})
	check, _, err := root.Find([]string{"check"})
	if err == nil {
		err = check.ParseFlags([]string{"--today", "2026-12-01", "-m", "my broker.yaml", "--set", "rate=5", "--redact"})
	}
	if err != nil {
		t.Fatal(err)
	}
	spell := speller{check}.spell
	for _, do := range actions(t) {
		if spelling(do) == "" && do != importer.Again && do != importer.Agree {
			t.Errorf("no command is for %q", do)
		}
		line := strings.TrimPrefix(spell(do, "A B.csv", "C"), "tripimport ")
		if err := parses(line, false); err != nil {
			t.Errorf("%q: `tripimport %s` is no command: %v", do, line, err)
		}
	}
	for want, got := range map[string]string{
		`tripimport check -m "my broker.yaml" --today 2026-12-01 --redact --set rate=5 "A B.csv"`:  spell(importer.Again, "A B.csv"),
		`tripimport import -m "my broker.yaml" --set rate=5 a.csv`:                                 spell(importer.ImportFile, "a.csv"),
		`tripimport runs results R-1 --input a.csv --input b.csv -m "my broker.yaml" --set rate=5`: spell(importer.WriteResults, "R-1", "a.csv", "b.csv"),
		`tripimport setup token --set base_url=https://x.example`:                                  spell(importer.SetToken, "https://x.example"),
		`tripimport ledger rekey --set rate=5 "Lakeshore Transit"`:                                 spell(importer.NewKey, "Lakeshore Transit"),
		`tripimport retry --sandbox -m "my broker.yaml" --today 2026-12-01 --set rate=5 a.xlsx`:    spell(importer.RetryRehearsal, "a.xlsx"),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestOldNames shows that a command that had another name says which it has now.
func TestOldNames(t *testing.T) {
	for line, want := range map[string]string{
		"purge": "runs purge", "results RUN": "runs results RUN", "token set": "setup token", "token": "setup token", "resolve": "morning",
		"mapping approve a.yaml b.csv": "map", "statuses": "help statuses", "glossary": "help glossary", "help purge": "runs purge",
		"ledger where": "ledger", "help ledger where": "ledger", "nightly uninstall": "nightly install --remove", "update a.csv": "import FILE…",
	} {
		var out bytes.Buffer
		status := execute(strings.Fields(line), environment{In: strings.NewReader(""), Out: &out, Err: &out, Environment: app.Environment{Lookup: os.LookupEnv}})
		if status != exitUsage || !strings.Contains(out.String(), "it is `tripimport "+want+"` now") {
			t.Errorf("%s: status %d\n%s", line, status, out.String())
		}
	}
}

// actions returns all actions that an advice can name.
func actions(t *testing.T) (all []importer.Action) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), repoPath("importer", "advice.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Action" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, importer.Action(text))
		}
		return true
	})
	if len(all) < 30 {
		t.Fatalf("only %d actions were found", len(all))
	}
	return all
}
