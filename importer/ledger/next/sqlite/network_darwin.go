package sqlite

import "golang.org/x/sys/unix"

// networkDrive names the network file system that the folder is on. It is empty
// for a local one, and where the system does not say.
func networkDrive(folder string) string {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return ""
	}
	switch kind := unix.ByteSliceToString(s.Fstypename[:]); kind {
	case "nfs", "smbfs", "afpfs", "webdav", "cifs", "ftp":
		return kind
	}
	return ""
}
