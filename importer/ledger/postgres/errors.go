package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/netfailure"
)

// errorOf returns the error for a connection or a statement that failed: a *ledger.Error
// or ctx's; nil for none.
func (l Location) errorOf(ctx context.Context, err error) error {
	var (
		words      *ledger.Error
		connecting *pgconn.ConnectError
		server     *pgconn.PgError
	)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &words):
		return words
	case errors.As(err, &connecting):
		err = connecting.Unwrap() // without the settings, which include the password
	}

	switch {
	case errors.As(err, &server):
		return l.refusal(server).Because(err)
	case netfailure.IsCertificate(err):
		return ledger.NewError("ledger-certificate", "ask whoever runs the server, and see that the date of this computer is right; the ledger's URL has to name the server as its certificate does, and with ?sslrootcert=FILE the authority, if that is your own",
			"%s", netfailure.Reason(err, "the PostgreSQL server "+l.String())).Because(err)
	case strings.Contains(err.Error(), refusedTLS):
		return ledger.NewError("ledger-unencrypted", "ask the server's administrator to turn on TLS",
			"the PostgreSQL server %s takes no encrypted connection, so nothing was sent to it", l).Because(err)
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return l.standbyError().Because(err)
	}
	return later(ledger.NewError("ledger-unreachable", "check the ledger's URL, the network and that the server runs, then do the same again: it goes on where it stopped",
		"the ledger at %s can't be reached: %s", l, netfailure.Reason(err, "the server"))).Because(err)
}

// later marks an error whose cause may go away by itself.
func later(e *ledger.Error) *ledger.Error {
	e.Later = true
	return e
}

// refusedTLS is the text of an error for which pgx has no type.
const refusedTLS = "server refused TLS connection"

const checkUser = "check the user in the ledger's URL, and the password in PGPASSWORD, ~/.pgpass or the file that the URL names with ?passfile=FILE, which only you may read; otherwise have the user who made the ledger, or the server's administrator, give the right"

func (l Location) standbyError() *ledger.Error {
	return later(ledger.NewError("ledger-standby", "name the servers of the cluster in the ledger's URL, or do the same again once the primary works",
		"the ledger at %s can only be read now: none of its servers accepts writes", l))
}

// refusal returns the error for an error of the server.
func (l Location) refusal(e *pgconn.PgError) *ledger.Error {
	is := func(class string) bool { return strings.HasPrefix(e.Code, class) }
	switch {
	case is("3D000"):
		missing := ledger.NewError("ledger-missing", "check the URL; if the offices have no ledger yet, have the server's administrator make the database", "there is no database at %s", l)
		missing.Missing = true
		return missing
	case is("28"), is("42501"):
		return ledger.NewError("ledger-access", checkUser, "the server of the ledger at %s refuses the user %s, the password, or the right to do this, or no password is set", l, l.config.User)
	case is("25006"):
		return l.standbyError()
	}
	failed := ledger.NewError("ledger-failed", "do the same again later: it goes on where it stopped; if it comes again, tell the server's administrator", "the server of the ledger at %s did not get it done (%s)", l, e.Code)
	// The connection is broken, the server stops, has no room or no lock, or asks to begin again.
	failed.Later = slices.ContainsFunc([]string{"08", "25P03", "40", "53", "55", "57"}, is)
	return failed
}
