package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve has the file system set the room aside, which takes no writing.
func reserve(f *os.File, size int64) error {
	for {
		if err := unix.Fallocate(int(f.Fd()), 0, 0, size); !errors.Is(err, unix.EINTR) { //nolint:gosec // a descriptor is no large number
			return err
		}
	}
}
