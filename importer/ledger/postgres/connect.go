package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger"
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
	away              *atomic.Bool // connector.away; nil for one of its own
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
	connecting := &connector{at: l, silence: limit, patience: cmp.Or(o.Patience, patience), away: cmp.Or(o.away, new(atomic.Bool))}
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
