package results

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An inputLayout is an input with what a Writer finds out about its columns. Columns are
// identified by their index in Input.Columns.
type inputLayout struct {
	Input
	names   NameColumns // the columns with passengers' names
	indexOf map[int]int // the index of a column, by its number in the sheet
	// flags mark the columns from which the trip's id and the rider's are made, for all
	// legs together. plain marks these and the columns of ZIP codes and phones: their
	// cells are always texts.
	flags []seal.Flags
	plain []bool
	known [3]bool // the legs whose columns have been learned
}

func newInputLayout(in Input) *inputLayout {
	layout := &inputLayout{
		Input: in, names: FindNames(in.Columns), indexOf: map[int]int{},
		flags: make([]seal.Flags, len(in.Columns)), plain: make([]bool, len(in.Columns)),
	}
	layout.Shown = uniqueHeaders(in.Columns)
	for i, c := range in.Columns {
		layout.indexOf[c.Num] = i
	}
	return layout
}

// learn finds the columns from which a trip's id, rider and properties of digits are made.
// They are the same for all trips of an input and leg.
func (in *inputLayout) learn(t *importer.Trip) {
	if t.Origin == nil || in.known[t.Leg] {
		return
	}
	in.known[t.Leg] = true
	in.flag(t.Origin, seal.TripID, importer.FieldTripID)
	in.flag(t.Origin, seal.RiderID, importer.FieldRiderID)
	for _, p := range importer.TripProperties() {
		if p.Digits {
			in.flag(t.Origin, 0, p.Field)
		}
	}
}

// flag gives the columns of the field the flags, and makes them plain.
func (in *inputLayout) flag(o importer.Origin, flags seal.Flags, f importer.Field) {
	for _, c := range o.Columns(f) {
		if i, ok := in.indexOf[c.Num]; ok {
			in.flags[i] |= flags
			in.plain[i] = true
		}
	}
}

// isID reports whether the trip's id or the rider's is made from the column.
func (in *inputLayout) isID(i int) bool { return in.flags[i].Has(seal.TripID | seal.RiderID) }

// addSource gives the row its source cells with their marks and notes, and its
// key.
func (in *inputLayout) addSource(row *shownRow, r *importer.RowResult, sealer *seal.Sealer, f Format) {
	for i := range r.Trips {
		in.learn(&r.Trips[i].Trip)
	}

	n := len(in.Columns)
	row.cells = make([]importer.Cell, n)
	for i, c := range in.Columns {
		row.cells[i] = r.Row.Cell(c.Num)
	}

	in.addSurplus(row, r)
	in.mark(row, r)
	if row.rider = in.names.Of(r.Row); row.rider == "" {
		row.rider = r.Trips[0].Trip.RiderID
	}

	k := seal.RowKey{Source: true, Row: r.Row.Num, Width: r.Row.Width, Cells: in.cellKeys(row, r, sealer, f)}
	texts := []string{row.status, bulleted(row.problem), bulleted(row.fix), bulleted(row.notice), guidsOf(r, false), guidsOf(r, true)}
	for i, text := range texts { // under seal.TextHeaders
		shown, _ := showable(text)
		k.Texts = append(k.Texts, sealer.Words(i, shown))
	}
	if refused, mayBeBooked := tripStates(r); refused && !mayBeBooked {
		k.Rider = in.riderOf(row)
	}
	k.Unbooked, k.Version = unbooked(r), r.Version
	for i := range r.Trips {
		k.Trips = append(k.Trips, tripKey(&r.Trips[i]))
	}

	row.key = sealer.Encode(&k)
}

