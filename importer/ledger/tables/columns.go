package tables

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
)

// A Scanner is a row of a result.
type Scanner interface{ Scan(dest ...any) error }

// Query returns the results of scan for each row that a query finds.
func Query[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), text string, args ...any) (all []T, _ error) {
	err := eachRow(ctx, q, func(row Scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, text, args...)
	return all, err
}

// ScanOne reads a row of one column.
func ScanOne[T any](row Scanner) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

// eachRow calls scan for each row that a query finds, until it fails.
func eachRow(ctx context.Context, q Querier, scan func(Scanner) error, text string, args ...any) (err error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for err == nil && rows.Next() {
		err = scan(rows)
	}
	return errors.Join(err, rows.Err())
}

// A column scans a text or bytes and parses them. NULL is parsed as the empty text.
type column[T any] struct {
	to    *T
	parse func(string) (T, error)
}

// Scan implements sql.Scanner.
func (c column[T]) Scan(value any) (err error) {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	}
	*c.to, err = c.parse(text)
	return err
}

func dayColumn(to *importer.Date) column[importer.Date] { return column[importer.Date]{to, parseDay} }

func instantColumn(to *time.Time) column[time.Time] { return column[time.Time]{to, parseInstant} }

func totalsColumn(to *importer.Totals) column[importer.Totals] {
	return column[importer.Totals]{to, unmarshalTotals}
}

// legColumn scans the code of a leg.
func legColumn(to *importer.Leg) column[importer.Leg] {
	return column[importer.Leg]{to, func(code string) (importer.Leg, error) {
		leg, ok := importer.ParseLeg(code)
		if !ok {
			return leg, fmt.Errorf("the ledger has the leg %q, which this program does not know", code)
		}
		return leg, nil
	}}
}

// secretColumn scans a text that is kept encrypted.
func (l *Ledger) secretColumn(to *string) column[string] {
	return column[string]{to, func(text string) (string, error) { return l.Hashes.Decrypt([]byte(text)) }}
}
