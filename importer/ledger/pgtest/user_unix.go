//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// A serverUser is who the server runs as: nil for this process's own user.
type serverUser struct{ credential *syscall.Credential }

// findUser returns this process's user, or postgres if that is root.
func findUser() (serverUser, error) {
	if os.Getuid() != 0 {
		return serverUser{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return serverUser{}, missingError{"PostgreSQL does not run as root and there is no user postgres: install Debian's package postgresql to run this test"}
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	if uidErr != nil || gidErr != nil {
		return serverUser{}, missingError{"the user postgres has no number"}
	}
	return serverUser{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// own gives the user a folder.
func (u serverUser) own(dir string) error {
	if u.credential == nil {
		return nil
	}
	return os.Chown(dir, int(u.credential.Uid), int(u.credential.Gid))
}

// become has a program run as the user.
func (u serverUser) become(cmd *exec.Cmd) {
	if u.credential != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: u.credential}
	}
}

// folder returns where the clusters' folders are made: in the folder for temporary files
// or, if other users may not pass through it, or the path would be too long for a socket,
// in /tmp.
func folder() string {
	const longest = 70 // a socket's path has at most 103 bytes, of which its own name takes 30
	temp := os.TempDir()
	for dir := temp; len(temp) <= longest; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&1 == 0 {
			break
		}
		if dir == filepath.Dir(dir) {
			return temp
		}
	}
	return "/tmp"
}
