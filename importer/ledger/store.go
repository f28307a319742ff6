package ledger

import (
	"context"
	"time"
)

// A Store keeps ledgers of one kind, each at a location: a path, or the address of a database. A
// store holds no state and is safe for concurrent use.
type Store interface {
	// Open opens the ledger at a location. It never makes one, because an empty ledger would
	// book the night twice; it returns an *Error with Missing set if there is none. It
	// waits for another run as long as the options say, and returns ctx.Err() when ctx ends.
	// A ledger of another schema, one that is behind its mark, a backup, and a ledger that is
	// in use on another machine can be opened only for reading, or not at all.
	Open(ctx context.Context, location string, o Options) (Ledger, error)
	// Create makes a new ledger at a location and opens it. It never changes anything that
	// exists there.
	Create(ctx context.Context, location string, o Options) (Ledger, error)
	// Adopt opens a backup, another older copy, or the ledger of another machine as the
	// ledger in use from now on. It is for a person who knows that trips booked since the
	// copy was made are not in it. Adopt first calls enter, which may be nil, to enter the
	// trips that can be proved to be booked. It returns the greatest Number that is known of
	// the lost ledger; this ledger continues after that. If enter fails, the ledger is refused
	// as before.
	Adopt(ctx context.Context, location string, o Options, enter func(Ledger) (int64, error)) (Ledger, error)
	// Backup copies the ledger at a location, as it is at one instant, to a new file at dest,
	// with everything that belongs to it. A run may go on meanwhile. Backup never overwrites a
	// file, and leaves none behind if it fails. Open refuses the copy, except for reading,
	// until it is adopted. A store whose ledgers are backed up by other means returns an
	// *Error that says how.
	Backup(ctx context.Context, location, dest string) error
}

// Options control how a ledger is opened.
type Options struct {
	// ReadOnly opens the ledger only for reading, beside a run that may be writing.
	ReadOnly bool
	// Sound proves first that no part of the ledger is damaged, which takes longer the larger it is. A
	// run that sends needs it. Otherwise only what is read is known to be sound.
	Sound bool
	// Rehearsal is for a ledger that records only rehearsals. With it, Create makes a
	// ledger whose commits a power cut may lose, and which Open refuses without
	// Rehearsal; and Open refuses every other ledger.
	Rehearsal bool
	// LockWait is how long to wait for another run to end, if the store allows only one
	// run at a time.
	LockWait time.Duration
	// Waiting is told who holds the ledger, once that is waited for; nil tells nobody.
	Waiting func(text string)
	// Who, Host and Command tell others who is using the ledger.
	Who, Host, Command string
	// Machine is the id of this machine, to which the ledger is bound. It is empty for a
	// ledger that records nothing real.
	Machine string
	// Marks are folders of this machine, outside the ledger's own folder, that keep the
	// ledger's Number as well.
	Marks []string
}
