package mapping

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Proposal is a mapping that a file seems to need. It proposes; the checks,
// and a person who looks at the trips, dispose.
type Proposal struct {
	// Template is the file name of the mapping whose columns the file has, if
	// there is one.
	Template string
	// HeaderRow is the row that seems to hold the headers; 0 where none does.
	HeaderRow int
	Fields    []ProposedField
	// Missing are the fields that the service needs and no column was found
	// for.
	Missing []importer.Field

	head   *head
	values map[int][]found // by column
}

// A ProposedField is a field with the column that seems to hold it.
type ProposedField struct {
	Field  importer.Field `json:"field"`         // as the mapping writes it
	Column string         `json:"column"`        // the header
	Ref    string         `json:"ref"`           // the column's letters
	Nth    int            `json:"nth,omitempty"` // which one, where the header repeats; else 0
	Sure   float64        `json:"sure"`          // 0 to 1
	Why    string         `json:"-"`             // in a few words; no row content
}

// Propose reads a mapping off a file's first rows: by the words of its headers,
// the shapes of its values, and mappings that are known. Sample are rows below
// the header; they may be the same rows as head.
func Propose(rows []importer.Row, sample []importer.Row, known []*Mapping) Proposal {
	for _, m := range known {
		if h, lacking := m.findHead(rows); h != nil && h.row > 0 && len(lacking) == 0 {
			return fromTemplate(m, h)
		}
	}
	p := Proposal{head: likelyHead(rows), values: map[int][]found{}}
	if p.head == nil {
		p.Missing = needed()
		return p
	}
	p.HeaderRow = p.head.row
	p.readValues(sample)
	p.choose(append(p.byWords(), p.byMappings(known)...))
	return p
}

// fromTemplate takes over a mapping all of whose columns the file has.
func fromTemplate(m *Mapping, h *head) Proposal {
	p := Proposal{Template: m.file, HeaderRow: h.row, head: h}
	c := &compiler{Mapping: m}
	have := map[importer.Field]bool{}
	for _, f := range c.fields() {
		column, why := h.find(f.columns[0])
		if why != "" {
			continue
		}
		have[f.name] = true
		p.Fields = append(p.Fields, p.field(f.name, column, 0.97, "the file has all columns of "+m.file))
	}
	p.miss(have)
	return p
}

// needed are the fields without which nothing can be booked.
func needed() []importer.Field {
	return []importer.Field{
		importer.FieldProvider, importer.FieldFundingSource, importer.FieldTripID, importer.FieldRiderID,
		importer.FieldSpaceType, importer.FieldPickup, importer.FieldDropoff,
	}
}

func (p *Proposal) miss(have map[importer.Field]bool) {
	for _, f := range needed() {
		placed := slices.ContainsFunc([]importer.Field{fieldAddress, importer.FieldAddress1, importer.FieldLocationName, importer.FieldLatitude, "coordinates"},
			func(part importer.Field) bool { return have[f.Of(part)] })
		if !have[f] && !placed {
			p.Missing = append(p.Missing, f)
		}
	}
}

// likelyHead takes the row whose cells most often mean something.
func likelyHead(rows []importer.Row) *head {
	var best *head
	most := 1
	for i := range rows {
		h := newHead(rows[i], nil)
		meant := 0
		for _, column := range h.columns {
			at, rest := side(wordsOf(column.Header))
			if meaningOf(at, rest).field != "" || leaf(rest) != "" {
				meant++
			}
		}
		if meant > most {
			best, most = h, meant
		}
	}
	return best
}

