package results

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An inputState is what a Writer knows of one input beside its description.
type inputState struct {
	Input
	number int         // from 1
	place  map[int]int // place in Columns by column number
	// shown are the columns' headers in the Results, each unlike the others.
	shown []string
	// plain are the columns of ids, ZIP codes and phones: always texts.
	plain seal.ColumnSet
	// guarded are those of all legs together, rider the rider's alone.
	guarded, rider seal.ColumnSet
	known          [4]bool // legs whose columns have been learned
}

func newInputState(in Input, number int, own []string) *inputState {
	s := &inputState{Input: in, number: number, place: map[int]int{}}
	for i, c := range in.Columns {
		s.place[c.Num] = i
	}
	s.shown = uniqueHeaders(in.Columns, own)
	return s
}

// learn takes note of the columns that a trip's id, rider, ZIP codes and
// phones come from. They are the same for all trips of a file and leg.
func (s *inputState) learn(t *importer.Trip) {
	if t.Origin == nil || int(t.Leg) >= len(s.known) || s.known[t.Leg] {
		return
	}
	s.known[t.Leg] = true
	s.rider = s.rider.Union(s.columnsOf(t.Origin, importer.FieldRiderID))
	s.guarded = s.guarded.Union(s.columnsOf(t.Origin, importer.FieldTripID)).Union(s.rider)
	s.plain = s.plain.Union(s.guarded).Union(s.columnsOf(t.Origin, importer.FieldPhone,
		importer.FieldPickup.Of(importer.FieldZip), importer.FieldDropoff.Of(importer.FieldZip),
		importer.FieldPickup.Of(importer.FieldPhoneNumber), importer.FieldDropoff.Of(importer.FieldPhoneNumber)))
}

func (s *inputState) columnsOf(o importer.Origin, fields ...importer.Field) seal.ColumnSet {
	var set seal.ColumnSet
	for _, f := range fields {
		for _, c := range o.Columns(f) {
			if at, ok := s.place[c.Num]; ok {
				set = set.With(at)
			}
		}
	}
	return set
}

// fill gives the line its source cells, their marks and notes, and its key. It
// returns the cells that a sheet can't hold as they are; a CSV file can.
func (s *inputState) fill(l *line, r *importer.RowResult, d *seal.Sealer, f Format) (exact []seal.Original) {
	for i := range r.Trips {
		s.learn(&r.Trips[i].Trip)
	}
	n := len(s.Columns)
	l.cells = make([]importer.Cell, n)
	for i, c := range s.Columns {
		l.cells[i] = r.Row.Cell(c.Num)
	}
	s.spill(l, r)
	s.mark(l, r)
	k := seal.RowKey{
		Input: s.number, Row: r.Row.Num, Width: r.Row.Width, Guarded: s.guarded, Rider: s.rider,
		Types: make([]importer.CellType, n+1), Digests: make([]uint16, n+1),
	}
	for i := range l.cells {
		k.Types[i] = l.cells[i].Type
		if l.marks[i] != unmarked {
			k.Marked = k.Marked.With(i)
		}
		if shown, ok := showable(l.cells[i].Text); !ok && f == XLSX {
			exact = append(exact, seal.Original{CellAt: seal.CellAt{Input: s.number, Row: r.Row.Num, Column: i}, Text: l.cells[i].Text})
			k.Exact = k.Exact.With(i)
			l.cells[i].Text = shown
		}
	}
	if s.ragged(r) {
		k.Marked = k.Marked.With(n)
	}
	s.digest(&k, l, d)
	for i := range r.Trips {
		o := &r.Trips[i].Outcome
		k.Legs = append(k.Legs, seal.LegState{Leg: r.Trips[i].Trip.Leg, State: o.State, GUIDMissing: o.GUIDMissing})
	}
	l.key = d.Encode(&k)
	return exact
}

// digest fills in the digests of the cells, the column for what is beyond the
// last one included.
func (s *inputState) digest(k *seal.RowKey, l *line, d *seal.Sealer) {
	n := len(l.cells)
	sums := make([]uint64, n+1)
	for i := range l.cells {
		sums[i] = d.Cell(i, l.cells[i])
	}
	beyond := importer.Cell{}
	if len(l.beyond) > 0 {
		beyond = importer.Cell{Type: importer.Text, Text: seal.JoinSurplus(l.beyond)}
	}
	sums[n] = d.Cell(n, beyond)
	for i, sum := range sums {
		k.Digests[i] = uint16(sum)
	}
	k.Sum = d.Cells(sums, k.Marked)
}

