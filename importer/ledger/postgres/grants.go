package postgres

import (
	"fmt"
	"strings"
)

// Grants returns the statements that give a role the rights to import, and no more: it
// can add to the history but not rewrite it, and can't change the tables' definitions.
// The user who made the ledger executes them.
func Grants(role string) []string {
	var all []string
	grant := func(rights string, tables ...string) {
		all = append(all, fmt.Sprintf("GRANT %s ON tripimport.%s TO %s;", rights, strings.Join(tables, ", tripimport."), role))
	}
	all = append(all, fmt.Sprintf("GRANT USAGE ON SCHEMA tripimport TO %s;", role))
	grant("SELECT", "meta")
	grant("SELECT, UPDATE", "state")
	grant("SELECT, INSERT", "texts", "run_inputs", "attempts", "riders", "settlements", "resolutions", "changes", "decisions",
		"accepted", "trip_changes", "change_settlements", "holds", "slot_events")
	grant("SELECT, INSERT", "rates") // only the user who made the ledger may set another rate
	grant("SELECT, INSERT, UPDATE", "sessions", "runs", "run_ends", "trips", "addresses", "brokers", "schedule_notes", "schedules", "identities")
	grant("SELECT, INSERT, UPDATE, DELETE", "accounts", "budgets", "raised")
	return all
}
