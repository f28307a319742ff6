package postgres

import (
	"database/sql"
	"regexp"
	"strconv"
	"strings"

	"tripimport/importer/ledger/tables"
)

var (
	inList    = regexp.MustCompile(`IN \((listed|numbers)\((\?\d*)\)\)`)
	live      = regexp.MustCompile(`live\(([a-z.]+)\)`)
	parameter = regexp.MustCompile(`\?\d*`)
)

// bind translates a statement of package tables into PostgreSQL's form, with numbered
// parameters. A list becomes an array, since the server finds the rows of an array by an
// index however small it believes the table to be.
func bind(statement string) string {
	statement = inList.ReplaceAllStringFunc(statement, func(list string) string {
		parts := inList.FindStringSubmatch(list)
		kind := "text"
		if parts[1] == "numbers" {
			kind = "bigint"
		}
		return "= ANY (ARRAY(SELECT value::" + kind + " FROM json_array_elements_text(" + parts[2] + "::json)))"
	})
	statement = live.ReplaceAllString(statement, "EXISTS (SELECT 1 FROM runs live WHERE live.num = $1 AND live.ended = '' AND live.broken = 0 AND live.leased_until > clock_timestamp())")
	n := 0
	return parameter.ReplaceAllStringFunc(statement, func(given string) string {
		if given != "?" {
			return "$" + given[1:]
		}
		n++
		return "$" + strconv.Itoa(n)
	})
}

// reading returns connections that read the tables.
func reading(db *sql.DB) *tables.Statements { return tables.NewStatements(db, bind) }

// schema returns the statements that make the tables, in PostgreSQL's types. The texts sort
// byte by byte, as in SQLite. A run has, besides, the time until which it counts as working
// by the server's clock, and its share of the rate while it sends. Rows that change often
// leave room on their pages.
func schema() string {
	translated := strings.ReplaceAll(strings.Join(tables.Schema("BYTEA", "BIGINT", ""), "\n"), " TEXT", ` TEXT COLLATE "C"`)
	return "CREATE SCHEMA tripimport; SET LOCAL search_path = tripimport;\n" + translated + `
		ALTER TABLE runs ADD COLUMN leased_until TIMESTAMPTZ, ADD COLUMN share DOUBLE PRECISION;
		ALTER TABLE meta SET (fillfactor = 10);
		ALTER TABLE runs SET (fillfactor = 50);
		ALTER TABLE trips SET (fillfactor = 70);
		ALTER TABLE rows SET (fillfactor = 70)`
}
