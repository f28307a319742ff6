package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/run"
	"tripimport/importer/sheet"
	"tripimport/mapping"
	"tripimport/templates"
)

// A schedule is an open spreadsheet with the mapping that is bound to it.
type schedule struct {
	path    string
	file    *sheet.File
	mapping *mapping.Mapping
	bound   *mapping.Bound
	// chosen says how the mapping was found, where nobody named it.
	chosen string
}

// headRows is how many rows are looked at to find the header: exports begin
// with a title and a date range at most.
const headRows = 40

// openSchedules opens each file with the mapping that is named, or with the one
// whose columns it has.
func (a *app) openSchedules(paths []string) ([]*schedule, error) {
	known, err := a.mappings()
	if err != nil {
		return nil, err
	}
	var all []*schedule
	for _, path := range paths {
		s, err := openSchedule(path, known)
		if err != nil {
			closeSchedules(all)
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func closeSchedules(all []*schedule) {
	for _, s := range all {
		_ = s.file.Close() // only read from
	}
}

// A candidate is a mapping that a file may be taken with.
type candidate struct {
	mapping *mapping.Mapping
	// own marks the office's mappings; templates come after them.
	own bool
}

// mappings gives the one mapping that is named, or all that may be chosen from:
// the office's own first, then the templates.
func (a *app) mappings() ([]candidate, error) {
	if name := a.settings.text("mapping"); name != "" {
		m, err := a.namedMapping(name)
		return []candidate{{m, true}}, err
	}
	own, err := a.ownMappings()
	if err != nil {
		return nil, err
	}
	for _, t := range templates.List() {
		m, err := parseTemplate(t)
		if err != nil {
			return nil, err
		}
		own = append(own, candidate{m, false})
	}
	return own, nil
}

// namedMapping reads a mapping by its path, or a template by its name.
func (a *app) namedMapping(name string) (*mapping.Mapping, error) {
	text, err := os.ReadFile(name)
	if err == nil {
		return parseMapping(name, text)
	}
	if errors.Is(err, fs.ErrNotExist) {
		for _, t := range templates.List() {
			if t.Name == strings.TrimSuffix(name, ".yaml") {
				return parseTemplate(t)
			}
		}
		return nil, usage("`tripimport templates` lists the templates", "there is no mapping %s, neither a file nor a template", name)
	}
	return nil, usage("see that this user may read it", "the mapping %s can't be read", name)
}

// parseTemplate parses a template. A table of the office's own in this folder,
// such as riders.csv, comes before the one that the template brings.
func parseTemplate(t templates.Template) (*mapping.Mapping, error) {
	return mapping.Parse(t.Name+".yaml", []byte(t.Text), func(name string) (io.ReadCloser, error) {
		if file, err := os.Open(filepath.Base(name)); err == nil {
			return file, nil
		}
		return templates.Open(name)
	})
}

// mappingPath is where results say that their mapping is: the whole path of a
// file, the bare name of a template.
func mappingPath(m *mapping.Mapping) string {
	if path, err := filepath.Abs(m.File()); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return m.File()
}

// parseMapping parses a mapping whose tables stand beside it.
func parseMapping(path string, text []byte) (*mapping.Mapping, error) {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, usage("name the mapping, a YAML file; the spreadsheet comes last", "%s is no mapping but a spreadsheet or another binary file", path)
	}
	beside := func(name string) (io.ReadCloser, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return os.Open(name)
	}
	return mapping.Parse(path, text, beside)
}

// ownMappings reads the mappings of this office: those of the folder that is
// set, or those in the folder of the work.
func (a *app) ownMappings() ([]candidate, error) {
	dir := a.settings.text("mappings")
	if dir == "" {
		dir = "."
	}
	var found []candidate
	for _, pattern := range []string{"*.yaml", "*.yml"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil || !looksLikeMapping(text) {
				continue
			}
			m, err := parseMapping(path, text)
			if err != nil {
				return nil, err
			}
			found = append(found, candidate{m, true})
		}
	}
	return found, nil
}

// looksLikeMapping tells a mapping from other YAML files, such as
// tripimport.yaml: it has a line `mapping: 1`.
func looksLikeMapping(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "mapping:") {
			return true
		}
	}
	return false
}

// openSchedule opens a file and binds it to the one mapping among known whose
// columns it has.
func openSchedule(path string, known []candidate) (*schedule, error) {
	if len(known) == 1 {
		return bindSchedule(path, known[0].mapping, "")
	}
	m, err := choose(path, known)
	if err != nil {
		return nil, err
	}
	return bindSchedule(path, m, "chosen by its columns")
}

