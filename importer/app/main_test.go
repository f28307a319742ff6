package app_test

import (
	"os"
	"testing"

	"tripimport/importer/ledger/ledgertest"
)

func TestMain(m *testing.M) { os.Exit(ledgertest.RunInMemory(m)) }
