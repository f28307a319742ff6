package results

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An itemColumn is a column of a list. text is nil for a column that people fill in.
type itemColumn struct {
	header string
	width  float64
	text   func(*OpenItem) string
}

// itemColumns returns the columns of lists that are read back, without that of the key:
// first those of seal.LineHeaders. There are columns for cells to fix if fixes is set.
func itemColumns(fixes bool) []itemColumn {
	columns := []itemColumn{
		{seal.PickupHeader, 16, func(i *OpenItem) string { return spokenTime(i.Begins(), i.Day) }},
		{seal.RiderHeader, 15, func(i *OpenItem) string { return textLines(i.Passenger, i.Trip.RiderID) }},
		{seal.TripHeader, 16, func(i *OpenItem) string { return textLines(i.Trip.ID, i.Trip.Leg.String(), i.Trip.Provider) }},
		{seal.StatusHeader, 15, (*OpenItem).Status},
		{seal.ProblemHeader, 25, func(i *OpenItem) string { return textLines(i.Note, i.Problem) }},
		{seal.FixHeader, 30, func(i *OpenItem) string { return i.Fix }},
		{"From and to", 23, func(i *OpenItem) string { return textLines(i.Trip.Pickup.Address(), i.Trip.Dropoff.Address()) }},
		{seal.PlaceHeader, 13, (*OpenItem).Place},
	}
	columns = append(columns, itemColumn{seal.AnswerHeader, 16, nil}, itemColumn{seal.NameHeader, 11, nil})
	if fixes {
		columns = append(columns, itemColumn{seal.CellHeader, 12, nil}, itemColumn{seal.FixedHeader, 16, nil})
	}
	return columns
}

// spokenTime returns a time for people on two lines: Wed Dec 2, 2026 and 08:30. If the
// time is not known, it says so, and names the day if that is known.
func spokenTime(t importer.DateTime, day importer.Date) string {
	switch {
	case t.IsZero() && day.IsZero():
		return "not known"
	case t.IsZero():
		return textLines(day.Spoken(), "time not known")
	}
	return textLines(t.Spoken(), t.SpokenTime())
}

// An itemSheet is a sheet that lists trips, for people to fill in.
type itemSheet struct {
	*stream
	columns []itemColumn
	answers map[string][]string // the cells for answers, by the answers that fit
}

// newItemSheet adds a sheet that lists trips. It returns nil after a failure, which the
// workbook keeps.
func (w *workbook) newItemSheet(name string, columns []itemColumn) *itemSheet {
	s, err := w.newStream(name)
	if err != nil {
		w.keep(err)
		return nil
	}
	for i, c := range columns {
		w.keep(s.SetColWidth(i+1, i+1, c.width))
	}
	w.keep(s.SetColVisible(len(columns)+1, len(columns)+1, false))
	s.banner()
	return &itemSheet{s, columns, map[string][]string{}}
}

// writeItems writes a sheet of items that are read back, below the titles.
func (w *workbook) writeItems(name string, items []OpenItem, titles ...string) {
	fixes := slices.ContainsFunc(items, func(i OpenItem) bool { return len(i.Faulty) > 0 })
	l := w.newItemSheet(name, itemColumns(fixes))
	if l == nil {
		return
	}
	for _, text := range titles {
		l.title(text)
	}
	l.heads()
	for i := range items {
		if l.last >= w.o.MaxRows {
			break
		}
		items[i].Line = l.last + 1
		l.add(&items[i])
	}
	l.finish()
}

// title writes a line over the whole width.
func (s *itemSheet) title(text string) {
	width := 0.0
	for _, c := range s.columns {
		width += c.width
	}
	s.putHigh(float64(18*linesIn(text, width*0.8)), textCell(s.w.styles.sentence, Inert(text)))
	row := strconv.Itoa(s.last)
	s.w.keep(s.MergeCell("A"+row, importer.ColumnName(len(s.columns))+row))
}

// heads writes the header.
func (s *itemSheet) heads() {
	var cells []cell
	for _, c := range s.columns {
		cells = append(cells, textCell(s.w.styles.ownHeader, c.header))
	}
	s.put(append(cells, textCell(s.w.styles.ownHeader, seal.KeyHeader))...)
	s.header = s.last
}

