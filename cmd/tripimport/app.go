package main

import (
	"log/slog"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
)

// An app is what every command has: its surroundings, the user's folders and
// the settings in force.
type app struct {
	world
	folders  folders
	settings settings
	log      *slog.Logger
}

// newApp finds the folders and settings for a command.
func newApp(cmd *cobra.Command, w world) (*app, error) {
	f, err := w.userFolders()
	if err != nil {
		return nil, err
	}
	s, err := loadSettings(cmd, w, f)
	if err != nil {
		return nil, err
	}
	return &app{world: w, folders: f, settings: s, log: newLog(w, s.text("log_format"))}, nil
}

// newLog gives the log on standard error. No row content is ever given to it.
func newLog(w world, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w.Err, nil))
	}
	_, plain := w.Env("NO_COLOR")
	return slog.New(tint.NewTextHandler(w.Err, &tint.Options{
		TimeFormat: "15:04:05",
		NoColor:    plain || w.env("TERM") == "dumb" || !isTerminal(w.Err),
	}))
}
