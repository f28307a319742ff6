package xlsx

import (
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"
)

// Open reads a workbook's list of sheets, its styles, its date system and its shared strings, but
// no rows. name is the file's name, which rows and errors carry. An error is an
// *importer.InputError.
func Open(r io.ReaderAt, size int64, name string) (*Workbook, error) {
	w := &Workbook{name: name}
	var err error
	if w.parts, err = openParts(r, size); err == nil {
		err = w.readSheetList()
	}
	if err == nil {
		err = w.readStyles()
	}
	if err == nil && w.parts.has(w.stringsPart) { // some programs write none, and say that there is one
		err = w.strings.read(w.parts, w.stringsPart)
	}
	if err != nil {
		return nil, w.inputError("", err)
	}
	return w, nil
}

// errNoWorkbook is the error for an archive of another kind.
const errNoWorkbook damage = "it has no list of sheets, such as an .ods or .xlsb file or another archive"

// A relationship points from one part to another.
type relationship struct {
	ID string `xml:"Id,attr"`
	// Kind is the last element of the type's path, which is the same in transitional and strict
	// workbooks.
	Kind   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
	Mode   string `xml:"TargetMode,attr"`
}

// relationships reads the relationships of a part to other parts. A part without relationships
// has no list of them. The workbook's root list belongs to the part "".
func (w *Workbook) relationships(of string) ([]relationship, error) {
	name := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if of == "" {
		name = "_rels/.rels"
	}
	if !w.parts.has(name) {
		return nil, nil
	}

	var found struct {
		List []relationship `xml:"Relationship"`
	}
	if err := w.parts.decode(name, &found); err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(found.List, func(r relationship) bool { return r.Mode == "External" })
	for i := range list {
		list[i].Kind, list[i].Target = path.Base(list[i].Kind), resolve(of, list[i].Target)
	}
	return list, nil
}

// readSheetList finds the workbook's main part and reads the list of sheets in
// it.
func (w *Workbook) readSheetList() error {
	root, err := w.relationships("")
	if err != nil {
		return err
	}
	main := slices.IndexFunc(root, func(r relationship) bool { return r.Kind == "officeDocument" && path.Ext(r.Target) != ".bin" })
	if main < 0 {
		return errNoWorkbook
	}

	list, err := w.relationships(root[main].Target)
	if err != nil {
		return err
	}
	byID := map[string]relationship{}
	for _, r := range list {
		byID[r.ID] = r
		switch r.Kind {
		case "sharedStrings":
			w.stringsPart = r.Target
		case "styles":
			w.stylesPart = r.Target
		}
	}
	return w.readMainPart(root[main].Target, byID)
}

// A mainPart has what matters of the workbook's main part.
type mainPart struct {
	XMLName    xml.Name
	Properties struct {
		Date1904 string `xml:"date1904,attr"`
	} `xml:"workbookPr"`
	Calculation calculation  `xml:"calcPr"`
	Sheets      []sheetEntry `xml:"sheets>sheet"`
}

type calculation struct {
	ID        string `xml:"calcId,attr"`
	OnLoad    string `xml:"fullCalcOnLoad,attr"`
	Always    string `xml:"forceFullCalc,attr"`
	Completed string `xml:"calcCompleted,attr"`
}

type sheetEntry struct {
	Name  string `xml:"name,attr"`
	ID    string `xml:"id,attr"` // of the relationship
	State string `xml:"state,attr"`
}

// readMainPart reads the workbook's sheets and date system. byID has the
// relationships of the part.
func (w *Workbook) readMainPart(name string, byID map[string]relationship) error {
	var main mainPart
	if err := w.parts.decode(name, &main); err != nil {
		return err
	}
	if main.XMLName.Local != "workbook" {
		return errNoWorkbook
	}
	w.date1904 = isTrue(main.Properties.Date1904)
	w.noteCalculation(main.Calculation)
	for _, s := range main.Sheets {
		if err := w.addSheet(s, byID); err != nil {
			return err
		}
	}
	if len(w.sheets) == 0 {
		return damage("it has no worksheet")
	}
	return nil
}

// noteCalculation notes whether the results of formulas can be relied on. Libraries that write
// formulas without calculating them store the result 0, no result or an old one, and
// ask the next program to calculate on load. A program that calculates removes this
// request when it saves. A workbook that is always calculated in full
// (forceFullCalc) has valid results if a version of Excel calculated it.
func (w *Workbook) noteCalculation(c calculation) {
	w.calculated = c.ID != "" && c.ID != "0"
	w.uncalculated = isTrue(c.OnLoad) || c.Completed != "" && !isTrue(c.Completed) || isTrue(c.Always) && !w.calculated
}

// addSheet adds a sheet to the list.
func (w *Workbook) addSheet(of sheetEntry, byID map[string]relationship) error {
	r := byID[of.ID]
	switch {
	case r.Target == "":
		return damage("its sheet " + of.Name + " is missing")
	case r.Kind != "worksheet":
		return nil // a chart or dialog sheet
	}

	hidden := strings.HasSuffix(strings.ToLower(of.State), "hidden") // or veryHidden, which only a macro can unhide
	w.sheets = append(w.sheets, Sheet{of.Name, hidden, r.Target})
	return nil
}
