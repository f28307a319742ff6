//go:build !windows

package app

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
)

// KeepAwake does nothing here: a run on a computer that goes to sleep ends as after any broken connection.
func KeepAwake() (release func()) { return func() {} }

// rawMachineID returns a text with the id of the system, or of the hardware on macOS.
func rawMachineID() string {
	if runtime.GOOS != "darwin" {
		text, _ := os.ReadFile("/etc/machine-id")
		return string(text)
	}
	text, _ := exec.CommandContext(context.Background(), "/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice", "-k", "IOPlatformUUID").Output()
	return string(regexp.MustCompile(`"IOPlatformUUID" = "[^"]*"`).Find(text))
}
