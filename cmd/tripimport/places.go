package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tripimport/importer/places"
)

func newPlaces(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "places",
		Short:   "look after the office's list of places with coordinates",
		Example: `  tripimport places check places.csv     every fault of the list, at its line`,
		Long: `The service takes no trip without coordinates. Where a schedule has none, they
come from the office's list of places: a CSV file with the columns name, address1,
city, state, zip, latitude, longitude, named by the setting places. A run writes
the addresses that it could not place to a file of the same form, to be filled in
and added.`,
	}
	cmd.AddCommand(&cobra.Command{
		Use: "check FILE", Short: "check a list of places",
		Args: args(cobra.ExactArgs(1), "name the list"),
		RunE: func(_ *cobra.Command, paths []string) error {
			list, err := places.OpenList(paths[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w.Out, "%s: %s, good\n", paths[0], plural(list.Len(), "place"))
			return err
		},
	})
	return cmd
}
