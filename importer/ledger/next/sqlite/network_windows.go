package sqlite

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// networkDrive names the kind of network drive that the folder is on. It is empty
// for a local one, and where the system does not say.
func networkDrive(folder string) string {
	volume := filepath.VolumeName(folder)
	if strings.HasPrefix(volume, `\\`) && !strings.HasPrefix(volume, `\\?\`) && !strings.HasPrefix(volume, `\\.\`) {
		return "Windows share"
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return "Windows share, as drive " + volume
	}
	return ""
}
