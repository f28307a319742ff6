package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

func newResolve(e environment) *cobra.Command {
	var o struct{ from, export, input, workbook string }
	cmd := &cobra.Command{
		Use:   "resolve",
		Short: "record which of the trips that may be booked are booked",
		Example: `  tripimport resolve                       asks about each at the terminal
  tripimport resolve --input schedule.xlsx
                                           shows places and times as well
  tripimport resolve --results schedule.xlsx.20261202T031500Z.results.xlsx
                                           the same, from the results of the run
  tripimport resolve --export open.csv     writes them to a file to fill in
  tripimport resolve --from open.csv       takes it back`,
		Long: `Where the service's answer was lost, the trip may be booked, and it is never sent
again by itself. Look for it in the dispatch system, then answer: it is there
(with its GUID, if you can see it), or it is not there. Places and times are shown
where the schedule or its results are named. After "not there" the next run sends
the trip: if the answer was wrong, two cars come. A "not there" that is given in the
first 15 minutes after the trip was sent is kept, and counts once they are over. A change
that may not have arrived is listed too, with the answers that fit it.

exit: 0 no trip is open any more; 4 some trips are still open`,
		Args: args(cobra.NoArgs, "resolve takes no file but with --from or --export"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) (err error) {
			r, err := s.NewResolver(ctx, o.input, o.workbook)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			cards := &resolveCards{Resolver: r, environment: s.environment}
			if err := cards.lookUp(ctx); err != nil {
				return err
			}

			switch {
			case o.export != "":
				return cards.export(o.export)
			case o.from != "":
				return cards.takeFile(ctx, o.from)
			}
			return cards.askAll(ctx)
		}),
	}

	addSettings(cmd, append(app.ServiceKeys(), "ledger", "mappings", "lookup_path", "lookup_guid")...)
	flags := cmd.Flags()
	flags.StringP("mapping", "m", "", "with --input: `MAPPING` to use")
	flags.Bool(tokenStdin, false, "with lookup_path: read the token from standard input")
	flags.StringVar(&o.input, "input", "", "the `FILE` that the run read, to show places and times")
	flags.StringVar(&o.workbook, "results", "", "results `FILE` of the run, to show places and times")
	flags.StringVar(&o.export, "export", "", "write the open trips to a CSV `FILE`, to be filled in")
	flags.StringVar(&o.from, "from", "", "take a `FILE` back that --export wrote")
	cmd.MarkFlagsMutuallyExclusive("export", "from")
	cmd.MarkFlagsMutuallyExclusive("input", "results")
	return cmd
}

// lookUp asks the service for the open trips, if the settings say how, and prints how many it
// knows.
func (r *resolveCards) lookUp(ctx context.Context) error {
	trips := len(r.Open())
	known, asked, err := r.LookUp(ctx)
	if err == nil && asked {
		r.printf("the service knows %d of %s\n", known, importer.Counted(trips, "trip", "trips"))
	}
	return err
}

// export writes the open trips to a file for people to fill in.
func (r *resolveCards) export(path string) error {
	trips := len(r.Open())
	if trips == 0 {
		r.printf("no trip is open: there is nothing to fill in\n")
		return nil
	}
	if err := r.Export(path); err != nil {
		return err
	}
	r.printf("wrote %s to %s; fill in the column `what we found`\n   %s\nthen run\n   tripimport resolve --from %s\n",
		importer.Counted(trips, "trip", "trips"), path, strings.Join(r.Fitting(), "\n   "), app.Quoted(path))
	return nil
}

// takeFile takes the answers from a file that was filled in.
func (r *resolveCards) takeFile(ctx context.Context, path string) error {
	left, notes, err := r.TakeFile(ctx, path)
	for _, note := range notes {
		r.printf("%s\n", note)
	}
	if err != nil {
		return err
	}
	return r.stillOpen(left)
}

// stillOpen returns the error of the command if trips are still open, and nil if none are.
func (r *resolveCards) stillOpen(left int) error {
	if left > 0 {
		return &app.Error{Status: app.NeedsPerson, Reason: "still open: " + importer.Counted(left, "trip", "trips"), Fix: "look for them in the dispatch system, then run `tripimport resolve` again"}
	}
	r.printf("no trip is open any more; `tripimport retry` or `import` sends those that were not there\n")
	return nil
}
