package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"tripimport/importer/sheet"
	"tripimport/mapping/propose"
)

func newInspect(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "inspect FILE",
		Short:   "show what the reader sees in a spreadsheet",
		Example: `  tripimport inspect schedule.xlsx           kind, sheets, header row, columns`,
		RunE: func(cmd *cobra.Command, paths []string) (err error) {
			f, err := sheet.Open(paths[0], sheet.Options{})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()

			report, err := sheet.Inspect(f, propose.GuessHeader)
			if err != nil {
				return err
			}
			_, err = io.WriteString(e.Out, report)
			return err
		},
	}
}