func (p *Proposal) readValues(sample []importer.Row) {
	for _, row := range sample {
		if row.Num <= p.head.row {
			continue
		}
		for _, column := range p.head.columns {
			cell := row.Cell(column.Num)
			if cell.Type == importer.Empty || cell.Type == importer.ErrorCell {
				continue
			}
			p.values[column.Num] = append(p.values[column.Num], found{text: values.Clean(cell.Text), typ: cell.Type, col: column.Num})
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

// byWords guesses from the headers' words. Where a header names no side of the
// trip, the columns around it do: exports list the pickup, then the dropoff.
func (p *Proposal) byWords() []guess {
	var guesses []guess
	around := importer.FieldPickup
	cities := p.hasLeaf(importer.FieldCity)
	for _, column := range p.head.columns {
		at, rest := side(wordsOf(column.Header))
		m := meaningOf(at, rest)
		part := leaf(rest)
		if m.field != "" {
			guesses = append(guesses, guess{m.field, column, m.sure, "its header says so"})
		}
		if m.field == fieldDate && strings.HasPrefix(rest, "app") {
			guesses = append(guesses, guess{dropoffAppt, column, m.sure - 0.05, "its header says so"})
		}
		if at != "" {
			around = at
		}
		if part == "" {
			continue
		}
		if part == fieldAddress && p.hasPart(around, importer.FieldAddress1) {
			continue // the parts are more exact than the whole
		}
		if part == fieldAddress && cities {
			part = importer.FieldAddress1
		}
		switch {
		case at != "" && part != importer.FieldEventComment:
			guesses = append(guesses, guess{at.Of(part), column, 0.92, "its header says so"})
		case at != "":
			guesses = append(guesses, guess{at.Of(part), column, 0.8, "its header says so"})
		case m.field == "":
			guesses = append(guesses, guess{around.Of(part), column, 0.6, "it stands among the columns of the " + string(around)})
		}
	}
	return guesses
}

// hasPart reports whether a header names the part of one side of the trip.
func (p *Proposal) hasPart(of, part importer.Field) bool {
	return slices.ContainsFunc(p.head.columns, func(column importer.Column) bool {
		at, rest := side(wordsOf(column.Header))
		return at == of && leaf(rest) == part
	})
}

// hasLeaf reports whether addresses come in parts.
func (p *Proposal) hasLeaf(part importer.Field) bool {
	return slices.ContainsFunc(p.head.columns, func(column importer.Column) bool {
		_, rest := side(wordsOf(column.Header))
		return leaf(rest) == part
	})
}

// byMappings guesses from mappings that name the same header.
func (p *Proposal) byMappings(known []*Mapping) []guess {
	votes := map[string]map[importer.Field]int{}
	for _, m := range known {
		c := &compiler{Mapping: m}
		for _, f := range c.fields() {
			for _, ref := range f.columns {
				name := values.HeaderKey(ref.header.Value)
				if ref.nth > 0 || name == "" || f.name == importer.FieldRiderID && len(f.columns) > 1 {
					continue // a key of a riders list is no rider id
				}
				if votes[name] == nil {
					votes[name] = map[importer.Field]int{}
				}
				votes[name][f.name]++
			}
		}
	}
	var guesses []guess
	for _, column := range p.head.columns {
		meant := votes[values.HeaderKey(column.Header)]
		for field, n := range meant {
			sure := 0.88
			if len(meant) > 1 {
				sure = 0.6
			}
			if p.elsewhere(field, column) {
				sure = 0.6
			}
			guesses = append(guesses, guess{field, column, math.Min(sure+0.02*float64(n-1), 0.94), "another mapping has a column of this name"})
		}
	}
	return guesses
}

// elsewhere reports a guess at one side of the trip by a header that names no
// side, or the whole address where its parts stand there too.
func (p *Proposal) elsewhere(field importer.Field, column importer.Column) bool {
	of, part, under := strings.Cut(string(field), ".")
	at, rest := side(wordsOf(column.Header))
	if !under || field == dropoffAppt || strings.HasPrefix(part, "event_") {
		return false
	}
	whole := importer.Field(part) == fieldAddress || importer.Field(part) == importer.FieldAddress1 && leaf(rest) == fieldAddress
	return at == "" || whole && p.hasPart(importer.Field(of), importer.FieldAddress1)
}

// choose gives each field its best column, and each column to one field.
func (p *Proposal) choose(guesses []guess) {
	for i := range guesses {
		p.weigh(&guesses[i])
	}
	slices.SortStableFunc(guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(a.column.Num, b.column.Num), cmp.Compare(a.field, b.field))
	})
	have, used := map[importer.Field]bool{}, map[int]bool{}
	for i, g := range guesses {
		if have[g.field] || used[g.column.Num] || g.sure < 0.3 {
			continue
		}
		have[g.field], used[g.column.Num] = true, true
		p.Fields = append(p.Fields, p.field(g.field, g.column, doubt(g, guesses[i+1:]), g.why))
	}
	p.link(have)
	slices.SortStableFunc(p.Fields, func(a, b ProposedField) int { return cmp.Compare(rank(a.Field), rank(b.Field)) })
	p.miss(have)
}

// link proposes what the legs of a journey have in common: a second number of
// the trip, or the trip's own without the letter or number of its leg.
func (p *Proposal) link(have map[importer.Field]bool) {
	if have[fieldLinkedBy] {
		return
	}
	id := slices.IndexFunc(p.Fields, func(f ProposedField) bool { return f.Field == importer.FieldTripID })
	if id < 0 {
		return
	}
	for _, column := range p.head.columns {
		at, rest := side(wordsOf(column.Header))
		own := importer.ColumnName(column.Num) == p.Fields[id].Ref
		switch {
		case !own && meaningOf(at, rest).field == importer.FieldTripID:
			p.Fields = append(p.Fields, p.field(fieldLinkedBy, column, 0.7, "it is another number of the trip"))
		case own && share(p.values[column.Num], legLetter.MatchString) > 0.8:
			p.Fields = append(p.Fields, p.field(fieldLinkedBy, column, 0.7, "its values end in the letter of a leg"))
		default:
			continue
		}
		return
	}
}

// legLetter is the end of a trip number that names its leg.
var legLetter = regexp.MustCompile(`(?:-|\d)[A-D]A?$`)

func share(values []found, fits func(string) bool) float64 {
	n := 0
	for _, v := range values {
		if fits(v.text) {
			n++
		}
	}
	return float64(n) / math.Max(float64(len(values)), 1)
}

// weigh holds a guess against the column's values, and against the number of
// columns that have the header.
func (p *Proposal) weigh(g *guess) {
	if share, known := looks(g.field, p.values[g.column.Num]); known {
		switch {
		case share >= 0.8:
			g.sure, g.why = math.Min(g.sure+0.04, 0.97), g.why+", and its values fit"
		case share < 0.5:
			g.sure, g.why = g.sure*0.3, g.why+", but its values do not fit"
		}
	} else if len(p.values) > 0 && len(p.values[g.column.Num]) == 0 {
		g.sure, g.why = g.sure*0.75, g.why+", but it is blank"
	}
	if len(p.head.exact[values.FoldCase(g.column.Header)]) > 1 {
		g.sure = math.Min(g.sure, 0.75)
	}
}

// doubt takes certainty away where another column is nearly as likely.
func doubt(g guess, others []guess) float64 {
	reach := 0.15
	if g.field == importer.FieldPhone || strings.HasSuffix(string(g.field), string(importer.FieldPhoneNumber)) {
		reach = 0.4 // whose phone it is, a header seldom says
	}
	for _, o := range others {
		if o.field == g.field && o.column != g.column && o.sure > g.sure-reach {
			return math.Min(g.sure, 0.7)
		}
	}
	return g.sure
}

func (p *Proposal) field(f importer.Field, column importer.Column, sure float64, why string) ProposedField {
	x := ProposedField{Field: f, Column: column.Header, Ref: importer.ColumnName(column.Num), Sure: math.Round(sure*100) / 100, Why: why}
	if same := p.head.exact[values.FoldCase(column.Header)]; len(same) > 1 {
		for i, at := range same {
			if p.head.columns[at].Num == column.Num {
				x.Nth = i + 1
			}
		}
	}
	return x
}

// rank orders fields as a mapping has them.
func rank(f importer.Field) int {
	order := []string{
		"cancelled", "provider", "funding_source", "trip_id", "linked_by", "rider_id", "space_type", "phone",
		"billable_distance", "additional_passengers", "date", "pickup", "dropoff", "will_call", "round_trip",
	}
	top, _, _ := strings.Cut(string(f), ".")
	return slices.Index(order, top)
}
