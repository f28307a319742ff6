package results

import "github.com/xuri/excelize/v2"

// writeRiders lists the rider ids that were never booked before.
func (w *workbook) writeRiders(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	s, err := w.newStream(ridersSheet)
	if err != nil {
		return err
	}
	w.keep(s.SetColWidth(1, 1, 30))
	s.banner()
	s.put(excelize.Cell{StyleID: w.styles.ownHeader, Value: "Rider id never booked before"})
	for _, id := range first(ids, w.o.MaxRows-s.last) {
		s.put(textCell(w.styles.text, id))
	}
	return s.Flush()
}
