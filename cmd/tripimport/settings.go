package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

// tokenStdin is the flag that makes a command read the token from standard input.
const tokenStdin = "token-stdin"

// addService adds the flags of a command that talks to the service, and the flags of the
// settings with those keys.
func addService(cmd *cobra.Command, keys ...string) {
	addSettings(cmd, append(app.ServiceKeys(), keys...)...)
	cmd.Flags().Bool(tokenStdin, false, "read the token from standard input")
}

// addSettings adds the flags of the settings with those keys.
func addSettings(cmd *cobra.Command, keys ...string) {
	for _, s := range app.KnownSettings() {
		if !slices.Contains(keys, s.Key) {
			continue
		}
		help := s.Usage
		if s.Default != "" {
			help += fmt.Sprintf(" (default %s)", s.Default)
		}
		cmd.Flags().Var(&settingFlag{kind: s.Kind}, app.FlagName(s.Key), help)
	}
}

// A settingFlag is the value of a setting that was given as a flag. It implements
// pflag.Value; app.New validates it with all other settings.
type settingFlag struct{ text, kind string }

// Set implements pflag.Value.
func (f *settingFlag) Set(text string) error {
	f.text = text
	return nil
}

// String implements pflag.Value.
func (f *settingFlag) String() string { return f.text }

// Type implements pflag.Value.
func (f *settingFlag) Type() string { return strings.ToUpper(f.kind) }

// inSession returns a cobra RunE that calls do with the arguments of the command line, and with
// a session that has the folders and the settings in force.
func (e environment) inSession(do func(ctx context.Context, s *session, words []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, words []string) error {
		s, err := newSession(cmd, e)
		if err != nil {
			return err
		}
		return do(cmd.Context(), s, words)
	}
}

// A session has the app of a command, and the environment in which the command runs.
type session struct {
	*app.App
	environment
}

// newSession makes the session of a command, with the folders and the settings in force.
func newSession(cmd *cobra.Command, e environment) (*session, error) {
	flags := map[string]string{}
	for _, s := range app.KnownSettings() {
		if flag := cmd.Flags().Lookup(app.FlagName(s.Key)); flag != nil && flag.Changed {
			flags[s.Key] = flag.Value.String()
		}
	}

	e = e.withFolders(cmd)
	a, err := app.New(e.forApp(), flags)
	if err != nil {
		return nil, err
	}
	a.TokenStdin, _ = cmd.Flags().GetBool(tokenStdin) // false for a command without the flag
	a.SetLog(newLog(e, a.Settings.Text("log_format")))
	return &session{App: a, environment: e}, nil
}
