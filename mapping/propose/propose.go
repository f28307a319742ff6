// Package propose proposes a mapping for a layout that nobody has mapped yet.
//
// It reads the words of the headers, the shapes of the values and the mappings
// that are known already, and says for each field which column seems to hold
// it, how sure that is, and why. A proposal is a draft: it leaves open what the
// file does not tell, and a person has to approve it before trips are booked
// with it. Nothing of a row gets into a draft but codes of space types.
package propose

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A Proposal is a mapping that a file seems to need.
type Proposal struct {
	// Template is the file name of the known mapping all of whose columns the
	// file has; empty where there is none.
	Template string
	// HeaderRow is the row that seems to hold the headers; 0 where none does.
	HeaderRow int
	// Fields are the fields for which a column was found, in the order of
	// mapping.FieldNames.
	Fields []Field
	// Missing are the fields that the service requires and for which no column
	// was found.
	Missing []importer.Field

	headers *mapping.Headers
	cells   map[int][]cell // the cells of each column that are not empty
}

// A Field is a field of the mapping with the column that seems to hold it.
type Field struct {
	Field  importer.Field `json:"field"`         // as the mapping writes it
	Column string         `json:"column"`        // the header
	Ref    string         `json:"ref"`           // the column's letters
	Nth    int            `json:"nth,omitempty"` // which one, where the header repeats; else 0
	Sure   float64        `json:"sure"`          // from 0 to 1
	Why    string         `json:"-"`             // in a few words; no row content
}

// Mapping proposes a mapping. The headers are looked for in rows, the first
// ones of the file; values are taken from those rows of sample that stand below
// the headers. The known mappings are asked first: where the file has all the
// columns of one, that one is proposed.
func Mapping(rows []importer.Row, sample []importer.Row, known []*mapping.Mapping) Proposal {
	for _, m := range known {
		if h := m.FindHeaders(rows); h != nil {
			return fromTemplate(m, h)
		}
	}

	p := Proposal{headers: likelyHeaders(rows), cells: map[int][]cell{}}
	if p.headers == nil {
		p.Missing = required()
		return p
	}

	p.HeaderRow = p.headers.Row()
	p.readCells(sample)
	p.choose(append(p.fromWords(), p.fromMappings(known)...))
	return p
}

// fromTemplate proposes a mapping all of whose columns the file has.
func fromTemplate(m *mapping.Mapping, h *mapping.Headers) Proposal {
	p := Proposal{Template: m.File(), HeaderRow: h.Row(), headers: h}
	found := map[importer.Field]bool{}
	for _, f := range fieldsOf(m) {
		column, problem := h.Find(f.Columns[0])
		if problem != "" {
			continue
		}
		found[f.Field] = true
		p.Fields = append(p.Fields, p.field(f.Field, column, 0.97, "the file has all columns of "+m.File()))
	}
	p.noteMissing(found)
	return p
}

// fieldsOf returns the fields of a mapping that proposals have. A whole address
// is proposed as one to be taken apart, whatever the mapping does with it.
func fieldsOf(m *mapping.Mapping) []mapping.MappedField {
	var all []mapping.MappedField
	for _, f := range m.Fields() {
		switch event, part := f.Field.Split(); {
		case part == importer.FieldCompleteAddress:
			f.Field = event.Of(mapping.FieldAddress)
		case notProposed(f.Field):
			continue
		}
		all = append(all, f)
	}
	return all
}

// notProposed reports whether a field is left to the person who completes the
// draft.
func notProposed(f importer.Field) bool {
	switch f {
	case importer.FieldTripType, // it follows from the times
		importer.FieldPickup.Of(importer.FieldCompleteAddress), // it is proposed as an address
		importer.FieldDropoff.Of(importer.FieldCompleteAddress),
		importer.FieldPickup.Of(importer.FieldApptTime),    // an appointment is the drop-off's
		importer.FieldDropoff.Of(importer.FieldPickupTime): // the service sets it
		return true
	}
	return false
}

// required are the fields without which nothing can be booked.
func required() []importer.Field {
	return []importer.Field{
		importer.FieldProvider, importer.FieldFundingSource, importer.FieldTripID, importer.FieldRiderID,
		importer.FieldSpaceType, importer.FieldPickup, importer.FieldDropoff,
	}
}

func (p *Proposal) noteMissing(found map[importer.Field]bool) {
	locations := []importer.Field{mapping.FieldAddress, importer.FieldAddress1, importer.FieldLocationName, importer.FieldLatitude, mapping.FieldCoordinates}
	for _, f := range required() {
		located := slices.ContainsFunc(locations, func(part importer.Field) bool { return found[f.Of(part)] })
		if !found[f] && !located {
			p.Missing = append(p.Missing, f)
		}
	}
}

