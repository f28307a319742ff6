package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/places"
)

// geocoders returns the values that the setting geocoder takes.
func geocoders() []string { return []string{"census", "nominatim", "pelias", "geocodio"} }

// openPlaces prepares the sources of missing coordinates: the office's list of places, the
// cache of earlier answers, and a geocoder. The geocoder is used only if the settings turn
// one on, because addresses leave the building.
func (j *job) openPlaces(context.Context) (err error) {
	var list *places.List
	if path := j.Settings.Text("places"); path != "" {
		if list, err = places.OpenList(path); err != nil {
			return err
		}
	}

	kind := j.Settings.Text("geocoder")
	if kind == "" {
		j.placer = places.New(list)
		return nil
	}

	if !slices.Contains(geocoders(), kind) {
		return Usage("", "geocoder is %q; it takes one of %v, or nothing", kind, geocoders())
	}

	options, err := j.geocoding(kind)
	if err != nil {
		return err
	}

	j.placer = places.New(list, options...)
	return nil
}

// geocoding sets up the geocoder and its cache. In a rehearsal the geocoder invents
// positions, so that no address leaves the program.
func (j *job) geocoding(kind string) ([]places.Option, error) {
	dir := j.Folders.Data
	if j.opts.Rehearsal {
		dir = j.Folders.rehearsal()
	}

	if err := makePrivate(dir); err != nil {
		return nil, err
	}

	cache, err := places.OpenCache(placesCache(dir))
	if err != nil {
		return nil, err
	}

	geocoder, err := j.geocoder(kind)
	if err != nil {
		return nil, err
	}

	const perSecond = 1 // what public geocoders take
	return []places.Option{places.WithConsent(j.consent), places.WithCache(cache), places.WithGeocoder(geocoder, perSecond)}, nil
}

// geocoder returns the geocoder of that kind.
func (j *job) geocoder(kind string) (places.Geocoder, error) {
	base := j.Settings.Text("geocoder_url")
	switch {
	case j.opts.Rehearsal:
		return places.NewRehearsal(kind), nil
	case kind == "census":
		return places.NewCensus(cmp.Or(base, places.CensusURL))
	case kind == "nominatim", kind == "pelias":
		if base == "" {
			return nil, Usage("set geocoder_url to the address of your own server", "the geocoder %s has no address", kind)
		}
		if kind == "nominatim" {
			return places.NewNominatim(base)
		}
		return places.NewPelias(base)
	}

	key := importer.NewSecret(j.env.get("TRIPIMPORT_GEOCODER_KEY"))
	if key.Empty() {
		return nil, Usage("put the account's key into TRIPIMPORT_GEOCODER_KEY", "geocodio needs a key")
	}
	return places.NewGeocodio(cmp.Or(base, places.GeocodioURL), key)
}

// noticePlaces reports how many addresses the geocoder was asked for, and why it failed.
func (j *job) noticePlaces() {
	if c := j.placer.Counts(); c.Asked > 0 {
		j.notice("the geocoder was asked for %s and knew %d; %d more were known from earlier runs",
			importer.Counted(c.Asked, "address", "addresses"), c.Answered, c.Cached)
	}
	if failure := j.placer.GeocoderFailure(); failure != "" {
		j.notice("%s", failure)
	}
}

// consent asks a person before addresses leave the building for the first time. The
// addresses of a rehearsal never leave it.
func (j *job) consent(geocoder string, addresses int) (bool, error) {
	if j.opts.Rehearsal {
		return true, nil
	}
	if j.agrees(Ask{Text: fmt.Sprintf("%s would be sent to %s, without names, ids or times. agree, for now and later?", importer.Counted(addresses, "address", "addresses"), geocoder)}) {
		return j.opts.planning == nil, nil
	}
	j.notice("no address was sent to %s: agree at a terminal, or once with --yes", geocoder)
	return false, nil
}
