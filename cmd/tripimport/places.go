package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/places"
)

func newPlaces(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "places",
		Short: "look after the office's list of places with coordinates",
		Example: `  tripimport places check places.csv            every fault of the list, at its line
  tripimport places add schedule.csv.places.csv adds what you filled in to the list
  tripimport places forget "418 Larkmoor Ave, Dearborn, MI 48124"
  tripimport places prune 2026-01-01            forgets answers older than that`,
		Long: `The service takes no trip without coordinates. Where a schedule has none, they
come from the office's list of places (the setting places): a CSV file or workbook
with the columns name, address1, city, state, zip, latitude, longitude. A run
writes the addresses that it could not place to a file of the same form.

With the setting geocoder (census, nominatim, pelias, geocodio) what the list does
not have is asked of a geocoder, once an address; its answers are kept in a cache,
under keyed hashes.`,
	}
	cmd.AddCommand(
		placesCommand(w, "check FILE", "check a list of places", "name the list", checkPlaces),
		placesCommand(w, "add FILE", "add the lines of a filled-in file to the list", "name the file that you filled in", addPlaces),
		placesCommand(w, "forget ADDRESS", "forget what a geocoder said of an address", "give the address on one line, in quotes", forgetPlace),
		placesCommand(w, "prune DATE", "forget what geocoders said before a day", "give a date like 2026-01-01", prunePlaces),
	)
	return cmd
}

func placesCommand(w world, use, short, wants string, do func(*app, string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: args(cobra.ExactArgs(1), wants),
		RunE: func(cmd *cobra.Command, words []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			return do(a, words[0])
		},
	}
	addSettings(cmd, "places")
	return cmd
}

func checkPlaces(a *app, path string) error {
	list, err := places.OpenList(path)
	if err != nil {
		return err
	}
	clashes := list.Clashes()
	for _, c := range clashes {
		_, _ = fmt.Fprintf(a.Out, "lines %d and %d are one place at two spots: rows that need it can't be placed\n", c.First.Num, c.Second.Num)
	}
	if len(clashes) > 0 {
		return usage("keep the one that is right", "%s names %s at two spots", path, pluralOf(len(clashes), "place", "places"))
	}
	_, err = fmt.Fprintf(a.Out, "%s: %s, good\n", path, pluralOf(list.Len(), "place", "places"))
	return err
}

func addPlaces(a *app, path string) error {
	list := a.settings.text("places")
	if list == "" {
		return usage("write `places: places.csv` into tripimport.yaml, or give --places", "the office's list is not set")
	}
	added, err := places.Add(list, path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s added to %s; there already: %d; still without coordinates: %d\n",
		pluralOf(added.Added, "place", "places"), list, added.Known, added.Waiting)
	return err
}

// cache opens the answers of geocoders.
func (a *app) cache() (*places.Cache, error) {
	if err := private(a.folders.Data); err != nil {
		return nil, err
	}
	return places.OpenCache(filepath.Join(a.folders.Data, "places.cache"))
}

func forgetPlace(a *app, address string) error {
	c, err := a.cache()
	if err != nil {
		return err
	}
	n, err := c.Forget(address)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s forgotten\n", pluralOf(n, "answer", "answers"))
	return err
}

func prunePlaces(a *app, day string) error {
	before, err := importer.ParseDate(day)
	if err != nil {
		return usage("", "%s", err)
	}
	c, err := a.cache()
	if err != nil {
		return err
	}
	n, err := c.Prune(before)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s forgotten\n", pluralOf(n, "answer", "answers"))
	return err
}
