package postgres

import (
	"context"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// checkNewest refuses a ledger that is behind this machine's mark, because the server was
// put back to an earlier state, or a standby took over that lacked the last commits. It
// also refuses a ledger that is being adopted.
func (l *Ledger) checkNewest(ctx context.Context) error {
	marks := l.engine.mark.Seen()
	// A mark is written after its commit, so a number that is read after the marks is not
	// behind those of other processes of this machine.
	conn := l.engine.conn
	number, err := tables.EventsIn(ctx, conn)
	older, olderErr := l.engine.writer.Older(ctx, number, marks)
	backup, backupErr := tables.Meta(ctx, conn, tables.MetaBackup)
	if err := errors.Join(err, olderErr, backupErr); err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.number.Store(number)
	if !older && backup == "" {
		return nil
	}
	return ledger.NewError("ledger-older-copy",
		"have the server's newest state put in its place; if that is lost, take this one into use, as the user who made it, with the results of the runs since, which prove what they booked",
		"the ledger at %s is an older copy: it lacks what was booked since, and those trips would be booked again", l.engine.location).Or("then", importer.AdoptLedger, "FILE")
}

// Adopt takes an older copy into use, as ledger.Store says. Only the user who made the
// ledger may adopt a copy of it.
func (s Store) Adopt(ctx context.Context, location string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly = false
	l, err := s.open(ctx, location, o, true)
	if err != nil {
		return nil, err
	}
	return l.Ledger.Adopt(l, enter, "", o)
}

// beginAdopting marks the ledger so that it is refused until it is adopted.
func (l *Ledger) beginAdopting(ctx context.Context) error {
	number, err := tables.EventsIn(ctx, l.engine.conn)
	if err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.number.Store(number)
	return l.engine.Transact(nil, func(ctx context.Context, w *tables.Writer) error {
		return tables.BeginAdopting(ctx, w, l.engine.mark.Seen())
	})
}
