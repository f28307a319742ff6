package app_test

import (
	"os"
	"testing"

	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

func TestMain(m *testing.M) {
	if err := pgtest.AllowParallel(4); err != nil {
		panic(err)
	}
	os.Exit(ledgertest.RunInMemory(m))
}
