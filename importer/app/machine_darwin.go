package app

import (
	"os/exec"
	"strings"
)

// machineID returns the id of the hardware; empty for none.
func machineID() string {
	text, _ := exec.Command("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice").Output() // empty where it fails
	_, after, _ := strings.Cut(string(text), `"IOPlatformUUID" = "`)
	id, _, _ := strings.Cut(after, `"`)
	return id
}
