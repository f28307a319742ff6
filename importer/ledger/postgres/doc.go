// Package postgres keeps what several offices share in a PostgreSQL database.
//
// A Location is the database's URL. Whoever carries it elsewhere sees no password in it:
// a password comes from a file, a command, PGPASSWORD or ~/.pgpass. The server's
// certificate is always verified, except on this machine.
package postgres
