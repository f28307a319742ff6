package app

import (
	"io"
	"log/slog"
	"strings"

	"tripimport/importer"
)

// An Environment gives an App access to its surroundings, besides files and the network.
type Environment struct {
	// Lookup finds environment variables; nil for none.
	Lookup func(string) (string, bool)
	// Stdin is where a token is read from if App.TokenStdin is set; nil for an empty input.
	Stdin io.Reader
	// Clock tells the time; nil for the machine's clock.
	Clock importer.Clock
	// Notice tells a person what a command waits for; nil for nobody. A job that has Events
	// calls Events.Notice instead.
	Notice func(string)
	// Log takes technical messages without row content; nil for none.
	Log *slog.Logger
}

// get returns an environment variable, empty where it is not set.
func (e Environment) get(name string) string {
	if e.Lookup == nil {
		return ""
	}
	if v, set := e.Lookup(name); set {
		return v
	}
	return ""
}

// An App runs jobs with one user's folders and settings. Its jobs are
// independent of each other; each takes the locks that it needs.
type App struct {
	Folders  Folders
	Settings Settings
	// TokenStdin makes the App read the service's token from Environment.Stdin.
	TokenStdin bool

	env Environment
	// stdin is the token on standard input, which is read once, however many jobs need it.
	stdin *tokenOnce
}

// New finds the user's folders and the settings in force. Flags holds settings from the
// command line, by key; they override all others. The error is an *Error.
func New(env Environment, flags map[string]string) (*App, error) {
	folders, err := FindFolders(env)
	if err != nil {
		return nil, err
	}

	settings, err := loadSettings(env, folders, flags)
	if err != nil {
		return nil, err
	}

	if env.Log == nil {
		env.Log = slog.New(slog.DiscardHandler)
	}
	if env.Stdin == nil {
		env.Stdin = strings.NewReader("")
	}
	if env.Clock == nil {
		env.Clock = importer.SystemClock{}
	}
	return &App{Folders: folders, Settings: settings, env: env, stdin: &tokenOnce{in: env.Stdin}}, nil
}

// withNotice returns a copy of the App with another Environment.Notice.
func (a *App) withNotice(notice func(string)) *App {
	other := *a
	other.env.Notice = notice
	return &other
}