// likelyHeaders returns the row with the most cells that mean something as
// headers; nil where no row has two of them.
func likelyHeaders(rows []importer.Row) *mapping.Headers {
	var best *mapping.Headers
	most := 1
	for i := range rows {
		h := mapping.ReadHeaders(rows[i])
		meaningful := 0
		for _, column := range h.Columns() {
			side, rest := sideOf(wordsOf(column.Header))
			if fieldOf(side, rest).field != "" || partOf(rest) != "" {
				meaningful++
			}
		}
		if meaningful > most {
			best, most = h, meaningful
		}
	}

	return best
}

func (p *Proposal) readCells(sample []importer.Row) {
	for _, row := range sample {
		if row.Num <= p.HeaderRow {
			continue
		}
		for _, column := range p.headers.Columns() {
			c := row.Cell(column.Num)
			if c.Type == importer.Empty || c.Type == importer.ErrorCell {
				continue
			}
			p.cells[column.Num] = append(p.cells[column.Num], cell{values.Clean(c.Text), c.Type})
		}
	}
}

// A guess is one column for one field.
type guess struct {
	field  importer.Field
	column importer.Column
	sure   float64
	why    string
}

// fromWords guesses from the headers' words. Where a header names no side of the
// trip, the columns before it do: exports list the pickup, then the drop-off.
func (p *Proposal) fromWords() []guess {
	const says = "its header says so"
	var guesses []guess
	current := importer.FieldPickup
	cities := p.hasPart(importer.FieldCity)
	for _, column := range p.headers.Columns() {
		side, rest := sideOf(wordsOf(column.Header))
		whole := fieldOf(side, rest)
		if whole.field != "" {
			guesses = append(guesses, guess{whole.field, column, whole.sure, says})
		}
		if whole.field == importer.FieldDate && strings.HasPrefix(rest, "app") {
			guesses = append(guesses, guess{dropoffAppt, column, whole.sure - 0.05, says})
		}
		if side != "" {
			current = side
		}

		part := partOf(rest)
		switch {
		case part == "":
			continue
		case part == mapping.FieldAddress && p.hasPartOf(current, importer.FieldAddress1):
			continue // the parts are more exact than the whole
		case part == mapping.FieldAddress && cities:
			part = importer.FieldAddress1
		}
		switch {
		case side != "" && part != importer.FieldEventComment:
			guesses = append(guesses, guess{side.Of(part), column, 0.92, says})
		case side != "":
			guesses = append(guesses, guess{side.Of(part), column, 0.8, says})
		case whole.field == "":
			guesses = append(guesses, guess{current.Of(part), column, 0.6, "it stands among the columns of the " + string(current)})
		}
	}

	return guesses
}

// hasPartOf reports whether a header names the part of that side of the trip.
func (p *Proposal) hasPartOf(side, part importer.Field) bool {
	return slices.ContainsFunc(p.headers.Columns(), func(column importer.Column) bool {
		at, rest := sideOf(wordsOf(column.Header))
		return at == side && partOf(rest) == part
	})
}

// hasPart reports whether a header names the part of either side.
func (p *Proposal) hasPart(part importer.Field) bool {
	return slices.ContainsFunc(p.headers.Columns(), func(column importer.Column) bool {
		_, rest := sideOf(wordsOf(column.Header))
		return partOf(rest) == part
	})
}

// fromMappings guesses from known mappings that name the same header.
func (p *Proposal) fromMappings(known []*mapping.Mapping) []guess {
	votes := map[string]map[importer.Field]int{}
	for _, m := range known {
		for _, f := range fieldsOf(m) {
			for _, ref := range f.Columns {
				name := values.HeaderKey(ref.Header())
				if ref.Nth() > 0 || name == "" || f.Field == importer.FieldRiderID && len(f.Columns) > 1 {
					continue // a key of a riders list is no rider id
				}
				if votes[name] == nil {
					votes[name] = map[importer.Field]int{}
				}
				votes[name][f.Field]++
			}
		}
	}

	var guesses []guess
	for _, column := range p.headers.Columns() {
		fields := votes[values.HeaderKey(column.Header)]
		for field, n := range fields {
			sure := 0.88
			if len(fields) > 1 || p.elsewhere(field, column) {
				sure = 0.6
			}
			guesses = append(guesses, guess{field, column, math.Min(sure+0.02*float64(n-1), 0.94), "another mapping has a column of this name"})
		}
	}

	return guesses
}

