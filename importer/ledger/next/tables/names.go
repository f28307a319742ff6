package tables

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"tripimport/importer"
)

// The kinds of facts that are names: texts that many rows and trips share and that are
// stored once. A name is referred to by the number of its fact.
const (
	nameBroker  = ".broker"
	namePair    = ".pair"
	nameMapping = ".mapping"
)

const (
	findNameSQL = "SELECT event FROM facts WHERE kind = ? AND subject = ?"
	namesSQL    = "SELECT event, kind, value FROM facts WHERE kind IN ('" + nameBroker + "', '" + namePair + "', '" + nameMapping + "')"
)

// names remembers names. A name never gets another number, so entries stay valid; only a
// transaction that is rolled back takes its own away.
type names struct {
	mu     sync.Mutex
	number map[name]int64
	name   map[int64]name
}

type name struct{ kind, text string }

func newNames() names { return names{number: map[name]int64{}, name: map[int64]name{}} }

func (n *names) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.number)
	clear(n.name)
}

// nameNumber returns the number of a name, and adds a new one. Two spellings of a broker
// are one name.
func (l *Ledger) nameNumber(ctx context.Context, w *Writer, n name) (int64, error) {
	w.names.mu.Lock()
	defer w.names.mu.Unlock()
	if number, ok := w.names.number[n]; ok {
		return number, nil
	}
	subject := n.text
	if n.kind == nameBroker {
		subject = importer.BrokerText(subject)
	}
	number, err := Query(ctx, w, ScanOne[int64], findNameSQL, n.kind, l.Hashes.Subject(n.kind, subject))
	if err == nil && len(number) == 0 {
		number = []int64{w.Number + 1}
		err = l.addFact(ctx, w, newFact{kind: n.kind, subject: l.Hashes.Subject(n.kind, subject), text: n.text})
	}
	if err != nil {
		return 0, err
	}
	w.names.number[n] = number[0]
	return number[0], nil
}

// nameText returns the text of a name. It reads all names if it is a new one.
func (l *Ledger) nameText(ctx context.Context, q Querier, number int64) (string, error) {
	known := &l.names
	if w, ok := q.(*Writer); ok {
		known = &w.names // what its transaction wrote may be rolled back
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if n, ok := known.name[number]; ok || number == 0 {
		return n.text, nil
	}
	if err := l.readNames(ctx, q, known); err != nil {
		return "", err
	}
	n, ok := known.name[number]
	if !ok {
		return "", fmt.Errorf("the ledger has no name %d", number)
	}
	return n.text, nil
}

// brokers returns the names of all brokers.
func (l *Ledger) brokers(ctx context.Context, q Querier) (all []string, _ error) {
	l.names.mu.Lock()
	defer l.names.mu.Unlock()
	if err := l.readNames(ctx, q, &l.names); err != nil {
		return nil, err
	}
	for _, n := range l.names.name {
		if n.kind == nameBroker {
			all = append(all, n.text)
		}
	}
	return all, nil
}

// brokerNumber returns the number of a broker, or 0 for one that the ledger does not know.
func (l *Ledger) brokerNumber(ctx context.Context, q Querier, broker string) (int64, error) {
	number, err := Query(ctx, q, ScanOne[int64], findNameSQL, nameBroker, l.Hashes.Subject(nameBroker, importer.BrokerText(broker)))
	if err != nil || len(number) == 0 {
		return 0, err
	}
	return number[0], nil
}

func (l *Ledger) readNames(ctx context.Context, q Querier, known *names) error {
	return eachRow(ctx, q, func(row Scanner) error {
		var number int64
		var n name
		var value []byte
		if err := row.Scan(&number, &n.kind, &value); err != nil {
			return err
		}
		text, err := l.Hashes.Open(value)
		if err != nil {
			return err
		}
		_, n.text = splitFact(text)
		known.name[number] = n
		return nil
	}, namesSQL)
}

// pairText returns the text of a pair, and parsePair is its inverse.
func pairText(p importer.Pair) string { return p.Provider + "\x00" + p.FundingSource }

func parsePair(text string) importer.Pair {
	provider, source, _ := strings.Cut(text, "\x00")
	return importer.Pair{Provider: provider, FundingSource: source}
}
