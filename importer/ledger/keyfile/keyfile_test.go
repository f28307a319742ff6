package keyfile

import (
	"bytes"
	"testing"

	"tripimport/importer/ledger/keyed"
)

func FuzzKeyFile(f *testing.F) {
	good := New()
	f.Add(good.Bytes())
	f.Add(bytes.ReplaceAll(good.Bytes(), []byte("\n"), []byte("\r\n")))
	f.Add([]byte(title + "\nledger \nkey "))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := Parse("ledger.db", text)
		if err == nil && (k.Identity == "" || len(k.Key) != keyed.KeySize) {
			t.Errorf("%q gave %+v", text, k)
		}
	})
}
