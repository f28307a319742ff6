package importer

// CodeSavedByExcel marks an id that a spreadsheet program has rewritten: in
// scientific notation, as a date, or without its zeros.
const CodeSavedByExcel = "id-damaged"

// savedByExcelLimit is how many such rows stop a file: one may be a slip of
// the keyboard, three are a file that was opened and saved.
const savedByExcelLimit = 3

// savedByExcel counts the rows of a file whose ids look rewritten.
type savedByExcel struct {
	file string
	rows int
}

// look gives the fault of the file once too many rows have one.
func (s *savedByExcel) look(m *Mapped) error {
	if m.LeftOut != "" {
		return nil
	}
	for _, p := range m.AllProblems() {
		if p.Code != CodeSavedByExcel {
			continue
		}
		s.rows++
		if s.rows < savedByExcelLimit {
			return nil
		}
		at := m.Row.Ref(0)
		if len(p.Cells) > 0 {
			at = p.Cells[0]
		}
		return &InputError{
			File:   s.file,
			At:     at,
			Reason: "several ids look rewritten, so this file seems to have been opened and saved by Excel",
			Fix:    "use the original export, unopened",
		}
	}
	return nil
}
