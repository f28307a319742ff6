package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// dsn returns the name by which SQLite opens the file at an absolute path, which may have
// any characters. mode is one of SQLite's: rw or ro.
func dsn(path, mode string, pragmas ...string) string {
	query := url.Values{
		"mode":       {mode},
		"_txlock":    {"immediate"},
		"_dqs":       {"0"},
		"_defensive": {"1"},
		"_pragma":    append([]string{"busy_timeout(10000)"}, pragmas...),
	}

	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/Users becomes file:///C:/Users
	}

	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	return u.String()
}

// A writing is the only connection that writes, with the database that it alone is open in.
type writing struct {
	*sql.Conn

	db *sql.DB
}

// Close closes the connection and the database.
func (w writing) Close() error { return errors.Join(w.Conn.Close(), w.db.Close()) }

// openWriter opens the only connection that writes. Its commits are durable when they
// return: synchronous is FULL in WAL mode, and on macOS the drive's own cache is flushed.
// Deleted content is overwritten in the file. The commits of a rehearsal do not wait for the
// disk: they survive the end of the process, but a power cut may damage the file.
func openWriter(ctx context.Context, path string, rehearsal bool) (*tables.Statements, error) {
	db, err := sql.Open("sqlite", dsn(path, "rw",
		"journal_mode(WAL)", "synchronous(FULL)", "fullfsync(1)", "checkpoint_fullfsync(1)", "secure_delete(1)"))
	if err != nil {
		return nil, err
	}

	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}

	w := tables.NewStatements(writing{conn, db}, bind)
	err = checkDurable(ctx, w)
	if err == nil && rehearsal {
		err = w.Exec(ctx, "PRAGMA synchronous = OFF")
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// checkDurable returns an error if the file's disk can't have the journal that openWriter asks for: SQLite
// then keeps another one.
func checkDurable(ctx context.Context, q tables.Querier) error {
	mode, err := tables.QueryOne(ctx, q, tables.ScanOne[string], "PRAGMA journal_mode")
	if err == nil && mode != "wal" {
		err = ledger.NewError("ledger-not-durable", "keep the ledger on a disk of this computer", "this disk can't keep the ledger safe (its journal is %s)", mode)
	}
	return err
}

// openReaders opens connections that can only read. A few are enough for any number of
// workers, because a look-up takes microseconds.
func openReaders(path string) (*tables.Statements, error) {
	db, err := sql.Open("sqlite", dsn(path, "ro", "query_only(1)"))
	if err != nil {
		return nil, err
	}
	const connections = 4
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return tables.NewStatements(db, bind), nil
}
