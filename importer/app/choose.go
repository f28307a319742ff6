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

// headOf returns the first rows of a file, most of them at most, and the names of its sheets that may have
// trips.
func headOf(path string, o sheet.Options, most int) (rows []importer.Row, sheets []string, err error) {
	file, err := sheet.Open(path, o)
	if err != nil {
		return nil, nil, err
	}
	rows, err = file.Head(most)
	return rows, file.Tables(), errors.Join(err, file.Close())
}

// choose returns the mapping with which a file is read: the one that the settings name, or else the one that
// fits the file. It prefers the office's own mappings to the templates.
func (a *App) choose(path string) (*mapping.Mapping, error) {
	known, drafts, err := a.mappings(path)
	if err != nil {
		return nil, err
	}
	if a.Mapping != "" {
		return known[0].mapping, nil
	}
	name := filepath.Base(path)
	fits, near := fitting(path, known)
	if len(fits) > 0 {
		return onlyOne(name, fits)
	}

	switch rows, _, err := headOf(path, sheet.Options{}, headRows); {
	case err != nil: // that is the reason why no mapping fits
		return nil, err
	case len(rows) == 0:
		return nil, noRows(path)
	}

	for _, path := range drafts {
		near = append(near, path+" is a draft with open questions")
	}
	fix := "name a mapping with -m"
	if len(near) > 0 {
		fix += " (nearest: " + strings.Join(near, "; ") + ")"
	}
	return nil, usageStep(importer.Do(fix+", or have one proposed", importer.ProposeMapping, path), "%s: no mapping has the columns of this file", name)
}

// noRows says that a file is empty.
func noRows(path string) error {
	return &importer.InputError{File: filepath.Base(path), Reason: "there is no row in it", Fix: "export it again, and check the dates that were chosen for it"}
}

// fitting returns the mappings that fit the file, those of the templates only if none of the office's own does,
// and, in words, those that nearly fit.
func fitting(path string, known []candidate) (fits []candidate, near []string) {
	own, heads := false, map[sheet.Options][]importer.Row{} // a mapping may name a sheet, or an encoding
	for _, c := range known {                               // the office's own come first
		if own && !c.own {
			break
		}
		o := readOptions(c.mapping)
		if _, read := heads[o]; !read {
			heads[o], _, _ = headOf(path, o, headRows) // what can't be read has no columns
		}
		switch match := c.mapping.Match(heads[o], filepath.Base(path)); {
		case match.OK:
			fits, own = append(fits, c), c.own
		case c.own && len(match.Missing) == 0:
			near = append(near, c.mapping.File()+" has its columns, but names its provider for all files: say which ones it is for with files:")
		case len(match.Missing) > 0 && len(match.Missing) <= max(2, match.Named/4):
			near = append(near, fmt.Sprintf("%s (%s)", c.mapping.File(), strings.Join(match.Missing, ", ")))
		}
	}
	return fits, near
}

// readOptions returns how a mapping wants its files to be read.
func readOptions(m *mapping.Mapping) sheet.Options {
	read := m.Read()
	return sheet.Options{Sheet: read.Sheet, Encoding: read.Encoding, Delimiter: read.Delimiter}
}

// onlyOne returns the only mapping that fits, or an error if several fit.
func onlyOne(name string, fits []candidate) (*mapping.Mapping, error) {
	if len(fits) == 1 {
		return fits[0].mapping, nil
	}

	names := importer.Each(fits, func(c candidate) string { return c.mapping.File() })
	slices.Sort(names)
	return nil, Usage("name one with -m", "%s: several mappings fit: %s", name, strings.Join(names, ", "))
}
