package places

import (
	"io"
	"os"

	"tripimport/importer"

	"github.com/natefinch/atomic"
)

// writePrivate writes or replaces a file that is readable by this user alone, or also
// by the group that the file was given to. At no moment can others read the file or the
// temporary file beside it. On a failure the temporary file is removed.
func writePrivate(path string, r io.Reader) error {
	// The temporary file gets the mode of the file that it replaces.
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o007 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return notWritten(path)
		}
	}
	if err := atomic.WriteFile(path, r); err != nil {
		return notWritten(path)
	}
	return nil
}

// notWritten is the error for a file that can't be written.
func notWritten(path string) error {
	return &importer.InputError{
		File: path, Reason: "the file can't be written", Fix: "close it in other programs, and check the folder's permissions",
	}
}