// heads gives the first rows of a file, read as each mapping wants it read: one
// may name a sheet or an encoding that nobody would find out.
type heads struct {
	path string
	read map[sheet.Options]head
}

type head struct {
	rows []importer.Row
	err  error
}

func (h heads) as(o sheet.Options) ([]importer.Row, error) {
	if found, ok := h.read[o]; ok {
		return found.rows, found.err
	}
	var found head
	file, err := sheet.Open(h.path, o)
	if err == nil {
		found.rows, err = file.Head(headRows)
		err = errors.Join(err, file.Close())
	}
	found.err = err
	h.read[o] = found
	return found.rows, found.err
}

// choose gives the one mapping that fits; the office's own come before the
// templates, and one that lists all of the file's columns before others.
func choose(path string, known []candidate) (*mapping.Mapping, error) {
	name := filepath.Base(path)
	h := heads{path, map[sheet.Options]head{}}
	var near []string
	for _, own := range []bool{true, false} {
		var fits, exact []*mapping.Mapping
		for _, c := range known {
			rows, err := h.as(readOptions(c.mapping))
			if c.own != own || err != nil {
				continue
			}
			match := c.mapping.Match(rows, name)
			switch {
			case match.OK && mayFit(c.mapping, match):
				fits = append(fits, c.mapping)
				if match.Exact {
					exact = append(exact, c.mapping)
				}
			case own && len(match.Missing) == 0:
				near = append(near, c.mapping.File()+" has its columns, but names its provider for all files: say which ones it is for with files:")
			case !match.OK && len(match.Missing) > 0 && len(match.Missing) <= max(2, match.Named/4):
				near = append(near, fmt.Sprintf("%s (%s)", c.mapping.File(), strings.Join(match.Missing, ", ")))
			}
		}
		if len(exact) == 1 {
			return exact[0], nil
		}
		if len(fits) > 0 {
			return onlyOne(name, fits)
		}
	}
	// Where the file can't be read at all, that is what there is to say.
	if _, err := h.as(sheet.Options{}); err != nil {
		return nil, err
	}
	fix := "name a mapping with -m, or let `tripimport map " + quoted(path) + "` propose one"
	if len(near) > 0 {
		fix += "; nearest: " + strings.Join(near, "; ")
	}
	return nil, usage(fix, "%s: no mapping has the columns of this file", name)
}

// readOptions says how a mapping wants its files to be read.
func readOptions(m *mapping.Mapping) sheet.Options {
	read := m.Read()
	o := sheet.Options{Sheet: read.Sheet, Encoding: read.Encoding}
	if read.Delimiter != 0 {
		o.Delimiter = string(read.Delimiter)
	}
	return o
}

// mayFit reports whether a mapping may be chosen for a file whose columns it
// has: one that names its provider or funding source for all rows only by the
// file's name, or another broker's trips would be booked for it.
func mayFit(m *mapping.Mapping, match mapping.Match) bool {
	provider, source := m.Constants()
	if m.FilePattern() == "" {
		return provider == "" && source == ""
	}
	return match.FilesMatch
}

func onlyOne(name string, fits []*mapping.Mapping) (*mapping.Mapping, error) {
	if len(fits) == 1 {
		return fits[0], nil
	}
	var names []string
	for _, m := range fits {
		names = append(names, m.File())
	}
	slices.Sort(names)
	return nil, usage("name one with -m", "%s: several mappings fit: %s", name, strings.Join(names, ", "))
}

// bindSchedule opens a file as the mapping says it is to be read.
func bindSchedule(path string, m *mapping.Mapping, chosen string) (*schedule, error) {
	file, err := sheet.Open(path, readOptions(m))
	if err != nil {
		return nil, err
	}
	head, err := file.Head(max(headRows, m.Read().HeaderRow+2))
	if err == nil {
		var bound *mapping.Bound
		if bound, err = m.Bind(head, filepath.Base(path)); err == nil {
			return &schedule{path: path, file: file, mapping: m, bound: bound, chosen: chosen}, nil
		}
	}
	_ = file.Close() // only read from
	return nil, err
}

// inputs gives the schedules as the run takes them.
func inputs(all []*schedule) []run.Input {
	var in []run.Input
	for _, s := range all {
		in = append(in, run.Input{
			Source:      s.file.Below(s.bound.HeaderRow()),
			Mapper:      s.bound,
			MappingHash: s.mapping.Hash(),
		})
	}
	return in
}
