package app

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// newRunID names a run so that its time can be read from it and two never
// share one: 20261202T031500Z-5f3a.
func newRunID(at time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	return at.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}
