package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func newHistory(e environment) *cobra.Command {
	var search ledger.Search
	cmd := &cobra.Command{
		Use:   "history [TRIP]",
		Short: "show everything that is known of a trip",
		Example: `  tripimport history 70411-A    who sent it, from which file, what came of it
  tripimport history --rider R-3310
                                all trips of a rider`,
		Long: `Takes a trip id or a GUID. For each trip that is found it says in order every
attempt to book it, what the service answered, every change, and what people
answered.

exit: 0 found; 2 nothing found`,
		RunE: e.inSession(func(ctx context.Context, s *session, words []string) error {
			search.Trip = strings.Join(words, "")
			search.Rider = strings.TrimSpace(search.Rider)
			if search.Trip == "" && search.Rider == "" {
				return usage("see `tripimport history --help`", "name a trip, or a rider with --rider")
			}
			return s.showHistory(ctx, search)
		}),
	}

	cmd.Flags().StringVar(&search.Rider, "rider", "", "a rider's `ID` as it stands in the schedule")
	return cmd
}

// showHistory prints the trips that a search finds.
func (s *session) showHistory(ctx context.Context, search ledger.Search) error {
	trips, runs, err := s.Histories(ctx, search)
	switch {
	case err != nil:
		return err
	case len(trips) == 0:
		return usage("look at the trip id or GUID in the results; what waits and was never sent is in the list of `tripimport morning`", "the ledger has no such trip")
	}
	for i := range trips {
		if i > 0 {
			s.printf("\n")
		}
		printHistory(s.environment, &trips[i], runs)
	}
	s.printf("\ntimes are in %s\n", time.Now().Format("MST"))
	return nil
}

// printHistory prints a trip: its present status, and what happened to it.
func printHistory(e environment, h *ledger.History, runs map[string]ledger.Run) {
	e.printf("trip %s  %s %s  %s\n", h.ListedID(), h.Day.Spoken(), h.Begins.SpokenTime(), strings.TrimSpace(h.Leg.String()+"  "+h.Account.Provider))
	held := map[bool]string{true: ", on hold"}[h.Held]
	e.printf("  now: %s%s %s\n", h.State, held, h.GUID)
	for i := range h.Past {
		ev := &h.Past[i]
		e.printf("  %s  %s\n", ev.At.Local().Format("Jan 2 2006 15:04:05"), describeEvent(ev, runs))
		if ev.Run != "" {
			run := runs[ev.Run]
			e.printf("%24s%s, run %s\n", "", run.Input.Name, ev.Run)
		}
		if ev.Note != "" {
			e.printf("%24snote: %s\n", "", ev.Note)
		}
	}
}

// describeEvent says in one line what happened.
func describeEvent(e *ledger.Happened, runs map[string]ledger.Run) string {
	by := spokenBy(e, runs)
	switch {
	case e.Sent() && e.Settled != nil && e.Settled.Kind == ledger.EventEntered:
		return "entered in the dispatch system by hand, and recorded " + by
	case e.Sent():
		return "sent " + by + ": " + replied(e, e.State().String())
	case e.Changed():
		words := map[importer.TripState]string{
			importer.TripBooked: importer.Changed.String(), importer.TripRefused: importer.Refused.String(), importer.TripNotSent: importer.NotSent.String(),
		}[e.State()]
		return "change of " + importer.PropertyNames(e.Keys) + " sent " + by + ": " + replied(e, cmp.Or(words, importer.ChangeUnknown.String()))
	case e.Kind == ledger.EventAnswered:
		return strings.TrimSpace(fmt.Sprintf("answered %s: %s %s", by, e.What, e.GUID))
	case e.Kind == ledger.EventContradicted:
		return strings.TrimSpace(fmt.Sprintf("answered %s, against an earlier answer: %s %s", by, e.What, e.GUID))
	case e.Kind == ledger.EventHeld:
		return "put on hold " + by
	case e.Kind == ledger.EventReleased:
		return "released " + by
	}
	return e.Kind + " " + e.What + " " + by
}

// replied says what came of an attempt: its state in words, the code of the reply and the GUID.
func replied(e *ledger.Happened, words string) string {
	if e.Settled == nil {
		return "no answer was recorded"
	}
	if e.Settled.Code != "" {
		words += " (" + e.Settled.Code + ")"
	}
	return strings.TrimSpace(words + " " + e.Settled.GUID)
}

// spokenBy says who made an event: the person, or the one who started its run.
func spokenBy(e *ledger.Happened, runs map[string]ledger.Run) string {
	run := runs[e.Run]
	by := "by " + cmp.Or(e.Who, run.Who, "somebody")
	if host := cmp.Or(e.Host, run.Host); host != "" {
		by += " at " + host
	}
	return by
}
