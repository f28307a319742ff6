package run

import "tripimport/importer"

// damagedIDLimit is the number of rows with a damaged id at which a file is refused. One
// may be a typing error; three mean that Excel opened and saved the file.
const damagedIDLimit = 3

// damagedIDs counts the rows of a file whose ids a spreadsheet program seems to
// have rewritten.
type damagedIDs struct {
	file string
	rows int
}

// add counts a row. It returns an *importer.InputError once too many rows have
// a damaged id, and at a row where another table begins.
func (d *damagedIDs) add(m *importer.Mapped) error {
	for _, p := range m.AllProblems() {
		switch {
		case m.LeftOut != "":
		case p.Code == importer.CodeSecondTable:
			return &importer.InputError{File: d.file, At: m.Row.Ref(0), Reason: p.Message, Fix: p.Fix}
		case p.Code == importer.CodeSavedByExcel:
			if d.rows++; d.rows < damagedIDLimit {
				return nil
			}
			return &importer.InputError{
				File: d.file, At: p.At(&m.Row), Reason: "several ids look rewritten, so this file seems to have been opened and saved by Excel",
				Fix: "use the original export, unopened; in a workbook, ids of more than 15 digits must be stored as text",
			}
		}
	}
	return nil
}
