package tables

import (
	"context"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const addDecisionSQL = "INSERT INTO decisions (subject, verdict, who, host, decided_at, attempt) VALUES (?, ?, ?, ?, ?, ?)"

// withdrawn is the word of a decision that does not hold any more: no answer.
const withdrawn = "back in the schedule"

// Decided implements importer.Ledger.
func (l *Ledger) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, bool, error) {
	if err := l.readDecisions(ctx); err != nil {
		return importer.NoVerdict, false, l.readError(ctx, err)
	}
	v, ok := l.decision(d)
	return v, ok, nil
}

// decision gives what a person decided last, as far as it was read.
func (l *Ledger) decision(d importer.Decision) (importer.Verdict, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.decisions.of) == 0 { // as in most nights, whose trips are all asked about
		return importer.NoVerdict, false
	}
	subject, ok := d.Subject()
	if !ok {
		return importer.NoVerdict, false
	}
	v, ok := l.decisions.of[string(l.Hashes.Decision(subject))]
	if ok || d.Question != importer.AskDoubleBooking || l.earlierUntil == "" {
		return v, ok
	}
	for _, id := range d.Trip.EarlierPlaces() {
		d.Places = &id
		subject, _ = d.Subject()
		if v, ok = l.decisions.of[string(l.Hashes.Decision(subject))]; ok {
			break
		}
	}
	return v, ok
}

// decisions are the last decision about each subject, as far as they were read. Each trip
// of a night is looked for among them, and there are few, so they are kept in memory.
type decisions struct {
	of   map[string]importer.Verdict
	last int64 // the number of the last one that was read
	// whole reports that there are no others, and added counts those of this process.
	whole bool
	added int64
}

// readDecisions reads the decisions that were added since it did so last, by other
// processes as well. They are numbered in the order of their commits.
func (l *Ledger) readDecisions(ctx context.Context) error {
	l.mu.Lock()
	last, added, whole := l.decisions.last, l.decisions.added, l.decisions.whole
	l.mu.Unlock()
	if whole {
		return nil
	}

	type decision struct {
		number        int64
		subject, word string
	}
	read, err := Query(ctx, l.lookUps, func(row Scanner) (d decision, err error) {
		err = row.Scan(&d.number, &d.subject, &d.word)
		return d, err
	}, "SELECT id, subject, verdict FROM decisions WHERE id > ? ORDER BY id", last)
	if err != nil {
		return err // some of them may be missing
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range read {
		if d.number <= l.decisions.last {
			continue // another caller read it meanwhile
		}
		l.decisions.last = d.number
		if v, _, _ := importer.ParseVerdict(d.word); v != importer.NoVerdict {
			l.decisions.of[d.subject] = v
		} else {
			delete(l.decisions.of, d.subject) // it was withdrawn
		}
	}
	l.decisions.whole = l.Alone && added == l.decisions.added
	return nil
}

// askDecisions asks for decisions that were not read, unless it reads them, where that
// costs no more.
func (l *Ledger) askDecisions(ctx context.Context) ([]question, error) {
	if l.Alone {
		return nil, l.readDecisions(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return []question{{sql: hasDecisionSQL, args: [5]any{l.decisions.last}}}, nil
}

// Decide implements ledger.Ledger.
func (l *Ledger) Decide(ctx context.Context, d importer.Decision, v importer.Verdict, by ledger.Person) error {
	return l.decide(ctx, d, v.String(), by)
}

// ForgetLeft implements importer.Ledger.
func (l *Ledger) ForgetLeft(ctx context.Context, attempt int64) error {
	return l.decide(ctx, importer.Decision{Other: attempt}, withdrawn, ledger.Person{When: time.Now()})
}

// decide adds a decision. A word that is no answer withdraws the one before.
func (l *Ledger) decide(ctx context.Context, d importer.Decision, word string, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	subject, ok := d.Subject()
	if !ok {
		return ledger.UnknownSubjectError()
	}
	err := l.commits.do(func(ctx context.Context, w *Writer) error {
		_, err := w.ExecContext(ctx, addDecisionSQL, l.Hashes.Decision(subject), word, by.Who, by.Host, instant(by.When), d.Other)
		if err == nil && d.Other != 0 {
			_, err = w.ExecContext(ctx, "DELETE FROM raised WHERE attempt = ?", d.Other)
		}
		return err
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.decisions.whole = false
	l.decisions.added++
	return err
}