// cellKeys returns the parts of the row's key for its cells and, last, for the cells to the right of these. It gives each cell
// the text that the file can show.
func (in *inputLayout) cellKeys(row *shownRow, r *importer.RowResult, sealer *seal.Sealer, f Format) []seal.CellKey {
	n, room := len(in.Columns), maxOriginals
	keys := make([]seal.CellKey, n+1)
	for i := range keys {
		c, flags, original := &row.surplus, seal.Flags(0), ""
		switch {
		case i < n:
			c, flags = &row.cells[i], in.flags[i]|mayChange(row.marks[i])
		case in.ragged(r):
			flags = seal.MayChange
		}
		shown, whole := showable(c.Text)
		switch {
		case f.isText():
			shown = csvText(c.Text)
		case !whole && len(c.Text) <= room:
			original, room = c.Text, room-len(c.Text)
		}
		c.Text = shown
		keys[i] = seal.CellKey{Type: c.Type, Digest: sealer.Cell(i, readBack(*c)), Flags: flags, Original: original}
	}
	return keys
}

// readBack returns a cell with the type that it has when it is read back.
func readBack(c importer.Cell) importer.Cell {
	if value, _ := cellValue(c); value == nil && c.Type == importer.Number {
		c.Type = importer.Text
	}
	return c
}

// tripKey returns the part of a key that describes a trip.
func tripKey(t *importer.TripResult) seal.TripKey {
	o := &t.Outcome
	changed := o.Updated
	if o.State == importer.ChangeUnknown {
		changed = o.Changed
	}
	begins := importer.DateTime{}
	if o.State.Missing() { // the day that a person may have given the row
		begins.Date = t.Trip.Date()
	}
	return seal.TripKey{Leg: t.Trip.Leg, OffRow: t.OffRow, Outcome: importer.Outcome{
		Changed: changed, State: o.State, GUIDMissing: o.GUIDMissing, GUID: o.GUID, Answered: o.Answered, Contradicted: o.Contradicted,
		Question: o.Question, Attempt: o.Attempt, RowNumber: o.RowNumber, Saw: o.Saw, Moved: o.Moved, Begins: begins,
	}}
}

// mayChange returns the flags of a cell with a mark. A cell of the trip's id may change
// if a fault is at that very cell, or if the cells of the record may have been shifted; a
// cell of the rider's id also if the service refused the trip.
func mayChange(m mark) seal.Flags {
	switch m {
	case unmarked:
		return 0
	case faulty:
		return seal.MayChange
	}
	return seal.MayChange | seal.Suspect
}

// riderOf returns the rider's id as the row shows it.
func (in *inputLayout) riderOf(row *shownRow) string {
	var texts []string
	for i, c := range row.cells {
		if in.flags[i].Has(seal.RiderID) && c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, " ")
}

// unbooked reports whether a trip of the row is to be booked and is not known to be
// booked.
func unbooked(r *importer.RowResult) bool {
	return slices.ContainsFunc(r.Trips, func(t importer.TripResult) bool {
		return t.Outcome.State == importer.Unknown || t.Outcome.State.Missing()
	})
}

// addSurplus sets the row's surplus: the cells to the right of the last column.
func (in *inputLayout) addSurplus(row *shownRow, r *importer.RowResult) {
	last := 0
	if n := len(in.Columns); n > 0 {
		last = in.Columns[n-1].Num
	}
	var texts []string
	for col := last + 1; col <= len(r.Row.Cells); col++ {
		texts = append(texts, r.Row.Cell(col).Text)
	}
	for n := len(texts); n > 0 && texts[n-1] == "" && !in.ragged(r); n-- {
		texts = texts[:n-1]
	}
	if len(texts) > 0 {
		row.surplus = importer.Cell{Type: importer.Text, Text: seal.JoinSurplus(texts)}
	}
}

// ragged reports whether a CSV record has too many fields or too few.
func (in *inputLayout) ragged(r *importer.RowResult) bool {
	return r.Row.Width != 0 && r.Row.Width != in.Width()
}

// mark marks the cells that faults name. If a fault is of the whole row, or the service
// refused a trip, any cell may be the cause, so all cells but those of the ids are
// marked. If no trip of the row may be booked, the rider's id is marked too if the
// service refused a trip, and both ids if the record has a wrong number of fields, so
// that its cells may have been shifted.
func (in *inputLayout) mark(row *shownRow, r *importer.RowResult) {
	row.marks = make([]mark, len(row.cells))
	ofWholeRow := in.markProblems(row, r)

	refused, mayBeBooked := tripStates(r)
	everything := in.ragged(r) && !mayBeBooked
	if !refused && !ofWholeRow && !everything {
		return
	}

	for i := range row.marks {
		rider := refused && !mayBeBooked && !in.flags[i].Has(seal.TripID)
		if row.marks[i] == unmarked && (everything || rider || !in.isID(i)) {
			row.marks[i] = suspect
		}
	}
}