// elsewhere reports whether a field of one side of the trip is guessed from a
// header that names no side, or the whole address where the file has its parts.
func (p *Proposal) elsewhere(field importer.Field, column importer.Column) bool {
	event, part := field.Split()
	side, rest := sideOf(wordsOf(column.Header))
	if event == "" || field == dropoffAppt || strings.HasPrefix(string(part), "event_") {
		return false
	}
	whole := part == mapping.FieldAddress || part == importer.FieldAddress1 && partOf(rest) == mapping.FieldAddress
	return side == "" || whole && p.hasPartOf(event, importer.FieldAddress1)
}

// choose gives each field its best column, and each column to one field.
func (p *Proposal) choose(guesses []guess) {
	for i := range guesses {
		p.weigh(&guesses[i])
	}

	slices.SortStableFunc(guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(a.column.Num, b.column.Num), cmp.Compare(a.field, b.field))
	})

	found, used := map[importer.Field]bool{}, map[int]bool{}
	for i, g := range guesses {
		if found[g.field] || used[g.column.Num] || g.sure < 0.3 {
			continue
		}
		found[g.field], used[g.column.Num] = true, true
		p.Fields = append(p.Fields, p.field(g.field, g.column, lessRivals(g, guesses[i+1:]), g.why))
	}

	p.link(found)
	order := mapping.FieldNames()
	slices.SortStableFunc(p.Fields, func(a, b Field) int {
		return cmp.Compare(slices.Index(order, a.Field), slices.Index(order, b.Field))
	})

	p.noteMissing(found)
}

// link proposes what linked trips have in common: a second number of the trip,
// or the trip's own without the letter or number of its leg.
func (p *Proposal) link(found map[importer.Field]bool) {
	if found[mapping.FieldLinkedBy] {
		return
	}

	id := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Field == importer.FieldTripID })
	if id < 0 {
		return
	}

	for _, column := range p.headers.Columns() {
		side, rest := sideOf(wordsOf(column.Header))
		own := importer.ColumnName(column.Num) == p.Fields[id].Ref
		switch {
		case !own && fieldOf(side, rest).field == importer.FieldTripID:
			p.Fields = append(p.Fields, p.field(mapping.FieldLinkedBy, column, 0.7, "it is another number of the trip"))
		case own && oldShare(p.cells[column.Num], func(c cell) bool { return legLetter.MatchString(c.text) }) > 0.8:
			p.Fields = append(p.Fields, p.field(mapping.FieldLinkedBy, column, 0.7, "its values end in the letter of a leg"))
		default:
			continue
		}
		return
	}
}

// legLetter matches the end of a trip number that names its leg.
var legLetter = regexp.MustCompile(`(?:-|\d)[A-D]A?$`)

// weigh corrects how sure a guess is by the column's values, and by the number
// of columns that have the header.
func (p *Proposal) weigh(g *guess) {
	cells := p.cells[g.column.Num]
	if share, known := shareThatFits(g.field, cells); known {
		switch {
		case share >= 0.8:
			g.sure, g.why = math.Min(g.sure+0.04, 0.97), g.why+", and its values fit"
		case share < 0.5:
			g.sure, g.why = g.sure*0.3, g.why+", but its values do not fit"
		}
	} else if len(p.cells) > 0 && len(cells) == 0 {
		g.sure, g.why = g.sure*0.75, g.why+", but it is blank"
	}

	if len(p.headers.Same(g.column.Header)) > 1 {
		g.sure = math.Min(g.sure, 0.75)
	}
}

// lessRivals returns how sure a guess is once the other guesses are considered:
// less where another column is nearly as likely.
func lessRivals(g guess, others []guess) float64 {
	reach := 0.15
	if g.field == importer.FieldPhone || strings.HasSuffix(string(g.field), string(importer.FieldPhoneNumber)) {
		reach = 0.4 // headers seldom say whose phone it is
	}
	for _, o := range others {
		if o.field == g.field && o.column != g.column && o.sure > g.sure-reach {
			return math.Min(g.sure, 0.7)
		}
	}
	return g.sure
}

func (p *Proposal) field(f importer.Field, column importer.Column, sure float64, why string) Field {
	x := Field{Field: f, Column: column.Header, Ref: importer.ColumnName(column.Num), Sure: math.Round(sure*100) / 100, Why: why}
	if same := p.headers.Same(column.Header); len(same) > 1 {
		x.Nth = slices.Index(same, column) + 1
	}
	return x
}
