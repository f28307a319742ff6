package app

import (
	"fmt"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/results/atomicfile"
)

// writeUnplaced writes the addresses for which no coordinates were found, in the format of the
// places list, beside the results.
func (j *job) writeUnplaced() error {
	unplaced := j.placer.Unplaced()
	if len(unplaced) == 0 || j.opts.Redact {
		return nil
	}

	path := j.path + ".places.csv"
	if j.opts.Output != "" {
		path = filepath.Join(filepath.Dir(j.opts.Output), filepath.Base(path))
	} else if j.opts.OutputFolder != "" {
		path = filepath.Join(j.opts.OutputFolder, filepath.Base(path))
	}

	kept, err := places.WriteUnplaced(path, unplaced)
	if err != nil { // the file is open in Excel, or is not a list of places
		path = atomicfile.FreeName(path)
		kept, err = places.WriteUnplaced(path, unplaced)
	}
	if err != nil {
		return &Error{Unexpected, "the addresses without coordinates can't be written to " + path, "see that there is room, that this user may write there, and that the name is not too long"}
	}

	j.unplaced = path
	there := ""
	if kept > 0 {
		there = fmt.Sprintf(" (what was in it is kept: %s)", importer.Counted(kept, "line", "lines"))
	}
	j.notice("%s without coordinates: fill in latitude and longitude in %s%s, then run `%s`",
		importer.Counted(len(unplaced), "address", "addresses"), path, there, j.commandLine("places add", "", path))
	j.shareWritten(path)
	return nil
}
