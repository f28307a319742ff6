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
	f.Add([]byte("tripimport ledger key 1\nledger \nkey "))
	if k, err := Parse("ledger.db", bytes.ReplaceAll(good.Bytes(), []byte("\n"), []byte("\r\n"))); err != nil || k.Identity != good.Identity || !bytes.Equal(k.Key, good.Key) {
		f.Errorf("with the line ends of an editor: %v, %v", k, err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := Parse("ledger.db", text)
		if err == nil && (k.Identity == "" || len(k.Key) != keyed.KeySize) {
			t.Errorf("%q gave %+v", text, k)
		}
	})
}
