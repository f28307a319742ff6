package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// dated is a part of a file's name that is another one in each night's: a date, with its time, a
// number of four digits or more, or that of a second download.
var dated = regexp.MustCompile(`(?i)[ ._-]*\d{8}T\d{4,6}Z?` +
	`|(?:^|[ ._-]+|\d{1,2}[ ._-]*)(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[ ._-]*\d(?:[ ._-]*\d)*` +
	`|[ ._-]*(?:\d+(?:[._-]\d+)+|\d{4,}(?:[ ._-]+\d+)*|[[(]\d+[])])`)

// patternOf returns what a broker's files are called, by one of them, and a name for what they
// are: lakeshore*.csv and lakeshore for lakeshore_2026-12-02.csv.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	pattern = strings.TrimSuffix(filepath.Base(path), ext)
	stars := dated.ReplaceAllString(pattern, "*")
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(stars, "*", " ")), " "), " ._-")
	if name != "" {
		pattern = strings.TrimRight(stars, "*")
	} else { // any file would fit
		name = pattern
	}
	return strings.ReplaceAll(pattern, "[", "?") + "*" + ext, name
}
