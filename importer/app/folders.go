package app

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
)

// Folders are the user's own folders. None is created before it is needed.
type Folders struct {
	// Config holds the user's tripimport.yaml.
	Config string
	// Data holds the ledger, the token and the rehearsals.
	Data string
}

// FindFolders returns the user's own folders. If TRIPIMPORT_HOME is set, it is both folders,
// unless TRIPIMPORT_DATA names another one for the data. Otherwise they are the operating
// system's folders for settings and for data. The error is an *Error.
func FindFolders(env Environment) (Folders, error) {
	if home := env.get("TRIPIMPORT_HOME"); home != "" {
		return Folders{Config: home, Data: cmp.Or(env.get("TRIPIMPORT_DATA"), home)}, nil
	}

	config, err := os.UserConfigDir()
	if err != nil {
		return Folders{}, Usage("set TRIPIMPORT_HOME to a folder of your own", "this machine names no folder for this user's settings")
	}

	data := config
	if runtime.GOOS == "windows" { // the other one may travel between machines, which a ledger must not
		data = cmp.Or(env.get("LOCALAPPDATA"), config)
	}
	return Folders{Config: filepath.Join(config, "tripimport"), Data: filepath.Join(data, "tripimport")}, nil
}

// Settings is the user's own configuration file.
func (f Folders) Settings() string { return filepath.Join(f.Config, "tripimport.yaml") }

// rehearsal is the folder in which rehearsals keep their ledger and their trips, apart from
// those of real runs.
func (f Folders) rehearsal() string { return filepath.Join(f.Data, "rehearsal") }

// ledger is the office's ledger, unless the settings name another one.
func (f Folders) ledger() string { return filepath.Join(f.Data, "ledger.db") }

// rehearsalLedger is the ledger of all rehearsals.
func (f Folders) rehearsalLedger() string { return filepath.Join(f.rehearsal(), "ledger.db") }

// Token is the file in which StoreToken keeps the token.
func (f Folders) Token() string { return filepath.Join(f.Data, "token") }

// access is the file with the saved access list, for checks without a network: names and
// ids only, no keys.
func (f Folders) access() string { return filepath.Join(f.Data, "access.json") }

// NightTrial is the file through which a trial of the system's scheduler is requested and answered.
func (f Folders) NightTrial() string { return filepath.Join(f.Data, "nightly-trial.json") }

// places is the file with the positions of addresses, unless the settings name another one.
func (f Folders) places() string { return filepath.Join(f.Data, "places") }

// KeepStack writes the stack of a panic to a file for a report, and returns the file's path.
// It returns false if the file could not be written.
func (f Folders) KeepStack(stack string) (string, bool) {
	path := filepath.Join(f.Data, "crash.txt")
	return path, writePrivate(path, []byte(Version()+"\n"+stack+"\n")) == nil
}

// sharedLedgers is the folder with the keys of the ledgers that offices share in a database,
// and with answers that wait to be recorded in one.
func (f Folders) sharedLedgers() string { return filepath.Join(f.Data, "shared") }
