package tables

import (
	"context"
	"encoding/json"

	"tripimport/importer/ledger"
)

const setFactSQL = "INSERT INTO facts (kind, subject, value, event) VALUES (?, ?, ?, ?) ON CONFLICT (kind, subject) DO UPDATE SET value = excluded.value, event = excluded.event"

// A storedFact is what is kept encrypted of a fact.
type storedFact struct {
	Subject string `json:"subject"`
	Value   string `json:"value"`
	Who     string `json:"who"`
	Host    string `json:"host"`
	At      string `json:"at"`
}

// SetFact records a fact in place of an earlier one with the same kind and subject.
func (l *Ledger) SetFact(ctx context.Context, f ledger.Fact) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	sealed := l.Hashes.Encrypt(marshal(storedFact{f.Subject, f.Value, f.Who, f.Host, instant(f.At)}))
	return l.Write(func(ctx context.Context, w *Writer) error {
		w.LastEvent++
		err := w.Later(ctx, setFactSQL, f.Kind, l.Hashes.Fact(f.Kind, f.Subject), sealed, w.LastEvent)
		if err != nil {
			return err
		}
		return l.addEvent(ctx, w, w.LastEvent, event{at: f.At, kind: "fact", what: f.Kind, detail: eventDetail{Who: f.Who, Host: f.Host}})
	})
}

// Facts returns the facts of a kind, in the order of their events.
func (l *Ledger) Facts(ctx context.Context, kind string) ([]ledger.Fact, error) {
	all, err := Query(ctx, l.lookUps, func(row Scanner) (f ledger.Fact, err error) {
		f.Kind = kind
		var sealed []byte
		if err := row.Scan(&sealed, &f.Event); err != nil {
			return f, err
		}
		text, err := l.Hashes.Decrypt(sealed)
		if err != nil {
			return f, err
		}
		var s storedFact
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return f, err
		}
		f.Subject, f.Value, f.Who, f.Host = s.Subject, s.Value, s.Who, s.Host
		f.At, err = parseInstant(s.At)
		return f, err
	}, "SELECT value, event FROM facts WHERE kind = ? AND value IS NOT NULL ORDER BY event", kind)
	return all, l.readError(ctx, err)
}
