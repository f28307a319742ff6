package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// A bareLedger is what the ledger's speed is compared with: SQLite with the same
// durability and the same grouping of commits, and nothing else. It writes one
// small row for a claim and changes it for a settlement. It is safe for
// concurrent use.
type bareLedger struct {
	db             *sql.DB
	conn           *sql.Conn
	begin, commit  *sql.Stmt
	insert, update *sql.Stmt
	turn           chan struct{}
	mu             sync.Mutex
	waiting        []*bareWrite
	commits        int
}

type bareWrite struct {
	write func(context.Context) error
	done  chan struct{}
	err   error
}

// newBareLedger makes a new database, bare.db, in the folder.
func newBareLedger(folder string) (*bareLedger, error) {
	ctx := context.Background()
	query := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "fullfsync(1)"}}
	address := url.URL{Scheme: "file", Path: "/" + strings.TrimLeft(filepath.ToSlash(filepath.Join(folder, "bare.db")), "/"), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}

	b := &bareLedger{db: db, turn: make(chan struct{}, 1)}
	if b.conn, err = db.Conn(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}

	_, err = b.conn.ExecContext(ctx, "CREATE TABLE bare (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, state TEXT NOT NULL, answer TEXT)")
	if err == nil {
		err = b.prepare(ctx)
	}

	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *bareLedger) prepare(ctx context.Context) error {
	for stmt, query := range map[**sql.Stmt]string{
		&b.begin:  "BEGIN IMMEDIATE",
		&b.commit: "COMMIT",
		&b.insert: "INSERT INTO bare (id, name, state) VALUES (?, ?, 'sending')",
		&b.update: "UPDATE bare SET state = 'created', answer = ? WHERE id = ?",
	} {
		prepared, err := b.conn.PrepareContext(ctx, query) //nolint:sqlclosecheck // close closes them
		if err != nil {
			return err
		}
		*stmt = prepared
	}
	return nil
}

// claim writes a row and returns when it is durable.
func (b *bareLedger) claim(id int64) error {
	return b.do(func(ctx context.Context) error {
		_, err := b.insert.ExecContext(ctx, id, fmt.Sprint("trip-", id))
		return err
	})
}

// settle changes the row and returns when that is durable.
func (b *bareLedger) settle(id int64, answer string) error {
	return b.do(func(ctx context.Context) error {
		_, err := b.update.ExecContext(ctx, answer, id)
		return err
	})
}

// do commits the writes of all that wait together.
func (b *bareLedger) do(write func(context.Context) error) error {
	w := &bareWrite{write: write, done: make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, w)
	b.mu.Unlock()
	for {
		select {
		case <-w.done:
			return w.err
		case b.turn <- struct{}{}:
			b.commitGroup()
			<-b.turn
		}
	}
}

func (b *bareLedger) commitGroup() {
	b.mu.Lock()
	group := b.waiting
	b.waiting = nil
	b.mu.Unlock()
	if len(group) == 0 {
		return
	}

	err := b.writeGroup(group)
	b.commits++
	for _, w := range group {
		w.err = err
		close(w.done)
	}
}

func (b *bareLedger) writeGroup(group []*bareWrite) error {
	ctx := context.Background()
	if _, err := b.begin.ExecContext(ctx); err != nil {
		return err
	}

	for _, w := range group {
		if err := w.write(ctx); err != nil {
			_, rollback := b.conn.ExecContext(ctx, "ROLLBACK")
			return errors.Join(err, rollback)
		}
	}

	_, err := b.commit.ExecContext(ctx)
	return err
}

// close closes the database.
func (b *bareLedger) close() error {
	var errs []error
	for _, stmt := range []*sql.Stmt{b.begin, b.commit, b.insert, b.update} {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(append(errs, b.conn.Close(), b.db.Close())...)
}
