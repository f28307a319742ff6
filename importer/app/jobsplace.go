package app

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/places"
)

// An Unplaced is an address without coordinates.
type Unplaced = places.Unplaced

// Place adds an address of Checked.Unplaced to the office's places. Position is its latitude and
// longitude in degrees, as maps give them: 42.3012, -83.4013.
func (j *Jobs) Place(ctx context.Context, id string, at Unplaced, position string) error {
	a, w, err := j.openWork(id, "")
	if err != nil {
		return err
	}
	seen, err := j.check(ctx, a, w)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(seen.Unplaced, func(u Unplaced) bool { u.Trips = at.Trips; return u == at }) {
		return Usage("look at its faults as they are now", "the schedule has no such address without coordinates")
	}
	latitude, longitude, _ := strings.Cut(position, ",")
	var list strings.Builder
	line := []string{at.Address1, at.City, at.State, at.Zip, strings.TrimSpace(latitude), strings.TrimSpace(longitude)}
	if err := csv.NewWriter(&list).WriteAll([][]string{{"address1", "city", "state", "zip", "latitude", "longitude"}, line}); err != nil {
		return err
	}
	path := filepath.Join(w.folder, "place.csv")
	if err := writePrivate(path, []byte(list.String())); err != nil {
		return err
	}
	added, err := a.AddPlaces(path)
	j.remember(nil)
	var wrong *importer.InputError
	switch err = errors.Join(err, os.Remove(path)); {
	case errors.As(err, &wrong):
		return Usage("copy latitude and longitude from a map, such as 42.3012, -83.4013; whoever looks after the program can have known ones forgotten", "%s", wrong.Reason)
	case err != nil:
		return err
	case added.Waiting > 0:
		return Usage("copy latitude and longitude from a map, such as 42.3012, -83.4013", "there are no coordinates")
	}
	return nil
}
