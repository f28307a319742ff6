package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A resultsTable is one Results sheet: the columns that results add, the hidden key, and
// the source columns.
type resultsTable struct {
	w      *workbook
	in     *inputLayout
	stream *stream
	own    []string // the headers of the columns that results add
	// held are the first rows, which are kept until the widths are known.
	held    []shownRow
	open    bool      // the header is written
	rows    int       // the number of rows added
	widths  []float64 // of the columns
	answers []string  // the addresses of cells that wait for an answer
	links   int       // the number of rows whose Where is a link
	row     []cell    // the last row, whose memory is reused
}

func newResultsTable(w *workbook, in *inputLayout, name string) (*resultsTable, error) {
	s, err := w.newStream(name)
	if err != nil {
		return nil, err
	}
	return &resultsTable{w: w, in: in, stream: s, own: seal.OwnHeaders(w.o.Legs)}, nil
}

// full reports whether the sheet has all the rows it can hold.
func (t *resultsTable) full() bool { return t.rows+t.stream.header >= t.w.o.MaxRows }

// add adds a row.
func (t *resultsTable) add(r *shownRow) {
	t.rows++
	if t.open {
		t.put(r)
		return
	}
	t.held = append(t.held, *r)
	if len(t.held) >= fitRows {
		t.begin()
	}
}

// keyColumn returns the number of the key's column. It is between the added columns and
// the source's, so that every range that people sort or filter includes it.
func (t *resultsTable) keyColumn() int { return len(t.own) + 1 }

// column returns the number in the sheet of a source column.
func (t *resultsTable) column(i int) int { return len(t.own) + 2 + i }

// lastColumn returns the number of the column for cells beyond the input's last column.
func (t *resultsTable) lastColumn() int { return t.column(len(t.in.Columns)) }

// begin sets widths and panes, and writes the header and the held rows.
func (t *resultsTable) begin() {
	t.open = true
	t.setWidths()
	t.stream.freeze(3) // status, row and trip
	t.stream.banner()
	t.putHeader()
	for i := range t.held {
		t.put(&t.held[i])
	}
	t.held = nil
}

// putHeader writes the header.
func (t *resultsTable) putHeader() {
	own, source := t.w.styles.ownHeader, t.w.styles.sourceHeader
	var cells []cell
	for _, h := range t.own {
		cells = append(cells, textCell(own, h))
	}
	cells = append(cells, textCell(own, seal.KeyHeader))
	for _, h := range t.in.shown {
		cells = append(cells, textCell(source, h))
	}
	t.stream.putHigh(t.headerHeight(), append(cells, textCell(own, seal.SurplusHeader))...)
}

// headerHeight returns the height of the header row, for the longest header of the
// source.
func (t *resultsTable) headerHeight() float64 {
	high := 1
	for i, h := range t.in.shown {
		// The filter's button takes some of the width.
		high = max(high, linesIn(h, t.widths[t.column(i)-1]-3))
	}
	return float64(15*min(high, 4) + 4)
}

// put writes a row.
func (t *resultsTable) put(r *shownRow) {
	st := t.w.styles
	cells := t.row[:0]
	texts := r.ownTexts(t.cellsIn(r))
	for i, text := range texts {
		cells = append(cells, t.ownCell(t.own[i], text, r))
	}
	cells = append(cells, textCell(st.text, r.key))
	for i, c := range r.cells {
		cells = append(cells, t.sourceCell(i, c, r.marks[i]))
	}

	if r.surplus.Text != "" {
		cells = append(cells, textCell(st.sourceCell("@", faulty), r.surplus.Text))
	}
	t.stream.putHigh(t.height(texts), cells...)
	t.row = cells
	if r.asks && len(t.answers) < maxNotes {
		at := slices.Index(t.own, seal.AnswerHeader) + 1
		t.answers = append(t.answers, importer.ColumnName(at)+strconv.Itoa(t.stream.last))
	}
	t.linkCell(r)
	t.noteCells(r)
}

// ownCell returns a cell of a column that results add.
func (t *resultsTable) ownCell(header, text string, r *shownRow) cell {
	st := t.w.styles
	style := st.wrap
	switch header {
	case seal.StatusHeader:
		style = st.statusOf(r.state, r.half || r.needs == needsPerson || r.needs == needsList)
	case seal.RowHeader:
		if text == strconv.Itoa(r.row.Num) {
			return numberCell(st.number, r.row.Num)
		}
		style = st.text
	case seal.AnswerHeader:
		if r.asks {
			return textCell(st.answer, text)
		}
	case seal.WhereHeader:
		style = st.link
	default:
		if strings.HasPrefix(header, seal.GUIDHeader) {
			style = st.text
		}
	}
	if text == "" {
		return cell{}
	}
	return textCell(style, text)
}

// mostCells is the number of cells that Where names. The others are marked as well.
const mostCells = 2

