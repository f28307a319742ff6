package postgres

import (
	"cmp"
	"context"
	"crypto/x509"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger"
	"tripimport/importer/netfailure"
)

// ConnectOptions control how connections are made. The zero value is for writing.
type ConnectOptions struct {
	// ReadOnly accepts a standby as well, which may lag behind.
	ReadOnly bool
	// Password returns the user's password. It is called before each new connection. Its
	// error becomes the error of the connection, and must not hold the password. If it is
	// nil, the password comes from PGPASSWORD or the password file.
	Password func(context.Context) (string, error)
	// Silence is how long a server may send nothing in the middle of an answer before it is
	// asked whether it is still there, and how long it may take to say so. Patience is how
	// long later connections are tried if the server can't be reached. If they are zero,
	// they are silence and patience.
	Silence, Patience time.Duration
}

// A server that is away is noticed within silence and a question that takes as long. Then
// the process tries to reach it for the time of patience, and then each caller tries once
// more for lastTry. Together they are less than 15 seconds, in which a run has to end.
const (
	silence      = 2500 * time.Millisecond
	patience     = 7 * time.Second
	lastTry      = 1500 * time.Millisecond
	pauseBetween = 250 * time.Millisecond
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

// Connect connects to the database. Later connections are made in the same way, so that
// after a failover they find the server that accepts writes. The error is a
// *ledger.Error, that of o.Password, or ctx's.
func (l Location) Connect(ctx context.Context, o ConnectOptions) (*sql.DB, error) {
	config := l.config.Copy()
	limit := cmp.Or(o.Silence, silence)
	config.ValidateConnect = nil
	if !o.ReadOnly {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		config.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.FormatInt((4 * limit).Milliseconds(), 10)
	}
	connecting := &connector{at: l, silence: limit, patience: cmp.Or(o.Patience, patience)}
	config.DialFunc = notSilent(config.DialFunc, limit, connecting.isAlive)
	connecting.Connector = stdlib.GetConnector(*config, stdlib.OptionBeforeConnect(func(ctx context.Context, c *pgx.ConnConfig) error {
		if o.Password == nil {
			return nil
		}
		password, err := o.Password(ctx)
		if err != nil {
			return noPasswordError{err}
		}
		c.Password = password
		return nil
	}), stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool {
		return true // a connection whose server was restarted is not used
	}))
	db := sql.OpenDB(connecting)
	db.SetMaxIdleConns(idleConnections)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close() // there is no connection
		var server *pgconn.PgError
		if o.Password == nil && config.Password == "" && errors.As(err, &server) && server.Code == wrongPassword {
			return nil, ledger.NewError("ledger-access", "write the password into a file that only you can read and name it in ledger_password_file, or use PGPASSWORD or ~/.pgpass",
				"the server of the ledger at %s wants a password, and none is set", l).Because(err)
		}
		return nil, l.errorOf(ctx, err)
	}
	connecting.opened.Store(true)
	return db, nil
}

// A noPasswordError is an error of ConnectOptions.Password.
type noPasswordError struct{ error }

// errorOf returns the error for a connection or a statement that failed: a *ledger.Error,
// the error of ConnectOptions.Password, or ctx's.
func (l Location) errorOf(ctx context.Context, err error) error {
	var (
		words      *ledger.Error
		noPassword noPasswordError
		connecting *pgconn.ConnectError
		server     *pgconn.PgError
	)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &words):
		return words
	case errors.As(err, &noPassword):
		return noPassword.error
	case errors.As(err, &connecting):
		err = connecting.Unwrap() // without the settings, which include the password
	}

	switch {
	case errors.As(err, &server):
		return l.refusal(server).Because(err)
	case netfailure.IsCertificate(err):
		return ledger.NewError("ledger-certificate", certificateFix(err),
			"%s", netfailure.Reason(err, "the PostgreSQL server "+l.String())).Because(err)
	case strings.Contains(err.Error(), refusedTLS):
		return ledger.NewError("ledger-unencrypted", "ask the server's administrator to turn on TLS",
			"the PostgreSQL server %s takes no encrypted connection, so nothing was sent to it", l).Because(err)
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return l.standbyError().Because(err)
	}
	fix := "check the network and that the server runs, then run the same command again: it goes on where it stopped"
	reason := netfailure.Reason(err, "the server")
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		fix = fmt.Sprintf("check how the host name %s is written in the ledger's URL, and the network, then run the same command again", dns.Name)
	case slices.ContainsFunc(servers(l.config), lacksSocket):
		reason, fix = "the folder has no socket of a server", "check the folder in the ledger's URL and that the server runs, then run the same command again"
	}
	return later(ledger.NewError("ledger-unreachable", fix, "the ledger at %s can't be reached: %s", l, reason)).Because(err)
}

