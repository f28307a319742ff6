package tables

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const setFactSQL = "INSERT INTO facts (kind, subject, value, event) VALUES (?, ?, ?, ?) ON CONFLICT (kind, subject) DO UPDATE SET value = excluded.value, event = excluded.event"

const eraseFactSQL = "DELETE FROM facts WHERE kind = ? AND subject = ?"

// SetFact records facts in place of earlier ones with the same kind and subject, and erases
// those without a value. Facts that are recorded together have one event.
func (l *Ledger) SetFact(ctx context.Context, facts ...ledger.Fact) error {
	if err := ctx.Err(); err != nil || len(facts) == 0 {
		return err
	}
	sealed := make([][]byte, len(facts))
	for i, f := range facts {
		if f.Value != "" {
			sealed[i] = l.Hashes.Encrypt(marshal(f))
		}
	}
	return l.Write(func(ctx context.Context, w *Writer) error {
		for _, f := range facts {
			if f.Event == 0 {
				continue
			}
			later, err := QueryOne(ctx, w, ScanOne[bool], "SELECT EXISTS (SELECT 1 FROM facts WHERE kind = ? AND subject = ? AND event > ?)", f.Kind, l.Hashes.Fact(f.Kind, f.Subject), f.Event)
			if err != nil {
				return err
			} else if later {
				return refuse(importer.ErrMeanwhile)
			}
		}
		f := &facts[0]
		number := l.addEvent(ctx, w, event{at: f.At, kind: "fact", what: f.Kind, detail: ledger.EventDetail{Who: f.Who, Host: f.Host}})
		for i, f := range facts {
			if subject := l.Hashes.Fact(f.Kind, f.Subject); sealed[i] == nil {
				w.put(ctx, eraseFactSQL, f.Kind, subject)
			} else {
				w.put(ctx, setFactSQL, f.Kind, subject, sealed[i], number)
			}
		}
		return nil
	})
}

// Facts returns the facts of a kind, in the order of their events.
func (l *Ledger) Facts(ctx context.Context, kind string) ([]ledger.Fact, error) {
	all, err := Query(ctx, l.Readers, func(row Scanner) (f ledger.Fact, err error) {
		err = row.Scan(sealedColumn(l.Hashes, jsonColumn(&f)), &f.Event)
		return f, err
	}, "SELECT value, event FROM facts WHERE kind = ? AND value IS NOT NULL ORDER BY event, subject", kind)
	return all, l.readError(ctx, err)
}
