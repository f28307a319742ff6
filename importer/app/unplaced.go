package app

import (
	"tripimport/importer"
	"tripimport/importer/places"
)

// writeUnplaced writes the addresses that nothing had coordinates for, in the
// form of the places list, beside the results.
func (j *job) writeUnplaced() error {
	unplaced := j.placer.Unplaced()
	if len(unplaced) == 0 || j.opts.Redact {
		return nil
	}

	path := j.path + ".places.csv"
	if err := places.WriteUnplaced(path, unplaced); err != nil {
		return &Error{Unexpected, "the addresses without coordinates can't be written to " + path, "see that there is room and that this user may write there"}
	}

	list := ""
	if j.Settings.Text("places") == "" {
		list = " --places places.csv"
	}
	j.notice("%s without coordinates: fill in latitude and longitude in %s, then run: tripimport places add%s %s", importer.Counted(len(unplaced), "address", "addresses"), path, list, Quoted(path))
	return nil
}
