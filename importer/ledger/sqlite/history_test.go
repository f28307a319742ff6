package sqlite

import (
	"context"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

// TestHistoryIsKept gives two answers about a trip, and a new key to a provider. All of
// that must be recorded. Then the test tries to rewrite what was recorded.
func TestHistoryIsKept(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	claimed, err := l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("1"), 2))
	must(t, err)
	must(t, l.Settle(ctx, claimed, ledgertest.Settlement(importer.Unknown, "")))
	r := ledger.Resolution{Attempt: claimed.Attempt, Verdict: importer.NotThere, Who: "dana", When: ledgertest.Noon().Add(time.Hour)}
	must(t, l.Resolve(ctx, r))
	r.Verdict, r.GUID = importer.There, "g-found"
	must(t, l.Resolve(ctx, r))
	renewed := ledgertest.Lakeshore()
	renewed.Key = importer.NewSecret("renewed-key")
	must(t, l.Rekey(ctx, renewed, "", ledger.Person{Who: "dana", Host: "FRONT-DESK", When: ledgertest.Noon()}))

	var answers int
	must(t, l.Readers.QueryRowContext(ctx, "SELECT COUNT(*) FROM resolutions").Scan(&answers))
	if answers != 2 {
		t.Errorf("%d answers are recorded, want both", answers)
	}

	var what, who string
	must(t, l.Readers.QueryRowContext(ctx, "SELECT what, who FROM changes").Scan(&what, &who))
	if who != "dana" || what == "" {
		t.Errorf("the record says %q by %q", what, who)
	}

	by := ledger.Person{Who: "sam", Host: "FRONT-DESK", When: ledgertest.Noon()}
	renewed.Provider, renewed.Key = "Prairie Wheels", importer.NewSecret("prairie")
	must(t, l.SeparateProvider(ctx, renewed, by))
	must(t, l.Link(ctx, renewed.Service, "https://trips.example.test", by))
	must(t, l.Separate(ctx, "https://trips.example.test", by))
	var changes, addresses int
	must(t, l.Readers.QueryRowContext(ctx, `SELECT COUNT(*), SUM(what LIKE '%https://trips.example.test%') FROM changes
		WHERE who = 'sam' AND changed_at = ?`, by.When.UTC().Format("2006-01-02T15:04:05.000000Z")).Scan(&changes, &addresses))
	if changes != 3 || addresses != 2 {
		t.Errorf("%d changes are recorded, %d of them with an address", changes, addresses)
	}

	for _, statement := range []string{
		"UPDATE attempts SET number = 9", "DELETE FROM attempts",
		"UPDATE settlements SET state = 'created'", "DELETE FROM settlements",
		"UPDATE resolutions SET who = 'nobody'", "DELETE FROM resolutions",
		"UPDATE riders SET attempt = 9", "DELETE FROM riders",
		"UPDATE changes SET who = 'nobody'", "DELETE FROM changes",
	} {
		if _, err := l.engine.conn.ExecContext(ctx, statement); err == nil {
			t.Errorf("%s was done", statement)
		}
	}

	var broken int
	must(t, l.Readers.QueryRowContext(ctx, "SELECT COUNT(*) FROM pragma_foreign_key_check").Scan(&broken))
	if broken > 0 {
		t.Errorf("%d references lead nowhere", broken)
	}
}
