package app_test

import (
	"os"
	"syscall"
	"testing"
)

// TestMain keeps temporary files in memory, where the machine has room for it: most of
// the tests' time was spent waiting for commits to reach a disk. The ledger's own tests
// and the sessions of the commands use the disk.
func TestMain(m *testing.M) {
	const memory, room = "/dev/shm", 1 << 30
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memory, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < room { //nolint:gosec // a size is not negative
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp(memory, "tripimport-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
