package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/service"
)

func newResolve(w world) *cobra.Command {
	var o struct{ from, export, input, workbook string }
	var tokenStdin bool
	cmd := &cobra.Command{
		Use:   "resolve",
		Short: "say of trips that may be booked whether they are",
		Example: `  tripimport resolve                        asks about each at the terminal
  tripimport resolve --input schedule.xlsx  shows places and times as well
  tripimport resolve --results schedule.xlsx.20261202T031500Z.results.xlsx
                                            the same, from the results of the run
  tripimport resolve --export open.csv      writes them to a file to fill in
  tripimport resolve --from open.csv        takes it back`,
		Long: `Some answers of the service get lost: such a trip may be booked, and is never sent
again by itself. Look for it in the dispatch system, then say: it is there (with
its GUID, if you can see it), or it is not there. A card has places and
times where the schedule or its results are named. "Not there" lets the next run
send it: if that is wrong, two cars come. It is taken 15 minutes after the sending
at the earliest.

exit: 0 nothing is open any more; 4 some trips still are`,
		Args: args(cobra.NoArgs, "resolve takes no file but with --from or --export"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			l, err := a.openLedger("resolve", 0)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.Close()) }()
			r := &resolver{app: a, ledger: l}
			if err := r.load(cmd.Context(), o.input, o.workbook); err != nil {
				return err
			}
			if err := r.lookUp(cmd.Context(), tokenStdin); err != nil {
				return err
			}
			switch {
			case o.export != "":
				return r.export(o.export)
			case o.from != "":
				return r.takeFile(cmd.Context(), o.from)
			}
			return r.askAll(cmd.Context())
		},
	}
	addSettings(cmd, append(serviceKeys(), "ledger", "mappings", "lookup_path", "lookup_guid")...)
	flags := cmd.Flags()
	flags.StringP("mapping", "m", "", "with --input: mapping to use")
	flags.BoolVar(&tokenStdin, "token-stdin", false, "with lookup_path: read the token from standard input")
	flags.StringVar(&o.input, "input", "", "the file that the run read, to show places and times")
	flags.StringVar(&o.workbook, "results", "", "results of the run, to show places and times")
	flags.StringVar(&o.export, "export", "", "write the open trips to a CSV file, to be filled in")
	flags.StringVar(&o.from, "from", "", "take a file back that --export wrote")
	cmd.MarkFlagsMutuallyExclusive("export", "from")
	cmd.MarkFlagsMutuallyExclusive("input", "results")
	return cmd
}

// A resolver asks people about trips that may be booked.
type resolver struct {
	*app
	ledger ledger.Ledger
	open   []ledger.Entry
	seen   sightings
}

// load finds the open trips, and what they are where a file tells.
func (r *resolver) load(ctx context.Context, input, workbook string) (err error) {
	if r.open, err = r.ledger.Unresolved(ctx); err != nil {
		return err
	}
	r.seen, err = r.look(r.ledger, r.open, input, workbook)
	return err
}

// lookUp asks the service for each open trip, where the settings say how: a
// GUID closes a trip, anything else leaves it to a person.
func (r *resolver) lookUp(ctx context.Context, tokenStdin bool) error {
	where := service.Lookup{Path: r.settings.text("lookup_path"), GUID: r.settings.text("lookup_guid")}
	if where.Path == "" || len(r.open) == 0 {
		return nil
	}
	if err := where.Check(); err != nil {
		return usage("", "%s", err)
	}
	client, address, err := r.client(tokenStdin)
	if err != nil {
		return err
	}
	gate := pace.New(pace.Config{Rate: r.settings.number("rate"), Burst: r.settings.count("burst")})
	var left []ledger.Entry
	for _, e := range r.open {
		if e.Account.Service != address {
			left = append(left, e) // this service can't know it
			continue
		}
		if err := gate.Wait(ctx); err != nil {
			return err
		}
		guid, err := client.LookUp(ctx, where, e.TripID, e.Date)
		if err != nil {
			return &complaint{exitLater, err.Error(), "answer at the terminal (leave lookup_path empty), or run the same command again later"}
		}
		said := ""
		if guid != "" {
			if said, err = r.resolve(ctx, r.ledger, e, ledger.There, guid); err != nil {
				return err
			}
		}
		if guid == "" || said != "" {
			left = append(left, e)
		}
	}
	_, err = fmt.Fprintf(r.Out, "the service knows %d of %s\n", len(r.open)-len(left), plural(len(r.open), "trip"))
	r.open = left
	return err
}

// resolve records a person's word. What can't be taken is said in words, and is
// no error.
func (a *app) resolve(ctx context.Context, l ledger.Ledger, e ledger.Entry, v ledger.Verdict, guid string) (string, error) {
	who, _ := whoami()
	err := l.Resolve(ctx, ledger.Resolution{Attempt: e.Attempt, Verdict: v, GUID: guid, Who: who, When: time.Now()})
	var early *ledger.TooSoonError
	var fault *ledger.Error
	switch {
	case errors.As(err, &early):
		return early.Error(), nil
	case errors.Is(err, importer.ErrGUIDTaken):
		return "another trip has that GUID: look again", nil
	case errors.As(err, &fault) && fault.OneTrip:
		return fault.Reason, nil
	}
	return "", err
}
