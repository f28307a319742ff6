package importer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoCommandsBelowTheFaces names each text of a package below the faces that spells a command
// line. An advice names an Action instead, and the face spells it.
func TestNoCommandsBelowTheFaces(t *testing.T) {
	for _, folder := range []string{".", filepath.Join("..", "mapping"), filepath.Join("..", "templates")} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "resultstest" || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return skipTestHelpers(d, err)
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && spellsCommand(text.Value) {
					t.Errorf("%s spells a command: %s", path, text.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func skipTestHelpers(d fs.DirEntry, err error) error {
	if err == nil && d.IsDir() && d.Name() == "resultstest" {
		return fs.SkipDir
	}
	return err
}

// spellsCommand reports whether a literal has a command line, such as `tripimport check FILE`.
func spellsCommand(literal string) bool {
	command := regexp.MustCompile("`tripimport |`--[a-z]|[^a-z]tripimport (access|check|config|help|history|hold|import|inspect|ledger|map|mapping|morning|nightly|places|purge|report|resolve|results|retry|runs|sandbox|serve|setup|templates|token|update)\\b")
	return command.MatchString(literal) && !title.MatchString(literal)
}

// title matches what is no command: the first line or the name of a file of ours, and what a key is
// derived from.
var title = regexp.MustCompile(`^.tripimport (ledger key 1|ledger: |places 1|sandbox: |results 2\\x00|mapping).?$|(BEGIN|END) tripimport nightly`)

// TestSpellsCommand tests the test.
func TestSpellsCommand(t *testing.T) {
	for literal, want := range map[string]bool{
		`"run tripimport check FILE"`: true, "\"see `tripimport ledger`\"": true, "\"`tripimport --version`\"": true,
		`"install the newest tripimport on this computer"`: false, `"tripimport ledger key 1"`: false, `"another build of tripimport, which"`: false,
	} {
		if spellsCommand(literal) != want {
			t.Errorf("%s: want %v", literal, want)
		}
	}
}
