package importer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tangled are the packages in which files use each other in a circle, mostly because the methods of
// one type stand in several files. A package that has none any more is taken from the list.
var tangled = []string{
	"cmd/tripimport",
	"importer/app",
	"importer/judge",
	"importer/nightly",
	"importer/nightly/timer",
	"importer/results",
	"importer/returned",
	"importer/run",
	"mapping",
	"mapping/propose",
	"mapping/values",
}

// TestFilesStandInAnOrder finds files of a package that use each other in a circle, so that none of
// them can be read without the others.
func TestFilesStandInAnOrder(t *testing.T) {
	root := filepath.Join("..")
	packages := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			packages[filepath.Dir(path)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		circle := circleOf(usesOf(t, dir))
		switch known := slices.Contains(tangled, filepath.ToSlash(name)); {
		case circle != nil && !known:
			t.Errorf("%s: files use each other in a circle: %s", name, strings.Join(circle, " "))
		case circle == nil && known:
			t.Errorf("%s has no circle any more: take it from the list", name)
		}
	}
}

// usesOf returns which files of a package use which others, by the types of the program. What a
// package that it imports has is not known, and needs not to be.
func usesOf(t *testing.T, dir string) map[string]map[string]bool {
	t.Helper()
	set := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || isOfOtherSystem(path) {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(dir, set, files, info)

	uses := map[string]map[string]bool{}
	for id, object := range info.Uses {
		if object.Pkg() != pkg {
			continue
		}
		from, to := set.Position(id.Pos()).Filename, set.Position(object.Pos()).Filename
		if from == to || to == "" {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string]bool{}
		}
		uses[from][to] = true
	}
	return uses
}

// isOfOtherSystem reports whether a file is one of several that say the same for different systems.
func isOfOtherSystem(path string) bool {
	for _, system := range []string{"_windows.go", "_darwin.go", "_other.go"} {
		if strings.HasSuffix(path, system) {
			return true
		}
	}
	return false
}

// circleOf returns files that use each other in a circle, or nil.
func circleOf(uses map[string]map[string]bool) []string {
	done := map[string]bool{}
	var path []string
	var visit func(file string) []string
	visit = func(file string) []string {
		if i := slices.Index(path, file); i >= 0 {
			var names []string
			for _, f := range append(path[i:], file) {
				names = append(names, filepath.Base(f))
			}
			return names
		}
		if done[file] {
			return nil
		}
		path = append(path, file)
		for _, next := range slices.Sorted(maps.Keys(uses[file])) {
			if circle := visit(next); circle != nil {
				return circle
			}
		}
		path, done[file] = path[:len(path)-1], true
		return nil
	}
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		if circle := visit(file); circle != nil {
			return circle
		}
	}
	return nil
}