// add writes a line that is read back: a row with its first faulty cell and with the cell for
// the answer, and a row for each further faulty cell.
func (s *itemSheet) add(item *OpenItem) {
	s.putItem(item, first(item.Faulty, 1), s.key(item, first(item.Faulty, 1)))
	var fit []string
	for _, v := range item.Outcome.Verdicts() {
		if v != importer.RiderIsRight { // this answer is about a changed cell of results
			fit = append(fit, v.String())
		}
	}
	words := strings.Join(fit, ",")
	s.answers[words] = append(s.answers[words], importer.ColumnName(s.at(seal.AnswerHeader))+strconv.Itoa(s.last))
	for i := 1; i < len(item.Faulty); i++ {
		next := *item
		next.Found, next.By = "", ""
		s.putItem(&next, item.Faulty[i:i+1], s.key(item, item.Faulty[i:i+1]))
	}
}

// at returns the number of the column with the header.
func (s *itemSheet) at(header string) int {
	return 1 + slices.IndexFunc(s.columns, func(c itemColumn) bool { return c.header == header })
}

// key seals a row of the list; empty if the list is redacted.
func (s *itemSheet) key(item *OpenItem, faulty []ItemCell) string {
	if s.w.o.Redact {
		return ""
	}
	var texts []string
	for _, c := range s.columns[:len(seal.LineHeaders())] {
		texts = append(texts, c.text(item))
	}
	return sealItem(s.w.sealer, item, texts, faulty)
}

// sealItem seals an item with the texts that it shows under seal.LineHeaders, and with the
// faulty cell that it shows, if any.
func sealItem(sealer *seal.Sealer, item *OpenItem, texts []string, faulty []ItemCell) string {
	key := seal.RowKey{Row: item.Row, Trips: []seal.TripKey{tripKey(&item.TripResult)}}
	for _, c := range faulty {
		key.Column = c.Column
		texts = append(texts, c.Text)
	}
	for i, text := range texts {
		shown, _ := showable(text)
		key.Cells = append(key.Cells, seal.CellKey{Type: importer.Text, Digest: sealer.Cell(i, importer.Cell{Type: importer.Text, Text: shown})})
	}
	return sealer.Encode(&key)
}

// putItem writes a row of the list.
func (s *itemSheet) putItem(item *OpenItem, faulty []ItemCell, key string) {
	var cells []cell
	high := 1
	for _, c := range s.columns {
		style, text := s.w.styles.answer, ""
		switch {
		case c.header == seal.AnswerHeader:
			text = item.Found
		case c.header == seal.NameHeader:
			text = item.By
		case c.header == seal.CellHeader || c.header == seal.FixedHeader && len(faulty) == 0:
			style = s.w.styles.line
			for _, f := range faulty {
				text = f.Header + " (" + importer.ColumnName(f.Column) + strconv.Itoa(item.Row) + ")"
			}
		case c.header == seal.FixedHeader:
			text, _ = showable(faulty[0].Text)
		case c.header == seal.StatusHeader:
			style, text = s.w.styles.statusOf(item.Outcome.State, item.Outcome.HalfBooked || item.Outcome.GUIDMissing), c.text(item)
		case c.text != nil:
			style, text = s.w.styles.line, c.text(item)
		}
		cells = append(cells, textCell(style, text))
		high = max(high, linesIn(text, c.width-2))
	}
	s.putHigh(float64(15*high+2), append(cells, textCell(s.w.styles.text, key))...)
}

// finish offers the answers that fit, protects the cells that people do not fill in, and ends
// the sheet.
func (s *itemSheet) finish() {
	delete(s.answers, "") // no answer fits
	for _, words := range slices.Sorted(maps.Keys(s.answers)) {
		list := excelize.NewDataValidation(true)
		list.Sqref = strings.Join(s.answers[words], " ")
		s.w.keep(list.SetDropList(strings.Split(words, ","))) // only suggestions: people may also write a GUID
		s.w.keep(s.w.file.AddDataValidation(s.name, list))
	}
	s.w.keep(s.w.file.ProtectSheet(s.name, &excelize.SheetProtectionOptions{
		SelectLockedCells: true, SelectUnlockedCells: true, FormatColumns: true, FormatRows: true, AutoFilter: true,
	}))
	s.finishTable(len(s.columns)+1, printLayout{wide: 1})
}
