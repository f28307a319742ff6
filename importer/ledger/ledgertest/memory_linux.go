package ledgertest

import (
	"os"
	"runtime/debug"
	"syscall"
)

// RunInMemory runs the tests of a package with their temporary files in memory, if the
// machine has the room: a ledger waits for the disk at each commit. Garbage is collected
// as seldom as in the program. It returns the tests' exit status.
func RunInMemory(m interface{ Run() int }) int {
	debug.SetGCPercent(300)
	const memory, room = "/dev/shm", 1 << 30
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memory, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < room { //nolint:gosec // a size is not negative
		return m.Run()
	}
	dir, err := os.MkdirTemp(memory, "tripimport-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return m.Run()
}
