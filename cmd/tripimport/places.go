package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
)

func newPlaces(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "places",
		Short: "maintain the coordinates of the office's addresses",
		Example: `  tripimport places add schedule.csv.places.csv
                                      brings in what you filled in
  tripimport places forget "418 Larkmoor Ave, Dearborn, MI 48124"
  tripimport places forget --unused-since 2026-01-01`,
		Long: `The service takes no trip without coordinates. A run writes the addresses that
it could not place to a list: fill it in and add it. With the setting geocoder
a geocoder is asked as well.`,
	}
	cmd.AddCommand(newPlacesAdd(e), newPlacesForget(e))
	return cmd
}

func newPlacesAdd(e environment) *cobra.Command {
	return &cobra.Command{
		Use: "add FILE", Short: "add the lines of a list that was filled in",
		RunE: e.inSession(func(_ context.Context, s *session, words []string) error {
			added, err := s.AddPlaces(words[0])
			return s.say(err, "%s added; still without coordinates: %d\n",
				importer.Counted(added.Added, "place", "places"), added.Waiting)
		}),
	}
}

func newPlacesForget(e environment) *cobra.Command {
	var since importer.Date
	cmd := &cobra.Command{
		Use: "forget [ADDRESS]", Short: "forget the coordinates of an address",
		RunE: e.inSession(func(_ context.Context, s *session, words []string) error {
			n, err := forgetPlaces(s, words, since)
			return s.say(err, "%s forgotten\n", importer.Counted(n, "place", "places"))
		}),
	}
	cmd.Flags().TextVar(&since, "unused-since", importer.Date{}, "all that no run has needed since `DATE`, such as 2026-01-01")
	return cmd
}

// forgetPlaces forgets the address, or what was not used since a day.
func forgetPlaces(s *session, address []string, since importer.Date) (int, error) {
	if (len(address) == 1) != since.IsZero() {
		return 0, usage("", "give either an address on one line, in quotes, or --unused-since")
	}
	store, err := s.Places()
	if err != nil {
		return 0, err
	}
	if since.IsZero() {
		return store.Forget(address[0])
	}
	return store.ForgetUnused(since)
}
