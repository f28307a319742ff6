package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tripimport/importer/sheet"
	"tripimport/mapping"
	"tripimport/mapping/propose"
	"tripimport/templates"
)

// A Proposal is a draft of a mapping, made from a file.
type Proposal struct {
	propose.Proposal
	// Text is the draft in YAML.
	Text string
	// Template is the name of the template whose columns the file has; its text
	// is the draft then, since a template says more than columns do.
	Template string
}

// ProposeMapping drafts a mapping for a file from its first rows, with the
// mappings of the office and the templates as examples.
func (a *App) ProposeMapping(path string) (Proposal, error) {
	file, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		return Proposal{}, err
	}

	const sample = 200
	rows, err := file.Head(sample)
	if err = errors.Join(err, file.Close()); err != nil {
		return Proposal{}, err
	}

	candidates, err := a.mappings(path)
	if err != nil {
		return Proposal{}, err
	}

	var known []*mapping.Mapping
	for _, c := range candidates {
		known = append(known, c.mapping)
	}

	p := Proposal{Proposal: propose.Mapping(rows[:min(len(rows), headRows)], rows, known)}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	p.Text = p.YAML(name)
	if t, ok := templates.Find(strings.TrimSuffix(p.Proposal.Template, ".yaml")); ok {
		p.Template, p.Text = t.Name, t.Text
	}

	p.Text = asDraft(p.Text, name+"*"+filepath.Ext(path))
	return p, nil
}

// asDraft marks a mapping as a draft and says which files it is for: with a
// constant provider it would otherwise be taken for any broker's file of these
// columns, and so it is never chosen by itself.
func asDraft(text, files string) string {
	var extra string
	lines := "\n" + text
	if !strings.Contains(lines, "\ndraft:") {
		extra += "draft: true    # tripimport mapping approve shows its trips and takes this line out\n"
	}

	if !strings.Contains(lines, "\nfiles:") {
		extra += fmt.Sprintf("files: %q    # the files it is for: change the name where yours differ\n", files)
	}

	before, after, found := strings.Cut(lines, "\nmapping:")
	if !found {
		return text
	}

	version, rest, _ := strings.Cut(after, "\n")
	return strings.TrimPrefix(before+"\nmapping:"+version+"\n"+extra+rest, "\n")
}
