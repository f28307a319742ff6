package app

import (
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/places"
)

// AddPlaces adds the filled-in lines of a file to the office's list of places: the one
// that the settings name, or a new one in the user's folder. It returns the path of the
// list and what became of the lines. Where no settings name the list, the user's own do
// from now on, and set is true: otherwise no run would read it.
func (a *App) AddPlaces(file string) (list string, added places.Added, set bool, err error) {
	value := a.Settings["places"]
	list = value.Text
	if list == "" {
		list = filepath.Join(a.Folders.Config, "places.csv")
	}
	if list, err = filepath.Abs(list); err != nil {
		return "", added, false, err
	}
	if err := makePrivate(a.Folders.Config); err != nil {
		return "", added, false, err
	}

	added, err = places.Add(list, file)
	if err != nil || value.Text != "" && !value.given() {
		return list, added, false, err
	}
	own, beside, err := a.Folders.fileSettings()
	if err != nil || own.Text("places") != "" || beside.Text("places") != "" {
		return list, added, false, err
	}
	return list, added, true, a.Folders.keepSetting("places", list)
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
