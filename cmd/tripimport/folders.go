package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// folders are where the program keeps what is not beside the work. Nothing is
// created before it is needed.
type folders struct {
	// Config holds the user's tripimport.yaml.
	Config string
	// Data holds the ledger, the token and the rehearsal.
	Data string
}

// userFolders finds the user's own folders: TRIPIMPORT_HOME for both where it
// is set, else what the system has for the purpose.
func (w world) userFolders() (folders, error) {
	if home := w.env("TRIPIMPORT_HOME"); home != "" {
		return folders{Config: home, Data: home}, nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return folders{}, usage("set TRIPIMPORT_HOME to a folder of your own", "this machine names no folder for this user's settings")
	}
	data, err := w.dataFolder(config)
	if err != nil {
		return folders{}, err
	}
	return folders{
		Config: filepath.Join(config, "tripimport"),
		Data:   filepath.Join(data, "tripimport"),
	}, nil
}

func (w world) dataFolder(config string) (string, error) {
	switch runtime.GOOS {
	case "windows":
		// Not the roaming profile: a ledger must not travel between machines.
		if local := w.env("LOCALAPPDATA"); local != "" {
			return local, nil
		}
		return config, nil
	case "darwin":
		return config, nil
	}
	if data := w.env("XDG_DATA_HOME"); data != "" {
		return data, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usage("set TRIPIMPORT_HOME to a folder of your own", "this machine names no home folder")
	}
	return filepath.Join(home, ".local", "share"), nil
}

// rehearsal is the folder in which rehearsals keep their ledger and their
// trips, apart from everything real.
func (f folders) rehearsal() string { return filepath.Join(f.Data, "rehearsal") }

// rehearsalLedger is the ledger of all rehearsals.
func (f folders) rehearsalLedger() string { return filepath.Join(f.rehearsal(), "ledger.db") }

// token is where `token set` keeps the token.
func (f folders) token() string { return filepath.Join(f.Data, "token") }

// access is where the answer of the access operation is kept for checks
// without a network: names and ids only, no keys.
func (f folders) access() string { return filepath.Join(f.Data, "access.json") }

// private makes a folder for this user alone.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usage("make the folder, or set TRIPIMPORT_HOME to another one", "the folder %s can't be made", dir)
	}
	return nil
}
