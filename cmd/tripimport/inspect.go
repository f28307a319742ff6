package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"tripimport/importer/sheet"
	"tripimport/mapping/propose"
)

func newInspect(e environment) *cobra.Command {
	var o sheet.Options
	cmd := &cobra.Command{
		Use:     "inspect FILE",
		Short:   "show what the reader sees in a spreadsheet",
		Example: `  tripimport inspect schedule.xlsx           kind, sheets, header row, columns`,
		RunE: func(cmd *cobra.Command, paths []string) (err error) {
			f, err := sheet.Open(paths[0], o)
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

	flags := cmd.Flags()
	flags.StringVar(&o.Sheet, "sheet", "", "`SHEET` to read: its name or number (default: the first visible one)")
	flags.StringVar(&o.Encoding, "encoding", "", "`ENCODING` of a text file (default: found by rule)")
	flags.StringVar(&o.Delimiter, "delimiter", "", "`CHARACTER` between fields: comma, semicolon, tab or | (default: found by rule)")
	return cmd
}
