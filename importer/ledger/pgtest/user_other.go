//go:build !unix

package pgtest

import (
	"os"
	"os/exec"
)

type serverUser struct{}

func findUser() (serverUser, error) {
	return serverUser{}, missingError{"tests start PostgreSQL on Unix alone"}
}

func (serverUser) own(string) error { return nil }

func (serverUser) become(*exec.Cmd) {}

func folder() string { return os.TempDir() }
