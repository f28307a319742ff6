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

	rows   int                      // the number of rows to be booked
	filled []bool                   // by column: whether any row has a value
	needs  []need                   // what all rows so far lack
	origin importer.Origin          // says which fields are made from columns
	faults map[string]*countedFault // by code
	unread map[importer.Field]bool  // fields with a value that can't be read

	riders riderNames
	ways   sameWays
	night  nightTimes
}

// sampleRows is how many rows are read to find out what columns hold.
const sampleRows = 2500

func newLayout(s *schedule, approved *Approval, fixes []Fix) *layout {
	return &layout{
		schedule: s, approved: approved, faults: map[string]*countedFault{}, unread: map[importer.Field]bool{},
		riders: riderNames{names: map[rider]namedRow{}, fixes: fixes},
		ways:   sameWays{seen: map[string]bool{}}, night: newNightTimes(s.bound.Times()),
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
			q.changed = fmt.Sprintf("%v held %s, and holds %s now", u, held, l.sheet.Holds(u.Num))
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

// notices says which columns the mapping does not use, and nobody has approved that; where no
// approval is known, only those without which a trip may lack something. It also says which
// columns hold something else than when they were left out.
func (l *layout) notices() (notices []string, err error) {
	if len(l.schedule.bound.Unused()) == 0 {
		return nil, nil
	}
	open, err := l.questions()
	if err != nil {
		return nil, err
	}
	var changed, names []string
	for _, q := range open {
		switch {
		case q.Cancels:
		case q.changed != "":
			changed = append(changed, q.changed)
		case q.Looks != "":
			names = append(names, q.String()+", which looks like "+q.Looks)
		case l.approved != nil:
			names = append(names, q.String())
		}
	}
	if changed != nil {
		notices = append(notices, fmt.Sprintf("%s: unused columns have changed: %s: use them, or approve the mapping as it is", l.schedule.file.Name(), theFirst(changed)))
	}
	if names != nil {
		notices = append(notices, fmt.Sprintf("%s: the mapping does not use %s: use them, or approve the mapping as it is", l.schedule.file.Name(), theFirst(names)))
	}
	return notices, nil
}

// theFirst joins the texts of a list, of a long one the first.
func theFirst(list []string) string {
	const most = 12
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
	t := &m.Trips[0]
	if l.rows == 1 {
		l.needs, l.origin = lackedBy(t), t.Origin
	} else if len(l.needs) > 0 {
		lacked := lackedBy(t)
		l.needs = slices.DeleteFunc(l.needs, func(n need) bool { return !slices.Contains(lacked, n) })
	}
	if m.Faulty() {
		l.addFaults(m)
	}
}

// A countedFault is the last fault of a kind, with the number of rows that have one.
type countedFault struct {
	importer.Problem

	rows int
	last int // the number of the last row that has one
}

// addFaults counts a row's faults.
func (l *layout) addFaults(m *importer.Mapped) {
	for _, p := range m.AllProblems() {
		if p.Severity != importer.Fault {
			continue
		}
		l.unread[p.Field] = l.unread[p.Field] || p.Code != "date-missing"
		f := l.faults[p.Code]
		if f == nil {
			f = &countedFault{}
			l.faults[p.Code] = f
		}
		if f.last != l.rows {
			f.Problem, f.rows, f.last = p, f.rows+1, l.rows
		}
	}
}

// A need is a property that every trip must have.
type need struct {
	field importer.Field
	name  string
}

// lackedBy returns what a trip lacks that every trip must have.
func lackedBy(t *importer.Trip) (lacked []need) {
	note := func(lacks bool, field importer.Field, name string) {
		if lacks {
			lacked = append(lacked, need{field, name})
		}
	}
	note(t.ID == "", importer.FieldTripID, "trip id")
	note(t.RiderID == "", importer.FieldRiderID, "rider id")
	note(t.Provider == "", importer.FieldProvider, "provider")
	note(t.FundingSource == "", importer.FieldFundingSource, "funding source")
	note(t.SpaceType == "", importer.FieldSpaceType, "space type")
	note(t.Date().IsZero(), importer.FieldDate, "date")
	for i, e := range []*importer.Event{&t.Pickup, &t.Dropoff} {
		side := []importer.Field{importer.FieldPickup, importer.FieldDropoff}[i]
		if e.CompleteAddress == "" && e.Address1 != "" {
			note(e.City == "", side.Of(importer.FieldCity), string(side)+" city")
			note(e.State == "", side.Of(importer.FieldState), string(side)+" state")
			note(e.Zip == "", side.Of(importer.FieldZip), string(side)+" ZIP")
			note(!strings.ContainsAny(e.Address1, "0123456789"), side.Of(importer.FieldAddress1), "house number at the "+string(side))
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
	for _, need := range l.needs {
		need = l.ofTime(need)
		mapped := l.origin != nil && len(l.origin.Columns(need.field)) > 0
		if l.isUnread(need.field) || mapped && l.rows < enoughRows { // a few rows may be blank by chance
			continue
		}
		if err := l.readSheet(); err != nil {
			return nil, err
		}
		message := "no row has a " + need.name
		if !mapped {
			message += fmt.Sprintf(": no column is mapped to %s", need.field)
		}
		list = append(list, l.schedule.mapping.FindingAt(need.field, message+l.sheet.Likely(need.field, l.schedule.bound.Unused()), cure(need.field)))
	}
	if list != nil {
		return list, nil
	}

	for _, code := range importer.Codes() {
		if f := l.faults[code.Code]; f != nil && f.rows == l.rows && l.rows >= enoughRows && aboutMapping(code.Code) {
			list = append(list, l.schedule.mapping.FindingAt(f.Field, fmt.Sprintf("all %d rows have the same fault: %s", l.rows, code.Meaning), f.Fix))
		}
	}
	return list, nil
}

// ofTime returns what is needed in place of a date that the mapping names: a trip has it by its times.
func (l *layout) ofTime(n need) need {
	isDate := func(f mapping.MappedField) bool { return f.Field == importer.FieldDate }
	if n.field != importer.FieldDate || !slices.ContainsFunc(l.schedule.mapping.Fields(), isDate) {
		return n
	}
	return need{importer.PickupTime, "pickup time or appointment"}
}

// isUnread reports whether a field is lacked because its value can't be read.
func (l *layout) isUnread(field importer.Field) bool {
	return l.unread[field] || field == importer.FieldDate && (l.unread[importer.PickupTime] || l.unread[importer.DropoffAppt])
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
		notices, err := l.notices()
		if err != nil {
			return err
		}
		for _, text := range notices {
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
