package postgres

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/netfailure"
)

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
	fix := "check the network and that the server runs, then do the same again: it goes on where it stopped"
	reason := netfailure.Reason(err, "the server")
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		fix = fmt.Sprintf("check how the host name %s is written in the ledger's URL, and the network, then do the same again", dns.Name)
	case slices.ContainsFunc(servers(l.config), lacksSocket):
		reason, fix = "the folder has no socket of a server", "check the folder in the ledger's URL and that the server runs, then do the same again"
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
		return later(ledger.NewError("ledger-busy", "do the same again later; if it comes again, have the server take more connections",
			"the server of the ledger at %s has too many connections", l))
	case serverDiskFull:
		return later(ledger.NewError("ledger-disk-full", "tell the server's administrator, then do the same again: it goes on where it stopped",
			"the disk of the server of the ledger at %s is full", l))
	}
	for _, class := range []string{tookTooLong, noLock, idleTooLong, noResources, brokenConnection, beginAgain} {
		if strings.HasPrefix(e.Code, class) {
			return later(ledger.NewError("ledger-busy", "do the same again later: it goes on where it stopped; if it comes again, tell the server's administrator",
				"the server of the ledger at %s did not get it done (%s)", l, e.Code))
		}
	}
	if strings.HasPrefix(e.Code, notYetOrNotAlive) {
		return later(ledger.NewError("ledger-unreachable", "do the same again once the server works: it goes on where it stopped",
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
	return later(ledger.NewError("ledger-standby", "name the servers of the cluster in the ledger's URL, or do the same again once the primary works",
		"the ledger at %s can only be read now: none of its servers accepts writes", l))
}
