package ledgertest

import (
	"errors"
	"strings"
	"testing"

	"tripimport/importer/ledger"
)

// WantError wants an error of that code that says something a dispatcher can use.
func WantError(tb testing.TB, err error, code string) {
	tb.Helper()
	var e *ledger.Error
	if !errors.As(err, &e) {
		tb.Fatalf("got %v, want the error %s", err, code)
	}

	if e.Code != code {
		tb.Errorf("got the error %s, want %s", e.Code, code)
	}

	if e.Reason == "" || e.Fix == "" || strings.HasSuffix(e.Reason, ".") || strings.Contains(e.Reason, "SQL") {
		tb.Errorf("not fit for a dispatcher: %q, %q", e.Reason, e.Fix)
	}
}
