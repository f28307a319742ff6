package sqlite_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"

	"tripimport/importer/ledger"
)

// TestMoved moves the ledger's file while it is used, or puts another one in its place: nothing more is recorded, so
// that nothing more is sent.
func TestMoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody can move a file that is open")
	}
	for name, replace := range map[string]bool{"moved": false, "replaced": true} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			fact, path := ledger.Fact{Kind: "moved", Subject: "a", Value: "b", At: o.at}, o.Location()
			o.must(os.Chmod(path, 0o640)) // what is done to the file itself makes no difference
			o.must(o.SetFact(context.Background(), fact))
			o.must(os.Rename(path, path+".away"))
			if replace {
				o.must(os.WriteFile(path, nil, 0o600))
			}
			wrong, ok := errors.AsType[*ledger.Error](o.SetFact(context.Background(), fact))
			if !ok || wrong.Code != "ledger-moved" {
				t.Errorf("the error is %v", wrong)
			}
		})
	}
}
