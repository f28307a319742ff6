package postgres

import (
	"context"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// A session is a process that writes. It has an entry in meta with the number of its last
// commit, by which it learns what came of a commit whose answer was lost.
type session struct {
	id      string
	commits int64
}

func (s *session) entry() string { return "session " + s.id }

const (
	// numberSQL locks the row that numbers the events, which all transactions that write
	// change.
	numberSQL     = "SELECT value FROM meta WHERE name = '" + tables.MetaEvents + "' FOR UPDATE"
	noteCommitSQL = `INSERT INTO meta (name, value) VALUES ($1, $2::bigint || to_char(clock_timestamp(), ' YYYY-MM-DD'))
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`
	lastCommitSQL = "SELECT COALESCE((SELECT split_part(value, ' ', 1)::bigint FROM meta WHERE name = $1), 0)"
	// oldSessionsSQL removes the entries of processes that did not end properly.
	oldSessionsSQL = `DELETE FROM meta WHERE name LIKE 'session %' AND split_part(value, ' ', 2) < to_char(clock_timestamp() - INTERVAL '7 days', 'YYYY-MM-DD')`
)

// lastCommit returns the number of the session's last commit. If the server has not ended a
// lost transaction of the session yet, that transaction holds the lock on the ledger's
// number. lastCommit takes that lock first, so it waits until the transaction has ended.
func (s *session) lastCommit(ctx context.Context, conn *batchConn) (last int64, err error) {
	conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	conn.Queue(numberSQL)
	conn.ask(&last, lastCommitSQL, s.entry())
	conn.Queue("ROLLBACK") // it only reads
	err = conn.Flush(ctx)
	return last, err
}

// aboutServerSQL selects the server's timeline, which changes when a standby takes over,
// and the server's time. A standby that takes over may lack the last commits.
const aboutServerSQL = "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint, extract(epoch FROM clock_timestamp())::float8"

// waitForDiskSQL makes commits wait for the server's disk, whatever the server's setting
// is. A server that also waits for its standbys keeps doing so.
const waitForDiskSQL = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')"

// maxClockError is the largest difference between a machine's clock and the server's,
// because other machines compare the times that the machine writes with their own.
const maxClockError = 2 * time.Minute

func checkClock(server time.Time) error {
	off := time.Since(server)
	if off.Abs() <= maxClockError {
		return nil
	}
	word := "ahead of"
	if off < 0 {
		word = "behind"
	}
	return ledger.NewError("ledger-clock", "set this computer's clock, or the server's: have them set by the network",
		"the clock of this computer is %s %s that of the ledger's server: times of different machines could not be compared", off.Abs().Round(time.Second), word)
}
