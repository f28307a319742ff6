package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/mapping"
	"tripimport/mapping/propose"
)

// A ColumnQuestion is a column that the mapping does not use, or not fully, and nobody has approved that.
type ColumnQuestion struct {
	mapping.UnusedColumn
	Looks  string   // what the column looks like, if trips seem to need it; no question otherwise
	Values []string // its first three different values
	// Cancels reports that the column is used, and has words for a cancellation, but is no
	// status column of the mapping.
	Cancels bool

	changed string // what it held when it was approved, and holds now
}

// A layout compares the columns of a schedule with its mapping. During the first pass it
// collects what all rows lack.
type layout struct {
	schedule *schedule
	approved *Approval      // nil for nothing
	sheet    *propose.Sheet // read when it is needed

	rows   int                // the number of rows to be booked
	filled []bool             // by column: whether any row has a value
	needs  []importer.Field   // what all rows so far lack
	dated  importer.Field     // without which a trip has no date
	origin importer.Origin    // says which fields are made from columns
	alike  []importer.Problem // of the first row, those that all rows so far have

	riders riderNames
	ways   sameWays
	night  nightTimes
}

// sampleRows is how many rows are read to find out what columns hold.
const sampleRows = 2500

func newLayout(s *schedule, approved *Approval, fixes []Fix) *layout {
	dated := importer.FieldDate
	if slices.ContainsFunc(s.mapping.Fields(), func(f mapping.MappedField) bool { return f.Field == importer.FieldDate }) {
		dated = importer.PickupTime
	}
	return &layout{
		schedule: s, approved: approved, dated: dated,
		riders: riderNames{names: map[rider]namedRow{}, fixes: fixes},
		ways:   sameWays{seen: map[string]bool{}}, night: nightTimes{s.bound.Times(), map[int]bool{}, map[int][]importer.Ref{}},
	}
}

// readSheet reads the first rows of the schedule, once.
func (l *layout) readSheet() error {
	if l.sheet != nil {
		return nil
	}
	rows, err := l.schedule.file.Head(sampleRows)
	l.sheet = propose.ReadSheet(l.schedule.bound.Headers(), rows)
	return err
}

// questions returns the columns that the mapping does not use, of which nobody has approved that, or which
// hold something else since: first those that trips seem to need.
func (l *layout) questions() (open []ColumnQuestion, err error) {
	if err := l.readSheet(); err != nil {
		return nil, err
	}
	var others []ColumnQuestion
	unused := l.schedule.bound.Unused()
	for _, u := range unused {
		q := ColumnQuestion{UnusedColumn: u, Looks: l.sheet.Risk(u.Num, unused), Values: l.sheet.Samples(u.Num, 3)}
		if held, approved := l.approved.held(u); approved {
			if l.sheet.Changed(u.Num, held, unused) == "" {
				continue
			}
			q.changed = fmt.Sprintf(", which held %s, and holds %s now", held, l.sheet.Holds(u.Num))
		}
		if q.Looks != "" {
			open = append(open, q)
		} else {
			others = append(others, q)
		}
	}
	for _, column := range l.schedule.bound.NoStatus() {
		if l.sheet.Cancels(column.Num) {
			open = append(open, ColumnQuestion{
				UnusedColumn: mapping.UnusedColumn{Column: column}, Cancels: true,
				Looks: "a status, with words for a cancellation that the mapping does not list", Values: l.sheet.Samples(column.Num, 3),
			})
		}
	}
	return append(open, others...), nil
}

// notice says which columns the mapping does not use, and nobody has approved that, or which hold something else than
// when somebody did; where no approval is known, only those without which a trip may lack something.
func (l *layout) notice() (string, error) {
	if len(l.schedule.bound.Unused()) == 0 {
		return "", nil
	}
	open, err := l.questions()
	var names []string
	for _, q := range open {
		switch {
		case q.Cancels:
		case q.changed != "":
			names = append(names, q.String()+q.changed)
		case q.Looks != "":
			names = append(names, q.String()+", which looks like "+q.Looks)
		case l.approved != nil:
			names = append(names, q.String())
		}
	}
	if names == nil {
		return "", err
	}
	return fmt.Sprintf("%s: the mapping does not use %s: use them, or approve the mapping as it is", l.schedule.file.Name(), theFirst(names, 12)), nil
}