// cellsIn names the cells of the row that need work, with their addresses in this sheet
// and in the schedule. It uses one line, because LibreOffice shows only one line of a
// link.
func (t *resultsTable) cellsIn(r *shownRow) string {
	var texts []string
	for _, ref := range first(r.where, mostCells) {
		i, ok := t.in.indexOf[ref.Col]
		switch {
		case !ok:
			texts = append(texts, "schedule "+ref.A1())
		case len(texts) == 0:
			texts = append(texts, t.cell(i)+" (schedule "+ref.A1()+")")
		default:
			texts = append(texts, t.cell(i)+" ("+ref.A1()+")")
		}
	}
	if more := len(r.where) - mostCells; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// cell returns the address in this sheet of the next row's cell in a source column.
func (t *resultsTable) cell(i int) string {
	return importer.ColumnName(t.column(i)) + strconv.Itoa(t.stream.last+1)
}

// maxLinks limits the rows that have a link, because the time that excelize takes for
// links grows with the square of their number.
const maxLinks = 2000

// linkCell links the Where cell of the last row to the first of the cells that it names.
func (t *resultsTable) linkCell(r *shownRow) {
	if len(r.where) == 0 || t.links == maxLinks {
		return
	}
	i, ok := t.in.indexOf[r.where[0].Col]
	if !ok {
		return
	}
	t.links++
	from := importer.ColumnName(slices.Index(t.own, seal.WhereHeader)+1) + strconv.Itoa(t.stream.last)
	to := quotedSheet(t.stream.name) + importer.ColumnName(t.column(i)) + strconv.Itoa(t.stream.last)
	t.w.keep(t.w.file.SetCellHyperLink(t.stream.name, from, to, "Location"))
}

// height returns the height that a row needs for the texts of the added columns.
func (t *resultsTable) height(texts []string) float64 {
	high := 1
	for i, text := range texts {
		high = max(high, linesIn(text, t.widths[i]))
	}
	return heightOf(min(high, 12))
}

// sourceCell returns a source cell as it was. Ids, ZIP codes and phones have the text
// format, so that a corrected one keeps its leading zeros.
func (t *resultsTable) sourceCell(i int, c importer.Cell, m mark) cell {
	shown, format := cellValue(c)
	if t.in.plain[i] && (c.Type == importer.Empty || c.Type == importer.Text) {
		format = "@"
	}
	if shown == (cell{}) && m == unmarked && format == "" {
		return shown
	}
	shown.style = t.w.styles.sourceCell(format, m)
	return shown
}

// noteCells adds notes to the faulty cells, up to maxNotes.
func (t *resultsTable) noteCells(r *shownRow) {
	for i := range r.cells {
		if text := r.notes[i]; text != "" {
			cell := importer.ColumnName(t.column(i)) + strconv.Itoa(t.stream.last)
			t.w.keep(t.w.notes.add(t.w.file, t.stream.name, cell, text))
		}
	}
}

// setWidths fits the columns to the held rows.
func (t *resultsTable) setWidths() {
	chars := make([]int, t.lastColumn())
	fit := func(col int, text string) { chars[col-1] = max(chars[col-1], longestLine(text)) }
	for i, h := range t.own {
		fit(i+1, h)
	}

	for i, h := range t.in.shown {
		fit(t.column(i), string(first([]rune(h), 18)))
	}

	surplus := false
	for i := range t.held {
		for j, text := range t.held[i].ownTexts(t.cellsIn(&t.held[i])) {
			fit(j+1, text)
		}
		for j, c := range t.held[i].cells {
			fit(t.column(j), c.Text)
		}
		surplus = surplus || t.held[i].surplus.Text != ""
	}

	chars[t.lastColumn()-1] = len(seal.SurplusHeader)
	for i, n := range chars {
		width := float64(min(max(n, 6), t.widest(i)) + 2)
		t.w.keep(t.stream.SetColWidth(i+1, i+1, width))
		t.widths = append(t.widths, width)
	}

	// A text that is typed into an empty cell of an id, a ZIP code or a phone stays as it
	// is typed.
	for i := range t.in.Columns {
		if t.in.plain[i] {
			t.w.keep(t.stream.SetColStyle(t.column(i), t.column(i), t.w.styles.sourceCell("@", unmarked)))
		}
	}

	if !surplus {
		t.w.keep(t.stream.SetColVisible(t.lastColumn(), t.lastColumn(), false))
	}
	t.w.keep(t.stream.SetColVisible(t.keyColumn(), t.keyColumn(), false))
}

// widest returns the largest number of characters to which the column with that index is
// fitted.
func (t *resultsTable) widest(i int) int {
	if i >= len(t.own) {
		return 30
	}

	switch t.own[i] {
	case seal.StatusHeader, seal.TripHeader:
		return 16
	case seal.RiderHeader:
		return 14
	case seal.ProblemHeader, seal.FixHeader:
		return 40
	case seal.NoticeHeader, seal.AnswerHeader:
		return 28
	}

	return 36
}

// longestLine counts the characters of a text's longest line.
func longestLine(text string) int {
	longest, n := 0, 0
	for _, r := range text {
		if n++; r == '\n' {
			n = 0
		}
		longest = max(longest, n)
	}
	return min(longest, utf8.RuneCountInString(text))
}

// finish ends the sheet.
func (t *resultsTable) finish() {
	if !t.open {
		t.begin()
	}
	t.promptForAnswers()

	// The print area ends with the Where column, so that what has to be done fits on one
	// page and can be read.
	shown := importer.ColumnName(slices.Index(t.own, seal.WhereHeader) + 1)
	area := "$A$1:$" + shown + "$" + strconv.Itoa(t.stream.lastShown())
	t.stream.finishTable(t.lastColumn(), printLayout{wide: 1, area: area})
}

// promptForAnswers adds a prompt to the cells that wait for an answer. It says what can
// be written there.
func (t *resultsTable) promptForAnswers() {
	for from := 0; from < len(t.answers); from += 100 {
		v := excelize.NewDataValidation(true)
		v.SetSqref(strings.Join(t.answers[from:min(from+100, len(t.answers))], " "))
		v.SetInput(seal.AnswerHeader, "Write one of the answers that are named under "+seal.FixHeader+". For a round trip: outbound: …; return: …")
		t.w.keep(t.w.file.AddDataValidation(t.stream.name, v))
	}
}
