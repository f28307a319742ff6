package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/tables"
)

// The names of the entries about the move of a ledger to a database.
const (
	metaMovedTo = "moved_to" // the location of the database
	metaMoving  = "moving"   // the transaction that makes the ledger there, until it is known to be committed
	metaMovedAt = "moved_at" // when it was known to be committed
)

// closedSchema is added to the schema number of a file whose ledger is moved. Versions of
// the program that do not know of moves then refuse it as a newer ledger, also for
// reading.
const closedSchema = 1_000_000

// A Departure has the location to which a ledger is moved, and the transaction that makes
// the ledger there. The zero Departure means that it is not moved.
type Departure struct{ To, Transaction string }

// A Leaving is a ledger that is being moved to a database. It holds the file's lock, so
// nobody else writes to the file.
type Leaving struct {
	*Ledger

	departure Departure
	steps     int
}

// Leave opens the ledger at a path for a move to a database, in the same way as Open for
// writing. If an earlier move was broken off, Departure returns it, and only Arrive and
// Return may be called.
func (s Store) Leave(ctx context.Context, path string, o ledger.Options) (*Leaving, error) {
	o.ReadOnly = false
	steps, err := s.schema()
	if err != nil {
		return nil, err
	}
	leaving := &Leaving{steps: len(steps)}
	leaving.Ledger, err = open(ctx, path, options{Options: o, hooks: s.hooks, departure: &leaving.departure})
	if err != nil {
		return nil, err
	}
	return leaving, nil
}

// Departure returns the departure of a move that has begun, or the zero Departure.
func (l *Leaving) Departure() Departure { return l.departure }

// Key returns the ledger's hash key.
func (l *Leaving) Key() keyfile.File { return keyfile.File{Identity: l.identity, Key: l.key} }

// LastIDs returns the numbers of the last trip and of the last attempt.
func (l *Leaving) LastIDs() (trip, attempt int64) {
	return l.engine.writer.LastTrip, l.engine.writer.LastAttempt
}

// Columns returns the columns of each table.
func (l *Leaving) Columns(ctx context.Context) (map[string][]string, error) {
	all := map[string][]string{}
	_, err := tables.Query(ctx, l.Readers, func(row tables.Scanner) (column string, err error) {
		var table string
		err = row.Scan(&table, &column)
		all[table] = append(all[table], column)
		return column, err
	}, `SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY m.name, c.cid`)
	if err != nil {
		return nil, openError(l.path, err)
	}
	return all, nil
}

// Depart closes the file durably for all programs, because the ledger may be in the
// database from now on.
func (l *Leaving) Depart(ctx context.Context, d Departure) error {
	err := inTransaction(ctx, l.engine.conn, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?), (?, ?)", metaMovedTo, d.To, metaMoving, d.Transaction)
		if err == nil {
			_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", closedSchema+l.steps))
		}
		return err
	})
	if err != nil {
		return writeError(l.path, err)
	}
	l.departure = d
	return nil
}

// Return undoes Depart. It is called if the ledger is certainly not in the database. Open
// then opens the file as if nobody had tried to move it.
func (l *Leaving) Return(ctx context.Context) error {
	err := inTransaction(ctx, l.engine.conn, func(tx *sql.Tx) error { return reopenFile(ctx, tx, l.steps) })
	if err != nil {
		return writeError(l.path, err)
	}
	l.departure = Departure{}
	return nil
}

// Arrive records that the ledger is in the database. The file stays closed.
func (l *Leaving) Arrive(ctx context.Context, at time.Time) error {
	_, err := l.engine.conn.ExecContext(ctx, "UPDATE meta SET name = ?, value = ? WHERE name = ?", metaMovedAt, at.UTC().Format(time.RFC3339), metaMoving)
	if err != nil {
		return writeError(l.path, err)
	}
	return nil
}

// reopenFile undoes Depart in a file with that schema.
func reopenFile(ctx context.Context, e tables.Execer, schema int) error {
	_, err := e.ExecContext(ctx, "DELETE FROM meta WHERE name IN ('"+metaMovedTo+"', '"+metaMoving+"', '"+metaMovedAt+"')")
	if err == nil {
		_, err = e.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", schema))
	}
	return err
}

// readDeparture reads the departure of a ledger, and when it arrived; both are zero for a
// ledger that is not moved.
func readDeparture(ctx context.Context, q tables.Querier) (d Departure, arrived string, err error) {
	to, err := tables.Meta(ctx, q, metaMovedTo)
	transaction, moving := tables.Meta(ctx, q, metaMoving)
	arrived, moved := tables.Meta(ctx, q, metaMovedAt)
	return Departure{to, transaction}, arrived, errors.Join(err, moving, moved)
}

// refuseMoved refuses a ledger that was moved to a database, and one whose move has not
// been finished, unless it is opened to finish the move. Both can be adopted if the
// database is lost.
func refuseMoved(ctx context.Context, path string, q tables.Querier, o options) error {
	d, arrived, err := readDeparture(ctx, q)
	switch {
	case err != nil || d.To == "" || o.adopt || o.departure != nil && arrived == "":
		return err
	case arrived == "":
		return MovingError(path, d)
	}
	return ledger.NewError("ledger-moved", "name that one with --ledger or in tripimport.yaml: this file lacks what was sent since, and nothing reads or writes it any more",
		"the ledger %s was moved to %s on %s", path, d.To, spokenInstant(arrived))
}

// MovingError refuses the ledger at a path whose move goes on or was broken off.
func MovingError(path string, d Departure) *ledger.Error {
	return ledger.NewError("ledger-moving", fmt.Sprintf("wait until the move has ended; if it was broken off, run `tripimport ledger move \"%s\"` again, which finishes it or begins it again", d.To),
		"the ledger %s is being moved to %s", path, d.To)
}

// OwnMeta returns the names of the entries in the table meta that are about the file and
// not about the ledger.
func OwnMeta() []string {
	return []string{metaCommits, metaMachine, metaMovedTo, metaMoving, metaMovedAt}
}
