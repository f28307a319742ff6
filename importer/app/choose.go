package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/sheet"
	"tripimport/mapping"
)

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
	fix := "name a mapping with -m, or let `tripimport map " + Quoted(path) + "` propose one"
	if len(near) > 0 {
		fix += "; nearest: " + strings.Join(near, "; ")
	}
	return nil, Usage(fix, "%s: no mapping has the columns of this file", name)
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
	return nil, Usage("name one with -m", "%s: several mappings fit: %s", name, strings.Join(names, ", "))
}
