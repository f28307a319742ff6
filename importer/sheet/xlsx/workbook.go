package xlsx

import (
	"bytes"
	"path"
	"strings"
)

// A relationship points from one part to another.
type relationship struct{ id, kind, target string }

// relationships reads those of the part, none where it has no such list. The
// root list belongs to the part "".
func (b *Book) relationships(of string) ([]relationship, error) {
	name := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if of == "" {
		name = "_rels/.rels"
	}
	if !b.parts.has(name) {
		return nil, nil
	}
	var list []relationship
	err := b.parts.readTags(name, func(p *part) error {
		if string(p.name) != "Relationship" {
			return nil
		}
		if mode, _ := p.attr("TargetMode"); string(mode) == "External" {
			return nil
		}
		r, err := p.relationship(of)
		list = append(list, r)
		return err
	})
	return list, err
}

// relationship reads the tag that the scanner stands on. Its kind is the last
// word of the type, which transitional and strict workbooks share.
func (p *part) relationship(of string) (relationship, error) {
	id, _ := p.attr("Id")
	kind, _ := p.attr("Type")
	target, _ := p.attr("Target")
	to, err := attrText(target)
	if err != nil {
		return relationship{}, err
	}
	return relationship{string(id), string(kind[bytes.LastIndexByte(kind, '/')+1:]), resolve(of, to)}, nil
}

// readWorkbook finds the workbook part and reads its list of sheets.
func (b *Book) readWorkbook() error {
	root, err := b.relationships("")
	if err != nil {
		return err
	}
	for _, r := range root {
		if r.kind == "officeDocument" {
			b.main = r.target
		}
	}
	if b.main == "" {
		return &damage{"the list of its parts is missing", nil}
	}
	rels, err := b.relationships(b.main)
	if err != nil {
		return err
	}
	worksheets := map[string]string{}
	for _, r := range rels {
		switch r.kind {
		case "worksheet":
			worksheets[r.id] = r.target
		case "sharedStrings":
			b.stringsPart = r.target
		case "styles":
			b.stylesPart = r.target
		case "vbaProject":
			b.macros = true
		}
	}
	others := map[string]bool{}
	for _, r := range rels {
		if worksheets[r.id] == "" {
			others[r.id] = true
		}
	}
	return b.readSheets(worksheets, others)
}

// readSheets reads the workbook part. worksheets are its relationships to
// worksheets by id, others the ids of all the rest.
func (b *Book) readSheets(worksheets map[string]string, others map[string]bool) error {
	err := b.parts.readTags(b.main, func(p *part) error {
		switch name := string(p.name); {
		case p.depth() == 1 && name != "workbook":
			return &damage{"its list of sheets is missing", nil}
		case p.depth() == 2 && name == "workbookPr":
			v, _ := p.attr("date1904")
			b.date1904 = isTrue(v)
		case p.depth() == 3 && name == "sheet":
			return b.addSheet(p, worksheets, others)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		return &damage{"it has no worksheet", nil}
	}
	return nil
}

// addSheet takes the sheet whose tag the scanner stands on.
func (b *Book) addSheet(p *part, worksheets map[string]string, others map[string]bool) error {
	raw, _ := p.attr("name")
	name, err := attrText(raw)
	if err != nil {
		return err
	}
	var id string
	for _, a := range p.attrs {
		if bytes.HasSuffix(a.name, []byte(":id")) {
			id = string(a.value)
		}
	}
	if others[id] {
		return nil // a chart or dialog sheet
	}
	target := worksheets[id]
	if target == "" {
		return &damage{"its sheet " + name + " is missing", nil}
	}
	s := Sheet{Name: name, part: target}
	switch state, _ := p.attr("state"); strings.ToLower(string(state)) {
	case "hidden":
		s.Visibility = Hidden
	case "veryhidden":
		s.Visibility = VeryHidden
	}
	b.sheets = append(b.sheets, s)
	return nil
}

// isTrue reads a boolean attribute.
func isTrue(v []byte) bool { return string(v) == "1" || string(v) == "true" || string(v) == "on" }
