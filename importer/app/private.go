package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
)

// makePrivate makes a folder for this user alone.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Usage("make the folder, or set TRIPIMPORT_HOME to another one", "the folder %s can't be made", dir)
	}
	return nil
}

// writePrivate writes a file for this user alone, in a folder for this user alone. Nobody
// ever sees the file half written.
func writePrivate(path string, text []byte) error {
	if err := makePrivate(filepath.Dir(path)); err != nil {
		return err
	}
	_ = os.Chmod(path, 0o600) // the new file gets the mode of the one that it replaces
	if err := atomic.WriteFile(path, bytes.NewReader(text)); err != nil {
		return Usage("see that there is room and that this user may write there", "%s can't be written", path)
	}
	return nil
}

// WriteJSON writes a value to a file for this user alone. Nobody ever sees the file half
// written.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(path, text)
}

// ReadJSON reads a value that WriteJSON wrote.
func ReadJSON[T any](path string) (value T, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	return value, err
}

// tryFolder makes a file in the way that results are made, and removes it again, so that
// a folder that can't be written to is found before anything is sent. It
// reports whether the file was private, because some disks can't keep files private.
func (a *App) tryFolder(dir, what, fix string) (private bool, err error) {
	f, err := atomicfile.Create(filepath.Join(dir, "x"))
	if err != nil {
		return false, Usage(fix, "%s can't be written: the folder %s is not there, or is read-only for this user; nothing was sent", what, dir)
	}
	defer f.Discard()
	info, err := f.Stat()
	return err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0, a.share(f.Name())
}

// share lets the office's group read and write files that this user has made. It leaves
// files that are shared already, and skips files that do not exist. Without the setting group
// it does nothing.
func (a *App) share(paths ...string) error {
	name := a.Settings.Text("group")
	if name == "" {
		return nil
	}

	group, err := user.LookupGroup(name)
	if err != nil {
		return Usage("make the group, or correct the setting group", "this machine has no group %s", name)
	}

	id, err := strconv.Atoi(group.Gid)
	for _, path := range paths {
		info, statErr := os.Stat(path)
		if errors.Is(statErr, fs.ErrNotExist) || statErr == nil && info.Mode().Perm() == 0o660 {
			continue
		}
		err = errors.Join(err, os.Chown(path, -1, id), os.Chmod(path, 0o660))
	}
	if err != nil {
		return Usage("have this user added to the group, then sign in again", "files can't be given to the group %s", name)
	}
	return nil
}

// shareWritten shares files that a run has written. A failure is only reported, because it
// must not change how the run ends.
func (j *job) shareWritten(paths ...string) {
	if err := j.share(paths...); err != nil {
		j.notice("%s: only this user can read %s", err, filepath.Base(paths[0]))
	}
}

// shareLedger gives the ledger's files to the office's group. The ledger's folder must have
// the setgid bit, so that new files beside the ledger get the group as well. A database has its own rights.
func (a *App) shareLedger(path string) error {
	if a.IsShared() {
		return nil
	}
	dir, group := filepath.Dir(path), a.Settings.Text("group")
	if info, err := os.Stat(dir); group != "" && (err != nil || info.Mode()&os.ModeSetgid == 0) {
		return Usage("mkdir -p "+Quoted(dir)+"; chgrp "+group+" "+Quoted(dir)+"; chmod 2770 "+Quoted(dir),
			"the ledger's folder %s is not the group's", dir)
	}
	return a.share(path, path+".key", path+".lock", path+"-wal", path+"-shm")
}

// Password returns a password from a file that only this user can read. The line break after
// it is removed.
func Password(file string) (importer.Secret, error) {
	text, err := readPrivate(file, "password")
	switch text = strings.TrimRight(text, "\r\n"); {
	case errors.Is(err, os.ErrNotExist):
		return importer.Secret{}, Usage("write the password into it, readable for you alone", "there is no password file %s", file)
	case err != nil:
		return importer.Secret{}, err
	case text == "" || strings.ContainsAny(text, "\r\n"):
		return importer.Secret{}, Usage("give one line with the password and nothing else", "the password can't be used")
	}
	return importer.NewSecret(text), nil
}

// readPrivate reads a file with a secret; what is the kind of the secret, for messages. It
// refuses a file that other users can read. The error is os.ErrNotExist if there is no file.
func readPrivate(path, what string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", os.ErrNotExist
	case err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", Usage("make it readable for you alone (chmod 600), and get a new "+what+" if others may have seen it",
			"the %s file %s can be read by other users of this machine", what, path)
	}

	text, err := os.ReadFile(path)
	if err != nil {
		return "", Usage("see that this user may read it", "the %s file %s can't be read", what, path)
	}
	return string(text), nil
}
