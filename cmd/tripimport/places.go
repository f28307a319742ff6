package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/places"
	"tripimport/importer/results"
)

func newPlaces(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "places",
		Short: "maintain the office's list of places with coordinates",
		Example: `  tripimport places check places.csv  every fault of the list, at its line
  tripimport places add schedule.csv.places.csv
                                      adds what you filled in to the list
  tripimport places forget "418 Larkmoor Ave, Dearborn, MI 48124"
  tripimport places prune 2026-01-01  forgets older answers of geocoders`,
		Long: `The service takes no trip without coordinates. Where a schedule has none, they
come from the office's list of places (the setting places): a CSV file or workbook
with the columns name, address1, city, state, zip, latitude, longitude. A run
writes the addresses that it could not place to a file of the same form.

With the setting geocoder (census, nominatim, pelias, geocodio) a geocoder is asked
for addresses that the list does not have, once for each; its answers are kept in a
cache, under keyed hashes.`,
	}

	cmd.AddCommand(
		placesCommand(e, "check FILE", "check a list of places", "name the list", checkPlaces),
		placesCommand(e, "add FILE", "add the lines of a filled-in file to the list", "name the file that you filled in", addPlaces),
		placesCommand(e, "forget ADDRESS", "forget what a geocoder said of an address", "give the address on one line, in quotes", forgetPlace),
		placesCommand(e, "prune DATE", "forget what geocoders said before a day", "give a date like 2026-01-01", prunePlaces),
	)
	return cmd
}

func placesCommand(e environment, use, short, wants string, do func(*session, string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: args(cobra.ExactArgs(1), wants),
		RunE: e.inSession(func(_ context.Context, s *session, words []string) error {
			return do(s, words[0])
		}),
	}
	addSettings(cmd, "places")
	return cmd
}

func checkPlaces(s *session, path string) error {
	list, err := places.OpenList(path)
	if err != nil {
		return err
	}

	clashes := list.Clashes()
	for _, c := range clashes {
		s.printf("lines %d and %d name one place at two positions: rows that need it get no coordinates\n", c.First.Num, c.Second.Num)
	}

	if len(clashes) > 0 {
		return usage("keep the one that is right", "%s names %s at two positions", path, importer.Counted(len(clashes), "place", "places"))
	}
	s.printf("%s: %s, good\n", path, importer.Counted(list.Len(), "place", "places"))
	return nil
}

func addPlaces(s *session, path string) error {
	list, added, set, err := s.AddPlaces(path)
	if err != nil {
		return err
	}
	s.printf("%s added to %s; there already: %d; still without coordinates: %d\n",
		importer.Counted(added.Added, "place", "places"), list, added.Known, added.Waiting)
	if set {
		s.printf("every run reads it from now on: `places` is in %s\n", s.Folders.Settings())
	}
	if len(added.Clashes) == 0 {
		return nil
	}
	for _, c := range added.Clashes {
		where := list
		if c.InFile {
			where = path
		}
		s.printf("not added: line %d of %s: line %d of %s has the same place at %g, %g\n",
			c.Second.Num, results.Inert(path), c.First.Num, results.Inert(where), c.First.Latitude, c.First.Longitude)
	}
	return &app.Error{
		Status: app.FixRows, Reason: importer.Counted(len(added.Clashes), "place", "places") + " not added: the coordinates differ from those that are known",
		Fix: "find out which of the two lines is right and correct the other, then run the same command again",
	}
}

func forgetPlace(s *session, address string) error {
	n, err := s.ForgetPlace(address)
	if err != nil {
		return err
	}
	s.printf("%s forgotten\n", importer.Counted(n, "answer", "answers"))
	return nil
}

func prunePlaces(s *session, day string) error {
	before, err := importer.ParseDate(day)
	if err != nil {
		return usage("", "%s", err)
	}

	n, err := s.PrunePlaces(before)
	if err != nil {
		return err
	}
	s.printf("%s forgotten\n", importer.Counted(n, "answer", "answers"))
	return nil
}
