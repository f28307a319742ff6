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
	if err := s.SetColWidth(1, 1, 30); err != nil {
		return err
	}
	if err := w.banner(s); err != nil {
		return err
	}
	if err := s.put(excelize.Cell{StyleID: w.styles.ownHeader, Value: "Rider id never booked before"}); err != nil {
		return err
	}

	for _, id := range first(ids, w.o.MaxRows-s.last) {
		if err := s.put(textCell(w.styles.text, id)); err != nil {
			return err
		}
	}

	return s.Flush()
}
