package app

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
)

// machineID returns the id of this machine's system, or of its hardware on macOS; empty if
// there is none. It does not change with the machine's name.
func machineID() string {
	return regexp.MustCompile(`(?i)[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}`).FindString(rawMachineID())
}

// markFolders returns the folders in which the ledger's number is kept apart from the ledger.
// Some are shared by all users of the machine, so that each user notices when another one
// has put an older copy back; one is the user's own. Each user writes a file of their own
// there. /var/tmp is always among them, because the installed folder may belong to another
// user. No folder is in a profile that travels between machines.
func (a *App) markFolders() []string {
	if folder := a.Settings.Text("marks"); folder != "" {
		return []string{folder}
	}

	const installed = "/var/lib/tripimport"
	shared, own := []string{"/var/tmp"}, cmp.Or(a.env.get("XDG_STATE_HOME"), filepath.Join(a.env.get("HOME"), ".local", "state"))
	switch _, err := os.Stat(installed); {
	case runtime.GOOS == "windows":
		shared, own = []string{a.env.get("ProgramData")}, a.env.get("LOCALAPPDATA")
	case runtime.GOOS == "darwin":
		shared = []string{"/Users/Shared"}
	case err == nil:
		shared = append(shared, installed)
	}
	folders := append(shared, filepath.Join(own, "tripimport-marks"))
	return slices.DeleteFunc(folders, func(f string) bool { return !filepath.IsAbs(f) }) // a variable may be unset
}
