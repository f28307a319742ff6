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
		return ledger.NewError("ledger-certificate", certificateFix(err),
			"%s", netfailure.Reason(err, "the PostgreSQL server "+l.String())).Because(err)
	case strings.Contains(err.Error(), refusedTLS):
		return ledger.NewError("ledger-unencrypted", "ask the server's administrator to turn on TLS",
			"the PostgreSQL server %s takes no encrypted connection, so nothing was sent to it", l).Because(err)
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return later(ledger.NewError("ledger-standby", nameServers, onStandby, l)).Because(err)
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

// The server's error codes that others distinguish too.
const (
	wrongPassword = "28P01"
	noPrivilege   = "42501"
)

const (
	goesOn    = "do the same again later: it goes on where it stopped; if it comes again, tell the server's administrator"
	notDone   = "the server of the ledger at %[1]s did not get it done (%[2]s)"
	noUser    = "the server of the ledger at %[1]s refuses the user%[3]s or the password"
	checkUser = "check the user in the ledger's URL, and the password in PGPASSWORD, ~/.pgpass or the file that the URL names with ?passfile=FILE; otherwise ask the server's administrator"
)

// A refusal says what an error of the server is to the program. Its reason is formatted with the
// location, the server's code and the user if the URL does not name it.
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
		{wrongPassword, "ledger-access", false, noUser, checkUser},
		{"28000", "ledger-access", false, noUser, checkUser},
		{noPrivilege, "ledger-access", false, "this user does not have the rights to do this in the ledger at %[1]s", "have the user who made the ledger do this; or have that user grant the right"},
		{"25006", "ledger-standby", true, onStandby, nameServers},
		{"53300", "ledger-busy", true, "the server of the ledger at %[1]s has too many connections", "do the same again later; if it comes again, have the server take more connections"},
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
	refused := ledger.NewError(r.code, r.fix, r.reason, l, e.Code, l.unnamedUser())
	refused.Later, refused.Missing = r.later, r.code == "ledger-missing"
	return refused
}

// unnamedUser names the user if the URL does not.
func (l Location) unnamedUser() string {
	if l.user != "" {
		return ""
	}
	return fmt.Sprintf(" (%s, since the URL names none)", l.config.User)
}

const (
	onStandby   = "the ledger at %[1]s can only be read now: none of its servers accepts writes"
	nameServers = "name the servers of the cluster in the ledger's URL, or do the same again once the primary works"
)
