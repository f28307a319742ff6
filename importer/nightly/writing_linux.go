package nightly

import (
	"os"
	"path/filepath"
)

// isWrittenTo reports whether a program that this user may look into has the file open for writing.
func isWrittenTo(path string) bool {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range open {
		if to, err := os.Readlink(fd); err != nil || to != path {
			continue
		}
		if info, err := os.Lstat(fd); err == nil && info.Mode()&0o200 != 0 { // the link has the rights of what is open
			return true
		}
	}
	return false
}
