package app

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// newRunID returns an id for a run: the time at which it started, in UTC, and three
// random bytes, such as 20261202T031500Z-5f3a1c.
func newRunID(at time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	return at.UTC().Format(runTime) + "-" + hex.EncodeToString(b[:])
}

// runTime is the form of the time with which a run's id begins.
const runTime = "20060102T150405Z"