// markProblems marks the cells that faults name, and adds a note to each.
// It reports whether a fault is of the whole row.
func (in *inputLayout) markProblems(row *shownRow, r *importer.RowResult) (ofWholeRow bool) {
	for i := range r.Problems {
		p := &r.Problems[i]
		if p.Severity == importer.Notice {
			continue
		}
		for _, ref := range p.Cells {
			at, ok := in.indexOf[ref.Col]
			if !ok {
				ofWholeRow = true
				continue
			}
			row.marks[at] = faulty
			row.addNote(at, legOf(r, p), p)
		}
	}
	return ofWholeRow
}

// tripStates reports whether the service refused a trip of the row, and whether a trip of
// the row is booked or may be booked.
func tripStates(r *importer.RowResult) (refused, mayBeBooked bool) {
	for i := range r.Trips {
		state := r.Trips[i].Outcome.State
		refused = refused || state == importer.Refused
		mayBeBooked = mayBeBooked || state.Booked() || state == importer.Unknown
	}
	return refused, mayBeBooked
}

// addNote adds a problem to the note of the cell at that index.
func (row *shownRow) addNote(at int, leg importer.Leg, p *importer.Problem) {
	if row.notes == nil {
		row.notes = map[int]string{}
	}
	row.notes[at] = textLines(row.notes[at], Inert(onLeg(leg, p.Message)), strings.TrimSpace(remedy(Inert(p.Fix))))
}

// maxCellText is how many UTF-16 units a cell of a spreadsheet can hold. maxOriginals bounds the texts of cells that the
// row's key keeps, all together, because the key is in a cell as well, and has up to six characters for each byte of
// them. What has no room comes back as it is shown.
const (
	maxCellText  = 32_767
	maxOriginals = 4_000
)

// showable returns text in a form that a cell of a sheet can hold, and reports whether
// that is the whole text.
func showable(text string) (string, bool) {
	escapes := characterEscape().MatchString(text)
	if len(text) <= maxCellText && utf8.ValidString(text) && strings.IndexFunc(text, notInXML) < 0 && !escapes {
		return text, true
	}
	fit := strings.Map(func(r rune) rune {
		if notInXML(r) {
			return utf8.RuneError
		}
		return r
	}, text)
	if escapes {
		fit = strings.ReplaceAll(fit, "_x", "_ x")
	}
	if units := utf16.Encode([]rune(fit)); len(units) > maxCellText {
		fit = string(utf16.Decode(units[:maxCellText-100])) + " … (too long for a cell)"
	}
	return fit, fit == text
}

// characterEscape matches what a spreadsheet program may read as the escape of one character. Excel and the standard
// use four digits. LibreOffice 7.4 also reads one or two digits as a control character, and does not escape such texts
// when it saves.
var characterEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_x[0-9A-Fa-f]{1,4}_`) })

// notInXML reports whether XML cannot have a character.
func notInXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

// uniqueHeaders returns headers for the columns that differ from each other and from the
// reserved ones, without regard to case, because package returned finds a column by its
// header, wherever it has been moved.
func uniqueHeaders(columns []importer.Column) []string {
	taken := map[string]bool{}
	for _, h := range seal.ReservedHeaders() {
		taken[strings.ToLower(h)] = true
	}

	shown := make([]string, len(columns))
	for i, c := range columns {
		base := cmp.Or(strings.Join(strings.Fields(c.Header), " "), "column "+importer.ColumnName(c.Num))
		base, _ = showable(base)
		h := base
		for n := 0; taken[strings.ToLower(h)]; n++ {
			h = base + " (" + importer.ColumnName(c.Num) + strings.Repeat("'", n) + ")"
		}
		taken[strings.ToLower(h)] = true
		shown[i] = h
	}

	return shown
}
