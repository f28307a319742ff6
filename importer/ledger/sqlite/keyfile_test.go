package sqlite

import (
	"bytes"
	"testing"

	"tripimport/importer/ledger/keyed"
)

func FuzzKeyFile(f *testing.F) {
	good := newKeyFile("ABCDEFGHIJ")
	f.Add(good.bytes())
	f.Add(bytes.ReplaceAll(good.bytes(), []byte("\n"), []byte("\r\n")))
	f.Add([]byte(keyFileTitle + "\nledger \nkey "))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := parseKeyFile("ledger.db", text)
		if err == nil && (k.identity == "" || len(k.key) != keyed.KeySize) {
			t.Errorf("%q gave %+v", text, k)
		}
	})
}
