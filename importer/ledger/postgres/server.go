package postgres

import (
	"time"

	"tripimport/importer/ledger"
)

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
