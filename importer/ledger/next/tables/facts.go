package tables

import (
	"context"
	"encoding/binary"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next"
)

const (
	addFactSQL = `INSERT INTO facts (kind, subject, value, who, host, at, event) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (kind, subject) DO UPDATE SET value = excluded.value, who = excluded.who, host = excluded.host,
		at = excluded.at, event = excluded.event`
	factsSQL = "SELECT kind, value, who, host, at, event FROM facts WHERE kind = ? ORDER BY event"
	// meantSQL finds the subjects about which a person said that they are meant.
	meantSQL = "SELECT f.subject FROM facts f WHERE f.kind = '" + factMeant + "' AND f.subject IN (listed(?1))"
)

// factMeant is the kind of the facts that a rider has several trips a day between two
// places.
const factMeant = ".meant"

// A newFact is a fact that is about to be written.
type newFact struct {
	kind    string
	subject int64
	// about is the subject's text; it is empty if only the hash is needed.
	about, text string
	by          ledger.Person
}

// addFact adds a fact with an event of its own.
func (l *Ledger) addFact(ctx context.Context, w *Writer, f newFact) error {
	number, err := w.addEvent(ctx, event{at: f.by.When, kind: eventFact, what: f.kind})
	if err != nil {
		return err
	}
	return w.Later(ctx, addFactSQL, f.kind, f.subject, l.Hashes.Seal(joinFact(f.about, f.text)), f.by.Who, f.by.Host, instant(f.by.When), number)
}

// SetFact implements next.Ledger.
func (l *Ledger) SetFact(_ context.Context, f next.Fact) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		return l.addFact(ctx, w, newFact{
			kind: f.Kind, subject: l.Hashes.Subject(f.Kind, f.Subject), about: f.Subject, text: f.Value,
			by: ledger.Person{Who: f.Who, Host: f.Host, When: f.At},
		})
	})
}

// Facts implements next.Ledger.
func (l *Ledger) Facts(ctx context.Context, kind string) (all []next.Fact, err error) {
	err = l.read(ctx, func(q Querier) error {
		all, err = Query(ctx, q, l.scanFact, factsSQL, kind)
		return err
	})
	return all, err
}

func (l *Ledger) scanFact(row Scanner) (f next.Fact, err error) {
	var value []byte
	if err = row.Scan(&f.Kind, &value, &f.Who, &f.Host, instantColumn(&f.At), &f.Event); err != nil {
		return f, err
	}
	text, err := l.Hashes.Open(value)
	f.Subject, f.Value = splitFact(text)
	return f, err
}

// recordMeant records the fact that a subject of keyed.Hashes.Meant is meant.
func (l *Ledger) recordMeant(ctx context.Context, w *Writer, subject int64, by ledger.Person) error {
	if subject == 0 {
		return nil
	}
	return l.addFact(ctx, w, newFact{kind: factMeant, subject: subject, text: strconv.FormatBool(true), by: by})
}

// joinFact returns what is sealed of a fact, and splitFact is its inverse.
func joinFact(subject, value string) string {
	return string(binary.AppendUvarint(nil, uint64(len(subject)))) + subject + value
}

func splitFact(text string) (subject, value string) {
	n, width := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
	if width <= 0 || n > uint64(len(text)-width) {
		return "", ""
	}
	return text[width : width+int(n)], text[width+int(n):]
}

// personOf returns the person of an answer.
func personOf(who, host string, at time.Time) ledger.Person {
	return ledger.Person{Who: who, Host: host, When: at}
}