// certificateFix says what to do about a certificate that is not accepted.
func certificateFix(err error) string {
	var (
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &host):
		return "write the server's name in the ledger's URL as its certificate has it; otherwise ask whoever runs the server"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "have whoever runs the server renew it, and see that the date of this computer is right"
	}
	return "ask whoever runs the server; if its certificate is of your own authority, name the authority's file with ?sslrootcert=FILE"
}

// later marks an error whose cause may go away by itself.
func later(e *ledger.Error) *ledger.Error {
	e.Later = true
	return e
}

// refusedTLS is the text of an error for which pgx has no type.
const refusedTLS = "server refused TLS connection"

// The server's error codes that refusal distinguishes, or their first characters.
const (
	noSuchDatabase   = "3D000"
	wrongPassword    = "28P01"
	notAuthorized    = "28000"
	noPrivilege      = "42501"
	readOnlyServer   = "25006"
	tooManySessions  = "53300"
	serverDiskFull   = "53100"
	notYetOrNotAlive = "57P" // the server is starting, stopping, or was told to end the session
	tookTooLong      = "57014"
	noLock           = "55P03"
	idleTooLong      = "25P03"
	noResources      = "53"
	brokenConnection = "08"
	beginAgain       = "40"
)

// refusal returns the error for an error of the server.
func (l Location) refusal(e *pgconn.PgError) *ledger.Error {
	switch e.Code {
	case noSuchDatabase:
		missing := ledger.NewError("ledger-missing", "check the URL; if the offices have no ledger yet, have the server's administrator make the database",
			"there is no database at %s", l)
		missing.Missing = true
		return missing
	case wrongPassword, notAuthorized:
		return ledger.NewError("ledger-access", "check the user in the ledger's URL, and the password in the password file, the password command, PGPASSWORD or ~/.pgpass; otherwise ask the server's administrator",
			"the server of the ledger at %s refuses the user%s or the password", l, l.unnamedUser())
	case noPrivilege:
		return ledger.NewError("ledger-access", "have the user who made the ledger do this; or have that user grant the right", "this user does not have the rights to do this in the ledger at %s", l)
	case readOnlyServer:
		return l.standbyError()
	case tooManySessions:
		return later(ledger.NewError("ledger-busy", "run the same command again later; if it comes again, have the server take more connections",
			"the server of the ledger at %s has too many connections", l))
	case serverDiskFull:
		return later(ledger.NewError("ledger-disk-full", "tell the server's administrator, then run the same command again: it goes on where it stopped",
			"the disk of the server of the ledger at %s is full", l))
	}
	for _, class := range []string{tookTooLong, noLock, idleTooLong, noResources, brokenConnection, beginAgain} {
		if strings.HasPrefix(e.Code, class) {
			return later(ledger.NewError("ledger-busy", "run the same command again later: it goes on where it stopped; if it comes again, tell the server's administrator",
				"the server of the ledger at %s did not get it done (%s)", l, e.Code))
		}
	}
	if strings.HasPrefix(e.Code, notYetOrNotAlive) {
		return later(ledger.NewError("ledger-unreachable", "run the same command again once the server works: it goes on where it stopped",
			"the server of the ledger at %s is starting or stopping", l))
	}
	return ledger.NewError("ledger-failed", "tell the server's administrator; the server's log says more",
		"the server of the ledger at %s reports an error (%s)", l, e.Code)
}

// unnamedUser names the user if the URL does not.
func (l Location) unnamedUser() string {
	if l.user != "" {
		return ""
	}
	return fmt.Sprintf(" (%s, since the URL names none)", l.config.User)
}

func (l Location) standbyError() *ledger.Error {
	return later(ledger.NewError("ledger-standby", "name the servers of the cluster in the ledger's URL, or run the same command again once the primary works",
		"the ledger at %s can only be read now: none of its servers accepts writes", l))
}
