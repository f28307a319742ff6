package app

import (
	"os/exec"
	"strings"
	"testing"
)

// TestMachineID compares the id of the machine with what Windows' own program reads.
func TestMachineID(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "reg", "query", `HKLM\SOFTWARE\Microsoft\Cryptography`, "/v", "MachineGuid", "/reg:64").Output()
	if id := machineID(); err != nil || id == "" || !strings.Contains(string(out), id) {
		t.Errorf("the id is %q, and reg says (%v)\n%s", id, err, out)
	}
}
