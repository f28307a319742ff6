package results

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// The sheets of the two parts of a morning list.
const (
	urgentSheet = "Before the next pickup"
	listedSheet = "Through the day"
)

// WriteWorkbook writes the list as a workbook in which people answer. If the path is
// taken, it uses a similar name; Written has the name. ledger is the identity of the
// ledger, and key the key of its results.
func (m *Morning) WriteWorkbook(path, ledger string, key []byte) (err error) {
	record := seal.RunRecord{Morning: true, Run: "morning " + m.Made.UTC().Format("20060102T150405.000000000Z"), Ledger: ledger}
	m.Written, err = writeLists(path, seal.NewSealer(key, record.Run), func(w *morningWorkbook) {
		w.record = &record
		w.writePart(urgentSheet, "To do "+importer.ActNow.String()+": ", m.Urgent, m)
		w.writePart(listedSheet, "To do "+importer.Listed.String()+": ", m.Listed, m)
		w.writeHidden()
	})
	return err
}

// WriteUnsent writes a workbook of the schedules that were not sent, with a sheet for
// each transportation provider, for people who phone or fax the trips. UnsentFile has its
// name.
func (m *Morning) WriteUnsent(path string) (err error) {
	m.UnsentFile, err = writeLists(path, nil, func(w *morningWorkbook) { w.writeUnsent(m) })
	return err
}

// writeLists writes a workbook of lists, and returns its name.
func writeLists(path string, sealer *seal.Sealer, write func(*morningWorkbook)) (string, error) {
	book, err := createWorkbook(&Options{Path: path, MaxRows: importer.MaxRows}, sealer)
	if err != nil {
		return "", err
	}
	defer book.abandon()
	w := &morningWorkbook{inputs: map[inputSheet]int{}, workbook: book}
	typed := "@"
	cell := excelize.Style{
		CustomNumFmt: &typed, Alignment: &excelize.Alignment{Vertical: "top", WrapText: true},
		Border: []excelize.Border{{Type: "bottom", Color: colorFaint, Style: 1}},
	}
	w.line = w.styles.add(cell)
	cell.Fill, cell.Protection = fill(colorPerson), &excelize.Protection{Locked: false}
	w.open = w.styles.add(cell)

	write(w)
	return w.saveTables()
}

// A morningWorkbook is a morning list as XLSX.
type morningWorkbook struct {
	*workbook
	record *seal.RunRecord
	inputs map[inputSheet]int // their numbers in the record
	// open is the style of the cells that people fill in, and line the style of the
	// others, which are protected.
	open, line int
}

// An inputSheet is a sheet of an input, by its SHA-256.
type inputSheet struct{ hash, sheet string }

// writeHidden writes the hidden sheet, with the record that package returned needs to
// read the answers.
func (w *morningWorkbook) writeHidden() {
	var err error
	if w.hidden, err = w.newStream(seal.HiddenSheet); err != nil {
		w.keep(err)
		return
	}
	w.keep(w.file.SetSheetVisible(seal.HiddenSheet, false, true))
	if len(w.record.Inputs) == 0 {
		w.record.Inputs = []seal.ShownInput{{}} // a record has at least one
	}
	w.keep(w.writeRecord(w.record))
}

// A morningColumn is a column of a list. text is nil for a column that people fill in.
type morningColumn struct {
	header string
	width  float64
	text   func(*MorningItem) string
}

// morningColumns returns the columns of a morning list, without the column of the key:
// first those of seal.MorningHeaders.
func morningColumns() []morningColumn {
	return []morningColumn{
		{seal.PickupHeader, 16, func(i *MorningItem) string { return spokenTime(i.Begins(), i.Day) }},
		{seal.RiderHeader, 15, func(i *MorningItem) string { return textLines(i.Passenger, i.Trip.RiderID) }},
		{seal.TripHeader, 16, func(i *MorningItem) string { return textLines(i.Trip.ID, i.Trip.Leg.String(), i.Trip.Provider) }},
		{seal.StatusHeader, 15, (*MorningItem).Status},
		{seal.ProblemHeader, 25, func(i *MorningItem) string { return textLines(i.Note, i.Problem) }},
		{seal.FixHeader, 30, func(i *MorningItem) string { return i.Fix }},
		{"From and to", 23, func(i *MorningItem) string { return textLines(i.Trip.Pickup.Address(), i.Trip.Dropoff.Address()) }},
		{"File and row", 13, (*MorningItem).Place},
		{seal.AnswerHeader, 16, nil},
		{seal.NameHeader, 11, nil},
	}
}

// Place names the file, the sheet and the row of the item.
func (i *MorningItem) Place() string {
	if i.Row == 0 {
		return i.File
	}
	return textLines(i.File, strings.Replace(importer.Ref{Sheet: i.Sheet, Row: i.Row}.String(), "line", "row", 1))
}

