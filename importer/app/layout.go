package app

import (
	"context"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/returned"
	"tripimport/mapping"
	"tripimport/mapping/propose"
)

// A layout compares the columns of a schedule with its mapping. During the first pass it
// collects what is strange about all rows together.
type layout struct {
	schedule *schedule
	approved *Approval      // nil for nothing
	sheet    *propose.Sheet // read when it is needed

	riders check.Riders
	night  *mapping.NightTimes
}

// sampleRows is how many rows are read to find out what columns hold.
const sampleRows = 2500

func newLayout(s *schedule, approved *Approval, fixes []Fix) *layout {
	isTyped := func(at importer.Ref) bool {
		return slices.ContainsFunc(fixes, func(f Fix) bool { return f.At.Row == at.Row && f.At.Col == at.Col })
	}
	return &layout{
		schedule: s, approved: approved, night: s.bound.NightTimes(),
		riders: check.Riders{NamesRider: propose.NamesRider, IsTyped: isTyped},
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
func (l *layout) questions() ([]propose.ColumnQuestion, error) {
	if err := l.readSheet(); err != nil {
		return nil, err
	}
	return l.sheet.ColumnQuestions(l.schedule.bound, l.approved.held), nil
}

// notice says which columns the mapping does not use, and nobody has approved that, or which hold something else than
// when somebody did; where no approval is known, only those without which a trip may lack something.
func (l *layout) notice() (string, error) {
	open, err := l.questions()
	var names []string
	for _, q := range open {
		switch {
		case q.Cancels:
		case q.Changed != "":
			names = append(names, q.String()+q.Changed)
		case q.Looks != "":
			names = append(names, q.String()+", which looks like "+q.Looks)
		case l.approved != nil:
			names = append(names, q.String())
		}
	}
	if names == nil {
		return "", err
	}
	return fmt.Sprintf("%s: the mapping does not use %s: use them, or approve the mapping as it is", l.schedule.file.Name(), importer.TheFirst(names, 12)), nil
}

// A noter is the checker of the first pass, in which the layout looks at the rows too.
type noter struct {
	*check.Checker
	layout *layout
}

// Note implements importer.Checker.
func (n noter) Note(m *importer.Mapped) {
	if n.layout != nil {
		n.layout.riders.Note(m)
		n.layout.night.Note(m)
	}
	n.Checker.Note(m)
}

// doubts says which ids of riders and times may be wrong.
func (l *layout) doubts() []string {
	all := l.night.Doubts()
	if doubt := l.riders.Doubt(); doubt != "" {
		all = append(all, doubt)
	}
	for i := range all {
		all[i] = l.schedule.file.Name() + ": " + all[i]
	}
	return all
}

// openLayout prepares the layout of the schedule, and reports the columns that the mapping does not
// use, and nobody has approved that.
func (j *job) openLayout(context.Context) error {
	if j.schedule == nil {
		return nil
	}
	j.layout = newLayout(j.schedule, j.approval, j.opts.Fixes)
	text, err := j.layout.notice()
	if text != "" {
		j.notice("%s", text)
	}
	return err
}

// noticeDoubts says what is strange about all rows of the schedule together.
func (j *job) noticeDoubts(context.Context) error {
	if j.layout == nil {
		return nil
	}
	for _, note := range j.layout.doubts() {
		j.notice("%s", note)
	}
	return nil
}

// confirmTyped has a person agree to ids of riders that were typed into a schedule's cells and that other rows have.
func (j *job) confirmTyped(context.Context) error {
	if j.layout == nil || j.isCheck() {
		return nil
	}
	return j.allowEdits(importer.Each(j.layout.riders.Typed(), func(t check.TypedID) returned.Edit {
		return returned.Edit{At: t.At, Is: t.ID, Marked: true, SameAs: t.SameAs}
	}))
}