// spill takes note of the cells to the right of the last column.
func (s *inputState) spill(l *line, r *importer.RowResult) {
	last := 0
	if n := len(s.Columns); n > 0 {
		last = s.Columns[n-1].Num
	}
	for col := last + 1; col <= len(r.Row.Cells); col++ {
		l.beyond = append(l.beyond, r.Row.Cell(col).Text)
	}
	for n := len(l.beyond); n > 0 && l.beyond[n-1] == "" && r.Row.Width == 0; n-- {
		l.beyond = l.beyond[:n-1]
	}
}

// ragged reports whether a CSV record has too many fields or too few.
func (s *inputState) ragged(r *importer.RowResult) bool {
	return r.Row.Width != 0 && r.Row.Width != len(s.Columns)
}

// mark marks the cells that problems are about. Where a row is at fault as a
// whole, or the service refused it, any of its cells may be the cause; the
// trip's id and its rider stay guarded unless nothing of the row can be booked
// and the cells may have moved, or the service refused all of it.
func (s *inputState) mark(l *line, r *importer.RowResult) {
	l.marks = make([]mark, len(l.cells))
	whole := false
	for i := range r.Problems {
		p := &r.Problems[i]
		m := guilty
		if p.Severity == importer.Notice {
			m = noticed
		}
		for _, ref := range p.Cells {
			at, ok := s.place[ref.Col]
			if !ok {
				whole = whole || m == guilty
				continue
			}
			l.marks[at] = max(l.marks[at], m)
			if m == guilty {
				l.note(at, legOf(r, p), p)
			}
		}
	}
	refused, mayBeBooked := fates(r)
	everything := (refused || s.ragged(r)) && !mayBeBooked
	if !refused && !whole && !everything {
		return
	}
	for i := range l.marks {
		if l.marks[i] == unmarked && (everything || !s.guarded.Has(i)) {
			l.marks[i] = pale
		}
	}
}

// fates reports whether the service refused a trip of the row, and whether any
// may be booked.
func fates(r *importer.RowResult) (refused, mayBeBooked bool) {
	for i := range r.Trips {
		state := r.Trips[i].Outcome.State
		refused = refused || state == importer.Refused
		mayBeBooked = mayBeBooked || state.Booked() || state == importer.Unknown
	}
	return refused, mayBeBooked
}

func (l *line) note(at int, leg importer.Leg, p *importer.Problem) {
	if l.notes == nil {
		l.notes = map[int]string{}
	}
	text := Inert(onLeg(leg, p.Message))
	if p.Fix != "" {
		text += "\n→ " + Inert(p.Fix)
	}
	if l.notes[at] != "" {
		text = l.notes[at] + "\n" + text
	}
	l.notes[at] = text
}

// maxCellText is how many UTF-16 units a cell of a spreadsheet can hold.
const maxCellText = 32_767

// showable gives text as a cell of a sheet can hold it, and whether that is
// all of it.
func showable(text string) (string, bool) {
	if len(text) <= maxCellText && (isPrintable(text) || strings.IndexFunc(text, unfit) < 0 && utf8.ValidString(text)) {
		return text, true
	}
	fit := strings.Map(func(r rune) rune {
		if unfit(r) {
			return utf8.RuneError
		}
		return r
	}, text)
	if units := utf16.Encode([]rune(fit)); len(units) > maxCellText {
		fit = string(utf16.Decode(units[:maxCellText-100])) + " … (too long for a cell)"
	}
	return fit, fit == text
}

// isPrintable reports whether a text is of printable ASCII alone, as most are.
func isPrintable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unfit reports characters that XML has no place for.
func unfit(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

// uniqueHeaders gives the columns headers that differ from each other and from
// our own, letters' case disregarded: a column that is moved is known by its
// header alone.
func uniqueHeaders(columns []importer.Column, own []string) []string {
	seen := map[string]bool{}
	for _, h := range own {
		seen[strings.ToLower(h)] = true
	}
	shown := make([]string, len(columns))
	for i, c := range columns {
		base := strings.Join(strings.Fields(c.Header), " ")
		if base == "" {
			base = "column " + importer.ColumnName(c.Num)
		}
		if fit, _ := showable(base); len(fit) > 250 {
			base = string([]rune(fit)[:200])
		}
		h := base
		for n := 2; seen[strings.ToLower(h)]; n++ {
			h = base + " (" + importer.ColumnName(c.Num) + ")"
			if n > 2 {
				h = base + " (" + importer.ColumnName(c.Num) + strings.Repeat("'", n-2) + ")"
			}
		}
		seen[strings.ToLower(h)] = true
		shown[i] = h
	}
	return shown
}