// textLines joins the texts that are not empty, each on a line of its own.
func textLines(texts ...string) string {
	return joinNonEmpty("\n", texts...)
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

// writePart writes a sheet of items.
func (w *morningWorkbook) writePart(name, what string, items []MorningItem, m *Morning) {
	l := w.newList(name, morningColumns())
	if l == nil {
		return
	}
	l.title(what + importer.Counted(len(items), "trip", "trips") + ", as of " + m.Made.Format("Mon Jan 2, 2006 15:04") +
		". Write what you found, and your name, in the yellow cells, and save the file: the next run takes it.")
	if name == urgentSheet {
		for _, file := range m.Phoned {
			l.title("Not sent since last call: give the trips of " + filepath.Base(file) + " by phone or fax, if nobody has.")
		}
		for _, lost := range m.Lost {
			l.title("What is open of " + strings.Join(lost.Files, ", ") + " is not known: " + lost.Reason + "; " + lost.Fix + ".")
		}
	} else if m.NeverAnswered > 0 {
		l.title(fmt.Sprintf("Since %s, %s begun before anybody answered.", m.Since.Spoken(), importer.Counted(m.NeverAnswered, "trip has", "trips have")))
	}

	l.heads()
	answers := map[string][]string{} // the cells for answers, by the answers that fit
	for i := range items {
		l.item(&items[i], w.key(&items[i]))
		var fit []string
		for _, v := range items[i].Outcome.Verdicts() {
			if v != importer.RiderIsRight { // this answer is about a changed cell of results
				fit = append(fit, v.String())
			}
		}
		answers[strings.Join(fit, ",")] = append(answers[strings.Join(fit, ",")], l.answerCell())
	}
	for _, words := range slices.Sorted(maps.Keys(answers)) {
		list := excelize.NewDataValidation(true)
		list.Sqref = strings.Join(answers[words], " ")
		w.keep(list.SetDropList(strings.Split(words, ","))) // only suggestions: people may also write a GUID
		w.keep(w.file.AddDataValidation(name, list))
	}
	l.finish()
}

// key seals an item.
func (w *morningWorkbook) key(item *MorningItem) string {
	at := inputSheet{item.Input, item.Sheet}
	if w.inputs[at] == 0 {
		input := seal.Input{InputInfo: importer.InputInfo{Name: item.File, Hash: item.Input}, Sheet: item.Sheet}
		w.record.Inputs = append(w.record.Inputs, seal.ShownInput{Input: input})
		w.inputs[at] = len(w.record.Inputs)
	}
	key := seal.RowKey{Input: w.inputs[at], Row: item.Row, Trips: []seal.TripKey{tripKey(&item.TripResult)}}
	for i, c := range morningColumns()[:len(seal.MorningHeaders())] {
		shown, _ := showable(c.text(item))
		key.Cells = append(key.Cells, seal.CellKey{Type: importer.Text, Digest: w.sealer.Cell(i, importer.Cell{Type: importer.Text, Text: shown})})
	}
	return w.sealer.Encode(&key)
}

// A listStream is a sheet that lists trips, for people to fill in.
type listStream struct {
	*stream
	columns []morningColumn
	// open is the style of the cells that people fill in, and line the style of the
	// others.
	open, line int
}

// newList adds a sheet that lists trips. It returns nil after a failure, which the
// workbook keeps.
func (w *morningWorkbook) newList(name string, columns []morningColumn) *listStream {
	s, err := w.newStream(name)
	if err != nil {
		w.keep(err)
		return nil
	}
	for i, c := range columns {
		w.keep(s.SetColWidth(i+1, i+1, c.width))
	}
	w.keep(s.SetColVisible(len(columns)+1, len(columns)+1, false))
	return &listStream{s, columns, w.open, w.line}
}

// title writes a line over the whole width.
func (l *listStream) title(text string) {
	width := 0.0
	for _, c := range l.columns {
		width += c.width
	}
	l.putHigh(float64(18*linesIn(text, width*0.8)), textCell(l.w.styles.sentence, Inert(text)))
	row := strconv.Itoa(l.last)
	l.w.keep(l.MergeCell("A"+row, importer.ColumnName(len(l.columns))+row))
}

// heads writes the header.
func (l *listStream) heads() {
	var cells []cell
	for _, c := range l.columns {
		cells = append(cells, textCell(l.w.styles.ownHeader, c.header))
	}
	l.put(append(cells, textCell(l.w.styles.ownHeader, seal.KeyHeader))...)
	l.header = l.last
}

// item writes an item.
func (l *listStream) item(item *MorningItem, key string) {
	var cells []cell
	high := 1
	for _, c := range l.columns {
		style, text := l.open, item.By
		switch {
		case c.header == seal.AnswerHeader:
			text = item.Found
		case c.header == seal.StatusHeader:
			style, text = l.w.styles.statusOf(item.Outcome.State, item.Outcome.HalfBooked || item.Outcome.GUIDMissing), c.text(item)
		case c.text != nil:
			style, text = l.line, c.text(item)
		}
		cells = append(cells, textCell(style, text))
		high = max(high, linesIn(text, c.width-2))
	}
	l.putHigh(float64(15*high+2), append(cells, textCell(l.w.styles.text, key))...)
}

// answerCell returns the address of the cell for an answer in the last row.
func (l *listStream) answerCell() string {
	i := slices.IndexFunc(l.columns, func(c morningColumn) bool { return c.header == seal.AnswerHeader })
	return importer.ColumnName(i+1) + strconv.Itoa(l.last)
}

// finish protects the cells that people do not fill in, and ends the sheet.
func (l *listStream) finish() {
	l.w.keep(l.w.file.ProtectSheet(l.name, &excelize.SheetProtectionOptions{
		SelectLockedCells: true, SelectUnlockedCells: true, FormatColumns: true, FormatRows: true, AutoFilter: true,
	}))
	l.finishTable(len(l.columns)+1, printLayout{wide: 1})
}

// writeUnsent writes a sheet for each transportation provider with the trips to book and
// the trips to cancel.
func (w *morningWorkbook) writeUnsent(m *Morning) {
	providers := map[string][2][]MorningItem{} // to book, and to cancel
	var files []string
	for _, u := range m.Unsent {
		files = append(files, u.File)
		for cancel, trips := range [][]MorningItem{u.Trips, u.Cancelled} {
			for _, t := range trips {
				both := providers[t.Trip.Provider]
				both[cancel] = append(both[cancel], t)
				providers[t.Trip.Provider] = both
			}
		}
	}

	if len(providers) == 0 {
		providers[""] = [2][]MorningItem{}
	}
	for n, provider := range slices.Sorted(maps.Keys(providers)) {
		l := w.newList(phoneSheet(n+1, provider), unsentColumns())
		if l == nil {
			return
		}
		both := providers[provider]
		sortItems(both[0])
		sortItems(both[1])
		counts := importer.Counted(len(both[0]), "trip", "trips") + " to book"
		if n := len(both[1]); n > 0 {
			counts += ", " + importer.Counted(n, "trip", "trips") + " to cancel"
		}
		l.title(fmt.Sprintf("%s: not sent as of %s. Give these by phone or fax, and sign each: %s. From %s.",
			cmp.Or(provider, "No provider named"), m.Made.Format("Mon Jan 2, 2006 15:04"), counts, strings.Join(files, ", ")))
		l.heads()
		for i := range both[0] {
			l.item(&both[0][i], "")
		}
		if len(both[1]) > 0 {
			l.title("CANCEL these:")
		}
		for i := range both[1] {
			l.item(&both[1][i], "")
		}
		l.finish()
	}
}

// phoneSheet returns the name for the sheet of the nth provider.
func phoneSheet(n int, provider string) string {
	const most = 31 // characters, the limit of the format
	name := []rune(fmt.Sprintf("Phone %d %s", n, strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) {
			return ' '
		}
		return r
	}, Inert(provider))))
	return strings.TrimSpace(string(name[:min(len(name), most)]))
}

