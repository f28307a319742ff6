package nightly

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
		info, _ := os.ReadFile(strings.Replace(fd, "/fd/", "/fdinfo/", 1))
		_, flags, _ := strings.Cut(string(info), "flags:")
		var bits int
		if _, err := fmt.Sscanf(flags, "%o", &bits); err == nil && bits&(os.O_WRONLY|os.O_RDWR) != 0 {
			return true
		}
	}
	return false
}
