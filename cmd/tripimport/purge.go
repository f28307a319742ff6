package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

func newRunsPurge(e environment) *cobra.Command {
	var list, yes bool
	cmd := &cobra.Command{
		Use:   "purge [FOLDER…]",
		Short: "remove results that are past their time",
		Example: `  tripimport runs purge --list schedules
                                   what would be removed, and what stays and why
  tripimport runs purge schedules       the same, asks, and removes it`,
		Long: `Results hold patients' data, so they are not kept for ever: keep_results and keep_done in
the settings say how long. Purge removes what is older from the folders that you name:
results and lists that carry our record or that the ledger proves to be ours, and no other
file. Without a folder, it does so in the folder of the nights' results, and removes the
schedules that nights have put away and that the ledger knows.

A file stays while one of its trips is still to come or open.

exit: 0 done; 1 something could not be removed; 2 usage`,
		RunE: e.inSession(func(ctx context.Context, s *session, folders []string) error {
			at := app.PurgeFolders{Results: folders}
			if len(folders) == 0 {
				config, err := nightConfig(s.Folders)
				if err != nil {
					return usage("name the folders in which results lie", "no folder is named, and there are no nights that have one")
				}
				at.Results, at.Done = []string{config.Results}, config.DoneFolders()
			}
			p, err := s.Purge(ctx, func(p *app.Purge) bool {
				for _, path := range p.Past {
					s.printf("past its time: %s\n", results.Inert(path))
				}
				for _, k := range p.Kept {
					s.printf("stays: %s: %s\n", results.Inert(k.Path), k.Why)
				}
				return !list && len(p.Past) > 0 && (yes || e.ask("remove "+importer.Counted(len(p.Past), "file", "files")+"?"))
			}, at)
			if err != nil {
				return err
			}
			for _, f := range p.Failed {
				s.printf("not removed: %s: %s\n", results.Inert(f.Path), f.Why)
			}
			s.printf("past their time: %s removed, %d still there, %d to stay for the reasons above\n",
				importer.Counted(len(p.Removed), "file", "files"), len(p.Past)-len(p.Removed), len(p.Kept))
			if len(p.Failed) > 0 {
				return &app.Error{Status: app.Unexpected, Reason: importer.Counted(len(p.Failed), "file", "files") + " could not be removed", Fix: "close the programs that have them open, then do the same again"}
			}
			return nil
		}),
	}

	cmd.Flags().BoolVar(&list, "list", false, "only list what would be removed")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}
