package tables

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
	if w, ok := q.(*Writer); ok && w.queue != nil {
		return w.queue.Each(ctx, scan, w.boundText(text), args...)
	}
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

// numberList returns numbers as the JSON list that listed(?1) reads.
func numberList[N ~int64](numbers []N) string {
	list := make([]byte, 0, 2+21*len(numbers))
	list = append(list, '[')
	for i, n := range numbers {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, int64(n), 10)
	}
	return string(append(list, ']'))
}

// flag returns the stored form of a truth: a number, which all engines have.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
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

func timeColumn(to *importer.DateTime) column[importer.DateTime] {
	return column[importer.DateTime]{to, parseDateTime}
}

func instantColumn(to *time.Time) column[time.Time] { return column[time.Time]{to, parseInstant} }

func valuesColumn(to *importer.Values) column[importer.Values] {
	return column[importer.Values]{to, func(stored string) (importer.Values, error) { return importer.ParseValues([]byte(stored)) }}
}

// codeColumn scans a code of which parse knows all.
func codeColumn[T any](to *T, parse func(string) (T, bool)) column[T] {
	return column[T]{to, func(code string) (T, error) {
		value, ok := parse(code)
		if !ok {
			return value, fmt.Errorf("the ledger has the code %q, which this program does not know", code)
		}
		return value, nil
	}}
}
