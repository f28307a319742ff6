package app

import (
	"path/filepath"
	"time"

	"tripimport/importer"
)

// An Environment gives an App access to its surroundings, besides files and the network.
type Environment struct {
	// Lookup finds environment variables.
	Lookup func(string) (string, bool)
	// Who is the person at the program, for the ledger; empty for the name of the system's user.
	Who string
	// Clock tells the time; nil for the machine's clock.
	Clock importer.Clock
	// Notice tells a person what a command waits for; nil for nobody. A job that has Events
	// calls Events.Notice instead.
	Notice func(string)
	// Spell says how a person starts a job, for advice; nil for advice in words alone.
	Spell importer.Speller
	// Approved reports that mappings may be used although the ledger has no approval of them. The program
	// never sets it: only tests of everything else do.
	Approved bool
	// Timeout is the longest time to wait for one answer of the service; 0 for the usual one.
	Timeout time.Duration
	// Awake keeps the computer from going to sleep while trips are sent, until what it returns is called;
	// nil for nothing.
	Awake func() (release func())
}

// get returns an environment variable, empty where it is not set.
func (e Environment) get(name string) string {
	if v, set := e.Lookup(name); set {
		return v
	}
	return ""
}

// shown returns a file's path for a notice. Where people start jobs in no folder, its name is enough.
func (e Environment) shown(path string) string {
	if e.Spell == nil {
		return filepath.Base(path)
	}
	return path
}

// An App runs jobs with one user's folders and settings. Its jobs are
// independent of each other; each takes the locks that it needs.
type App struct {
	Folders  Folders
	Settings Settings
	// Mapping is the mapping to use, a file or a template's name; empty to choose it by the
	// columns of each file.
	Mapping string

	env Environment
}

// New finds the user's folders and the settings in force. Set holds settings from the
// command line, by key; they override all others. The error is an *Error.
func New(env Environment, set map[string]string) (*App, error) {
	folders, err := FindFolders(env)
	if err != nil {
		return nil, err
	}

	settings, err := loadSettings(env, folders, set)
	if err != nil {
		return nil, err
	}

	if env.Clock == nil {
		env.Clock = importer.SystemClock{}
	}
	return &App{Folders: folders, Settings: settings, env: env}, nil
}

// tellPause tells the person how long a run pauses.
func (a *App) tellPause(left time.Duration) {
	a.env.Notice("the run pauses, because the service asked for it or can't be reached: it goes on in " + left.String())
}
