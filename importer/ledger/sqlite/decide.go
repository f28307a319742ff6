package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	addDecisionSQL = "INSERT INTO decisions (subject, verdict, who, host, decided_at) VALUES (?, ?, ?, ?, ?)"
	decidedSQL     = "SELECT verdict FROM decisions WHERE subject = ? ORDER BY id DESC LIMIT 1"
)

// Decided implements importer.Ledger.
func (l *Ledger) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, bool, error) {
	subject, ok := d.Subject()
	if !ok {
		return importer.NoVerdict, false, nil
	}

	var word string
	err := l.lookUps.decided.QueryRowContext(ctx, l.hashes.Decision(subject)).Scan(&word)
	if errors.Is(err, sql.ErrNoRows) {
		return importer.NoVerdict, false, nil
	}
	verdict, _, known := importer.ParseVerdict(word)
	return verdict, known && err == nil, l.readError(ctx, err)
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
	return l.commits.do(func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, addDecisionSQL, l.hashes.Decision(subject), v.String(), by.Who, by.Host, instant(by.When))
		return err
	})
}
