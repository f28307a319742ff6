package app

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// newID returns an id such as 20261202T031500Z-5f3a1c: the time in UTC, and that many random bytes.
func newID(at time.Time, random int) string {
	b := make([]byte, random)
	_, _ = rand.Read(b) // never fails
	return at.UTC().Format(runTime) + "-" + hex.EncodeToString(b)
}

// runTime is the layout of the time at the beginning of a run's id.
const runTime = "20060102T150405Z"

// runBegan returns the time at the beginning of a run's id.
func runBegan(id string) (time.Time, error) {
	return time.Parse(runTime, id[:min(len(id), len(runTime))])
}
