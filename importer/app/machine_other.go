//go:build !windows && !darwin

package app

import (
	"os"
	"strings"
)

// machineID returns the id that the system gave this machine when it was
// installed; empty for none.
func machineID() string {
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		text, err := os.ReadFile(path)
		if id := strings.TrimSpace(string(text)); err == nil && id != "" && id != "uninitialized" {
			return id
		}
	}
	return ""
}
