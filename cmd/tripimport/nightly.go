package main

import (
	"github.com/spf13/cobra"

	"tripimport/importer/nightly"
)

func newNightly(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nightly",
		Short: "import the schedules of an inbox every night, unattended",
		Long: `Imports what brokers leave in an inbox, at the times and for the days that the block
nightly of your own settings says. The README has an example under "Every night".`,
	}
	cmd.AddCommand(newNightlyMail(e))
	return cmd
}

// nightConfig returns the block nightly of the user's own settings.
func (s *session) nightConfig() (*nightly.Config, error) {
	config, found, err := nightly.Load(s.Folders.Settings())
	if err == nil && !found {
		err = usage("add it to "+s.Folders.Settings()+"; the README has an example under Every night", "your settings have no block nightly")
	}
	return config, err
}
