package move

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/ledger/tables"
)

// copyTables copies all rows in the target's transaction, and proves that the copies are
// the same. It returns the number of rows of each table.
func copyTables(ctx context.Context, source *sqlite.Leaving, target *postgres.Arriving, progress func(int)) (map[string]int, error) {
	columns, err := source.Columns(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := source.Readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), source.Engine.ReadError(err))
	}
	defer func() { _ = tx.Rollback() }() // it only reads

	inFile := func(err error) error { return cmp.Or(ctx.Err(), source.Engine.ReadError(err)) }
	inDatabase := func(err error) error { return target.Error(ctx, err) }
	counts, read := map[string]int{}, 0
	count := func() {
		if read++; progress != nil {
			progress(read / 2) // each row is read twice
		}
	}
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		query := selectRows(table, columns[table])
		sent, err := open(ctx, tx, query, inFile)
		sent.count = count
		if err == nil {
			err = target.CopyRows(ctx, table, columns[table], sent)
		}
		if err := sent.close(err); err != nil {
			return nil, err
		}

		kept, err := open(ctx, target, query, inDatabase)
		kept.count = count
		for err == nil && kept.Next() {
			_, err = kept.Values()
		}
		if err := kept.close(err); err != nil {
			return nil, err
		}
		if sent.total != kept.total {
			return nil, ledger.NewError("ledger-copy-differs", "report this, with the program's version and the server's; the ledger stays where it was",
				"the copy of the ledger's table %s is not what the file has: %d rows of %d", table, kept.total.rows, sent.total.rows)
		}
		counts[table] = sent.total.rows
	}
	return counts, nil
}

// selectRows returns the query for the rows of a table, for both SQLite and PostgreSQL.
// It leaves out the metadata that only one of them has, which is not part of the ledger.
func selectRows(table string, columns []string) string {
	query := `SELECT "` + strings.Join(columns, `", "`) + `" FROM "` + table + `"`
	if table == "meta" {
		query += " WHERE name NOT IN ('" + strings.Join(append(sqlite.OwnMeta(), postgres.OwnMeta()...), "', '") + "')"
	}
	return query
}

// A reading reads rows and computes their total. It is a pgx.CopyFromSource.
type reading struct {
	*sql.Rows

	total  total
	values []any
	into   []any
	words  func(error) error // makes the error for a person
	count  func()            // counts a row
}

// open begins a reading. words makes the error for a person from an error of the
// database.
func open(ctx context.Context, q tables.Querier, query string, words func(error) error) (*reading, error) {
	r := &reading{words: words}
	var err error
	if r.Rows, err = q.QueryContext(ctx, query); err != nil { //nolint:rowserrcheck // close does
		return r, words(err)
	}
	columns, err := r.Columns()
	r.values, r.into = make([]any, len(columns)), make([]any, len(columns))
	for i := range r.values {
		r.into[i] = &r.values[i]
	}
	return r, err
}

// Values implements pgx.CopyFromSource.
func (r *reading) Values() ([]any, error) {
	if err := r.Scan(r.into...); err != nil {
		return nil, r.words(err)
	}
	r.count()
	return r.values, r.total.add(r.values)
}

// Err implements pgx.CopyFromSource.
func (r *reading) Err() error {
	if err := r.Rows.Err(); err != nil {
		return r.words(err)
	}
	return nil
}

// close ends the reading. It returns err or, if that is nil, the error of the reading.
func (r *reading) close(err error) error {
	if r.Rows == nil {
		return err
	}
	if err == nil {
		err = r.Err()
	}
	if closed := r.Close(); err == nil && closed != nil {
		err = r.words(closed)
	}
	return err
}