// theFirst joins the texts of a list, of a long one the first.
func theFirst(list []string, most int) string {
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}

// A noter is the checker of the first pass, in which layouts and words are counted too.
type noter struct {
	*check.Checker
	layouts []*layout
	words   *words
}

// Note implements importer.Checker.
func (n noter) Note(m *importer.Mapped) {
	n.words.note(m)
	i := slices.IndexFunc(n.layouts, func(l *layout) bool {
		return l.schedule.file.Name() == m.Row.File && l.schedule.file.SheetName() == m.Row.Sheet
	})
	if i >= 0 {
		n.layouts[i].add(m)
	}
	n.Checker.Note(m)
}

// add counts what a row lacks, if it is to be booked.
func (l *layout) add(m *importer.Mapped) {
	if m.LeftOut != "" {
		return
	}
	l.rows++
	for i := range m.Row.Cells {
		if m.Row.Cells[i].Type != importer.Empty {
			for len(l.filled) <= i {
				l.filled = append(l.filled, false)
			}
			l.filled[i] = true
		}
	}

	l.riders.add(m)
	l.ways.add(m)
	l.night.add(&m.Row)
	if l.rows == 1 {
		l.needs, l.origin, l.alike = l.lackedBy(m), m.Trips[0].Origin, m.AllProblems()
		slices.Sort(l.needs)
	}
	if len(l.needs) > 0 {
		lacked := l.lackedBy(m)
		l.needs = slices.DeleteFunc(l.needs, func(f importer.Field) bool { return !slices.Contains(lacked, f) })
	}
	if len(l.alike) > 0 {
		here := m.AllProblems()
		l.alike = slices.DeleteFunc(l.alike, func(p importer.Problem) bool {
			return !slices.ContainsFunc(here, func(other importer.Problem) bool { return other.Code == p.Code })
		})
	}
}

// lackedBy returns the fields of a row's first trip that have no value, of those that every trip must have. A value that
// can't be read is one.
func (l *layout) lackedBy(m *importer.Mapped) (lacked []importer.Field) {
	t := &m.Trips[0]
	values := map[importer.Field]string{
		importer.FieldTripID: t.ID, importer.FieldRiderID: t.RiderID, importer.FieldProvider: t.Provider,
		importer.FieldFundingSource: t.FundingSource, importer.FieldSpaceType: t.SpaceType, l.dated: t.Date().String(),
	}
	for side, e := range map[importer.Field]*importer.Event{importer.FieldPickup: &t.Pickup, importer.FieldDropoff: &t.Dropoff} {
		if e.CompleteAddress == "" && e.Address1 != "" {
			values[side.Of(importer.FieldCity)] = e.City
			values[side.Of(importer.FieldState)] = e.State
			values[side.Of(importer.FieldZip)] = e.Zip
			values[side.Of(importer.FieldAddress1)] = strings.TrimFunc(e.Address1, func(r rune) bool { return r < '0' || r > '9' })
		}
	}

	for _, p := range m.AllProblems() {
		switch {
		case p.Severity != importer.Fault || p.Code == "date-missing":
		case p.Field == importer.PickupTime, p.Field == importer.DropoffAppt:
			delete(values, l.dated)
		default:
			delete(values, p.Field)
		}
	}
	for field, value := range values {
		if value == "" {
			lacked = append(lacked, field)
		}
	}
	return lacked
}

// enoughRows is the number of rows from which a fault of all rows counts as a fault of the
// mapping.
const enoughRows = 10

