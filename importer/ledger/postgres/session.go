package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// aboutServerSQL selects the server's timeline, which changes when a standby takes over,
// and the server's time. A standby that takes over may lack the last commits.
const aboutServerSQL = "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint, extract(epoch FROM clock_timestamp())::float8"

// waitForDiskSQL makes commits wait for the server's disk, whatever the server's setting
// is. A server that also waits for its standbys keeps doing so.
const waitForDiskSQL = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')"

// maxClockError is the largest difference between a machine's clock and the server's,
// because other machines compare the times that the machine writes with their own.
const maxClockError = 2 * time.Minute

// connected makes the connection that writes, if there is none.
func (e *engine) connected(ctx context.Context) error {
	if e.otherServer {
		return e.takenOver()
	}
	if e.conn != nil {
		return nil
	}

	conn, err := e.writers.Conn(ctx)
	if err != nil {
		return lostError{err}
	}
	if _, err := conn.ExecContext(ctx, waitForDiskSQL); err != nil {
		return lostError{errors.Join(err, conn.Close())}
	}
	var timeline int64
	var now float64
	if err := conn.QueryRowContext(ctx, aboutServerSQL).Scan(&timeline, &now); err != nil {
		return lostError{errors.Join(err, conn.Close())}
	}

	e.conn = &batchConn{Conn: conn}
	e.writer = tables.NewWriter(e.conn, e)
	if e.timeline == 0 {
		e.timeline = timeline
		return checkClock(time.UnixMicro(int64(now * 1e6)))
	}
	if e.timeline != timeline {
		e.otherServer = true
		return e.takenOver()
	}
	return nil
}

// disconnect drops the connection that writes, and everything that was looked up on it,
// because a transaction that was rolled back may have added it.
func (e *engine) disconnect() {
	if e.conn == nil {
		return
	}
	e.changed()
	_ = e.writer.Close() // the connection may be lost
	_ = e.conn.Close()
	e.conn, e.writer = nil, nil
}

// close closes the connections that write.
func (e *engine) close() error {
	if e.writers == nil {
		return nil
	}
	e.disconnect()
	return e.writers.Close()
}

func (e *engine) takenOver() error {
	return &ledger.Error{
		Code: "ledger-taken-over", Later: true,
		Reason: fmt.Sprintf("another server took over for the ledger at %s: it may lack what was recorded last, and nothing more was sent", e.location),
		Fix:    "run the same command again: it is refused if the server lacks anything that this machine recorded, and goes on where it stopped otherwise",
	}
}

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
