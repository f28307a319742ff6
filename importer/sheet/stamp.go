package sheet

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Stamp returns when a schedule was made: the time of the last change that a
// workbook states, or else the date and time in the file's name, such as
// trips_20261201_1800.csv, or else the time at which the file was last written. A
// date without a time in the name does not count, because it is the day of the
// trips. Times without a zone are in loc. Stamp returns the zero time if the file
// can't be read.
func Stamp(path string, loc *time.Location) time.Time {
	if at := workbookStamp(path); !at.IsZero() {
		return at
	}
	if at := nameStamp(filepath.Base(path), loc); !at.IsZero() {
		return at
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// workbookStamp returns when a workbook was changed last, as its program wrote it;
// zero if there is none.
func workbookStamp(path string) time.Time {
	z, err := zip.OpenReader(path)
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = z.Close() }() // only read from

	const maxSize = 64 << 10 // a kilobyte is usual
	part, err := z.Open("docProps/core.xml")
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = part.Close() }() // only read from

	var core struct {
		Modified string `xml:"modified"`
	}
	if err := xml.NewDecoder(io.LimitReader(part, maxSize)).Decode(&core); err != nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, strings.TrimSpace(core.Modified)) // zero on an error
	return at
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
