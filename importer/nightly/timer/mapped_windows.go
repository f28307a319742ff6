package timer

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// isMapped reports whether a path is on a mapped drive: a drive letter that stands for a folder
// of another computer.
func isMapped(path string) bool {
	drive := filepath.VolumeName(path)
	if len(drive) != 2 {
		return false
	}
	root, err := windows.UTF16PtrFromString(drive + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}
