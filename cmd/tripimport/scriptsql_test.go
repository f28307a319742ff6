package main

import (
	"database/sql"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// openSQL opens a file or a database as no part of the program does.
func openSQL(ts *testscript.TestScript, ledger string) *sql.DB {
	driver := "pgx"
	if !strings.Contains(ledger, "://") {
		driver, ledger = "sqlite", ts.MkAbs(ledger)
	}
	db, err := sql.Open(driver, ledger)
	ts.Check(err)
	return db
}

func executeSQL(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) == 2, "sql LEDGER STATEMENT")
	db := openSQL(ts, args[0])
	_, err := db.Exec(args[1])
	ts.Check(err)
	ts.Check(db.Close())
}

func dumpSchema(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) == 2, "dump DATABASE FILE")
	db := openSQL(ts, args[0])
	var text string
	ts.Check(db.QueryRow("SELECT schema_to_xml('tripimport', true, false, '')::text").Scan(&text))
	ts.Check(db.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}
