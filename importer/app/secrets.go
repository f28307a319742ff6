package app

import (
	"errors"
	"os"
	"runtime"
	"strings"

	"tripimport/importer"
)

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
