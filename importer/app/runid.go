package app

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// newRunID returns an id for a run, such as 20261202T031500Z-5f3a1c: the start time in UTC, and
// three random bytes.
func newRunID(at time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	return at.UTC().Format(runTime) + "-" + hex.EncodeToString(b[:])
}

// runTime is the layout of the time at the beginning of a run's id.
const runTime = "20060102T150405Z"

// runBegan returns the time at the beginning of a run's id.
func runBegan(id string) (time.Time, error) {
	return time.Parse(runTime, id[:min(len(id), len(runTime))])
}
