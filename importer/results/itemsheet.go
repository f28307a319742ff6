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

// An itemLine is a line of a list: an item, and one of its cells that can be fixed; nil for none.
type itemLine struct {
	*OpenItem
	faulty *ItemCell
}

// itemText returns a column of a list that people only read.
func itemText(st *styles, header string, width float64, text func(*OpenItem) string) column[itemLine] {
	return column[itemLine]{header, width, func(l itemLine) cell { return textCell(st.wrap, text(l.OpenItem)) }}
}

// itemColumns returns the columns of lists that are read back, without that of the key:
// first those of seal.LineHeaders. There are columns for cells to fix if fixes is set.
func itemColumns(st *styles, fixes bool) []column[itemLine] {
	columns := []column[itemLine]{
		itemText(st, seal.PickupHeader, 16, (*OpenItem).When),
		itemText(st, seal.RiderHeader, 15, func(i *OpenItem) string { return textLines(i.Passenger, i.Trip.RiderID) }),
		itemText(st, seal.TripHeader, 16, func(i *OpenItem) string { return textLines(i.Trip.ID, i.Trip.Leg.String(), i.Trip.Provider) }),
		{seal.StatusHeader, 15, func(l itemLine) cell {
			return textCell(st.statusOf(l.Outcome.State, l.Outcome.HalfBooked || l.Outcome.GUIDMissing), l.Status())
		}},
		itemText(st, seal.ProblemHeader, 25, func(i *OpenItem) string { return i.Problem }),
		itemText(st, seal.FixHeader, 30, func(i *OpenItem) string { return i.Fix }),
		itemText(st, "From and to", 23, func(i *OpenItem) string { return textLines(i.Trip.Pickup.Address(), i.Trip.Dropoff.Address()) }),
		itemText(st, seal.PlaceHeader, 13, (*OpenItem).Place),
		{seal.AnswerHeader, 16, func(itemLine) cell { return textCell(st.answer, "") }},
		{seal.NameHeader, 11, func(itemLine) cell { return textCell(st.answer, "") }},
	}
	if !fixes {
		return columns
	}
	return append(columns,
		column[itemLine]{seal.CellHeader, 12, func(l itemLine) cell {
			if l.faulty == nil {
				return textCell(st.wrap, "")
			}
			return textCell(st.wrap, l.faulty.Header+" ("+importer.ColumnName(l.faulty.Column)+strconv.Itoa(l.Row)+")")
		}},
		column[itemLine]{seal.FixedHeader, 16, func(l itemLine) cell {
			if l.faulty == nil {
				return textCell(st.wrap, "")
			}
			text, _ := showable(l.faulty.Text)
			return textCell(st.answer, text)
		}})
}

// An itemSheet is a sheet that lists trips, for people to fill in.
type itemSheet struct {
	*table[itemLine]
	answers map[string][]string // the cells for answers, by the answers that fit
}

// newItemSheet adds a sheet that lists trips.
func (w *workbook) newItemSheet(name string, columns []column[itemLine]) *itemSheet {
	t := newTable(w, name, columns)
	w.keep(t.SetColVisible(len(columns)+1, len(columns)+1, false)) // the key
	t.banner()
	return &itemSheet{t, map[string][]string{}}
}

// writeItems writes a sheet of items that are read back, below the titles.
func (w *workbook) writeItems(name string, items []OpenItem, titles ...string) {
	fixes := slices.ContainsFunc(items, func(i OpenItem) bool { return len(i.Faulty) > 0 })
	l := w.newItemSheet(name, itemColumns(w.styles, fixes))
	for _, text := range titles {
		l.title(text)
	}
	l.putHeader(textCell(w.styles.header, seal.KeyHeader))
	for i := range items {
		l.add(&items[i])
	}
	l.finish()
}

// title writes a line over the whole width.
func (s *itemSheet) title(text string) {
	s.line(s.w.styles.lines[Headline], Inert(text))
}

// add writes lines that are read back: a row with its first faulty cell and with the cell for
// the answer, and a row for each further faulty cell.
func (s *itemSheet) add(item *OpenItem) {
	item.Line = s.last + 1
	lines := importer.Each(item.Faulty, func(c ItemCell) itemLine { return itemLine{item, &c} })
	if lines == nil {
		lines = []itemLine{{OpenItem: item}}
	}
	for _, line := range lines {
		s.putItem(line, s.key(line))
	}
	var fit []string
	for _, v := range item.Outcome.Verdicts() {
		if v != importer.RiderIsRight { // this answer is about a changed cell of results
			fit = append(fit, v.String())
		}
	}
	words := strings.Join(fit, ",")
	s.answers[words] = append(s.answers[words], importer.ColumnName(s.at(seal.AnswerHeader))+strconv.Itoa(item.Line))
}

// key seals a line of the list with the texts that it shows under seal.LineHeaders and the first of seal.TextHeaders.
func (s *itemSheet) key(line itemLine) string {
	sealer, key := s.w.sealer, seal.RowKey{Row: line.Row, Trips: []seal.TripKey{tripKey(&line.TripResult)}}
	texts := importer.Each(s.columns[:len(seal.LineHeaders())], func(c column[itemLine]) string { return textOf(c.cell(line)) })
	if line.faulty != nil {
		key.Column, texts = line.faulty.Column, append(texts, line.faulty.Text)
	}
	for i, text := range []string{line.Status(), line.Problem, line.Fix} {
		shown, _ := showable(text)
		key.Texts = append(key.Texts, sealer.Words(i, shown))
	}
	for i, text := range texts {
		shown, _ := showable(text)
		key.Cells = append(key.Cells, seal.CellKey{Type: importer.Text, Digest: sealer.Cell(i, importer.Cell{Type: importer.Text, Text: shown})})
	}
	return sealer.Encode(&key)
}

// putItem writes a line of the list.
func (s *itemSheet) putItem(line itemLine, key string) {
	s.put(append(s.cells(line), textCell(0, key))...)
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
	s.finishTable(len(s.columns)+1, len(s.columns))
}
