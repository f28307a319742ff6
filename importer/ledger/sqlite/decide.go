package sqlite

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const addDecisionSQL = "INSERT INTO decisions (subject, verdict, who, host, decided_at) VALUES (?, ?, ?, ?, ?)"

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
		if l.decisions, err = readDecisions(ctx, l.readers); err != nil {
			return importer.NoVerdict, false, l.readError(ctx, err)
		}
	}
	if len(l.decisions) == 0 { // as in most nights, whose trips are all asked about
		return importer.NoVerdict, false, nil
	}
	v, ok := l.decisions[string(l.hashes.Decision(subject))]
	return v, ok, nil
}

// readDecisions reads the last decision about each subject. Each trip of a night is
// looked for among them, and there are few, so they are kept in memory.
func readDecisions(ctx context.Context, q querier) (map[string]importer.Verdict, error) {
	rows, err := q.QueryContext(ctx, "SELECT subject, verdict FROM decisions ORDER BY id")
	if err != nil {
		return nil, err
	}

	defer func() { _ = rows.Close() }() // rows.Err has what matters
	decisions := map[string]importer.Verdict{}
	for rows.Next() {
		var subject, word string
		if err := rows.Scan(&subject, &word); err != nil {
			return nil, err
		}
		decisions[subject], _, _ = importer.ParseVerdict(word)
	}
	return decisions, rows.Err()
}

// Decide implements ledger.Ledger.
func (l *Ledger) Decide(ctx context.Context, d importer.Decision, v importer.Verdict, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.commits == nil {
		return ledger.ReadOnlyError()
	}
	subject, ok := d.Subject()
	if !ok {
		return ledger.UnknownSubjectError()
	}
	err := l.commits.do(func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, addDecisionSQL, l.hashes.Decision(subject), v.String(), by.Who, by.Host, instant(by.When))
		return err
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.decisions = nil // they are read again
	return err
}
