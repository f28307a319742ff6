package app

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
)

// machineID returns the id that the system, or on macOS the hardware, gave this
// machine; empty for none. It does not change with the machine's name.
func machineID() string {
	return regexp.MustCompile(`(?i)[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}`).FindString(rawMachineID())
}

// markFolders returns the folders in which the number of the ledger is kept apart
// from the ledger: such as all users of the machine share, so that each of them
// notices what another has put back, and the user's own. Each user writes a file of
// their own there. /var/tmp takes it also where the installed folder is another
// user's. None is in a profile that travels between machines.
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
	return slices.DeleteFunc(folders, func(f string) bool { return !filepath.IsAbs(f) }) // the environment may lack one
}
