package move

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
)

// A Mover moves ledgers.
type Mover struct {
	From sqlite.Store
	To   postgres.Store
	// Options are those with which both ledgers are opened for writing.
	Options ledger.Options
	// Progress, if set, is called with the number of rows copied so far.
	Progress func(rows int)

	// at, if set, is called after each step.
	at func(step)
}

// A step is a step of a move, after which the move may be broken off.
type step string

// The steps, in their order.
const (
	stepBegun     step = "begun"
	stepCopied    step = "copied"
	stepDeparted  step = "departed"
	stepCommitted step = "committed"
	stepArrived   step = "arrived"
)

// A Moved describes a ledger that was moved.
type Moved struct {
	// To is the database, for a person, and Key the file with the key on this machine.
	To, Key string
	// Rows has the number of rows of each table. It is nil if only the last step of an
	// earlier move was missing.
	Rows map[string]int
}

// Move moves the ledger of the file at a path to the database of a URL. If an earlier
// move was broken off, it finishes that move, or takes it back and begins again. The
// error is a *ledger.Error, the context's, or that of the store's Password. An error
// together with a Moved says why this machine can't use the ledger in the database. An
// error without a Moved leaves the file as the ledger, unless the next Open of the file
// says otherwise.
func (m Mover) Move(ctx context.Context, path, url string) (*Moved, error) {
	moved, err := m.once(ctx, path, url)
	if moved == nil && err == nil { // an earlier move was taken back
		moved, err = m.once(ctx, path, url)
	}
	if err != nil {
		return nil, err
	}
	// Opening the ledger proves that it works in the database, and writes its mark, which
	// shows that every copy of the file is older.
	l, err := m.To.Open(context.WithoutCancel(ctx), url, m.Options)
	if err != nil {
		return moved, err
	}
	return moved, l.Close()
}

// once moves the ledger, or settles an earlier move that was broken off. It returns nil
// if it took back the earlier move.
func (m Mover) once(ctx context.Context, path, url string) (_ *Moved, err error) {
	source, err := m.From.Leave(ctx, path, m.Options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := m.To.Arrive(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()

	moved := &Moved{To: target.Location(), Key: m.To.KeyPath(source.Key().Identity)}
	if source.Departure() != (sqlite.Departure{}) {
		if there, err := settle(ctx, source, target); err != nil || !there {
			return nil, err
		}
		return moved, nil
	}

	transaction, err := target.Begin(ctx, source.Key())
	if err != nil {
		return nil, err
	}
	m.reach(stepBegun)
	if moved.Rows, err = m.fill(ctx, source, target); err != nil {
		return nil, err
	}
	m.reach(stepCopied)
	return moved, m.handOver(context.WithoutCancel(ctx), source, target, transaction)
}

// fill copies the ledger in the target's transaction. It returns the number of rows of
// each table.
func (m Mover) fill(ctx context.Context, source *sqlite.Leaving, target *postgres.Arriving) (map[string]int, error) {
	v, err := source.Verify(ctx)
	if err != nil {
		return nil, err
	}
	if len(v.Wrong) > 0 {
		return nil, ledger.NewError("ledger-unsound", "import nothing with it: `tripimport ledger verify` lists what is wrong, and `tripimport ledger adopt --help` says how to go on with a backup",
			"the ledger %s is not sound: %s", source.Location(), v.Wrong[0])
	}
	rows, err := copyTables(ctx, source, target, m.Progress)
	if err != nil {
		return nil, err
	}
	origin := postgres.Origin{Commits: source.Number(), By: ledger.Person{Who: m.Options.Who, Host: m.Options.Host, When: time.Now()}}
	origin.LastTrip, origin.LastAttempt = source.LastIDs()
	return rows, target.Continue(ctx, origin)
}

// handOver makes the target the ledger in place of the source.
func (m Mover) handOver(ctx context.Context, source *sqlite.Leaving, target *postgres.Arriving, transaction string) error {
	if err := source.Depart(ctx, sqlite.Departure{To: target.Location(), Transaction: transaction}); err != nil {
		return err
	}
	m.reach(stepDeparted)
	if err := target.Commit(ctx); err != nil {
		if there, settleErr := settle(ctx, source, target); settleErr != nil || !there {
			return cmp.Or(settleErr, err)
		}
		return nil
	}
	m.reach(stepCommitted)
	err := source.Arrive(ctx, time.Now())
	m.reach(stepArrived)
	return err
}

// settle finds out what came of a move that was broken off after the file was closed. It
// reports whether the ledger is in the database. If it is not, settle makes the file
// usable again.
func settle(ctx context.Context, source *sqlite.Leaving, target *postgres.Arriving) (there bool, err error) {
	departure := source.Departure()
	if !target.Is(departure.To) {
		return false, sqlite.MovingError(source.Location(), departure)
	}
	ended, err := target.HasEnded(ctx, departure.Transaction)
	if err != nil {
		return false, err
	}
	if !ended {
		return false, sqlite.MovingError(source.Location(), departure)
	}
	switch identity, err := target.Identity(ctx); {
	case err != nil:
		return false, err
	case identity != source.Key().Identity:
		return false, source.Return(ctx)
	}
	return true, source.Arrive(ctx, time.Now())
}

func (m Mover) reach(s step) {
	if m.at != nil {
		m.at(s)
	}
}