// unsentColumns returns the columns of trips to phone.
func unsentColumns() []morningColumn {
	trip := func(text func(*importer.Trip) string) func(*MorningItem) string {
		return func(i *MorningItem) string { return text(&i.Trip) }
	}
	return []morningColumn{
		{seal.PickupHeader, 17, func(i *MorningItem) string { return spokenTime(i.Begins(), i.Day) }},
		{seal.RiderHeader, 18, func(i *MorningItem) string {
			return textLines(i.Passenger, i.Trip.RiderID, cmp.Or(i.Trip.Pickup.Phone, i.Trip.Phone))
		}},
		{"From", 30, trip(func(t *importer.Trip) string { return textLines(t.Pickup.LocationName, t.Pickup.Address()) })},
		{"To", 30, trip(func(t *importer.Trip) string { return textLines(t.Dropoff.LocationName, t.Dropoff.Address()) })},
		{"Appointment", 13, trip(func(t *importer.Trip) string {
			if t.Dropoff.Appt.IsZero() {
				return ""
			}
			return t.Dropoff.Appt.TimeOfDay.String()
		})},
		{"Space", 8, trip(func(t *importer.Trip) string { return t.SpaceType })},
		{"Comment", 24, trip(func(t *importer.Trip) string { return t.Pickup.Comment })},
		{seal.TripHeader, 18, func(i *MorningItem) string { return textLines(i.Trip.ID, i.Trip.Leg.String(), i.Outcome.GUID) }},
		{"Given to, at, signed", 24, nil},
	}
}
