package postgres

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// connectTimeout is how long a server may take to answer a new connection, unless the URL
// has another value. The keep-alive values end a connection whose server is gone within
// seconds.
const (
	connectTimeout = 3 * time.Second
	keepAliveAfter = 5 * time.Second
	keepAliveEvery = 2 * time.Second
	keepAliveCount = 3
	// idleConnections is the largest number that any part of the program uses at once.
	idleConnections = 4
)

// The server's settings for a connection whose program is gone. If such a connection is
// in a transaction, it may hold up others, so it has to end within seconds.
const (
	serverProbes  = "5"   // seconds of silence before the server probes the connection
	serverGivesUp = "10s" // how long sent data may stay unacknowledged
)

// setDefaults sets the settings of every connection. It leaves the time-out of statements
// to the database.
func setDefaults(config *pgx.ConnConfig) {
	config.RuntimeParams["application_name"] = "tripimport"
	config.RuntimeParams["timezone"] = "UTC"
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
	config.RuntimeParams["tcp_keepalives_idle"] = serverProbes
	config.RuntimeParams["tcp_keepalives_interval"] = serverProbes
	config.RuntimeParams["tcp_keepalives_count"] = "2"
	config.RuntimeParams["tcp_user_timeout"] = serverGivesUp
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = connectTimeout
	}
	dialer := &net.Dialer{
		Timeout: config.ConnectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: keepAliveAfter, Interval: keepAliveEvery, Count: keepAliveCount,
		},
	}
	config.DialFunc = dialer.DialContext
}
