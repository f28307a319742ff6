package app

import (
	"context"
	"encoding/json"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/mapping"
	"tripimport/templates"
)

// factApproval is the kind of the facts that say which mappings a person approved.
const factApproval = "approval"

// An Approval is the fact that a person looked at the trips which a mapping makes of a file, and
// approved them. It is about what the mapping says and about the file's columns; lists beside the
// mapping, which an office keeps up from day to day, and comments are no part of it.
type Approval struct {
	Broker string
	// Content is what the mapping said.
	Content string
	// Headers are those of the file's first sheet, in order.
	Headers []string
	// Unused are the columns that the mapping did not use, by their names, with what each held.
	Unused map[string]string

	// Who approved it, as the ledger has it.
	Who string `json:"-"`

	covers bool // the mapping that was asked about says the same
}

// Covers reports whether the mapping that was asked about is the one that was approved.
func (p *Approval) Covers() bool { return p != nil && p.covers }

// held returns what an unused column held when the mapping was approved.
func (p *Approval) held(column mapping.UnusedColumn) (what string, approved bool) {
	if p == nil {
		return "", false
	}
	what, approved = p.Unused[column.Name]
	return what, approved
}

// Approval returns the approval of a mapping in the office's ledger: the one that covers it, or else
// the latest one about its broker; nil if no mapping of that broker was ever approved. The
// error is the one of a ledger that is not there or can't be read.
func (a *App) Approval(ctx context.Context, m *mapping.Mapping) (found *Approval, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		found, err = approvalIn(ctx, l, m)
		return err
	})
	return found, err
}

// approvalIn is Approval for an open ledger.
func approvalIn(ctx context.Context, l ledger.Ledger, m *mapping.Mapping) (found *Approval, err error) {
	facts, err := l.Facts(ctx, factApproval)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		var one Approval
		unread := json.Unmarshal([]byte(f.Value), &one) != nil // it approves nothing
		if unread || importer.BrokerText(one.Broker) != importer.BrokerText(m.Name()) {
			continue
		}
		one.Who, one.covers = f.Who, one.Content == m.Content()
		if one.covers || !found.Covers() {
			found = &one
		}
	}
	return found, nil
}

// approve records an approval.
func (a *App) approve(ctx context.Context, p Approval) error {
	value, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return a.changeLedger("map approve", func(l ledger.Ledger, by ledger.Person) error {
		return l.SetFact(ctx, ledger.Fact{Kind: factApproval, Subject: importer.BrokerText(p.Broker) + "\n" + p.Content, Value: string(value), Who: by.Who, Host: by.Host, At: by.When})
	})
}

// isApproved reports whether a real import takes a mapping. That of the plain workbook needs nobody's
// approval, whosever rows are in it: each column of that workbook says what it is.
func (a *App) isApproved(m *mapping.Mapping, found *Approval) bool {
	return found.Covers() || a.env.Approved || isPlain(m)
}

// isPlain reports whether a mapping says what the plain workbook's says.
func isPlain(m *mapping.Mapping) bool {
	t, ok := templates.Find("plain")
	plain, err := parseTemplate(t)
	return ok && err == nil && plain.Content() == m.Content()
}

// refuseUnapproved keeps a mapping from booking the trips of a file that nobody has approved, or that
// was changed since.
func (a *App) refuseUnapproved(m *mapping.Mapping, found *Approval, file string) error {
	if a.isApproved(m, found) {
		return nil
	}
	do := importer.Do("look at the trips that it makes, and approve them", importer.ApproveMapping, m.File(), file)
	if found == nil {
		return usageStep(do, "nobody has approved the mapping %s", m.File())
	}
	return usageStep(do, "the mapping %s was changed since %s approved it", m.File(), found.Who)
}

// refuseUnapproved stops a job that would send with a mapping that nobody has approved.
func (j *job) refuseUnapproved(ctx context.Context) error {
	if err := j.findApproval(ctx); err != nil || j.service == nil || j.opts.Rehearsal {
		return err
	}
	return j.App.refuseUnapproved(j.mapping, j.approval, j.source())
}

// findApproval asks the office's ledger whether the mapping is approved. A check or a rehearsal goes
// on without one; it opens no ledger that offices share only to ask that.
func (j *job) findApproval(ctx context.Context) (err error) {
	switch {
	case j.ledger != nil && !j.opts.Rehearsal:
		j.approval, err = approvalIn(ctx, j.ledger, j.mapping)
	case !j.IsShared():
		j.approval, _ = j.Approval(ctx, j.mapping) // a real import says what is wrong with the ledger
	}
	return err
}

// refuseMoved refuses a schedule, or a rehearsal of one, in which a column that the mapping knows only by
// its place may be another one than when the mapping was approved. Results of a real run have the columns
// of a schedule that was not refused.
func (j *job) refuseMoved(context.Context) error {
	if !j.approval.Covers() || j.edited != nil && !j.edited.Rehearsal {
		return nil
	}
	moved := j.bound.Moved(j.approval.Headers)
	if moved == "" {
		return nil
	}
	name := j.described.Name
	return importer.Advise(&importer.InputError{File: name, At: importer.Ref{File: name, Row: j.bound.HeaderRow()}, Reason: moved},
		importer.Do("compare its columns with the file, and approve it again", importer.ApproveMapping, j.mapping.File(), j.source()))
}
