package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/results/atomicfile"
)

// AddPlaces adds the lines of a list to the office's places.
func (a *App) AddPlaces(file string) (places.Added, error) {
	store, err := a.Places()
	if err != nil {
		return places.Added{}, err
	}
	added, err := store.Add(file)
	if err != nil {
		return added, err
	}
	return added, a.share(store.Files()...)
}

// Places opens the office's places.
func (a *App) Places() (*places.Store, error) {
	return places.Open(cmp.Or(a.Settings.Text("places"), a.Folders.places()))
}

// openPlaces prepares the sources of missing coordinates: the office's places, and a
// geocoder. The geocoder is used only if the settings turn one on, because addresses leave
// the building.
func (j *job) openPlaces(context.Context) error {
	store, err := j.Places()
	if err != nil {
		return err
	}
	kind := j.Settings.Text("geocoder")
	if kind == "" {
		j.placer = places.New(store, nil, nil)
		return nil
	}
	geocoder, err := places.NewGeocoder(kind, j.Settings.Text("geocoder_url"), importer.NewSecret(j.env.get("TRIPIMPORT_GEOCODER_KEY")))
	if wrong, ok := errors.AsType[*importer.InputError](err); ok {
		return Usage(wrong.Fix, "%s", wrong.Reason)
	}
	j.placer = places.New(store, geocoder, j.consent)
	return nil
}

// consent asks a person before addresses leave the building for the first time.
func (j *job) consent(geocoder string, addresses int) (bool, error) {
	if j.agrees(Ask{Text: fmt.Sprintf("%s would be sent to %s, without names, ids or times. agree, for now and later?", importer.Counted(addresses, "address", "addresses"), geocoder)}) {
		return j.opts.Planning == nil, nil
	}
	j.notice("no address was sent to %s: %s", geocoder, importer.Do("somebody has to agree once", importer.Agree, j.inputPath()).Say(j.env.Spell))
	return false, nil
}

// preparePlaces looks up all missing coordinates at once.
func (j *job) preparePlaces(ctx context.Context) error { return j.placer.Prepare(ctx) }

// writeUnplaced writes the addresses for which no coordinates were found, as a list to fill
// in, beside the results.
func (j *job) writeUnplaced() error {
	unplaced := j.placer.Unplaced()
	if len(unplaced) == 0 || j.opts.Redact || j.opts.NoResults {
		return nil
	}

	path := filepath.Join(filepath.Dir(j.output()), filepath.Base(j.path)+".places.csv")
	err := places.WriteUnplaced(path, unplaced)
	if err != nil { // the file is open in Excel, or somebody has filled it in
		path = atomicfile.FreeName(path)
		err = places.WriteUnplaced(path, unplaced)
	}
	if err != nil {
		return &Error{Unexpected, "the addresses without coordinates can't be written to " + path, "see that there is room, that this user may write there, and that the name is not too long"}
	}

	j.unplaced = path
	j.notice("%s without coordinates: fill in latitude and longitude in %s, %s",
		importer.Counted(len(unplaced), "address", "addresses"), j.env.shown(path), importer.Do("then add them", importer.AddPlaces, path).Say(j.env.Spell))
	j.shareWritten(path)
	return nil
}
