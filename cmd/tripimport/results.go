package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newResults(e environment) *cobra.Command {
	var f runFlags
	var inputs []string
	cmd := &cobra.Command{
		Use:   "results RUN --input FILE",
		Short: "write the results of a run again, from the ledger and its input",
		Example: `  tripimport runs
  tripimport results 20261202T031500Z-5f3a1c --input schedule.xlsx`,
		Long: `Use it where a results workbook was lost, could not be written, or its rows got
mixed up. The input must be the very file that the run read; where a run read
several, name each of them with an --input of its own. The ledger does not have
the service's messages: the results give their codes.

exit: 0 written; 2 no such run; 7 the input is not that of the run`,
		Args: args(cobra.ExactArgs(1), "name one run; `tripimport runs` lists them"),
		RunE: e.inSession(func(ctx context.Context, s *session, ids []string) error {
			if len(inputs) == 0 {
				return usage("add --input FILE: the file that the run read", "the input is not named")
			}
			return s.RewriteResults(ctx, f.Options, s.newReporter(&f), ids[0], inputs...)
		}),
	}

	f.addReading(cmd)
	addSettings(cmd, "ledger")
	cmd.Flags().StringArrayVar(&inputs, "input", nil, "a `FILE` that the run read; name each of them")
	return cmd
}