// findings returns the faults that all rows have in common. Such a fault is one of the mapping.
func (l *layout) findings() (list mapping.Findings, err error) {
	if l.rows == 0 {
		return nil, nil
	}
	for _, field := range l.needs {
		mapped := l.origin != nil && len(l.origin.Columns(field)) > 0
		if mapped && l.rows < enoughRows { // a few rows may be blank by chance
			continue
		}
		if err := l.readSheet(); err != nil {
			return nil, err
		}

		message := fmt.Sprintf("no row has a value for %s", field)
		if !mapped {
			message += ": no column is mapped to it"
		}
		list = append(list, l.schedule.mapping.FindingAt(field, message+l.sheet.Likely(field, l.schedule.bound.Unused()), cure(field)))
	}
	if list != nil {
		return list, nil
	}

	for _, code := range importer.Codes() {
		i := slices.IndexFunc(l.alike, func(p importer.Problem) bool { return p.Code == code.Code })
		if i >= 0 && l.rows >= enoughRows && aboutMapping(code.Code) {
			message := fmt.Sprintf("all %d rows have the same fault: %s", l.rows, code.Meaning)
			list = append(list, l.schedule.mapping.FindingAt(l.alike[i].Field, message, l.alike[i].Fix))
		}
	}
	return list, nil
}

// aboutMapping reports whether a problem that all rows have is a fault of the mapping.
func aboutMapping(code string) bool {
	return slices.Contains([]string{
		"date-order-undeclared", "time-offset", "pickup-only", "date-unreadable", "time-unreadable",
		"flag-unknown", "number-unreadable", "id-shape", "return-time-missing",
	}, code)
}

// cure says what to write in the mapping for a field that all rows lack.
func cure(f importer.Field) string {
	event, part := f.Split()
	how := "and the column"
	switch {
	case part == importer.FieldAddress1:
		how = "[the column of the number, the column of the street]"
	case importer.Constant(f):
		how += fmt.Sprintf(", or %s: {const: …} if it is the same everywhere", part)
	}
	return fmt.Sprintf("under %s: write %s: %s", cmp.Or(event, "trip"), part, how)
}

// blankNotes says which columns that the mapping uses are blank in all rows.
func (l *layout) blankNotes() []string {
	var names []string
	for _, c := range l.schedule.bound.Expected() {
		if c.Num > len(l.filled) || !l.filled[c.Num-1] {
			names = append(names, c.String())
		}
	}
	if names == nil || l.rows < enoughRows {
		return nil
	}
	return []string{fmt.Sprintf("%s: blank in all rows, and used by the mapping: %s", l.schedule.file.Name(), strings.Join(names, ", "))}
}

// doubts says which ids of riders, ways and times may be wrong.
func (l *layout) doubts() []string {
	all := l.night.doubts()
	for _, note := range []string{l.riders.note(l.rows), l.ways.note()} {
		if note != "" {
			all = append(all, note)
		}
	}
	for i := range all {
		all[i] = l.schedule.file.Name() + ": " + all[i]
	}
	return all
}

// openLayouts prepares the layout of each schedule, and reports the columns that its mapping does not
// use, and nobody has approved that.
func (j *job) openLayouts(context.Context) error {
	for _, s := range j.schedules {
		l := newLayout(s, j.approval, j.opts.Fixes)
		text, err := l.notice()
		if err != nil {
			return err
		}
		if text != "" {
			j.notice("%s", text)
		}
		j.layouts = append(j.layouts, l)
	}
	return nil
}

// refuseMappingFaults stops a job whose mapping causes the same fault in every row.
func (j *job) refuseMappingFaults(context.Context) error {
	var all mapping.Findings
	for _, l := range j.layouts {
		findings, err := l.findings()
		if err != nil {
			return err
		}
		all = append(all, findings...)
		for _, note := range append(l.blankNotes(), l.doubts()...) {
			j.notice("%s", note)
		}
	}
	if all != nil {
		return all
	}
	return nil
}
