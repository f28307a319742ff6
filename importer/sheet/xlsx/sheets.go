package xlsx

import (
	"bytes"
	"path"
	"strings"
)

// A relationship points from one part to another.
type relationship struct{ id, kind, target string }

// relationships reads the relationships of a part. A part without relationships
// has no list of them. The workbook's root list belongs to the part "".
func (w *Workbook) relationships(of string) ([]relationship, error) {
	name := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if of == "" {
		name = "_rels/.rels"
	}

	if !w.parts.has(name) {
		return nil, nil
	}

	var list []relationship
	err := w.parts.readTags(name, func(p *part) error {
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

// relationship reads the Relationship tag that the scanner is at. Its kind is
// the last element of the type's path, which is the same in transitional and
// strict workbooks.
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

// readSheetList finds the workbook's main part and reads the list of sheets in
// it.
func (w *Workbook) readSheetList() error {
	root, err := w.relationships("")
	if err != nil {
		return err
	}

	for _, r := range root {
		if r.kind == "officeDocument" {
			w.mainPart = r.target
		}
	}

	if w.mainPart == "" {
		return &damage{"the list of its parts is missing", nil}
	}

	rels, err := w.relationships(w.mainPart)
	if err != nil {
		return err
	}

	byID := map[string]relationship{}
	for _, r := range rels {
		byID[r.id] = r
		switch r.kind {
		case "sharedStrings":
			w.stringsPart = r.target
		case "styles":
			w.stylesPart = r.target
		}
	}

	return w.readMainPart(byID)
}

// readMainPart reads the workbook's sheets and date system. byID has the
// relationships of the part.
func (w *Workbook) readMainPart(byID map[string]relationship) error {
	err := w.parts.readTags(w.mainPart, func(p *part) error {
		switch name := string(p.name); {
		case p.depth() == 1 && name != "workbook":
			return &damage{"its list of sheets is missing", nil}
		case p.depth() == 2 && name == "workbookPr":
			v, _ := p.attr("date1904")
			w.date1904 = isTrue(v)
		case p.depth() == 2 && name == "calcPr":
			w.readCalculation(p)
		case p.depth() == 3 && name == "sheet":
			return w.addSheet(p, byID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(w.sheets) == 0 {
		return &damage{"it has no worksheet", nil}
	}

	return nil
}

// readCalculation reads the calcPr tag that the scanner is at. Libraries that write
// formulas without calculating them store the result 0, no result or an old one, and
// ask the next program to calculate on load. A program that calculates removes this
// request when it saves. A workbook that is always calculated in full
// (forceFullCalc) has valid results if a version of Excel calculated it.
func (w *Workbook) readCalculation(p *part) {
	id, _ := p.attr("calcId")
	onLoad, _ := p.attr("fullCalcOnLoad")
	always, _ := p.attr("forceFullCalc")
	completed, given := p.attr("calcCompleted")
	w.calculated = len(id) > 0 && string(id) != "0"
	w.uncalculated = isTrue(onLoad) || given && !isTrue(completed) || isTrue(always) && !w.calculated
}

// addSheet adds the sheet whose tag the scanner is at to the list.
func (w *Workbook) addSheet(p *part, byID map[string]relationship) error {
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

	r, known := byID[id]
	switch {
	case !known || r.target == "":
		return &damage{"its sheet " + name + " is missing", nil}
	case r.kind != "worksheet":
		return nil // a chart or dialog sheet
	}

	s := Sheet{name, Visible, r.target}
	switch state, _ := p.attr("state"); strings.ToLower(string(state)) {
	case "hidden":
		s.Visibility = Hidden
	case "veryhidden":
		s.Visibility = VeryHidden
	}

	w.sheets = append(w.sheets, s)
	return nil
}
