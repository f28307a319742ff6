package sheet

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Stamp returns when a schedule was made: the date and time in the file's name, such as
// trips_20261201_1800.csv, or else the time at which the file was last written; saved reports
// the latter, which changes when somebody opens and saves an old file. A date without a time in
// the name does not count, because it is the day of the trips. Times without a zone are in loc.
// Stamp returns the zero time if the file can't be read.
func Stamp(path string, loc *time.Location) (at time.Time, saved bool) {
	if at := nameStamp(filepath.Base(path), loc); !at.IsZero() {
		return at, false
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, true
	}
	return info.ModTime(), true
}

// nameStamp returns the date and the time in a file's name; zero if it does not have
// both, or has two of them.
func nameStamp(name string, loc *time.Location) time.Time {
	found := regexp.MustCompile(`(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_ T]+(\d\d)[-_.h]?(\d\d)(\d\d)?(\D|$)`).FindAllStringSubmatch(name, -1)
	if len(found) != 1 {
		return time.Time{}
	}
	digits := strings.Join(found[0][1:6], "")
	at, _ := time.ParseInLocation("200601021504", digits, loc) // zero on an error
	return at
}
