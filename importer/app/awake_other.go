//go:build !windows

package app

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// KeepAwake keeps the computer from going to sleep by itself until release is called or the process ends.
// A server does not go to sleep.
func KeepAwake() (release func()) {
	if runtime.GOOS != "darwin" {
		return func() {}
	}
	awake := exec.Command("caffeinate", "-i", "-w", strconv.Itoa(os.Getpid())) //nolint:noctx // it ends with this process
	if awake.Start() != nil {
		return func() {} // without it, a run ends as after any broken connection
	}
	return func() { _, _ = awake.Process.Kill(), awake.Wait() }
}
