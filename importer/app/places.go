package app

import (
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/places"
)

// AddPlaces adds the filled-in lines of a file to the office's list of places: the list that
// the settings name, or a new one in the user's folder. It returns the path of the list and
// what became of the lines. If no settings file names a list, AddPlaces writes the path to
// the user's settings, because otherwise no run would read the list; set is then true.
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

// ForgetPlace removes the geocoders' answers for an address, and returns how many it removed.
func (a *App) ForgetPlace(address string) (int, error) {
	cache, err := a.placesCache()
	if err != nil {
		return 0, err
	}
	return cache.Forget(address)
}

// PrunePlaces removes the geocoders' answers from before a day, and returns how many it removed.
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
