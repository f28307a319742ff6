package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/importer/returned"
	"tripimport/importer/sheet"
	"tripimport/mapping"
	"tripimport/mapping/propose"
	"tripimport/templates"
)

// A Proposal is a draft of a mapping, made from a file.
type Proposal struct {
	propose.Proposal
	propose.Draft
	// Own is the office's mapping that uses most of the file's columns; empty if there is none. The
	// draft then starts from it. Fits reports that it is for this file as it is. Begun is one that is for this
	// file and has open questions.
	Own, Begun string
	Fits       bool
	// Template is the name of the template whose columns the file has. The draft is then the
	// template's text, because a template says more than column names do.
	Template string
}

// ProposeMapping drafts a mapping for a file from its first rows. The office's mappings and
// the templates serve as examples.
func (a *App) ProposeMapping(path string) (Proposal, error) {
	if err := refuseResults(path); err != nil {
		return Proposal{}, err
	}
	rows, sheetName, err := a.likelySheet(path)
	if err != nil {
		return Proposal{}, err
	}

	if len(rows) == 0 {
		return Proposal{}, noRows(path)
	}

	candidates, _, err := a.mappings(path)
	if err != nil {
		return Proposal{}, err
	}

	head := rows[:min(len(rows), headRows)]
	if returned.IsTable(head) {
		return Proposal{}, returned.WithoutRecord(filepath.Base(path))
	}
	var p Proposal
	p.Proposal = propose.Mapping(head, rows, p.fitting(candidates, head, filepath.Base(path)))
	p.SheetName = sheetName
	start := propose.Start{File: path, Known: a.knownNames()}
	if t, ok := templates.Find(p.Template); ok {
		start.Template = t.Text
	}
	if p.Own != "" {
		text, err := os.ReadFile(p.Own)
		if err != nil {
			return Proposal{}, Usage("see that this user may read it", "the mapping %s can't be read", p.Own)
		}
		start.Own = string(text)
	}
	p.Draft = p.DraftFor(start)
	return p, nil
}

// fitting finds the mapping whose columns a file has, from which the draft then starts: one of the office's,
// or else a template. It returns the file's headers; nil if there is no such mapping.
func (p *Proposal) fitting(candidates []candidate, head []importer.Row, file string) (headers *mapping.Headers) {
	for _, c := range candidates {
		match := c.mapping.Match(head, file)
		switch found := match.Headers; {
		case found == nil || p.Own != "":
		case !c.own && p.Template == "":
			headers, p.Template = found, strings.TrimSuffix(c.mapping.File(), ".yaml")
		case c.own && c.draft && match.OK:
			p.Begun = c.mapping.File()
		case c.own && c.mapping.Open() == nil && 2*match.Named >= len(found.AllColumns(nil)):
			headers, p.Own, p.Template, p.Fits = found, c.mapping.File(), "", match.OK
		}
	}
	return headers
}

// likelySheet returns the first rows of the sheet that seems to have the trips. It returns
// the sheet's name as well, if that is not the first sheet.
func (a *App) likelySheet(path string) (rows []importer.Row, name string, err error) {
	rows, names, err := headOf(path, sheet.Options{}, sampleRows)
	if err != nil || len(names) < 2 {
		return rows, "", err
	}

	most := propose.KnownHeaders(rows[:min(len(rows), headRows)])
	for _, other := range names[1:] {
		more, _, err := headOf(path, sheet.Options{Sheet: other}, sampleRows)
		if n := propose.KnownHeaders(more[:min(len(more), headRows)]); err == nil && n > 2*most {
			rows, name, most = more, other, n
		}
	}
	return rows, name, nil
}

// knownNames returns the names in the saved access list; none if there is no such list.
func (a *App) knownNames() propose.Names {
	var names propose.Names
	access, _ := a.savedAccess()
	for _, p := range access.Providers {
		names.Providers = append(names.Providers, p.Name)
		for _, f := range p.FundingSources {
			if !slices.Contains(names.FundingSources, f.Name) {
				names.FundingSources = append(names.FundingSources, f.Name)
			}
		}
	}
	return names
}

// A DraftFile is the file in which a draft is kept while a person answers its questions.
type DraftFile struct{ Path string }

// Open writes the proposal to its new file, and returns its text. If the file is there already, it is
// an *Error, unless goOn is set and the file has a mapping for the same files: begun then reports that the text is that one's.
func (f *DraftFile) Open(p *Proposal, goOn bool) (text string, begun bool, err error) {
	was, err := os.ReadFile(f.Path)
	switch text := strings.ReplaceAll(string(was), "\r\n", "\n"); {
	case errors.Is(err, fs.ErrNotExist):
		return p.Text, false, f.Write(p.Text)
	case goOn && looksLikeMapping([]byte(text)) && propose.IsForSameFiles(text, p.Text):
		return text, true, nil
	}
	return "", false, Usage("name another file, or remove it", "%s is there already", f.Path)
}

// Write writes a text in place of the one that the file has. The file has one of both at any time.
func (f *DraftFile) Write(text string) error {
	if err := atomic.WriteFile(f.Path, strings.NewReader(text)); err != nil {
		return Usage("see that its folder may be written, and do the same again", "%s can't be written", f.Path)
	}
	return nil
}
