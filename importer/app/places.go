package app

import (
	"tripimport/importer"
	"tripimport/importer/places"
)

// AddPlaces adds the filled-in lines of a file to the office's list of places. It
// returns the path of the list and what became of the lines.
func (a *App) AddPlaces(file string) (list string, _ places.Added, err error) {
	list = a.Settings.Text("places")
	if list == "" {
		return "", places.Added{}, Usage("write `places: places.csv` into tripimport.yaml, or give --places", "the office's list is not set")
	}
	added, err := places.Add(list, file)
	return list, added, err
}

// ForgetPlace removes what geocoders said of an address, and returns how many
// answers that were.
func (a *App) ForgetPlace(address string) (int, error) {
	cache, err := a.placesCache()
	if err != nil {
		return 0, err
	}
	return cache.Forget(address)
}

// PrunePlaces removes what geocoders said before a day, and returns how many
// answers that were.
func (a *App) PrunePlaces(before importer.Date) (int, error) {
	cache, err := a.placesCache()
	if err != nil {
		return 0, err
	}
	return cache.Prune(before)
}

// placesCache opens the cache of geocoders' answers.
func (a *App) placesCache() (*places.Cache, error) {
	if err := makePrivate(a.Folders.Data); err != nil {
		return nil, err
	}
	return places.OpenCache(placesCache(a.Folders.Data))
}
