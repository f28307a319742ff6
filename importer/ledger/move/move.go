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
	// Progress is told how many rows were copied so far, with each of them; nil for nothing.
	Progress func(rows int)

	// at is called when a step is done; nil for nothing.
	at func(step)
}

// A step is where a move may be broken off.
type step string

// The steps, in their order.
const (
	stepBegun     step = "begun"
	stepCopied    step = "copied"
	stepDeparted  step = "departed"
	stepCommitted step = "committed"
	stepArrived   step = "arrived"
)

// A Moved is what was moved.
type Moved struct {
	// To is the database, for a person, and Key the file with the key on this machine.
	To, Key string
	// Rows counts the rows of each table; nil if an earlier move was finished, of which
	// only the last step was missing.
	Rows map[string]int
}

// Move moves the ledger of the file at a path to the database of a URL. If an earlier move
// was broken off, it finishes that, or takes it back and begins again. The error is a
// *ledger.Error, ctx's, or that of the store's Password. Beside a Moved it says what keeps
// this machine from using the ledger in the database. Without one the file stays the ledger,
// unless the next Open of it says otherwise.
func (m Mover) Move(ctx context.Context, path, url string) (*Moved, error) {
	moved, err := m.once(ctx, path, url)
	if moved == nil && err == nil { // what was broken off is taken back
		moved, err = m.once(ctx, path, url)
	}
	if err != nil {
		return nil, err
	}
	// It proves that the ledger is in order there, and leaves a mark: every copy of the
	// file is older.
	l, err := m.To.Open(context.WithoutCancel(ctx), url, m.Options)
	if err != nil {
		return moved, err
	}
	return moved, l.Close()
}

// once moves the ledger, or finds out what came of a move that was broken off. It returns
// nil if that was taken back.
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

// fill copies the ledger in the target's transaction. It returns how many rows each table
// has.
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

// handOver makes the target the ledger instead of the source.
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
// reports whether the ledger is in the database, and opens the file if it is not.
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
