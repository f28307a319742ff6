package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
)

// A ledger is made in a database of any other program's tables, but not in its schema, not
// by somebody who may not make tables, and not beside another one that the machine uses.
// Nothing of it is left then.
func TestMakingLedgers(t *testing.T) {
	clearEnvironment(t)
	c := pgtest.Shared(t)
	c.Exec(t, c.URL("postgres"), "CREATE ROLE making_clerk LOGIN")
	t.Cleanup(func() { c.Exec(t, c.URL("postgres"), "DROP ROLE making_clerk") })
	for name, tt := range map[string]struct {
		statements, user, key string
		code, words           string // of the refusal; empty for none
	}{
		"other tables":              {statements: "CREATE TABLE meta (a int); CREATE TABLE state (name text, value text)"},
		"another schema":            {statements: "CREATE SCHEMA tripimport; CREATE TABLE tripimport.meta (a int)", code: "ledger-foreign", words: "another program's"},
		"an empty schema":           {statements: "CREATE SCHEMA tripimport", code: "ledger-foreign", words: "left over"},
		"no right to make a schema": {user: "making_clerk", code: "ledger-access", words: "may not make a ledger"},
		"no right to the schema":    {statements: "CREATE SCHEMA tripimport", user: "making_clerk", code: "ledger-access", words: "no rights to it"},
		"beside another":            {key: "K7Q2XW.key", code: "ledger-second", words: "this machine has the key of another ledger"},
	} {
		t.Run(name, func(t *testing.T) {
			url, folder := c.NewDatabase(t), t.TempDir()
			if tt.statements != "" {
				c.Exec(t, url, tt.statements)
			}
			if tt.user != "" {
				url = at(t, "%s", url).As(tt.user)
			}
			kept := 0
			if tt.key != "" {
				kept = 1
				if err := os.WriteFile(filepath.Join(folder, tt.key), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			l, err := Store{Folder: folder}.Create(t.Context(), url, ledger.Options{Marks: []string{folder}, Machine: "machine", Who: "clerk", Host: "office", Command: "test"})
			if err == nil {
				err = l.Close()
			}
			var refused *ledger.Error
			switch {
			case tt.code == "" && err != nil:
				t.Fatal(err)
			case tt.code == "":
				return
			case !errors.As(err, &refused) || refused.Code != tt.code || !strings.Contains(refused.Reason, tt.words):
				t.Errorf("%v, want %s: %s", err, tt.code, tt.words)
			}
			if keys, _ := filepath.Glob(filepath.Join(folder, "*.key")); len(keys) != kept {
				t.Errorf("keys are left: %v", keys)
			}
		})
	}
}

// A folder without a socket is said to be one.
func TestNoSocket(t *testing.T) {
	clearEnvironment(t)
	_, err := at(t, "postgres://clerk@/trips?host=%s", t.TempDir()).Connect(t.Context(), ConnectOptions{})
	var refused *ledger.Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "the folder has no socket of a server") || !refused.Later {
		t.Errorf("got %v", err)
	}
}
