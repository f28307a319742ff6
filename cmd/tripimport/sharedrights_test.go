package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
)

// TestImporterRights has a user import who has the rights that `ledger new` prints and no
// others: the commands of a day work, and nothing that was recorded can be rewritten.
func TestImporterRights(t *testing.T) {
	o := newSharedOffice(t, pgtest.Start(t), inventedRows(6, func(i int) bool { return i == 5 }), sandbox.Config{
		Injections: &sandbox.InjectionPlan{Injections: []sandbox.Injection{{Kind: "500", Trip: "N-2", Times: 1}}},
	})
	t.Chdir(o.folder)
	o.cluster.Exec(t, o.database, "DROP SCHEMA tripimport CASCADE")
	o.must(os.RemoveAll(filepath.Join(o.home, "shared"))) // the machine makes no second ledger
	made := o.run("ledger", "new")
	if made.status != exitDone {
		t.Fatal(made.err)
	}
	o.cluster.Exec(t, o.database, "CREATE ROLE clerk LOGIN")
	for line := range strings.Lines(made.out) {
		if strings.HasPrefix(strings.TrimSpace(line), "GRANT") {
			o.cluster.Exec(t, o.database, strings.ReplaceAll(line, "IMPORTER", "clerk"))
		}
	}

	clerk := strings.Replace(o.database, pgtest.Superuser+"@", "clerk@", 1)
	o.env["TRIPIMPORT_LEDGER"] = clerk
	for _, step := range []struct {
		want int
		args []string
	}{
		{exitPerson, []string{"import", "--today", "2026-12-01", "--results", "one.csv", o.schedule}},
		{exitListed, []string{"import", "--today", "2026-12-01", "--results", "two.csv", o.schedule}}, // it was said before
		{exitListed, []string{"check", "--today", "2026-12-01", o.schedule}},
		{exitDone, []string{"runs"}},
		{exitDone, []string{"history", "N-1"}},
		{exitDone, []string{"hold", "N-1"}},
		{exitDone, []string{"report", "--from", "2026-12-01", "--to", "2026-12-31"}},
		{exitDone, []string{"ledger", "verify"}},
		{exitDone, []string{"ledger", "separate", "https://test.example.test"}},
	} {
		if s := o.run(step.args...); s.status != step.want {
			t.Errorf("%v: status %d, want %d: %s%s", step.args, s.status, step.want, s.out, s.err)
		}
	}
	if n := o.answer(); n != 1 {
		t.Errorf("%d trips were open, want 1", n)
	}

	db, err := sql.Open("pgx", clerk)
	o.must(err)
	defer func() { o.must(db.Close()) }()
	for _, statement := range []string{
		"UPDATE attempts SET number = 9", "DELETE FROM attempts", "TRUNCATE attempts", "DELETE FROM settlements", "UPDATE settlements SET guid = ''",
		"DELETE FROM trips", "DELETE FROM runs", "UPDATE resolutions SET who = ''", "DELETE FROM decisions", "DROP TABLE trips",
		"UPDATE meta SET value = ''", "ALTER TABLE trips DISABLE TRIGGER ALL", "CREATE TABLE tripimport.other (id int)",
	} {
		if _, err := db.ExecContext(context.Background(), "SET search_path = tripimport; "+statement); err == nil {
			t.Errorf("an importer may %s", statement)
		}
	}
}
