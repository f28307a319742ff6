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
	subject, ok := d.Subject()
	if !ok {
		return importer.NoVerdict, false, nil
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.decisions == nil {
		var err error
		if l.decisions, err = readDecisions(ctx, l.lookUps); err != nil {
			return importer.NoVerdict, false, l.readError(ctx, err)
		}
	}
	if len(l.decisions) == 0 { // as in most nights, whose trips are all asked about
		return importer.NoVerdict, false, nil
	}
	v, ok := l.decisions[string(l.Hashes.Decision(subject))]
	if ok || d.Question != importer.AskDoubleBooking || l.earlierUntil == "" {
		return v, ok, nil
	}
	for _, id := range d.Trip.EarlierPlaces() {
		d.Places = &id
		subject, _ = d.Subject()
		if v, ok = l.decisions[string(l.Hashes.Decision(subject))]; ok {
			break
		}
	}
	return v, ok, nil
}

// readDecisions reads the last decision about each subject. Each trip of a night is
// looked for among them, and there are few, so they are kept in memory.
func readDecisions(ctx context.Context, q Querier) (map[string]importer.Verdict, error) {
	decisions := map[string]importer.Verdict{}
	rows, err := q.QueryContext(ctx, "SELECT subject, verdict FROM decisions ORDER BY id")
	err = EachRow(rows, err, func(row Scanner) error {
		var subject, word string
		err := row.Scan(&subject, &word)
		if v, _, _ := importer.ParseVerdict(word); v != importer.NoVerdict {
			decisions[subject] = v
		} else {
			delete(decisions, subject) // it was withdrawn
		}
		return err
	})
	if err != nil {
		return nil, err // some of them may be missing
	}
	return decisions, nil
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
	l.decisions = nil // they are read again
	return err
}
