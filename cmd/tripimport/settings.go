package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

// setFlag is the flag that gives any setting: --set name=value.
const setFlag = "set"

// settingsGiven returns what was given with --set.
func settingsGiven(cmd *cobra.Command) []string {
	pairs, _ := cmd.Flags().GetStringArray(setFlag) // every command of ours has the flag
	return pairs
}

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

// plainCommand makes a command without arguments and flags.
func (e environment) plainCommand(use, short string, do func(context.Context, *session) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error { return do(ctx, s) }),
	}
}

// A session has the app of a command, and the environment in which the command runs.
type session struct {
	*app.App
	environment
	given map[string]string // the settings of the command line
}

// settingsOf returns the settings that were given on the command line.
func settingsOf(cmd *cobra.Command) (map[string]string, error) {
	set := map[string]string{}
	for _, pair := range settingsGiven(cmd) {
		name, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, usage("write it like --set rate=5", "--set %s has no value", pair)
		}
		set[name] = value
	}
	if f := cmd.Flags().Lookup("changes"); f != nil && f.Changed {
		set["changes"] = f.Value.String()
	}
	return set, nil
}

// newSession makes the session of a command, with the folders and the settings in force.
func newSession(cmd *cobra.Command, e environment) (*session, error) {
	set, err := settingsOf(cmd)
	if err != nil {
		return nil, err
	}

	jobs := e.Environment
	jobs.Spell = speller{cmd}.spell
	a, err := app.New(jobs, set)
	if err != nil {
		return nil, err
	}
	if f := cmd.Flags().Lookup("mapping"); f != nil {
		a.Mapping = f.Value.String()
	}
	return &session{App: a, environment: e, given: set}, nil
}
