package sheet

import (
	"cmp"
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

// stampInName matches a date and a time: with seconds or not, with AM or PM, and with Z for UTC.
const stampInName = `(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_ T]+(\d{1,2})[-_.h]?(\d\d)[-_.]?(\d\d)?(?:[ _.-]?([AaPp])\.?[Mm]|(Z))?(?:\D|$)`

// nameStamp returns the date and the time in a file's name; zero if it does not have
// both, or has two of them.
func nameStamp(name string, loc *time.Location) time.Time {
	found := regexp.MustCompile(stampInName).FindAllStringSubmatch(name, -1)
	if len(found) != 1 {
		return time.Time{}
	}
	hour, seconds, half := found[0][4], cmp.Or(found[0][6], "00"), strings.ToUpper(found[0][7])
	layout := "20060102150405"
	switch {
	case half != "" && (len(hour) == 1 || hour <= "12"):
		layout, half = "20060102030405PM", half+"M"
		hour = "0"[:2-len(hour)] + hour
	case len(hour) == 1: // a number of another kind
		return time.Time{}
	default:
		half = ""
	}
	if found[0][8] != "" {
		loc = time.UTC
	}
	at, _ := time.ParseInLocation(layout, strings.Join(found[0][1:4], "")+hour+found[0][5]+seconds+half, loc) // zero on an error
	return at
}
