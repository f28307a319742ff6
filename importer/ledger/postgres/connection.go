package postgres

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// connectTimeout is how long a server may take to answer a new connection, unless the URL
	// has another value.
	connectTimeout = 3 * time.Second
	// connections is enough for any number of workers, because a look-up takes hardly
	// longer than the round trip to the server.
	connections = 4
)

// setDefaults sets the settings of every connection. It leaves the time-out of statements
// to the database.
func setDefaults(config *pgx.ConnConfig) {
	config.RuntimeParams["application_name"] = "tripimport"
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["synchronous_commit"] = "on" // commits wait for the disk, whatever the server's setting is
	config.RuntimeParams["search_path"] = "tripimport"
	// A few statements are executed again and again, and their plans do not depend on the
	// values. Planning them each time took most of the time of a trip.
	config.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	// Nearly all of them find a few rows by a key. The server would plan them for tables that
	// are empty, or whose growth it has not noticed, by reading these whole.
	// Where that can't be avoided, it costs so much by its reckoning that it would compile
	// the statement first.
	for _, setting := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"} {
		config.RuntimeParams[setting] = "off"
	}
	config.RuntimeParams["join_collapse_limit"] = "1" // tables are joined in the order of the statement
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = connectTimeout
	}
}

// A server that is away is noticed within silence. A transaction waits longer, because others may be
// writing; they end within idleInTransaction if their machine is gone.
const (
	silence           = 4 * time.Second
	writerSilence     = 10 * time.Second
	idleInTransaction = "8s"
)

// A talkingConn closes itself when a read or a write takes too long.
type talkingConn struct {
	net.Conn

	longest time.Duration
}

// Read implements net.Conn.
func (c *talkingConn) Read(b []byte) (int, error) {
	defer c.watch().Stop()
	return c.Conn.Read(b)
}

// Write implements net.Conn.
func (c *talkingConn) Write(b []byte) (int, error) {
	defer c.watch().Stop()
	return c.Conn.Write(b)
}

// watch closes the connection once that lasts too long, unless it is stopped before.
func (c *talkingConn) watch() *time.Timer {
	return time.AfterFunc(c.longest, func() { _ = c.Close() }) // the reader or the writer has the error
}
