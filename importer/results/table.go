package results

// A tableColumn is the header of a column and its width in characters.
type tableColumn struct {
	header string
	width  float64
}

// newTable adds a sheet with a table. Its header and its first frozen columns stay in
// view.
func (w *workbook) newTable(sheet string, frozen int, columns []tableColumn) (*stream, error) {
	s, err := w.newStream(sheet)
	if err != nil {
		return nil, err
	}
	var header []cell
	for i, c := range columns {
		w.keep(s.SetColWidth(i+1, i+1, c.width))
		header = append(header, textCell(w.styles.ownHeader, c.header))
	}

	s.freeze(frozen)
	s.banner()
	s.put(header...)
	return s, nil
}

// writeTable writes a sheet with a header that stays in view and a filter.
func (w *workbook) writeTable(sheet string, columns []tableColumn, rows [][]cell) {
	s, err := w.newTable(sheet, 0, columns)
	if err != nil {
		w.keep(err)
		return
	}
	for _, row := range first(rows, w.o.MaxRows-s.last) {
		s.put(row...)
	}
	s.finishTable(len(columns), printLayout{wide: 1})
}

// writeRiders lists the riders who never had a trip booked before.
func (w *workbook) writeRiders(ids []string) {
	if len(ids) == 0 {
		return
	}
	rows := make([][]cell, len(ids))
	for i, id := range ids {
		rows[i] = []cell{textCell(w.styles.text, id)}
	}
	w.writeTable(ridersSheet, []tableColumn{{"Rider id never booked before", 30}}, rows)
}
