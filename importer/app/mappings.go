package app

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/propose"
	"tripimport/templates"
)

// A candidate is a mapping that may fit a file.
type candidate struct {
	mapping *mapping.Mapping
	// own is true for the office's own mappings, which come before the templates. draft is true for
	// one with open questions.
	own, draft bool
}

// mappings returns the candidates for a file: the mapping that is named, if one is; otherwise the office's own mappings, followed
// by the templates. It returns the paths of the office's drafts that can't be used yet, too.
func (a *App) mappings(file string) (own []candidate, drafts []string, err error) {
	if a.Mapping != "" {
		m, err := ReadMapping(a.Mapping)
		return []candidate{{mapping: m, own: true}}, nil, err
	}
	if own, drafts, err = readMappings(a.mappingFolders(file)); err != nil {
		return nil, nil, err
	}

	for _, t := range templates.List() {
		m, err := parseTemplate(t)
		if err != nil {
			return nil, nil, err
		}
		own = append(own, candidate{mapping: m})
	}
	return own, drafts, nil
}

// ReadMapping reads the mapping with that path, with the tables beside it, or the template with that
// name. The error is an *Error if there is none, and mapping.Findings if it can't be used.
func ReadMapping(name string) (*mapping.Mapping, error) {
	text, err := os.ReadFile(name)
	if err == nil {
		return parseMapping(name, text)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if t, ok := templates.Find(strings.TrimSuffix(name, ".yaml")); ok {
			return parseTemplate(t)
		}
		return nil, usageStep(importer.Do("name one that is there (-m FILE), or see which templates there are", importer.ListTemplates), "there is no mapping %s, neither a file nor a template", name)
	}
	return nil, Usage("see that this user may read it", "the mapping %s can't be read", name)
}

// MappingFaults returns what is wrong with a mapping, if that is the error; nil for any other.
func MappingFaults(err error) []string {
	findings, _ := errors.AsType[mapping.Findings](err)
	return importer.Each(findings, mapping.Finding.Long)
}

// LintMapping reads a mapping and returns everything that is wrong with it or would go wrong
// later. The error is an *Error if the file can't be read.
func LintMapping(path string) (mapping.Findings, error) {
	m, err := ReadMapping(path)
	if findings, ok := errors.AsType[mapping.Findings](err); ok {
		return findings, nil
	}
	if err != nil {
		return nil, err
	}
	return mapping.Lint(m), nil
}

// parseTemplate parses a template, with the lists that it brings.
func parseTemplate(t templates.Template) (*mapping.Mapping, error) {
	return mapping.Parse(t.Name+".yaml", []byte(t.Text), templates.Open)
}

// mappingPath returns the name of a mapping in results: the absolute path of a file, or the
// name of a template.
func mappingPath(m *mapping.Mapping) string {
	if path, err := filepath.Abs(m.File()); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return m.File()
}

// parseMapping parses a mapping whose tables are in the same folder.
func parseMapping(path string, text []byte) (*mapping.Mapping, error) {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, Usage("name the mapping, a YAML file; the spreadsheet comes last", "%s is no mapping but a spreadsheet or another binary file", path)
	}

	beside := func(name string) (io.ReadCloser, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return os.Open(name)
	}
	return mapping.Parse(path, text, beside)
}

// mappingFolders returns the folders that may hold the office's mappings for a file: the one
// that the setting mappings names, or else the current one; the folder of the file; and the
// folder of the user's settings.
func (a *App) mappingFolders(file string) []string {
	return slices.Compact([]string{cmp.Or(a.Settings.Text("mappings"), "."), filepath.Dir(file), a.Folders.Config})
}

// readMappings reads the mappings in the folders. It leaves out copies of the same mapping, and returns
// the paths of the drafts that can't be used yet.
func readMappings(folders []string) (found []candidate, drafts []string, err error) {
	var paths []string
	for _, dir := range folders {
		for _, pattern := range []string{"*.yaml", "*.yml"} {
			in, _ := fs.Glob(os.DirFS(dir), pattern) // the folder's name may have brackets
			paths = append(paths, importer.Each(in, func(name string) string { return filepath.Join(dir, name) })...)
		}
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || !looksLikeMapping(text) {
			continue
		}
		m, err := parseMapping(path, text)
		if err != nil && propose.OpenLines(string(text)) > 0 {
			drafts = append(drafts, path)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		copied := slices.ContainsFunc(found, func(c candidate) bool {
			return c.mapping.Meaning() == m.Meaning() && c.mapping.FilePattern() == m.FilePattern() && c.mapping.Complete() == m.Complete()
		})
		if !copied {
			found = append(found, candidate{mapping: m, own: true, draft: propose.OpenLines(string(text)) > 0})
		}
	}
	return found, drafts, nil
}

// looksLikeMapping reports whether a YAML file is a mapping, and not another file such as
// tripimport.yaml: a mapping has a line `mapping: 1`.
func looksLikeMapping(text []byte) bool {
	return bytes.Contains(append([]byte("\n"), text...), []byte("\nmapping:"))
}
