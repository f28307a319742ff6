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
		return later(ledger.NewError("ledger-standby", nameServers, onStandby, l)).Because(err)
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

const (
	goesOn    = "do the same again later: it goes on where it stopped; if it comes again, tell the server's administrator"
	notDone   = "the server of the ledger at %[1]s did not get it done (%[2]s)"
	noUser    = "the server of the ledger at %[1]s refuses the user %[3]s or the password, or none is set"
	checkUser = "check the user in the ledger's URL, and the password in PGPASSWORD, ~/.pgpass or the file that the URL names with ?passfile=FILE, which only you may read; otherwise ask the server's administrator"
)

// A refusal says what an error of the server is to the program. Its reason is formatted with the
// location, the server's code and the user.
type refusal struct {
	class       string // how the server's code begins
	code        string
	later       bool
	reason, fix string
}

// refusals returns what the server's errors are; of several that fit a code, the first counts.
func refusals() []refusal {
	return []refusal{
		{"3D000", "ledger-missing", false, "there is no database at %[1]s", "check the URL; if the offices have no ledger yet, have the server's administrator make the database"},
		{"28", "ledger-access", false, noUser, checkUser},
		{"42501", "ledger-access", false, "this user does not have the rights to do this in the ledger at %[1]s", "have the user who made the ledger do this, or grant the right; to make a ledger, the user has to own the database, as its administrator can have it"},
		{"25006", "ledger-standby", true, onStandby, nameServers},
		{"53100", "ledger-disk-full", true, "the disk of the server of the ledger at %[1]s is full", "tell the server's administrator, then do the same again: it goes on where it stopped"},
		{"57014", "ledger-busy", true, notDone, goesOn}, // it took too long
		{"55P03", "ledger-busy", true, notDone, goesOn}, // no lock
		{"25P03", "ledger-busy", true, notDone, goesOn}, // it was idle for too long
		{"53", "ledger-busy", true, notDone, goesOn},    // no resources
		{"08", "ledger-busy", true, notDone, goesOn},    // the connection is broken
		{"40", "ledger-busy", true, notDone, goesOn},    // it asks to begin again
		{"57P", "ledger-unreachable", true, "the server of the ledger at %[1]s is starting or stopping", "do the same again once the server works: it goes on where it stopped"},
		{"", "ledger-failed", false, "the server of the ledger at %[1]s reports an error (%[2]s)", "tell the server's administrator; the server's log says more"},
	}
}

// refusal returns the error for an error of the server.
func (l Location) refusal(e *pgconn.PgError) *ledger.Error {
	all := refusals()
	r := all[slices.IndexFunc(all, func(r refusal) bool { return strings.HasPrefix(e.Code, r.class) })]
	refused := ledger.NewError(r.code, r.fix, r.reason, l, e.Code, l.config.User)
	refused.Later, refused.Missing = r.later, r.code == "ledger-missing"
	return refused
}

const (
	onStandby   = "the ledger at %[1]s can only be read now: none of its servers accepts writes"
	nameServers = "name the servers of the cluster in the ledger's URL, or do the same again once the primary works"
)
